// What every page's controls do: dialogs, preferences, steppers, toasts, waiting. All by delegation, so swaps need no setup.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

// ---- dialogs: a link to a page that opens as a dialog when there is one
document.addEventListener("click", (e) => {
  const opener = e.target.closest("[data-dialog]"),
    dialog = opener && document.getElementById(opener.dataset.dialog);
  if (dialog?.showModal && !e.metaKey && !e.ctrlKey) {
    e.preventDefault();
    opener.closest("details.menu")?.removeAttribute("open");
    dialog.showModal();
  }
  if (e.target.closest("[data-close]") || e.target.matches("dialog")) e.target.closest("dialog")?.close();
  for (const menu of $$("details.menu[open], details.pop[open]")) if (!menu.contains(e.target)) menu.open = false;
});
document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  for (const menu of $$("details.menu[open], details.pop[open]")) {
    menu.open = false;
    $("summary", menu).focus();
  }
});

// ---- preferences
const nextTheme = { system: "light", light: "dark", dark: "system" };
const showPrefs = () => {
  const theme = Prefs.get("theme");
  for (const b of $$("[data-theme-toggle]")) {
    b.setAttribute("aria-label", `Theme: ${theme}`);
    b.value = nextTheme[theme];
  }
  for (const radio of $$("[data-prefs] input[type=radio]")) radio.checked = Prefs.get(radio.name) === radio.value;
  for (const box of $$("[data-pref-keys]")) box.checked = Prefs.get("keys") === "on";
};
document.addEventListener("prefs", showPrefs);
document.addEventListener("change", (e) => {
  if (e.target.matches("[data-prefs] input[type=radio]")) Prefs.set(e.target.name, e.target.value);
  if (e.target.matches("[data-pref-keys]")) Prefs.set("keys", e.target.checked ? "on" : "off");
});
document.addEventListener("submit", (e) => {
  const toggle = e.submitter?.closest("[data-theme-toggle]");
  if (!toggle) return;
  e.preventDefault();
  Prefs.set("theme", nextTheme[Prefs.get("theme")]);
  toast(`Theme: ${Prefs.get("theme")}`);
});
document.addEventListener("shortcut", (e) => {
  if (e.detail.action !== "odds-format") return;
  Prefs.set("odds", { percent: "fraction", fraction: "one_in", one_in: "percent" }[Prefs.get("odds")]);
});
showPrefs();

// ---- steppers: the buttons move the number input between them, and say so like a hand would
const bump = (input, direction) => {
  const { min, max, step, dataset } = input,
    suffix = dataset.suffix || "";
  const low = parseFloat(min || dataset.min),
    high = parseFloat(max || dataset.max);
  const value = parseFloat(input.value);
  const wanted = Number.isNaN(value) ? (Number.isNaN(low) ? 0 : low) : value + direction * (parseFloat(step) || 1);
  const next = Math.min(Number.isNaN(high) ? Infinity : high, Math.max(Number.isNaN(low) ? -Infinity : low, wanted));
  input.value = input.type === "number" ? next : `${next}${suffix}`;
  for (const name of ["input", "change"]) input.dispatchEvent(new Event(name, { bubbles: true }));
};
document.addEventListener("click", (e) => {
  const button = e.target.closest(".stepper[data-step] > button");
  if (button) bump($("input", button.parentElement), button === button.parentElement.firstElementChild ? -1 : 1);
});
document.addEventListener("keydown", (e) => {
  const input = e.target.closest?.(".stepper[data-step] input:not([type=number])");
  const direction = { ArrowUp: 1, ArrowDown: -1 }[e.key];
  if (input && direction) {
    e.preventDefault();
    bump(input, direction);
  }
});

// ---- toasts
const LINGER = 4000;
const fade = (element) => setTimeout(() => element.remove(), LINGER);
function toast(text, kind = "") {
  const element = $("#toast").content.firstElementChild.cloneNode(true);
  $("span", element).textContent = text;
  if (kind) element.classList.add(`toast--${kind}`);
  $("#toasts").append(element);
  if (kind !== "error") fade(element);
}
document.addEventListener("toast", (e) => toast(e.detail.text ?? e.detail.message ?? e.detail.value, e.detail.kind));
document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-say]");
  if (button) toast(button.dataset.say);
});
document.addEventListener("click", (e) => e.target.closest("[data-dismiss]")?.closest(".toast").remove());
for (const element of $$("#toasts .toast:not(.toast--error)")) fade(element);

// ---- waiting and failing
let running = 0;
const wait = (change) => {
  running = Math.max(0, running + change);
  $("#busy").classList.toggle("is-on", running > 0);
};
document.addEventListener("htmx:beforeRequest", () => wait(1));
document.addEventListener("htmx:afterRequest", () => wait(-1));
document.addEventListener("htmx:sendError", () =>
  toast("The server cannot be reached. What you entered is still here.", "error"),
);
document.addEventListener("htmx:timeout", () => toast("That took too long. Try again.", "error"));
document.addEventListener("htmx:responseError", (e) => {
  const { status } = e.detail.xhr,
    id = e.detail.xhr.getResponseHeader("X-Request-ID");
  const text = { 409: "Someone was faster. Reload to see what changed.", 429: "Slow down a moment, then try again." }[
    status
  ];
  toast(text || `That did not work (${status}).${status >= 500 && id ? ` Error id ${id}.` : ""}`, "error");
});
