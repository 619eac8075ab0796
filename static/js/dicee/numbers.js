// The numbers of the dice on the table. Every hold's odds and values come with the page (#holds), so touching a die
// repaints the card without the server.
import { $, $$ } from "../lib/dom.js";

/** The mask of five held dice: stop rolling and write. */
export const ALL = 31;
/** Points that would print as 0.00. */
export const FAINT = 0.005;

const words = JSON.parse($("#phrases")?.textContent ?? "{}");
let data = null;
let source = "";
let touched = false;

/** @returns {HTMLElement | null} the game as the server last sent it */
export const game = () => $("#game");
/** @returns {HTMLInputElement[]} the five dice, each a box that is checked while it is held */
export const dice = () => $$("[data-dice] input[name=keep]");
/** @returns {HTMLElement[]} the rows of the card */
export const rows = () => $$("[data-box]");

/** @returns {number} the held dice, one bit each */
export const heldMask = () => dice().reduce((mask, die, i) => mask | (die.checked << i), 0);

/** @returns {object | null} what the server sent for this roll (apps/dicee/services/page/coach.py, `wire`) */
export const numbers = () => data;

/** @returns {boolean} whether values look at the whole game, not at this turn alone */
export const looksAhead = () => game().dataset.horizon !== "turn" && data.horizon === "game";

/** @param {number} mask @returns {object} the numbers of one hold */
export const holdOf = (mask) => data.holds[data.of[mask]];

/** @param {object} hold @returns {number} its value in the horizon on show */
export const worth = (hold) => (looksAhead() ? hold.g : hold.t);

/** @param {object} hold @param {number} box @returns {number | null} what writing into a box is worth */
export const worthIn = (hold, box) => (looksAhead() ? hold.f[box] : hold.e[box]);

/** @returns {number} */
export function bestMask() {
  if (looksAhead()) return data.best;
  return data.of.reduce((best, _, mask) => (holdOf(mask).t > holdOf(best).t + 1e-9 ? mask : best), ALL);
}

/** @returns {boolean} whether dice are held or were touched since the roll */
export const hasChosen = () => touched || heldMask() > 0;

/** @returns {number} the hold on show: what is held; the best one until a die is touched */
export function shownMask() {
  if (!data.left) return ALL;
  return hasChosen() ? heldMask() : bestMask();
}

/** @returns {number} what the dice held cost against the best hold */
export const lostByHold = (mask) => Math.max(0, worth(holdOf(bestMask())) - worth(holdOf(mask)));

/** @returns {number} what writing into a box now costs against the best choice */
export const lostByBox = (box) => Math.max(0, worth(holdOf(bestMask())) - (worthIn(holdOf(ALL), box) ?? 0));

/** @param {number} box @returns {string} the name of a box as the card has it */
export const titleOf = (box) => $(`[data-box="${box}"]`)?.dataset.title ?? "";

/** @param {string} name @returns {string} a phrase of the server's */
export const phrase = (name) => words[name] ?? "";

/** A die was touched. */
export function touch() {
  touched = true;
}

/** Read the numbers of a new table; nothing is touched while the dice are the same. */
export function readNumbers() {
  const text = $("#holds")?.textContent ?? "";
  if (text === source) return;
  source = text;
  data = text ? JSON.parse(text) : null;
  touched = false;
}

/**
 * Hold exactly these dice.
 * @param {number} wanted a mask
 */
export function keep(wanted) {
  dice().forEach((die, i) => {
    if (!die.disabled) die.checked = Boolean((wanted >> i) & 1);
  });
  document.dispatchEvent(new CustomEvent("held"));
}
