// Calculator pages: field errors from live answers, links that follow the inputs, one situation at a time on a phone.
import { $, $$ } from "../lib/dom.js";
import { odds } from "../lib/odds.js";

function showErrors(errors) {
  for (const slot of $$("[data-error-for]")) {
    const message = errors[slot.dataset.errorFor] || "";
    slot.hidden = !message;
    $("span", slot).textContent = message;
    const input = document.getElementById(slot.dataset.errorFor);
    if (input) mark(input, message, slot.id);
  }
}

function mark(input, message, describedBy) {
  if (message) {
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", describedBy);
  } else {
    input.removeAttribute("aria-invalid");
  }
}

document.addEventListener("calculator:errors", (event) => {
  const { elt: _element, value: _value, ...errors } = event.detail; // htmx adds these two
  showErrors(errors);
  const messages = Object.values(errors);
  $("#answer")?.toggleAttribute("data-stale", messages.length > 0);
  const note = $(".stale-note span");
  if (note && messages.length) note.textContent = messages.join(" ");
  const problems = $("#answer .problems"); // where there was no answer to begin with
  if (problems && messages.length) problems.replaceChildren(...messages.map(listItem));
});

function listItem(text) {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}

// Leaving a field after typing fires once more: what was asked is not asked again, or the answer would be drawn anew
// under the finger that is about to press something in it.
let asked = "";
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  if (!elt.matches("[data-calculator]")) return;
  const question = new URLSearchParams(requestConfig.formData).toString();
  if (question === asked) event.preventDefault();
  else asked = question;
});
for (const failed of ["htmx:sendError", "htmx:timeout", "htmx:responseError", "htmx:sendAbort"]) {
  document.addEventListener(failed, () => (asked = ""));
}
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "answer") asked = "";
});

// The headline in the form the reader prefers: 36.1 %, 13/36, 1 in 2.8.
function showHeadline(element) {
  const [number, unit] = odds(+element.dataset.chance).split("\u00a0");
  const small = document.createElement("small");
  small.textContent = unit;
  element.replaceChildren(number, ...(unit ? [small] : []));
}
document.addEventListener("prefs", (event) => {
  if (event.detail.name === "odds") for (const element of $$("[data-chance]")) showHeadline(element);
});

// After a swap the toolbar's links point at the sheet as it is now.
function followInputs() {
  const now = document.getElementById("calc-links")?.dataset;
  if (!now) return;
  for (const link of $$("[data-permalink]")) link.href = now.permalinkNow;
  for (const link of $$("[data-with-b]")) link.href = now.withBNow;
  for (const link of $$("[data-without-b]")) link.href = now.withoutBNow;
  for (const input of $$("[data-permalink-value]")) input.value = now.permalinkNow;
}
document.addEventListener("htmx:afterSettle", followInputs);

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) window.print();
});
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-pick]")) $(".calculator").dataset.side = event.target.value;
});
