// Waiting and failing: a bar while something is fetched, a sentence when it cannot be.
import { $ } from "../lib/dom.js";
import { toast } from "../lib/toast.js";

const WORDS = {
  409: "Someone was faster. Reload to see what changed.",
  429: "Slow down a moment, then try again.",
};
let running = 0;
let unreachable; // the message that says so, while it is shown

function count(change) {
  running = Math.max(0, running + change);
  $("#busy").classList.toggle("is-on", running > 0);
}
const quiet = (event) => "X-Quiet" in (event.detail.requestConfig?.headers ?? {});

document.addEventListener("htmx:beforeRequest", () => count(1));
document.addEventListener("htmx:afterRequest", (event) => {
  count(-1);
  if (event.detail.successful) {
    unreachable?.remove();
    unreachable = null;
  }
});
// What a page asks for by itself as it opens is not missed where a line says already that there is no network.
const unasked = (event) =>
  !navigator.onLine &&
  !["input", "change", "submit", "click"].includes(event.detail.requestConfig?.triggeringEvent?.type);

document.addEventListener("htmx:sendError", (event) => {
  if (!quiet(event) && !unasked(event))
    unreachable = toast("The server cannot be reached. What you entered is still here.", "error");
});
document.addEventListener("htmx:timeout", (event) => {
  if (!quiet(event)) toast("That took too long. Try again.", "error");
});
document.addEventListener("htmx:responseError", (event) => {
  if (quiet(event)) return;
  const { status } = event.detail.xhr;
  const id = status >= 500 && event.detail.xhr.getResponseHeader("X-Request-ID");
  toast(WORDS[status] || `That did not work (${status}).${id ? ` Error id ${id}.` : ""}`, "error");
});
