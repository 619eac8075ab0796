// Probabilities as people read them: the browser's copy of apps/core/formats.py.
const Odds = (() => {
  const NBSP = "\u00a0",
    CERTAIN = 1 - 1e-12;
  const SCALES = [
    [1e12, " trillion"],
    [1e9, " billion"],
    [1e6, " million"],
  ];
  const thousands = (n) => n.toLocaleString("en-US", { maximumFractionDigits: 0 });
  const big = (p) => {
    if (p < 1e-15) return "10" + [...String(Math.round(-Math.log10(p)))].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
    const [scale, word] = SCALES.find(([scale]) => 1 / p >= scale) || [1, ""],
      n = 1 / p / scale;
    return (n >= 9.95 ? thousands(n) : n.toFixed(1).replace(/\.0$/, "")) + word;
  };

  const percent = (p) =>
    p <= 0
      ? `0${NBSP}%`
      : p >= CERTAIN
        ? `100${NBSP}%`
        : 100 * p < 0.1
          ? `<0.1${NBSP}%`
          : 100 * p > 99.9
            ? `>99.9${NBSP}%`
            : `${(100 * p).toFixed(1)}${NBSP}%`;

  const oneIn = (p) => {
    if (p <= 0) return "never";
    if (p >= CERTAIN) return "always";
    return big(p) === "1" ? `all but ${oneIn(1 - p)}` : `1 in ${big(p)}`;
  };

  // The closest fraction with a denominator up to `most`, by continued fractions (as Python's limit_denominator).
  const closest = (p, most) => {
    let [n0, d0, n1, d1, x] = [0, 1, 1, 0, p];
    for (;;) {
      const a = Math.floor(x),
        d2 = d0 + a * d1;
      if (d2 > most) break;
      [n0, d0, n1, d1] = [n1, d1, n0 + a * n1, d2];
      if (x === a) return [n1, d1];
      x = 1 / (x - a);
    }
    const k = Math.floor((most - d0) / d1),
      bound = [n0 + k * n1, d0 + k * d1];
    return Math.abs(n1 / d1 - p) <= Math.abs(bound[0] / bound[1] - p) ? [n1, d1] : bound;
  };
  const fraction = (p) => {
    if (p <= 0) return "0";
    if (p >= CERTAIN) return "1";
    const [n, d] = closest(p, 10000);
    if (n && Math.abs(n / d - p) <= 1e-12) return `${thousands(n)}/${thousands(d)}`;
    if (p * 100 < 1) return `≈1/${big(p)}`;
    if ((1 - p) * 100 < 1) {
      const m = Math.round(1 / (1 - p));
      return `≈${thousands(m - 1)}/${thousands(m)}`;
    }
    const [rn, rd] = closest(p, 100);
    return `≈${rn}/${rd}`;
  };

  const show = (p) => ({ fraction, one_in: oneIn })[Prefs.get("odds")]?.(p) ?? percent(p);
  const heat = (p) => (p <= 0 ? "n" : String(Math.min(8, Math.floor(p * 9))));
  const put = (element, p) => {
    element.dataset.p = p;
    if (element.classList.contains("heat")) element.dataset.h = heat(p);
    element.textContent = show(p);
  };
  document.addEventListener("prefs", (e) => {
    if (e.detail.name === "odds") for (const el of document.querySelectorAll("[data-p]")) put(el, +el.dataset.p);
  });
  return { percent, oneIn, fraction, heat, show, put };
})();
