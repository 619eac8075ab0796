// A table others play at: a word from the server means "something happened", and the table is fetched again. Messages
// older than what is shown are dropped; after a lost line the first word tells whether anything was missed.
import { $, $$ } from "../lib/dom.js";
import { refresher } from "../lib/refresh.js";
import { liveSocket } from "../lib/socket.js";
import { toast } from "../lib/toast.js";
import { buzz } from "./feel.js";
import { game, phrase } from "./numbers.js";

const LATE = 10; // seconds from which the clock warns
const GRACE = 1500; // the server's clock looks once a second
let newest = 0;
let moving = false;

const isMove = (event) => event.detail.requestConfig?.verb === "post" && event.detail.target?.id === "game";
const behind = () => newest > Number(game()?.dataset.seq ?? Infinity);
/** Fetches the table again, unless one's own move is on its way: its answer is newer. */
export const refetch = refresher(game, { swap: "morph settle:0ms show:none", ready: () => !moving, behind });

document.addEventListener("htmx:beforeRequest", (event) => {
  if (isMove(event)) moving = true;
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!isMove(event)) return;
  moving = false;
  setTimeout(() => {
    if (behind()) refetch();
  }, 50);
});

function hear({ seq = 0, type, text }) {
  if (!game()) return;
  if (type === "chances") htmx.trigger(document.body, "chances");
  else if (type === "look_again") refetch();
  else if (type === "reaction") {
    if (!("mute" in game().dataset)) toast(text);
  } else if (type === "horizon_ready") {
    if ("short" in game().dataset) refetch();
  } else {
    newest = Math.max(newest, seq);
    if (behind()) refetch();
  }
}
function line(ok) {
  const note = $("[data-line]");
  if (note) note.hidden = ok;
}
const socket = liveSocket(() => game()?.dataset.live, { hear, line, back: refetch });

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "game") return;
  document.dispatchEvent(new CustomEvent("table"));
  socket.connect();
  line(socket.isUp() || !game()?.dataset.live);
});

// ---- the clock of the move
let warned = "";
let asked = "";
function tick() {
  const deadline = game()?.dataset.deadline;
  if (!deadline) return;
  const left = (Number(deadline) - Date.now()) / 1000;
  const shown = Math.max(0, Math.round(left));
  for (const clock of $$("[data-clock]")) {
    $(".num", clock).textContent = `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
    clock.classList.toggle("is-late", shown <= LATE);
  }
  if (shown <= LATE && game().dataset.mine && warned !== deadline) {
    warned = deadline;
    buzz([80, 60, 80]);
    toast(phrase("late"));
  }
  if (left * 1000 < -GRACE && asked !== deadline) {
    asked = deadline;
    refetch();
  }
}
setInterval(tick, 500);
tick();
