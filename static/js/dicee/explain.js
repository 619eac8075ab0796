// Looking closer, in a dialog: what a box is and what it is worth, or the odds of every box with a hold.
import { $ } from "../lib/dom.js";
import { percent } from "../lib/odds.js";
import { exactFraction, wordFor } from "./card.js";
import * as table from "./numbers.js";

const faces = (keep) => keep.join(" ") || table.phrase("nothing");
const isBeginner = () => table.game().dataset.profile === "beginner";
const covered = () => ["data-covered", "data-quiet"].some((name) => table.game().hasAttribute(name));
const chance = (p) => (isBeginner() ? wordFor(p) : `${percent(p)} · ${exactFraction(p)}`);
const signed = (x) => (Math.abs(x) < table.FAINT ? "0.00" : `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(2)}`);

function open(title, parts) {
  const dialog = $("#explain");
  $("#explain-title").textContent = title;
  $("[data-explain]").replaceChildren(...parts);
  if (!dialog.open) dialog.showModal();
}

/** Names and values under each other: nothing to scroll sideways on a phone. */
function figures(lines) {
  const list = document.createElement("dl");
  list.className = "figures";
  for (const [name, value] of lines) {
    const line = document.createElement("div");
    line.innerHTML = "<dt></dt><dd class='num'></dd>";
    line.children[0].textContent = name;
    line.children[1].textContent = value;
    list.append(line);
  }
  return list;
}

function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

/** What holds about a box with the dice on the table, as name and value. */
function boxFigures(box) {
  const { left } = table.numbers();
  const now = table.holdOf(table.shownMask());
  const best = table.holdOf(table.bestMask());
  const likeliest = table.numbers().holds.reduce((a, b) => (b.p[box] > a.p[box] ? b : a));
  const chosen = table.hasChosen();
  const lines = [[table.phrase("writes"), $(`[data-box="${box}"]`).dataset.now]];
  if (!left) lines.push([table.phrase("chance"), chance(now.p[box])]);
  if (left && chosen) lines.push([`${table.phrase("holding")} ${faces(now.k)}`, chance(now.p[box])]);
  if (left) lines.push([`${table.phrase("best_keep")} ${faces(best.k)}`, chance(best.p[box])]);
  if (left) lines.push([`${table.phrase("at_best")} ${faces(likeliest.k)}`, chance(likeliest.p[box])]);
  if (isBeginner()) return lines;
  if (left && table.looksAhead()) lines.push([table.phrase("ends_here"), percent(now.d[box])]);
  lines.push([table.phrase("expected"), now.e[box].toFixed(2)]);
  if (table.looksAhead() && now.f[box] !== null)
    lines.push(
      [table.phrase("final_for"), now.f[box].toFixed(2)],
      [table.phrase("against_best"), signed(now.f[box] - best.g)],
    );
  return lines;
}

/**
 * Explain a box: what goes in, with an example, and its numbers where they may be seen.
 * @param {number} box
 */
export function explainBox(box) {
  const about = $(`[data-about="${box}"]`).content.cloneNode(true);
  const title = about.querySelector("[data-title]").textContent;
  const parts = [about.querySelector("[data-rule]")];
  if (table.numbers() && !covered() && $(`[data-box="${box}"]`)) parts.push(figures(boxFigures(box)));
  open(title, parts);
}

/** The odds of every open box with the hold on show. */
export function explainHold() {
  if (!table.numbers() || covered()) return;
  const hold = table.holdOf(table.shownMask());
  const title = table.numbers().left
    ? `${table.phrase(table.hasChosen() ? "holding" : "best_keep")} ${faces(hold.k)}`
    : table.phrase("these_dice");
  const boxes = table
    .rows()
    .map((row) => +row.dataset.box)
    .toSorted((a, b) => hold.p[b] - hold.p[a]);
  const value = (box) =>
    isBeginner()
      ? wordFor(hold.p[box])
      : `${percent(hold.p[box])} · ${exactFraction(hold.p[box])} · ${hold.e[box].toFixed(2)}`;
  const lines = boxes.map((box) => [table.titleOf(box), value(box)]);
  const legend = isBeginner() ? [] : [paragraph(table.phrase("columns"))];
  open(title, [...legend, figures(lines)]);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-explain-box]");
  if (!button) return;
  event.preventDefault();
  explainBox(+button.dataset.explainBox);
});
document.addEventListener("shortcut", (event) => {
  if (event.detail.action !== "keyboard") return;
  const list = $("#keyboard");
  if (list && !list.open) list.showModal();
});
