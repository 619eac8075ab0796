// Calculator pages: field errors from live answers, links that follow the inputs, one situation at a time on a phone.
const showErrors = (errors) => {
  for (const slot of document.querySelectorAll("[data-error-for]")) {
    const message = errors[slot.dataset.errorFor] || "";
    slot.hidden = !message;
    slot.querySelector("span").textContent = message;
    const input = document.getElementById(slot.dataset.errorFor);
    if (!input) continue;
    if (message) {
      input.setAttribute("aria-invalid", "true");
      input.setAttribute("aria-describedby", slot.id);
    } else input.removeAttribute("aria-invalid");
  }
};
document.addEventListener("calculator:errors", (event) => {
  const { elt, value, ...errors } = event.detail;
  showErrors(errors);
});

// After a swap the toolbar's links point at the sheet as it is now.
const followInputs = () => {
  const now = document.getElementById("calc-links")?.dataset;
  if (!now) return;
  for (const a of document.querySelectorAll("[data-permalink]")) a.href = now.permalinkNow;
  for (const a of document.querySelectorAll("[data-with-b]")) a.href = now.withBNow;
  for (const a of document.querySelectorAll("[data-without-b]")) a.href = now.withoutBNow;
  for (const input of document.querySelectorAll("[data-permalink-value]")) input.value = now.permalinkNow;
};
document.addEventListener("htmx:afterSettle", followInputs);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy-link], [data-print]");
  if (!button) return;
  if (button.matches("[data-print]")) return window.print();
  navigator.clipboard.writeText(location.href).then(
    () => document.dispatchEvent(new CustomEvent("toast", { detail: { text: "Link copied" } })),
    () =>
      document.dispatchEvent(
        new CustomEvent("toast", {
          detail: { text: "Copy the address bar: this browser keeps the clipboard to itself" },
        }),
      ),
  );
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-pick]")) document.querySelector(".calc").dataset.side = event.target.value;
});
