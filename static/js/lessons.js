// Lessons: J and K walk the steps, the list of steps shows where one is, a button may set a field and let it speak.
(() => {
  const headings = () => [...document.querySelectorAll(".step__h, .tnote > summary")];
  const top = (heading) => heading.getBoundingClientRect().top;
  const go = (heading) => {
    heading?.focus({ preventScroll: true });
    heading?.closest(".step, .tnote").scrollIntoView();
  };

  document.addEventListener("shortcut", (e) => {
    const all = headings(),
      line = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 80;
    const focused = all.indexOf(document.activeElement),
      passed = all.filter((heading) => top(heading) < line).length - 1;
    const here = focused >= 0 ? focused : passed;
    if (e.detail.action === "next-step") go(all[Math.min(here + 1, all.length - 1)]);
    if (e.detail.action === "previous-step") go(all[Math.max(here - 1, 0)]);
  });

  const links = new Map([...document.querySelectorAll(".lnav a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const link = links.get(target.id);
        if (isIntersecting) link?.setAttribute("aria-current", "step");
        else link?.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-45% 0px -50%" },
  );
  for (const step of document.querySelectorAll(".step, .tnote")) seen.observe(step);

  // A link to the teacher's note opens it.
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.matches("details")) target.open = true;
  };
  addEventListener("hashchange", open);
  open();

  document.addEventListener("click", (e) => {
    const button = e.target.closest("[data-sets]"),
      field = button && document.getElementById(button.dataset.sets);
    if (!field) return;
    e.preventDefault();
    field.value = button.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
