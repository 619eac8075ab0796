// How a player wants the table shown: profile, horizon, statistics on or off, guess or decide before seeing.
import { $ } from "../lib/dom.js";
import { toast } from "../lib/toast.js";
import { paint } from "./card.js";
import { refetch } from "./live.js";
import { post } from "./notes.js";
import { game, phrase } from "./numbers.js";

let analysis = true; // shown or hidden by key
let revealed = ""; // the roll whose numbers were asked for before the decision
let guessed = ""; // the roll whose guess is in

const isOn = (name) => Boolean($(`#look input[name=${name}]`)?.checked);

/** Cover the numbers while something is to be decided or guessed first. */
export function cover() {
  const { roll } = game().dataset;
  const guess = $("[data-guess]");
  const asks = Boolean(guess) && game().hasAttribute("data-predict") && guessed !== roll;
  const decides = game().hasAttribute("data-decide") && game().hasAttribute("data-numbers") && revealed !== roll;
  if (guess) guess.hidden = !asks && guessed !== roll;
  game().toggleAttribute("data-covered", asks || decides);
  game().toggleAttribute("data-deciding", decides && !asks);
  game().toggleAttribute("data-no-analysis", !analysis);
}

document.addEventListener("change", (event) => {
  const { form, name, value } = event.target;
  if (form?.id !== "look") return;
  if (name === "profile" || name === "horizon") game().dataset[name] = value;
  game().toggleAttribute("data-quiet", !isOn("stats") && !isOn("always"));
  game().toggleAttribute("data-no-win", !isOn("win"));
  game().toggleAttribute("data-predict", isOn("predict"));
  game().toggleAttribute("data-decide", isOn("decide"));
  cover();
  paint();
});
// The coach's sentences and the list of costs look as far as the values do: they come from the server.
document.addEventListener("htmx:afterRequest", (event) => {
  const { elt, successful, requestConfig } = event.detail;
  if (elt?.id === "look" && successful && requestConfig.triggeringEvent?.target?.name === "horizon") refetch();
});
document.addEventListener("click", (event) => {
  const level = event.target.closest("[data-set-profile]");
  if (level) $(`#look input[value=${level.dataset.setProfile}]`).click();
  if (event.target.closest("[data-reveal]")) {
    revealed = game().dataset.roll;
    post("reveal/");
    cover();
    paint();
  }
});
document.addEventListener("shortcut", (event) => {
  if (event.detail.action !== "hud") return;
  analysis = !analysis;
  cover();
  toast(phrase(analysis ? "analysis_on" : "analysis_off"));
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "guess") return;
  guessed = game().dataset.roll;
  cover();
});
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-range]")) event.target.nextElementSibling.textContent = `${event.target.value} %`;
});
