// What a teacher sends to a student who is on another page: it takes the page over, or lies over a running game, and
// stays until it is answered or closed. The words come with the page (classroom/components/class_sheet.html).
import { $ } from "../lib/dom.js";

const SEEN = "class-question-seen";
const sheet = () => $("#class-sheet");
const open = (phase) => phase === "predict" || phase === "vote";

/** Show one part of the sheet; the other stays as it is. */
function show(part) {
  sheet().hidden = false;
  part.hidden = false;
}
function hide(part) {
  part.hidden = true;
  sheet().hidden = !$("[data-part]:not([hidden])", sheet());
}

/**
 * Bring a question, or its answer, to a student who is not on its page.
 * @param {{round: string, phase: string, answered?: boolean}} news
 */
export function takeOver({ round, phase, answered }) {
  if (!sheet()) return;
  const part = $("[data-part=question]", sheet());
  const mark = `${round}:${phase}`;
  const seen = sessionStorage.getItem(SEEN) === mark;
  const wanted = open(phase) ? !answered : phase === "revealed" && !seen;
  if (!wanted) {
    hide(part);
    return;
  }
  if (!seen && !$("#game")) {
    sessionStorage.setItem(SEEN, mark);
    location.assign($("a", part).href);
    return;
  }
  for (const text of part.querySelectorAll("[data-phase]")) text.hidden = text.dataset.phase !== phase;
  show(part);
}

/**
 * Show a teacher's hint until the student closes it.
 * @param {string} text
 * @param {() => void} read called when the student has closed it
 */
export function showHint(text, read) {
  if (!sheet()) return;
  const part = $("[data-part=hint]", sheet());
  $("[data-hint]", part).textContent = text;
  const close = () => {
    hide(part);
    read();
  };
  $("button", part).addEventListener("click", close, { once: true });
  show(part);
}

/** Take a hint away that is about something that is over. */
export function forgetHint() {
  if (sheet()) hide($("[data-part=hint]", sheet()));
}

// A page that shows the question itself has shown it.
const round = $("#round");
if (round?.dataset.round) sessionStorage.setItem(SEEN, `${round.dataset.round}:${round.dataset.phase}`);
document.addEventListener("htmx:afterSettle", () => {
  const shown = $("#round");
  if (shown?.dataset.round) sessionStorage.setItem(SEEN, `${shown.dataset.round}:${shown.dataset.phase}`);
});
