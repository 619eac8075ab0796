// What every page has: copying, dialogs, preferences, steppers, keys, tables, waiting, being without a network.
// All by delegation, so a swap needs no setup.
import "./lib/odds.js";
import "./lib/toast.js";
import "./site/copy.js";
import "./site/dialogs.js";
import "./site/keys.js";
import "./site/offline.js";
import "./site/preferences.js";
import "./site/scroll.js";
import "./site/steppers.js";
import "./site/tables.js";
import "./site/waiting.js";
