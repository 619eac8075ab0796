// A page that is swapped as a whole stays where its reader is. Chromium would follow what it anchored to, and with
// everything exchanged that is the footer.

let top = 0;
const root = document.documentElement;
const isWhole = (target) => target?.matches?.("[data-whole]");

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!isWhole(event.detail.target)) return;
  top = window.scrollY;
  root.style.overflowAnchor = "none";
});
// At once, before anything is painted, and again when what settles has moved things.
for (const moment of ["htmx:afterSwap", "htmx:afterSettle"]) {
  document.addEventListener(moment, (event) => {
    if (!isWhole(event.detail.elt) && !isWhole(event.detail.target)) return;
    window.scrollTo({ top, behavior: "instant" });
  });
}
document.addEventListener("htmx:afterSettle", (event) => {
  if (!isWhole(event.detail.elt) && !isWhole(event.detail.target)) return;
  // Charts and fonts may still push; the reader's own scrolling ends the hold.
  setTimeout(() => {
    root.style.overflowAnchor = "";
  }, 1000);
});
