// Boxes pinned side by side.
import { $ } from "../lib/dom.js";
import { odds } from "../lib/odds.js";
import * as table from "./numbers.js";

const pinned = new Set();
const signed = (x) => (Math.abs(x) < table.FAINT ? "0.00" : `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(2)}`);

/** Fill the table of compared boxes for the hold on show. */
export function showCompared() {
  const section = $("[data-compared]");
  if (!section || !table.numbers()) return;
  const hold = table.holdOf(table.shownMask());
  const best = table.worth(table.holdOf(table.bestMask()));
  const open = new Map(table.rows().map((row) => [+row.dataset.box, row]));
  for (const [box, row] of open) row.classList.toggle("is-pinned", pinned.has(box));
  const shown = [...pinned].filter((box) => open.has(box) && hold.f[box] !== null);
  shown.sort((a, b) => table.worthIn(hold, b) - table.worthIn(hold, a));
  section.hidden = !shown.length;
  const body = document.createElement("tbody");
  for (const box of shown) {
    const row = body.insertRow();
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = table.titleOf(box);
    row.append(name);
    const figures = [
      open.get(box).dataset.now,
      odds(hold.p[box]),
      hold.e[box].toFixed(1),
      hold.f[box].toFixed(1),
      signed(table.worthIn(hold, box) - best),
    ];
    for (const figure of figures) row.insertCell().textContent = figure;
  }
  $("tbody", section).replaceWith(body);
}

/**
 * Pin a box, or take the pin out.
 * @param {number} box
 */
export function pin(box) {
  if (!table.numbers()) return;
  if (!pinned.delete(box)) pinned.add(box);
  showCompared();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-unpin]")) return;
  pinned.clear();
  showCompared();
});
