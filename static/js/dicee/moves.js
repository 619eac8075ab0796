// A move, from the tap to what is seen, felt and heard of it. Dice start to tumble at once and land with the answer;
// what changed is read off the table before and after, so it is the same for one's own moves and for those of others.
import { $, $$ } from "../lib/dom.js";
import { drawn, elapsed } from "../lib/frames.js";
import { calm } from "../lib/prefs.js";
import { buzz, chime, clack, confetti, countUp } from "./feel.js";
import { toast } from "../lib/toast.js";
import { game, heldMask, phrase } from "./numbers.js";

const FACE_EVERY = 90;
const LEAST_TUMBLE = 100; // then one more frame is drawn, so that dice are seen in mid-turn on any machine
const dieFigures = () => $$("[data-dice] > .die");
const move = (event) => event.detail.requestConfig?.verb === "post" && event.detail.target?.id === "game";
const total = () => Number($("[data-total]")?.dataset.total ?? 0);
let before; // the table as it was when it was last looked at
let mine = ""; // the form of one's own move that is on its way
let tumbling;
let keyboard = false;

/** Everything a move may change, as it stands on the page. */
function look() {
  const { seq, status, mine: my, roll, announcement, bonus, record } = game().dataset;
  return {
    seq: Number(seq),
    status,
    my,
    roll,
    announcement,
    bonus,
    record,
    faces: dieFigures().map((die) => die.dataset.n ?? ""),
    total: total(),
    best: $(".score-row--best")?.dataset.name,
    done: new Set($$("[data-done].score-row--done").map((row) => row.dataset.done)),
  };
}

// ---- the tumble
function setFace(die, face) {
  $("use", die)?.setAttribute("href", `#d${face}`);
}
/** Set dice in motion. However soon the answer comes, they are seen to tumble before they land. */
function tumble(dice) {
  endTumble();
  if (calm()) return;
  const spin = () => {
    for (const die of tumbling.dice) setFace(die, 1 + Math.floor(Math.random() * 6));
  };
  tumbling = { timer: setInterval(spin, FACE_EVERY), seen: elapsed(LEAST_TUMBLE).then(drawn) };
  goOnTumbling(dice);
  spin();
}
/** The fresh table's dice lie still: those that were rolled go on. */
function goOnTumbling(dice) {
  tumbling.dice = dice;
  for (const die of dice) {
    die.classList.remove("is-landing");
    die.classList.add("is-tumbling");
  }
}
/** Stop where the dice lie: with the faces of the server, or again the old ones. */
function endTumble() {
  if (!tumbling) return;
  clearInterval(tumbling.timer);
  for (const die of tumbling.dice) {
    die.classList.remove("is-tumbling");
    if (die.dataset.n) setFace(die, die.dataset.n);
  }
  tumbling = undefined;
}
/** Let the dice that were rolled land, once they have been seen to tumble. Answers whether they did. */
async function land(dice) {
  if (tumbling) goOnTumbling(dice);
  else tumble(dice);
  const begun = tumbling;
  await begun?.seen;
  if (tumbling !== begun) return false; // the next roll is on its way
  endTumble();
  clack(dice.length);
  if (calm()) return true;
  for (const die of dice) {
    die.classList.add("is-landing");
    die.addEventListener("animationend", () => die.classList.remove("is-landing"), { once: true });
  }
  return true;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!move(event)) return;
  before = look();
  mine = event.detail.elt.id;
  if (mine !== "roll-form") return;
  const held = heldMask();
  buzz(20);
  tumble(dieFigures().filter((_, i) => !((held >> i) & 1)));
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (move(event) && !event.detail.successful) {
    endTumble();
    mine = "";
  }
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "game") return;
  before ??= look();
  before.held = heldMask();
});

// ---- after the swap
/** Tell it to a screen reader: the region is emptied first, so that the same words are heard again. */
function say(text) {
  const region = $("#announcement");
  region.textContent = "";
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

async function showRoll(now) {
  const rolled = dieFigures().filter((_, i) => before.faces[i] === "" || !((before.held >> i) & 1));
  const landed = await land(rolled);
  if (landed && new Set(now.faces).size === 1) celebrate($("[data-dice]"));
}
function showScore(now, box) {
  const row = $(`[data-done="${box}"]`);
  row?.classList.add("is-scored");
  row?.addEventListener("animationend", () => row.classList.remove("is-scored"), { once: true });
  const best = mine && box === before.best;
  if (mine) buzz(best ? [30, 40, 30] : 40);
  countUp($("[data-total]"), before.total, now.total);
  if (row && best) confetti(row);
  if (box === "dicee" && now.total - before.total >= 50) celebrate(row);
  if (mine && now.bonus && !before.bonus) {
    celebrate($(".upper-bonus"));
    toast(phrase("bonus"));
  }
}
/** A moment for what happens once in a while. */
function celebrate(place) {
  buzz([40, 60, 40, 60, 120]);
  confetti(place, 90);
}
function showTurn(now) {
  document.title = game().dataset.title;
  if (now.my && !before.my && game().dataset.many) {
    chime();
    buzz([60, 80, 60]);
  }
}

document.addEventListener("table", () => {
  const now = look();
  if (!before) return;
  const rolled = now.roll !== before.roll && now.faces.every(Boolean) && now.faces.length;
  if (!rolled) endTumble();
  if (now.seq !== before.seq) {
    const written = [...now.done].find((box) => !before.done.has(box));
    if (rolled) showRoll(now);
    if (written) showScore(now, written);
    if (now.status !== before.status && now.status === "completed") window.scrollTo({ top: 0 });
    if (now.record && !before.record) celebrate($(".roll-tray__final"));
    showTurn(now);
    say(now.announcement);
    if (keyboard && mine && (!document.activeElement || document.activeElement === document.body))
      ($("#roll:enabled") ?? $(".score-row__write"))?.focus({ preventScroll: true });
  }
  before = undefined;
  mine = "";
});
document.addEventListener("held", () => {
  buzz(8);
});
document.addEventListener("keydown", () => {
  keyboard = true;
});
document.addEventListener("pointerdown", () => {
  keyboard = false;
});
