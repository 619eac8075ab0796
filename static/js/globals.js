// For scripts that are not modules yet.
import { $, $$ } from "./lib/dom.js";
import { fraction, heat, odds, oneIn, percent, putOdds } from "./lib/odds.js";
import { calm, prefer, preference } from "./lib/prefs.js";
import { toast } from "./lib/toast.js";

const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const Odds = { percent, oneIn, fraction, heat, show: odds, put: putOdds };
Object.assign(window, { $, $$, toast, Odds, Prefs: { get: preference, set: prefer, calm, dark } });
