// The record sheet: every heat comes with the page, so the slider answers under the finger; actions are fetched in
// place.
import { $, $$ } from "../lib/dom.js";
import { odds, putOdds } from "../lib/odds.js";

const curve = () => JSON.parse($("#risk-curve").textContent);

/** The answer at a heat: the last stretch that begins at or below it. */
function stretchAt(heat) {
  const { stretches, lows } = curve();
  return stretches[lows.findLastIndex((low) => low <= heat)];
}

const chanceByOtherRules = (heat) => curve().other.findLast(([low]) => low <= heat)[1];

const oneDecimal = (x) => x.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function put(name, text) {
  for (const place of $$(`[data-now="${name}"]`)) place.textContent = text;
}

function putChance(name, p) {
  for (const place of $$(`[data-now="${name}"]`)) putOdds(place, p);
}

/** The large number, in the form the reader prefers; its unit is smaller. */
function putHeadline(shown) {
  const [number, unit] = shown.split("\u00a0");
  const small = document.createElement("small");
  small.textContent = unit;
  $('[data-now="big"]').replaceChildren(number, ...(unit ? [small] : []));
}

/** Show the answer of a heat everywhere on the sheet. */
function show(heat) {
  const now = stretchAt(heat);
  const headline = odds(now.any);
  putHeadline(headline);
  put("heat", heat);
  put("damage", oneDecimal(now.damage));
  put("structure", oneDecimal(now.structure));
  put("avoid", now.avoid);
  putChance("any", now.any);
  putChance("lost", now.lost);
  putChance("other", chanceByOtherRules(heat));
  for (const bar of $$("[data-hb]")) bar.classList.toggle("is-on", +bar.dataset.hb === heat);
  for (const part of $$("[data-loc]:not(.is-gone)")) {
    const p = now.locations[part.dataset.loc];
    $(".doll-part__risk", part).style.setProperty("--v", p);
    putOdds($("[data-lp]", part), p);
  }
  $("#heat").setAttribute("aria-valuetext", `${heat}: ${headline}`);
}

function say(input, ...events) {
  for (const name of events) input.dispatchEvent(new Event(name, { bubbles: true }));
}

function stepHeat(step) {
  const slider = $("#heat");
  slider.value = +slider.value + step;
  say(slider, "input", "change");
}

document.addEventListener("prefs", (event) => {
  if (event.detail.name === "odds") show(+$("#heat").value);
});
document.addEventListener("input", (event) => {
  const { id, value, dataset } = event.target;
  if (id === "heat") show(+value);
  if (dataset.twin) document.getElementById(dataset.twin).value = value;
  const slider = id && $(`[data-twin="${id}"]`);
  if (slider) slider.value = value;
});

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-heat]");
  const link = event.target.closest("a[data-go]");
  if (step) {
    event.preventDefault();
    stepHeat(+step.dataset.heat);
  }
  if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
    event.preventDefault();
    const into = { source: document.body, target: "#sheet", swap: "outerHTML show:none" };
    window.htmx.ajax("GET", link.getAttribute("href"), into);
  }
});

// After a swap: say what happened, and never leave the keyboard nowhere.
document.addEventListener("htmx:afterSettle", () => {
  const slider = $("#heat"); // moved on between the swap and now, when nobody listened yet
  if (slider && slider.value !== slider.defaultValue) say(slider, "change");
  const announcement = $("#sheet")?.dataset.announcement;
  if (announcement) $("#announcement").textContent = announcement;
  const wrong = $('#sheet [aria-invalid="true"]');
  if (wrong && wrong.checkVisibility()) wrong.focus();
  else if (document.activeElement === document.body && announcement) $("#log-h").focus({ preventScroll: true });
});
