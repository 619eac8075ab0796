// Kill Team: a folded group says how many of its controls are set, so that nothing set is ever out of sight; and when
// the job of a fight has ended, the page asks again and finds the answer.
import { $, $$ } from "../lib/dom.js";

function isSet(control) {
  if (control.type === "checkbox") return control.checked;
  if (control.type === "radio") return control.checked && control !== $(`[name="${control.name}"]`, control.form);
  if (control.tagName === "SELECT") return control.selectedIndex > 0;
  if (control.type === "text") return control.value !== "";
  return parseInt(control.value, 10) > 0;
}

function count(fold) {
  const set = $$("input, select", fold).filter(isSet).length;
  const tag = $("[data-fold-count]", fold);
  tag.textContent = `${set} set`;
  tag.hidden = set === 0;
}

document.addEventListener("change", (event) => {
  const fold = event.target.closest("[data-fold]");
  if (fold) count(fold);
});

// Another team brought its own options.
document.addEventListener("htmx:afterSettle", (event) => {
  const fold = event.target.closest?.(".team-fold");
  if (fold) count(fold);
});

document.addEventListener("htmx:load", (event) => {
  const ready = event.target.closest("[data-fight-ready]") || $("[data-fight-ready]", event.target);
  const sheet = ready?.closest("form[data-calculator]");
  if (sheet) window.htmx.trigger(sheet, "submit");
});
