// The table of a game of Dicee.
import { $ } from "../lib/dom.js";
import "./morph.js";
import { paint } from "./card.js";
import { showDecision } from "./decide.js";
import "./explain.js";
import "./hands.js";
import { cover } from "./look.js";
import "./moves.js";
import "./live.js";
import { showOpponents } from "./opponents.js";
import { game, readNumbers } from "./numbers.js";

/** Read and paint the table that is on the page now. */
function load() {
  if (!game()) return;
  readNumbers();
  cover();
  paint();
  showDecision();
  showOpponents();
}
document.addEventListener("table", load);
document.addEventListener("prefs", () => paint());
if ($("#game")) document.dispatchEvent(new CustomEvent("table"));
