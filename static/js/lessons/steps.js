// Lessons: J and K walk the steps, the list of steps shows where one is, a button may set a field and let it speak.
import { $$ } from "../lib/dom.js";

const headings = () => $$(".step__heading, .teacher-note > summary");
const top = (heading) => heading.getBoundingClientRect().top;

function go(heading) {
  heading?.focus({ preventScroll: true });
  heading?.closest(".step, .teacher-note").scrollIntoView();
}

document.addEventListener("shortcut", (event) => {
  const all = headings();
  const line = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 80;
  const focused = all.indexOf(document.activeElement);
  const passed = all.filter((heading) => top(heading) < line).length - 1;
  const here = focused >= 0 ? focused : passed;
  if (event.detail.action === "next-step") go(all[Math.min(here + 1, all.length - 1)]);
  if (event.detail.action === "previous-step") go(all[Math.max(here - 1, 0)]);
});

const links = new Map($$(".lesson-steps a").map((link) => [link.hash.slice(1), link]));
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
for (const step of $$(".step, .teacher-note")) seen.observe(step);

// A link to the teacher's note opens it.
function open() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.matches("details")) target.open = true;
}
window.addEventListener("hashchange", open);
open();

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sets]");
  const field = button && document.getElementById(button.dataset.sets);
  if (!field) return;
  event.preventDefault();
  field.value = button.value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
});
