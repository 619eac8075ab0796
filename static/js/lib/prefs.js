// What a reader prefers: the cookie that the server reads when it draws a page, backed up in localStorage.

const DEFAULTS = { theme: "system", odds: "percent", keys: "on", motion: "system", sound: "off" };
const A_YEAR = 31536000;
const root = document.documentElement;

function backup() {
  try {
    return localStorage.getItem("prefs") || "";
  } catch {
    return "";
  }
}
const cookie = () => document.cookie.match(/(?:^|; )prefs="?([^;"]*)/)?.[1] || "";
let values = { ...DEFAULTS, ...Object.fromEntries(new URLSearchParams(cookie() || backup())) };

function setUnlessSystem(name) {
  if (values[name] === "system") delete root.dataset[name];
  else root.dataset[name] = values[name];
}
function apply() {
  setUnlessSystem("theme");
  setUnlessSystem("motion");
  for (const name of ["keys", "odds", "sound"]) root.dataset[name] = values[name];
}
function save() {
  const text = new URLSearchParams(values).toString();
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `prefs=${text}; path=/; max-age=${A_YEAR}; samesite=lax${secure}`;
  try {
    localStorage.setItem("prefs", text);
  } catch {
    // Private mode: the cookie is enough.
  }
}
if (!cookie() && backup()) save();
apply();

/**
 * The value of one preference.
 * @param {"theme" | "odds" | "keys" | "motion" | "sound"} name
 * @returns {string}
 */
export const preference = (name) => values[name];

/**
 * Change one preference, here and for the pages to come; tells the page with a "prefs" event.
 * @param {string} name
 * @param {string} value
 */
export function prefer(name, value) {
  values = { ...values, [name]: value };
  apply();
  save();
  document.dispatchEvent(new CustomEvent("prefs", { detail: { name, value } }));
}

/**
 * Whether things should keep still.
 * @returns {boolean}
 */
export const calm = () => values.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;
