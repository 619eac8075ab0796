// The controls of preferences: the theme button, the settings dialog, the key that changes how odds are written.
import { $$ } from "../lib/dom.js";
import { prefer, preference } from "../lib/prefs.js";
import { toast } from "../lib/toast.js";

const NEXT_THEME = { system: "light", light: "dark", dark: "system" };
const NEXT_ODDS = { percent: "fraction", fraction: "one_in", one_in: "percent" };

function show() {
  const theme = preference("theme");
  for (const button of $$("[data-theme-toggle]")) {
    button.setAttribute("aria-label", `Theme: ${theme}`);
    button.value = NEXT_THEME[theme];
  }
  for (const radio of $$("[data-prefs] input[type=radio]")) radio.checked = preference(radio.name) === radio.value;
  for (const box of $$("[data-pref-keys]")) box.checked = preference("keys") === "on";
}

document.addEventListener("prefs", show);
document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-prefs] input[type=radio]")) prefer(target.name, target.value);
  if (target.matches("[data-pref-keys]")) prefer("keys", target.checked ? "on" : "off");
});
document.addEventListener("submit", (event) => {
  if (!event.submitter?.closest("[data-theme-toggle]")) return;
  event.preventDefault();
  prefer("theme", NEXT_THEME[preference("theme")]);
  toast(`Theme: ${preference("theme")}`);
});
document.addEventListener("shortcut", (event) => {
  if (event.detail.action === "odds-format") prefer("odds", NEXT_ODDS[preference("odds")]);
});
show();
