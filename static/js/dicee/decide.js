// Decide first, then see: one line on the last decision, and how many were the best so far. Also asks once before a 0
// is written while there are rolls left.
import { $ } from "../lib/dom.js";
import * as table from "./numbers.js";

const key = () => `dicee-decisions-${table.game().dataset.game}`;
const read = () => JSON.parse(sessionStorage.getItem(key()) || '{"best": 0, "all": 0, "last": ""}');
let taken; // the decision on its way, judged when its answer is here

/** The words for a decision: best, or what it cost and what was better. */
function judged(lost, better) {
  if (lost < table.FAINT) return table.phrase("decided_best");
  return `−${lost.toFixed(1)}: ${better}`;
}
const bestAdvice = () => {
  const best = table.bestMask();
  if (best === table.ALL) return table.phrase("write").replace("{box}", table.titleOf(table.numbers().box));
  const { k } = table.holdOf(best);
  return k.length ? table.phrase("keep").replace("{dice}", k.join("-")) : table.phrase("roll_all");
};

// Whether an answer was in sight when the decision was taken: such a decision shows no skill.
document.addEventListener("htmx:configRequest", (event) => {
  const { elt, parameters } = event.detail;
  if (!["roll-form", "score-form"].includes(elt.id)) return;
  const hidden = ["data-covered", "data-quiet"].some((name) => table.game().hasAttribute(name));
  parameters.answers = table.numbers() && !hidden ? "1" : "";
  parameters.held_best = table.game().dataset.heldBest === table.game().dataset.roll ? "1" : "";
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  taken = undefined;
  if (!table.numbers() || !["roll-form", "score-form"].includes(elt.id)) return;
  const row = $(`#box-${requestConfig.parameters.box}`)?.closest("[data-box]");
  if (elt.id === "score-form" && !row) return;
  const lost = elt.id === "roll-form" ? table.lostByHold(table.heldMask()) : table.lostByBox(+row.dataset.box);
  taken = { lost, words: judged(lost, bestAdvice()) };
});
/** Show the verdict on the last decision, where the reader wants verdicts. */
export function showDecision() {
  const line = $("[data-decision]");
  if (taken) {
    const { best, all } = read();
    const now = { best: best + (taken.lost < table.FAINT), all: all + 1, last: taken.words, lost: taken.lost };
    sessionStorage.setItem(key(), JSON.stringify(now));
    taken = undefined;
  }
  if (!line) return;
  const { best, all, last, lost } = read();
  line.hidden = !all;
  line.classList.toggle("decision-line--loss", lost >= table.FAINT);
  $("[data-decision-words]", line).textContent = last;
  $("[data-decision-count]", line).textContent = all ? `${best}/${all}` : "";
}

// ---- a 0 with rolls left is asked about once
let confirmed = "";
document.addEventListener("htmx:confirm", (event) => {
  const row = event.detail.triggeringEvent?.submitter?.closest?.("[data-box]");
  if (!row || row.dataset.now !== "0" || !table.game().dataset.zero || !Number(table.game().dataset.left)) return;
  const place = `${table.game().dataset.roll} ${row.dataset.name}`;
  if (confirmed === place) return;
  event.preventDefault();
  const dialog = $("#zero");
  $("[data-zero-box]", dialog).textContent = row.dataset.title;
  dialog.returnValue = "";
  dialog.showModal();
  dialog.addEventListener(
    "close",
    () => {
      if (dialog.returnValue !== "write") return;
      confirmed = place;
      $(".score-row__write", row).click();
    },
    { once: true },
  );
});
