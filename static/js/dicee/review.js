// After the game: the list and its open decision side by side, and links to copy.
(() => {
  document.addEventListener("htmx:afterSwap", (e) => {
    if (e.detail.target.id !== "detail") return;
    const link = e.detail.requestConfig.elt;
    for (const other of document.querySelectorAll("[data-at][aria-current]")) other.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    if (matchMedia("(max-width: 900px)").matches) document.getElementById("detail").scrollIntoView({ block: "start" });
  });
  document.addEventListener("shortcut", (e) => {
    const links = [...document.querySelectorAll("[data-at]")],
      here = links.findIndex((link) => link.hasAttribute("aria-current"));
    const step = { next: 1, previous: -1 }[e.detail.action];
    const wanted = step && links[here + step];
    if (wanted) {
      wanted.click();
      wanted.scrollIntoView({ block: "nearest" });
    }
  });
  document.addEventListener("click", async (e) => {
    const text = e.target.closest("[data-copy-text]"),
      here = e.target.closest("[data-copy-here]");
    if (text) await navigator.clipboard.writeText(document.querySelector(text.dataset.copyText).value);
    if (here) await navigator.clipboard.writeText(location.href);
  });
})();
