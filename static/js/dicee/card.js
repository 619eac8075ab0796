// The card for the dice held: odds, expected points, ranks, and what the hold costs.
import { $, $$ } from "../lib/dom.js";
import { fraction, heat, oneIn, putOdds } from "../lib/odds.js";
import * as table from "./numbers.js";
import { showOutcomes } from "./outcomes.js";
import { showCompared } from "./compare.js";

const share = (part, most) => (100 * part) / most;

/** Boxes in the order of their worth with a hold, best first. */
function ranked(hold, open) {
  if (!table.looksAhead()) return open.toSorted((a, b) => hold.e[b] - hold.e[a]);
  return open.toSorted((a, b) => hold.d[b] - hold.d[a] || hold.f[b] - hold.f[a]);
}

/** The word for a chance that beginners read: the first whose limit it is above. */
export function wordFor(p, isBest = false) {
  const step = table.phrase("chances").find(([above]) => p > above);
  return step?.[1] ?? table.phrase(isBest ? "fallback" : "impossible");
}

/** A chance as a fraction where it is an exact one, else as "1 in N": 13/98 of nothing in particular says nothing. */
export function exactFraction(p) {
  const exact = fraction(p);
  return exact.startsWith("≈") ? oneIn(p) : exact;
}

function paintRow(row, hold, best, rank, most) {
  const box = +row.dataset.box;
  const p = hold.p[box];
  putOdds($(".heat", row), p);
  $("[data-fraction]", row).textContent = exactFraction(p);
  $(".chance-word i", row).dataset.h = heat(p);
  $("[data-word]", row).textContent = wordFor(p, rank === 1);
  $("[data-expected]", row).textContent = hold.e[box].toFixed(1);
  $("[data-final-if]", row).textContent = hold.f[box] === null ? "" : hold.f[box].toFixed(1);
  $(".rank", row).dataset.rank = rank;
  $(".rank__number", row).textContent = rank;
  row.classList.toggle("score-row--best", rank === 1);
  row.style.setProperty("--bar", share(hold.e[box], most));
  row.style.setProperty("--tick", Math.min(100, share(best.e[box], most)));
  const bar = $(`[data-bar="${box}"]`);
  if (!bar) return;
  $("i", bar).style.setProperty("--v", share(hold.e[box], most));
  $(".bar", bar).classList.toggle("bar--gold", rank === 1);
  $(".num", bar).textContent = hold.e[box].toFixed(1);
}

/**
 * Paint the card for a hold, the one on show unless another is named.
 * @param {number} [mask]
 */
export function paint(mask) {
  if (!table.numbers()) return paintButton();
  const shown = mask ?? table.shownMask();
  const hold = table.holdOf(shown);
  const best = table.holdOf(table.bestMask());
  const rows = table.rows();
  const open = rows.map((row) => +row.dataset.box);
  const order = ranked(hold, open);
  const most = Math.max(...open.map((box) => hold.e[box])) || 1;
  for (const row of rows) paintRow(row, hold, best, order.indexOf(+row.dataset.box) + 1, most);
  for (const cost of $$("[data-keep]"))
    cost.classList.toggle("is-yours", table.hasChosen() && cost.dataset.keep === hold.k.join(""));
  paintVerdict(hold, shown);
  paintButton();
  showOutcomes(shown);
  showCompared();
}

/** The line that says what a hold is worth. */
function verdictWords(lost, mask) {
  const { left } = table.numbers();
  const beginner = table.game().dataset.profile === "beginner";
  if (!left) return table.phrase("choose");
  if (!table.hasChosen() && mask === table.shownMask()) return table.phrase("undecided");
  if (lost < table.FAINT) return table.phrase(mask === table.ALL ? "stop" : "best");
  const name = mask === table.ALL ? "early" : "worse";
  return table.phrase(beginner ? `${name}_words` : name);
}

/**
 * Show a loss, a sentence and a value in the line under the dice.
 * @param {number} lost
 * @param {string} words
 * @param {number} value
 */
export function writeVerdict(lost, words, value) {
  const line = $("[data-verdict]");
  if (!line) return;
  const undecided = [table.phrase("undecided"), table.phrase("choose")].includes(words);
  line.classList.toggle("hold-verdict--loss", lost >= table.FAINT);
  $("[data-lost]", line).textContent = undecided ? "–" : lost < table.FAINT ? "0.00" : `−${lost.toFixed(2)}`;
  $("[data-verdict-words]", line).textContent = words;
  const number = document.createElement("span");
  number.className = "num";
  number.textContent = value.toFixed(2);
  const label = table.phrase(table.looksAhead() ? "final" : "turn");
  $("[data-verdict-value]", line).replaceChildren(`${label} `, number);
}

function paintVerdict(hold, mask) {
  const lost = table.lostByHold(mask);
  writeVerdict(lost, verdictWords(lost, mask), table.worth(hold));
  const final = $("[data-expected-final]");
  if (final) final.textContent = hold.g.toFixed(1);
}

function paintButton() {
  const label = $("[data-free]");
  if (!label) return;
  const free = table.dice().filter((die) => !die.checked).length;
  if (table.dice().length) label.textContent = label.dataset.words.split("|")[free];
  $("#roll").disabled = table.dice().length > 0 && !free;
}
