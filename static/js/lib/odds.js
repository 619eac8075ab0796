// Probabilities as people read them: the browser's copy of apps/core/formats.py.
import { $$ } from "./dom.js";
import { preference } from "./prefs.js";

const NBSP = "\u00a0";
const CERTAIN = 1 - 1e-12;
const SCALES = [
  [1e12, " trillion"],
  [1e9, " billion"],
  [1e6, " million"],
];
const MOST_EXACT = 10000; // denominators up to here are written as they are
const MOST_ROUGH = 100;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }); // made once: making it is what takes time
const thousands = (n) => whole.format(n);

/** 1/p in words: 36, 7.8 million, 10¹⁸. */
function inverse(p) {
  if (p < 1e-15) {
    const digits = String(Math.round(-Math.log10(p)));
    return "10" + [...digits].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  }
  const [scale, word] = SCALES.find(([least]) => 1 / p >= least) || [1, ""];
  const n = 1 / p / scale;
  return (n >= 9.95 ? thousands(n) : n.toFixed(1).replace(/\.0$/, "")) + word;
}

/**
 * A chance in percent; what is possible is never 0, what is not certain never 100.
 * @param {number} p
 * @returns {string}
 */
export function percent(p) {
  if (p <= 0) return `0${NBSP}%`;
  if (p >= CERTAIN) return `100${NBSP}%`;
  if (100 * p < 0.1) return `<0.1${NBSP}%`;
  if (100 * p > 99.9) return `>99.9${NBSP}%`;
  return `${(100 * p).toFixed(1)}${NBSP}%`;
}

/**
 * A chance as "1 in N".
 * @param {number} p
 * @returns {string}
 */
export function oneIn(p) {
  if (p <= 0) return "never";
  if (p >= CERTAIN) return "always";
  return inverse(p) === "1" ? `all but ${oneIn(1 - p)}` : `1 in ${inverse(p)}`;
}

/** The closest fraction with a denominator up to `most`, by continued fractions (as Python's limit_denominator). */
function closest(p, most) {
  let [n0, d0, n1, d1, rest] = [0, 1, 1, 0, p];
  for (;;) {
    const whole = Math.floor(rest);
    const d2 = d0 + whole * d1;
    if (d2 > most) break;
    [n0, d0, n1, d1] = [n1, d1, n0 + whole * n1, d2];
    if (rest === whole) return [n1, d1];
    rest = 1 / (rest - whole);
  }
  const k = Math.floor((most - d0) / d1);
  const bound = [n0 + k * n1, d0 + k * d1];
  return Math.abs(n1 / d1 - p) <= Math.abs(bound[0] / bound[1] - p) ? [n1, d1] : bound;
}

/**
 * A chance as a fraction, exact where it is short, else the nearest readable one.
 * @param {number} p
 * @returns {string}
 */
export function fraction(p) {
  if (p <= 0) return "0";
  if (p >= CERTAIN) return "1";
  const [n, d] = closest(p, MOST_EXACT);
  if (n && Math.abs(n / d - p) <= 1e-12) return `${thousands(n)}/${thousands(d)}`;
  if (p * MOST_ROUGH < 1) return `≈1/${inverse(p)}`;
  if ((1 - p) * MOST_ROUGH < 1) {
    const m = Math.round(1 / (1 - p));
    return `≈${thousands(m - 1)}/${thousands(m)}`;
  }
  const [rough, of] = closest(p, MOST_ROUGH);
  return `≈${rough}/${of}`;
}

/**
 * A chance as the reader prefers to read it.
 * @param {number} p
 * @returns {string}
 */
export function odds(p) {
  return ({ fraction, one_in: oneIn }[preference("odds")] ?? percent)(p);
}

/**
 * The step of the colour ramp: "n" for impossible, "0" to "8".
 * @param {number} p
 * @returns {string}
 */
export const heat = (p) => (p <= 0 ? "n" : String(Math.min(8, Math.floor(p * 9))));

/**
 * Write a chance into an element, and its colour where it is a heat cell.
 * @param {HTMLElement} element
 * @param {number} p
 */
export function putOdds(element, p) {
  element.dataset.p = p;
  if (element.classList.contains("heat")) element.dataset.h = heat(p);
  element.textContent = odds(p);
}

document.addEventListener("prefs", (event) => {
  if (event.detail.name === "odds") for (const element of $$("[data-p]")) putOdds(element, +element.dataset.p);
});
