// A box that shows what is typed into password fields.
document.addEventListener("change", (event) => {
  const names = event.target.dataset?.shows?.split(" ") ?? [];
  for (const name of names) {
    document.getElementById(name).type = event.target.checked ? "text" : "password";
  }
});
