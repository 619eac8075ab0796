// After the game: the list of decisions and the open one side by side.
import { $, $$ } from "../lib/dom.js";

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "detail") return;
  for (const other of $$("[data-at][aria-current]")) other.removeAttribute("aria-current");
  event.detail.requestConfig.elt.setAttribute("aria-current", "true");
  if (matchMedia("(max-width: 56.25em)").matches) $("#detail").scrollIntoView({ block: "start" });
});

document.addEventListener("shortcut", (event) => {
  const step = { next: 1, previous: -1 }[event.detail.action];
  if (!step) return;
  const links = $$("[data-at]");
  const wanted = links[links.findIndex((link) => link.hasAttribute("aria-current")) + step];
  if (!wanted) return;
  wanted.click();
  wanted.scrollIntoView({ block: "nearest" });
});
