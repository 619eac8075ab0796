// The analysis board: a box or the rules changed by hand are set at once.
document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-set-position]");
  if (form && event.target.matches("select")) form.requestSubmit();
});
