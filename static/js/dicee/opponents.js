// Bots move in one go; here their moves are shown one after the other. A tap or a key skips to the end.
import { $, element } from "../lib/dom.js";
import { calm } from "../lib/prefs.js";

const STEP = 600;
let shown = 0; // the last event that was shown
let timer;

const die = (face) => `<span class="die die--xs"><svg aria-hidden="true"><use href="#d${face}"/></svg></span>`;

function end() {
  clearInterval(timer);
  timer = undefined;
  const stage = $("[data-opponent-stage]");
  if (stage) stage.hidden = true;
}

/** Show what bots did since the last table. Nothing of it is news to someone who just opened the page. */
export function showOpponents() {
  const moves = JSON.parse($("#opponent-moves")?.textContent || "[]");
  const news = moves.filter(({ seq }) => seq > shown);
  const first = shown === 0;
  shown = Math.max(shown, ...moves.map(({ seq }) => seq), 1);
  if (first || !news.length || calm()) return;
  end();
  const stage = $("[data-opponent-stage]");
  const next = () => {
    const move = news.shift();
    if (!move) return end();
    stage.hidden = false;
    $("[data-stage-words]", stage).textContent = move.words;
    $("[data-stage-dice]", stage).replaceChildren(...move.dice.map((face) => element(die(face))));
  };
  next();
  timer = setInterval(next, STEP);
}

document.addEventListener("pointerdown", (event) => {
  if (timer && !event.target.closest("#explain")) end();
});
document.addEventListener("keydown", () => {
  if (timer) end();
});
