// A live class. A board hears which tiles look different and puts them in place; a student's page hears which phase the
// question is in and fetches its part again. A lost line is made again, and its first word tells what was missed.
import { $, $$, element } from "../lib/dom.js";
import { refresher } from "../lib/refresh.js";
import { liveSocket } from "../lib/socket.js";
import { forgetHint, showHint, takeOver } from "./sheet.js";

const PING = 20000;

/** The part of this page that follows the question: the teacher's board or projector, a student's round. */
const part = () => $("#board, #round");
const address = () => $("[data-class]")?.dataset.class;
const refetch = refresher(part);

const socket = liveSocket(address, { hear, line: showLine, opened: ping });

// ---- the line

/** @param {boolean} ok */
function showLine(ok) {
  const note = $("[data-line]");
  if (note) note.hidden = ok;
}
// A page that is looked at says so: that is how a board tells thinking from gone.
function ping() {
  if (!document.hidden) socket?.send("here");
}
setInterval(ping, PING);
document.addEventListener("visibilitychange", ping);

// ---- what is heard

/** @param {{type: string}} news */
function hear(news) {
  if (news.type === "hint") showHint(news.text, () => socket.send("hint-read"));
  else if (news.type === "round") question(news);
  else if (news.type === "board") board(news);
  else if (news.type === "gone") location.reload();
}
function question(news) {
  const here = part();
  if (!here) {
    takeOver(news);
    return;
  }
  if (!news.phase || news.phase === "closed") forgetHint();
  // A question that is closed leaves the page; one that is open or revealed changes it.
  const shown = here.dataset.phase;
  const closed = news.phase === "closed" || !news.phase;
  if (closed ? shown : here.dataset.round !== news.round || shown !== news.phase) refetch();
}
function board(news) {
  for (const [id, html] of Object.entries(news.tiles)) {
    document.getElementById(`tile-${id}`)?.replaceWith(element(html));
  }
  if (news.again) {
    refetch();
    return;
  }
  const stuck = $("#stuck");
  if (news.stuck && stuck && !stuck.contains(document.activeElement)) {
    stuck.replaceWith(element(news.stuck));
    htmx.process($("#stuck"));
  }
  for (const [name, n] of Object.entries(news.counts ?? {})) {
    for (const shown of $$(`[data-count="${name}"]`)) shown.textContent = n;
  }
  if (news.answered) answered(...news.answered);
  tick();
}
function answered(n, of) {
  for (const shown of $$("[data-answered]")) shown.textContent = n;
  for (const shown of $$("[data-of]")) shown.textContent = of;
  $("[data-answered-bar]")?.style.setProperty("--v", of ? (100 * n) / of : 0);
}

// ---- clocks and sliders

function tick() {
  for (const clock of $$("[data-since]")) {
    const seconds = Math.max(0, Math.round(Date.now() / 1000 - Number(clock.dataset.since)));
    clock.textContent =
      seconds < 3600
        ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
        : `${Math.floor(seconds / 3600)} h`;
  }
}
setInterval(tick, 1000);

// A guess is a number; the slider is a way to set it and says nothing until it is moved.
document.addEventListener("input", (event) => {
  const slider = event.target.closest("[data-sets-number]");
  if (slider) document.getElementById(slider.dataset.setsNumber).value = slider.value;
});
// To roll all five is a choice of its own: it takes the held dice back, and a held die takes it back.
document.addEventListener("change", (event) => {
  const { target } = event;
  if (!target.checked || !target.form?.elements.none) return;
  if (target.name === "none") for (const die of $$('[name="keep"]', target.form)) die.checked = false;
  if (target.name === "keep") target.form.elements.none.checked = false;
});
document.addEventListener("htmx:afterSettle", () => {
  tick();
  socket.connect();
});
tick();
