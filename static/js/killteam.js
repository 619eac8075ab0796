// Kill Team: a folded group says how many of its controls are set, so that nothing set is ever out of sight;
// and when the job of a fight has ended, the page asks again and finds the answer.
(() => {
  const isSet = (control) => {
    if (control.type === "checkbox") return control.checked;
    if (control.type === "radio")
      return control.checked && control !== control.form.querySelector(`[name="${control.name}"]`);
    if (control.tagName === "SELECT") return control.selectedIndex > 0;
    return control.dataset.start !== undefined
      ? control.value !== control.dataset.start
      : parseInt(control.value, 10) > 0;
  };
  const count = (fold) => {
    const set = [...fold.querySelectorAll("input, select")].filter(isSet).length;
    const tag = fold.querySelector("[data-fold-count]");
    tag.textContent = `${set} set`;
    tag.hidden = set === 0;
  };
  document.addEventListener("change", (event) => {
    const fold = event.target.closest("[data-fold]");
    if (fold) count(fold);
  });
  document.addEventListener("htmx:load", (event) => {
    const ready = event.target.closest("[data-fight-ready]") || event.target.querySelector("[data-fight-ready]");
    const sheet = ready?.closest("form[data-calculator]");
    if (sheet) htmx.trigger(sheet, "submit");
  });
})();
