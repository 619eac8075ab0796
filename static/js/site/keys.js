// Single keys press what is marked data-key; the rows of the keyboard list (apps/core/keyboard.py) say which.
import { $, $$ } from "../lib/dom.js";
import { preference } from "../lib/prefs.js";

const NOT_TYPED_IN = ["radio", "checkbox", "range", "button", "submit"].map((type) => `[type=${type}]`).join(", ");
const TYPED_IN = `input:not(${NOT_TYPED_IN}), textarea, select, [contenteditable]`;
const PRESSED = "button, a, summary, input, [role=button]";
const FIELDS = "main :is(input:not([type=hidden]), select, textarea)";
const visible = (element) => element.checkVisibility();

/** The name of a key as the keyboard list writes it. */
function nameOf(event) {
  if (event.key === " ") return "Space";
  if (event.shiftKey && /^Digit\d$/.test(event.code)) return `Shift+${event.code.slice(5)}`;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

/** What a key does on this page, if anything. */
function actionOf(key) {
  const scopes = ["everywhere", ...document.body.dataset.scopes.split(" ").filter(Boolean)];
  const row = $$("[data-keys]").find((one) => {
    const { action, keys } = one.dataset;
    return action && keys.split(" ").includes(key) && scopes.includes(one.closest("[data-scope]").dataset.scope);
  });
  return row?.dataset.action.replace("*", key.at(-1));
}

function press(action) {
  if (action === "first-field") {
    $$(FIELDS).find(visible)?.focus();
    return;
  }
  const element = $$(`[data-key="${action}"]`).find(visible);
  if (!element) document.dispatchEvent(new CustomEvent("shortcut", { detail: { action } }));
  else if (element.matches(TYPED_IN)) element.focus();
  else (element.matches("details") ? $("summary", element) : element).click();
}

document.addEventListener("keydown", (event) => {
  const ours = !(event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing);
  if (!ours || preference("keys") === "off") return;
  if (event.target.closest?.(TYPED_IN) || $("dialog[open]")) return;
  const key = nameOf(event);
  if ((key === "Space" || key === "Enter") && event.target.closest?.(PRESSED)) return;
  const action = actionOf(key);
  if (action) {
    event.preventDefault();
    press(action);
  }
});
