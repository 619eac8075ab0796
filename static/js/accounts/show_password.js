// A box that shows what is typed into a password field.
document.addEventListener("change", (event) => {
  const field = document.getElementById(event.target.dataset?.shows);
  if (field) field.type = event.target.checked ? "text" : "password";
});
