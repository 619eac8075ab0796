// What hands do at the table: tap, double-tap, long-press, swipe, shift-click, hover, arrow keys.
import { $ } from "../lib/dom.js";
import { paint, writeVerdict } from "./card.js";
import { pin } from "./compare.js";
import { explainBox, explainHold } from "./explain.js";
import { buzz } from "./feel.js";
import { considered, noteLook } from "./notes.js";
import * as table from "./numbers.js";

const LONG_PRESS = 500;
const SWIPE = 28;
const STILL = 10;
let press;

const dieAt = (target) => target.closest?.("[data-dice] label.die");
const rowAt = (target) => target.closest?.("[data-box]");
const lookCloser = ({ die, row }) => (die ? explainHold() : explainBox(+row.dataset.box));
const isCovered = () => table.game().hasAttribute("data-covered");

// ---- holding
function hold(mask) {
  table.touch();
  table.keep(mask);
  paint();
}
function setDie(die, held) {
  const box = $("input", die);
  if (box.disabled || box.checked === held) return;
  box.checked = held;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}
// A die that is held, let go and held again is a second thought: counted for learning statistics.
const changed = new Set();
function countSecondThought(die) {
  const field = $("[data-backtracks]");
  if (changed.has(die.id) && field) field.value = Number(field.value) + 1;
  changed.add(die.id);
}
document.addEventListener("table", () => changed.clear());
document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-dice] input")) return;
  table.touch();
  countSecondThought(event.target);
  paint();
  document.dispatchEvent(new CustomEvent("held"));
});
document.addEventListener("click", (event) => {
  if (table.numbers() && !isCovered() && event.target.closest("[data-hold-best]")) {
    table.game().dataset.heldBest = table.game().dataset.roll;
    hold(table.bestMask());
  }
  if (event.target.closest("[data-all]")) hold(table.ALL);
  if (event.target.closest("[data-none]")) hold(0);
});
document.addEventListener("shortcut", (event) => {
  const { action } = event.detail;
  if (action.startsWith("only-")) hold(1 << (action.at(-1) - 1));
});
for (const [name, over] of Object.entries({ pointerover: 1, pointerout: 0, focusin: 1, focusout: 0 }))
  document.addEventListener(name, (event) => {
    if (table.numbers()?.left && event.target.closest?.("[data-hold-best]")) paint(over ? table.bestMask() : undefined);
  });

// ---- touch and mouse on dice and boxes
document.addEventListener("pointerdown", (event) => {
  const die = dieAt(event.target);
  const row = rowAt(event.target);
  if ((!die && !row) || event.button) return;
  press = { die, row, x: event.clientX, y: event.clientY, touch: event.pointerType !== "mouse", done: false };
  if (!press.touch) return;
  const pressed = press;
  press.timer = setTimeout(() => {
    pressed.done = true;
    buzz(15);
    lookCloser(pressed);
  }, LONG_PRESS);
});
document.addEventListener("pointermove", (event) => {
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL) clearTimeout(press.timer);
});
document.addEventListener("pointerup", (event) => {
  if (!press) return;
  clearTimeout(press.timer);
  if (!press.touch || press.done) return;
  const right = event.clientX - press.x;
  const down = event.clientY - press.y;
  if (press.die && Math.abs(down) > SWIPE && Math.abs(down) > Math.abs(right)) {
    press.done = true;
    setDie(press.die, down < 0);
  } else if (press.row && Math.abs(right) > 2 * SWIPE && Math.abs(right) > 2 * Math.abs(down)) {
    press.done = true;
    if (right < 0) explainBox(+press.row.dataset.box);
    else pin(+press.row.dataset.box);
  }
});
document.addEventListener("pointercancel", () => {
  clearTimeout(press?.timer);
  press = undefined;
});
// A press that became something else must not also click.
document.addEventListener(
  "click",
  (event) => {
    const row = rowAt(event.target);
    const pinned = row && event.shiftKey;
    if (pinned || (press?.done && (row || dieAt(event.target)))) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (pinned) pin(+row.dataset.box);
    press = undefined;
  },
  true,
);
document.addEventListener("contextmenu", (event) => {
  const die = dieAt(event.target);
  const row = rowAt(event.target);
  if (!die && !row) return;
  event.preventDefault();
  if (!$("#explain").open) lookCloser({ die, row });
});
// Double-click: hold that die and mark what the coach would go for.
document.addEventListener("dblclick", (event) => {
  const die = dieAt(event.target);
  if (!die) return;
  setDie(die, true);
  const row = $(".score-row--best");
  if (!row || isCovered()) return;
  row.classList.remove("is-called");
  void row.offsetWidth; // a removed class restarts its animation only after a layout
  row.classList.add("is-called");
  row.scrollIntoView({ block: "nearest" });
});

// ---- previews: what a box would write, while it is pointed at or in focus
let over;
let since = 0;
function preview(row) {
  over = row;
  since = performance.now();
  if (!table.numbers() || isCovered() || table.game().dataset.profile === "beginner") return;
  const box = +row.dataset.box;
  const value = table.worthIn(table.holdOf(table.ALL), box);
  if (value === null) return;
  const words = table.phrase("now").replace("{points}", row.dataset.now).replace("{box}", row.dataset.title);
  writeVerdict(table.lostByBox(box), words, value);
}
function endPreview() {
  if (over) noteLook(over, performance.now() - since);
  over = undefined;
  paint();
}
for (const name of ["pointerover", "focusin"])
  document.addEventListener(name, (event) => {
    const row = rowAt(event.target);
    if (row && row !== over && event.pointerType !== "touch") preview(row);
  });
for (const name of ["pointerout", "focusout"])
  document.addEventListener(name, (event) => {
    const row = rowAt(event.target);
    if (row && !row.contains(event.relatedTarget)) endPreview();
  });
document.addEventListener("keydown", (event) => {
  const row = rowAt(event.target);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!row || !step) return;
  const rows = table.rows();
  event.preventDefault();
  $(".score-row__write", rows[rows.indexOf(row) + step] ?? row).focus();
});
document.addEventListener("table", () => considered.clear());
