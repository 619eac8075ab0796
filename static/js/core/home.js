// The tray on the home page: hold dice, roll the rest, read the odds of the next roll counted outcome by outcome.
import { putOdds } from "../lib/odds.js";
import { calm } from "../lib/prefs.js";

const tray = document.querySelector("[data-tray]"),
  dice = [...tray.querySelectorAll(".die")];
const run = (counts, length) => {
  for (let low = 1; low + length <= 7; low++) if (counts.slice(low, low + length).every(Boolean)) return true;
  return false;
};
const patterns = {
  three: (counts) => Math.max(...counts) >= 3,
  four: (counts) => Math.max(...counts) >= 4,
  five: (counts) => Math.max(...counts) === 5,
  full: (counts) => counts.includes(3) && counts.includes(2),
  small: (counts) => run(counts, 4),
  large: (counts) => run(counts, 5),
};
const held = (die) => die.getAttribute("aria-pressed") === "true";

const count = (kept, free) => {
  const hits = Object.fromEntries(Object.keys(patterns).map((name) => [name, 0])),
    total = 6 ** free;
  for (let outcome = 0; outcome < total; outcome++) {
    const counts = [0, 0, 0, 0, 0, 0, 0];
    for (const face of kept) counts[face]++;
    for (let i = 0, rest = outcome; i < free; i++, rest = Math.floor(rest / 6)) counts[1 + (rest % 6)]++;
    for (const name in patterns) hits[name] += patterns[name](counts);
  }
  return [hits, total];
};
const show = () => {
  const kept = dice.filter(held).map((die) => +die.dataset.face),
    free = 5 - kept.length,
    [hits, total] = count(kept, free);
  for (const name in hits) {
    const row = tray.querySelector(`[data-pattern="${name}"]`),
      p = hits[name] / total;
    putOdds(row.querySelector(".heat"), p);
    row.querySelector("i").style.setProperty("--v", 100 * p);
  }
  tray.querySelector("[data-count]").textContent = free
    ? `${total.toLocaleString("en-US")} ${total === 1 ? "outcome" : "outcomes"} counted`
    : "All held: nothing left to chance";
  tray.querySelector("[data-roll]").textContent = free
    ? `Roll ${free} ${free === 1 ? "die" : "dice"}`
    : "Release all and roll";
};
const turn = (die, i) => {
  const face = 1 + (crypto.getRandomValues(new Uint32Array(1))[0] % 6); // 2^32 mod 6 skews by 1e-9: a toy tray may
  die.dataset.face = face;
  die.setAttribute("aria-label", `Die ${i + 1}: ${face}`);
  die.querySelector("use").setAttribute("href", `#d${face}`);
  if (calm()) return;
  die.classList.remove("is-rolling");
  void die.offsetWidth;
  die.classList.add("is-rolling");
};
tray.addEventListener("click", (e) => {
  const die = e.target.closest(".die");
  if (die) die.setAttribute("aria-pressed", !held(die));
  if (e.target.closest("[data-roll]")) {
    if (dice.every(held)) for (const d of dice) d.setAttribute("aria-pressed", "false");
    dice.forEach((d, i) => {
      if (!held(d)) turn(d, i);
    });
  }
  show();
});
