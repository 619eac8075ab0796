// Copy a field's text. The button is of no use without JavaScript, so it is only shown with it.
(() => {
  const show = (root) =>
    root.querySelectorAll("[data-copy][hidden]").forEach((button) => {
      button.hidden = false;
    });

  async function copy(button) {
    const field = document.querySelector(button.dataset.copy);
    const status = button.closest(".share")?.querySelector("[data-copy-status]");
    let said = "Copied.";
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.focus();
      field.select(); // no permission, or no secure connection: one key press is left
      said = "Press Ctrl+C (⌘C) to copy.";
    }
    if (status) status.textContent = said;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
  });
  document.addEventListener("htmx:afterSwap", () => show(document));
  show(document);
})();
