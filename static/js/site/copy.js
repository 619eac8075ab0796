// Copying: `data-copy="#field"` what a field or element holds, `data-copy-link` the address of this page or the one it
// names; `data-copied` words the success. Without JavaScript it is of no use, so the buttons are hidden or `.needs-js`.
import { $, $$ } from "../lib/dom.js";
import { toast } from "../lib/toast.js";

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or no secure connection
  }
}

function tell(button, words) {
  const status = button.closest(".share") && $("[data-copy-status]", button.closest(".share"));
  if (status) status.textContent = words;
  else toast(words);
}

async function copyField(button) {
  const field = $(button.dataset.copy);
  const copied = await toClipboard(field.value ?? field.textContent);
  if (!copied && field.select) {
    field.focus();
    field.select(); // one key press is left
  }
  tell(button, copied ? (button.dataset.copied ?? "Copied.") : "Press Ctrl+C (⌘C) to copy.");
}

async function copyLink(button) {
  const copied = await toClipboard(button.dataset.copyLink || $("[data-permalink]")?.href || location.href);
  const refused = "Copy the address bar: this browser keeps the clipboard to itself";
  tell(button, copied ? (button.dataset.copied ?? "Link copied") : refused);
}

const show = () => {
  for (const button of $$("[data-copy][hidden]")) button.hidden = false;
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-copy-link]");
  if (!button) return;
  if ("copy" in button.dataset) copyField(button);
  else copyLink(button);
});
document.addEventListener("htmx:afterSwap", show);
show();
