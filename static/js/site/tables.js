// Tables wider than their place: which side has more to see, for the fade of components/table.css.
import { $$ } from "../lib/dom.js";
import { drawn } from "../lib/frames.js";

const SLACK = 6; // pixels; positions are rounded, and the padding of a last column hides nothing

/** Which side of a table has more to see; nothing where all of it is seen. */
function moreOf(wrap) {
  const hidden = wrap.scrollWidth - wrap.clientWidth;
  const left = wrap.scrollLeft > SLACK;
  const right = wrap.scrollLeft < hidden - SLACK;
  if (hidden <= SLACK) return "";
  return left && right ? "both" : left ? "left" : "right";
}
/** Measures all before it marks any: a mark in between would have the page laid out again for each. */
function mark(wraps) {
  const sides = wraps.map(moreOf);
  wraps.forEach((wrap, i) => {
    if (sides[i]) wrap.dataset.more = sides[i];
    else delete wrap.dataset.more;
  });
}

const resized = new ResizeObserver((entries) => mark(entries.map(({ target }) => target)));
async function watch() {
  await drawn(); // measuring would hold up the drawing of what has just changed
  const wraps = $$(".tablewrap");
  for (const wrap of wraps) resized.observe(wrap); // again does no harm
  mark(wraps);
}
document.addEventListener("scroll", (event) => event.target.matches?.(".tablewrap") && mark([event.target]), true);
document.addEventListener("toggle", watch, true); // a drawer that opens shows its tables
document.addEventListener("htmx:afterSettle", watch);
watch();
