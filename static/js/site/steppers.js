// Steppers: the buttons move the number input between them, and say so as a hand would.
import { $ } from "../lib/dom.js";

/** The number a text reads as, or `otherwise`. */
function numberOr(text, otherwise) {
  const number = parseFloat(text);
  return Number.isNaN(number) ? otherwise : number;
}

function step(input, direction) {
  const { min, max, dataset } = input;
  const low = numberOr(min || dataset.min, -Infinity);
  const high = numberOr(max || dataset.max, Infinity);
  const empty = Number.isFinite(low) ? low : 0;
  const value = numberOr(input.value, null);
  const wanted = value === null ? empty : value + direction * numberOr(input.step, 1);
  const next = Math.min(high, Math.max(low, wanted));
  input.value = input.type === "number" ? next : `${next}${dataset.suffix || ""}`;
  for (const name of ["input", "change"]) input.dispatchEvent(new Event(name, { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".stepper[data-step] > button");
  if (button) step($("input", button.parentElement), button === button.parentElement.firstElementChild ? -1 : 1);
});
document.addEventListener("keydown", (event) => {
  const input = event.target.closest?.(".stepper[data-step] input");
  // The arrows of a number input are the browser's own; + and − would only empty it.
  const arrows = input?.type === "number" ? {} : { ArrowUp: 1, ArrowDown: -1 };
  const signs = Number.parseFloat(input?.min) < 0 ? { "+": 1 } : { "+": 1, "-": -1, "−": -1 };
  const direction = { ...arrows, ...signs }[event.key];
  if (input && direction) {
    event.preventDefault();
    step(input, direction);
  }
});
