// Copying: buttons that put a field's text, or the address of the page, into the clipboard. They are of no use without
// JavaScript, so they are only shown with it.
import { $, $$ } from "../lib/dom.js";
import { toast } from "../lib/toast.js";

/**
 * Put a text into the clipboard.
 * @param {string} text
 * @returns {Promise<boolean>} whether the browser let us
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or no secure connection
  }
}

async function copyField(button) {
  const field = $(button.dataset.copy);
  const status = button.closest(".share") && $("[data-copy-status]", button.closest(".share"));
  const copied = await copyText(field.value);
  if (!copied) {
    field.focus();
    field.select(); // one key press is left
  }
  const words = copied ? "Copied." : "Press Ctrl+C (⌘C) to copy.";
  if (status) status.textContent = words;
  else toast(words);
}

const show = () => {
  for (const button of $$("[data-copy][hidden]")) button.hidden = false;
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copyField(button);
});
document.addEventListener("htmx:afterSwap", show);
show();
