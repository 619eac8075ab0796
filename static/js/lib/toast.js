// Short messages in a corner of the page.
import { $, $$ } from "./dom.js";

const LINGER = 4000;

/** @param {Element} shown */
const fade = (shown) => setTimeout(() => shown.remove(), LINGER);

/**
 * Show a message: errors stay until they are closed, others fade. What is already shown is not shown twice.
 * @param {string} text
 * @param {"" | "error"} [kind]
 * @returns {Element} the message
 */
export function toast(text, kind = "") {
  const same = $$("#toasts .toast").find((shown) => $("span", shown).textContent === text);
  if (same) return same;
  const shown = $("#toast").content.firstElementChild.cloneNode(true);
  $("span", shown).textContent = text;
  if (kind) shown.classList.add(`toast--${kind}`);
  $("#toasts").append(shown);
  if (kind !== "error") fade(shown);
  return shown;
}

document.addEventListener("toast", (event) => {
  const { text, message, value, kind } = event.detail;
  toast(text ?? message ?? value, kind);
});
document.addEventListener("click", (event) => {
  event.target.closest("[data-dismiss]")?.closest(".toast").remove();
  const button = event.target.closest("[data-say]");
  if (button) toast(button.dataset.say);
});
for (const shown of $$("#toasts .toast:not(.toast--error)")) fade(shown);
