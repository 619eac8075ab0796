// What was looked at, for learning statistics: sent in batches, when there is time, and never asked about again.
import { $ } from "../lib/dom.js";
import * as table from "./numbers.js";

const EVERY = 10000;
const MOST = 50;
const GLANCE = 350; // a shorter look is a mouse passing by
const notes = [];

/** The boxes looked at since the last move. */
export const considered = new Set();

/**
 * A box was pointed at.
 * @param {HTMLElement} row
 * @param {number} duration in milliseconds
 */
export function noteLook(row, duration) {
  if (duration <= GLANCE || !table.numbers()) return;
  considered.add(row.dataset.name);
  const field = $("[data-considered]");
  if (field) field.value = [...considered].join(" ");
  notes.push({
    eventType: "hover",
    categoryHovered: row.dataset.name,
    hoverDuration: Math.round(duration),
    wouldScore: +row.dataset.now,
    currentEV: table.holdOf(table.shownMask()).e[+row.dataset.box],
    isOptimal: row.classList.contains("score-row--best"),
    hoverSequence: considered.size,
  });
}

/**
 * Tell the server something about this table that changes nothing on the page.
 * @param {string} path below the table's address
 * @param {object} [body]
 */
export function post(path, body = {}) {
  const token = JSON.parse(document.body.getAttribute("hx-headers") || "{}");
  fetch(`${table.game().dataset.url}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...token },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => {});
}
function send() {
  if (notes.length && table.game()) post("notes/", { events: notes.splice(0, MOST) });
}
setInterval(send, EVERY);
window.addEventListener("pagehide", send);
