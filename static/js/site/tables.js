// Tables wider than their place: which side has more to see, for the fade of components/table.css.
import { $$ } from "../lib/dom.js";

const SLACK = 2; // pixels; positions are rounded

function mark(wrap) {
  const hidden = wrap.scrollWidth - wrap.clientWidth;
  const left = wrap.scrollLeft > SLACK;
  const right = wrap.scrollLeft < hidden - SLACK;
  if (hidden <= SLACK) delete wrap.dataset.more;
  else wrap.dataset.more = left && right ? "both" : left ? "left" : "right";
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) mark(target);
});
function watch() {
  for (const wrap of $$(".tablewrap")) {
    resized.observe(wrap); // again does no harm
    mark(wrap);
  }
}
document.addEventListener("scroll", (event) => event.target.matches?.(".tablewrap") && mark(event.target), true);
document.addEventListener("toggle", watch, true); // a drawer that opens shows its tables
document.addEventListener("htmx:afterSettle", watch);
watch();
