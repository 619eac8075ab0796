// Warhammer 40K pages: a name picked from the list fills its line, the dice log copies itself, filters apply at once.
(() => {
  // Picking a completion ends with the whole name in the field: press the line's own "Fill" button for the reader.
  document.addEventListener("change", (event) => {
    const field = event.target.closest?.("[data-fill]");
    if (!field) return;
    const known = [...document.getElementById(field.getAttribute("list")).options].some(
      (option) => option.value === field.value,
    );
    if (known) document.querySelector(`button[name="do"][value="${field.dataset.fill}"]`)?.click();
  });

  // Too large to count exactly: the message says so beside the weapon, and the way out leads to a simulation of this sheet.
  document.addEventListener("calculator:errors", (event) => {
    const offer = document.querySelector("[data-offer-simulation]");
    if (!offer) return;
    offer.hidden = !Object.values(event.detail).some(
      (text) => typeof text === "string" && text.includes("simulate it"),
    );
    const link = offer.querySelector("a");
    link.href = `${link.pathname}?${new URLSearchParams(new FormData(document.getElementById("calculator")))}#simulate`;
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy-from]");
    if (!button) return;
    const text = document.querySelector(button.dataset.copyFrom).value;
    navigator.clipboard.writeText(text).then(
      () => document.dispatchEvent(new CustomEvent("toast", { detail: { text: "Log copied" } })),
      () => document.querySelector(button.dataset.copyFrom).select(),
    );
  });
})();
