// Every way the next roll can land, and what each is worth.
import { $ } from "../lib/dom.js";
import { holdOf, numbers, phrase, titleOf } from "./numbers.js";

const FACES = [1, 2, 3, 4, 5, 6];
const SHADES = ["low", "fair", "good", "top"];
const MOST_NAMED = 6;
const count = (n) => n.toLocaleString("en-US");
const signed = (x) => (Math.abs(x) < 0.5 ? "0" : `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(0)}`);

/** With rolls still to come a roll is worth what it does to the expected final score. */
function band(change) {
  if (change >= 10) return ["+10 or more", 2];
  if (change >= 0) return ["up to +10", 1];
  return change > -10 ? ["up to −10", -1] : ["−10 or worse", -2];
}

/** One cell for each way the free dice can land: the name of what comes of it, its worth, its text. */
function landings({ k: kept, g: now }, free) {
  const { left, rolls } = numbers();
  return Array.from({ length: 6 ** free }, (_, n) => {
    const thrown = Array.from({ length: free }, (__, i) => 1 + (Math.floor(n / 6 ** (free - 1 - i)) % 6));
    const [box, points, final] = rolls[[...kept, ...thrown].toSorted().join("")];
    if (left === 1) return { name: `${titleOf(box)} ${points}`, worth: points, text: String(points) };
    const [name, worth] = band(final - now);
    return { name, worth, text: signed(final - now) };
  });
}

function grouped(cells) {
  const groups = new Map();
  for (const { name, worth } of cells) {
    const group = groups.get(name) ?? { name, worth, count: 0 };
    group.count += 1;
    groups.set(name, group);
  }
  const ordered = [...groups.values()].toSorted((a, b) => a.worth - b.worth);
  const step = (i) => (ordered.length === 1 ? 3 : Math.round((3 * i) / (ordered.length - 1)));
  return ordered.map((group, i) => ({ ...group, shade: SHADES[step(i)] }));
}

const pips = (face) => `<svg aria-hidden="true" fill="currentColor"><use href="#d${face}"/></svg>`;
const head = (face) =>
  `<span class="outcome-grid__die">${pips(face)}</span><span class="visually-hidden">${face}</span>`;

function grid(cells, free, shadeOf) {
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
      const { name, text } = cells[6 * (first - 1) + second - 1];
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

/**
 * Draw the next roll of a hold: a grid for one or two dice, for more only how often what comes of it.
 * @param {number} mask
 */
export function showOutcomes(mask) {
  const place = $("[data-outcomes]");
  if (!place) return;
  const hold = holdOf(mask);
  const free = 5 - hold.k.length;
  place.hidden = !numbers().left || !free;
  if (place.hidden || !place.checkVisibility()) return;
  const cells = landings(hold, free);
  const groups = grouped(cells);
  const title = document.createElement("h2");
  title.className = "eyebrow";
  title.textContent = phrase("ways").replace("{count}", count(cells.length));
  place.replaceChildren(title);
  if (free <= 2) place.append(grid(cells, free, new Map(groups.map(({ name, shade }) => [name, shade]))));
  place.append(legend(groups, cells.length));
}
