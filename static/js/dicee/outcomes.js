// Every way the next roll can land, and what each is worth.
import { $ } from "../lib/dom.js";
import { drawn } from "../lib/frames.js";
import { holdOf, numbers, phrase, titleOf } from "./numbers.js";

const FACES = [1, 2, 3, 4, 5, 6];
const SHADES = ["low", "fair", "good", "top"];
const MOST_NAMED = 6;
let newest; // the hold that was asked for last
const count = (n) => n.toLocaleString("en-US");
const signed = (x) => (Math.abs(x) < 0.5 ? "0" : `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(0)}`);

/** With rolls still to come a roll is worth what it does to the expected final score. */
function band(change) {
  if (change >= 10) return ["+10 or more", 2];
  if (change >= 0) return ["up to +10", 1];
  return change > -10 ? ["up to −10", -1] : ["−10 or worse", -2];
}

/** Every set of faces that dice can show, lowest first, with the number of ways it can be thrown. */
function throws(free) {
  let made = [{ faces: [], ways: 1 }];
  for (let size = 1; size <= free; size++)
    made = made.flatMap(({ faces, ways }) =>
      FACES.filter((face) => face >= (faces.at(-1) ?? 1)).map((face) => ({
        faces: [...faces, face],
        ways: (ways * size) / (faces.filter((other) => other === face).length + 1),
      })),
    );
  return made;
}

/** What comes of a throw: its name, its worth, its text. */
function landing({ k: kept, g: now }, thrown) {
  const { left, rolls } = numbers();
  const [box, points, final] = rolls[[...kept, ...thrown].toSorted().join("")];
  if (left === 1) return { name: `${titleOf(box)} ${points}`, worth: points, text: String(points) };
  const [name, worth] = band(final - now);
  return { name, worth, text: signed(final - now) };
}

function grouped(hold, free) {
  const groups = new Map();
  for (const { faces, ways } of throws(free)) {
    const { name, worth } = landing(hold, faces);
    const group = groups.get(name) ?? { name, worth, count: 0 };
    group.count += ways;
    groups.set(name, group);
  }
  const ordered = [...groups.values()].toSorted((a, b) => a.worth - b.worth);
  const step = (i) => (ordered.length === 1 ? 3 : Math.round((3 * i) / (ordered.length - 1)));
  return ordered.map((group, i) => ({ ...group, shade: SHADES[step(i)] }));
}

const pips = (face) => `<svg aria-hidden="true" fill="currentColor"><use href="#d${face}"/></svg>`;
const head = (face) =>
  `<span class="outcome-grid__die">${pips(face)}</span><span class="visually-hidden">${face}</span>`;

function grid(hold, free, shadeOf) {
  const table = document.createElement("table");
  const corner = free === 2 ? "<td></td>" : "";
  const heads = FACES.map((face) => `<th scope="col">${head(face)}</th>`).join("");
  table.className = "outcome-grid";
  table.innerHTML = `<thead><tr>${corner}${heads}</tr></thead><tbody></tbody>`;
  table.createCaption().textContent = phrase("landings");
  table.caption.className = "visually-hidden";
  for (const first of free === 2 ? FACES : [1]) {
    const row = document.createElement("tr");
    if (free === 2) row.innerHTML = `<th scope="row">${head(first)}</th>`;
    for (const second of FACES) {
      const { name, text } = landing(hold, free === 2 ? [first, second] : [second]);
      const cell = row.insertCell();
      cell.dataset.shade = shadeOf.get(name);
      cell.textContent = text;
      cell.title = name;
    }
    table.tBodies[0].append(row);
  }
  return table;
}

function legend(groups, total) {
  const list = document.createElement("ul");
  list.className = "outcome-key";
  for (const { name, count: ways, shade } of groups.toSorted((a, b) => b.count - a.count).slice(0, MOST_NAMED)) {
    const item = document.createElement("li");
    item.innerHTML = `<i data-shade="${shade}"></i><span></span><b class="num"></b>`;
    item.children[1].textContent = name;
    item.children[2].textContent = `${ways}/${count(total)}`;
    list.append(item);
  }
  return list;
}

function draw(place, hold, free) {
  if (!place.checkVisibility()) return;
  const groups = grouped(hold, free);
  const title = document.createElement("h2");
  title.className = "eyebrow";
  title.textContent = phrase("ways").replace("{count}", count(6 ** free));
  place.replaceChildren(title);
  if (free <= 2) place.append(grid(hold, free, new Map(groups.map(({ name, shade }) => [name, shade]))));
  place.append(legend(groups, 6 ** free));
}

/**
 * Draw the next roll of a hold: a grid for one or two dice, for more only how often what comes of it. It comes a frame
 * after the card, which is what people look at.
 * @param {number} mask
 */
export async function showOutcomes(mask) {
  const place = $("[data-outcomes]");
  if (!place) return;
  const hold = holdOf(mask);
  const free = 5 - hold.k.length;
  place.hidden = !numbers().left || !free;
  newest = hold;
  if (place.hidden) return;
  await drawn();
  const isOnShow = newest === hold && numbers()?.holds.includes(hold);
  if (isOnShow) draw(place, hold, free);
}
