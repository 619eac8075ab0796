// Dialogs and menus: a link to a page opens as a dialog when there is one; a press elsewhere or Escape closes menus.
import { $, $$ } from "../lib/dom.js";

const openMenus = () => $$("details.menu[open], details.pop[open]");

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  const dialog = opener && document.getElementById(opener.dataset.dialog);
  if (dialog?.showModal && !event.metaKey && !event.ctrlKey) {
    event.preventDefault();
    opener.closest("details.menu")?.removeAttribute("open");
    dialog.showModal();
  }
  if (event.target.closest("[data-close]") || event.target.matches("dialog")) event.target.closest("dialog")?.close();
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    $("summary", menu).focus();
  }
});
