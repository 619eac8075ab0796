// Warhammer 40K: a name picked from the list fills its line, an attack too large to count offers a simulation, the dice
// log copies itself.
import { $, $$ } from "../lib/dom.js";

// Picking a completion ends with the whole name in the field: press the line's own "Fill" button for the reader.
function fill(field) {
  const completions = [...document.getElementById(field.getAttribute("list")).options];
  if (completions.some((option) => option.value === field.value))
    $(`button[name="do"][value="${field.dataset.fill}"]`)?.click();
}

document.addEventListener("change", (event) => {
  const field = event.target.closest?.("[data-fill]");
  if (field) fill(field);
});

// Too large to count exactly: the message says so beside the weapon, and the way out leads to a simulation of this
// sheet.
document.addEventListener("calculator:errors", (event) => {
  const offer = $("[data-offer-simulation]");
  if (!offer) return;
  const messages = Object.values(event.detail).filter((text) => typeof text === "string");
  offer.hidden = !messages.some((text) => text.includes("simulate it"));
  const link = $("a", offer);
  link.href = `${link.pathname}?${new URLSearchParams(new FormData($("#calculator")))}#simulate`;
});

// The tabs lead to the sheet as it is now, not as it was when the page was opened.
document.addEventListener("htmx:afterSettle", () => {
  const address = $("#calc-links")?.dataset.permalinkNow;
  if (!address) return;
  const sheet = address.slice(address.indexOf("?") + 1);
  for (const tab of $$('nav[aria-label="Tools of this game"] a:not([aria-current], [href$="/armies/"])'))
    tab.search = tab.pathname.endsWith("/profiles/") ? new URLSearchParams({ back: sheet }) : sheet;
});
