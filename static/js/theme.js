// Preferences before the first paint: the cookie the server reads, backed up in localStorage.
const Prefs = (() => {
  const root = document.documentElement;
  const defaults = { theme: "system", odds: "percent", keys: "on", motion: "system", sound: "off" };
  const stored = () => {
    try {
      return localStorage.getItem("prefs") || "";
    } catch {
      return "";
    }
  };
  const cookie = () => document.cookie.match(/(?:^|; )prefs="?([^;"]*)/)?.[1] || "";
  const read = (text) => ({ ...defaults, ...Object.fromEntries(new URLSearchParams(text)) });
  const apply = () => {
    values.theme === "system" ? delete root.dataset.theme : (root.dataset.theme = values.theme);
    values.motion === "system" ? delete root.dataset.motion : (root.dataset.motion = values.motion);
    for (const name of ["keys", "odds", "sound"]) root.dataset[name] = values[name];
  };
  const save = () => {
    const text = new URLSearchParams(values).toString();
    document.cookie = `prefs=${text}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
    try {
      localStorage.setItem("prefs", text);
    } catch {
      /* private mode: the cookie is enough */
    }
  };
  let values = read(cookie() || stored());
  if (!cookie() && stored()) save();
  apply();
  return {
    get: (name) => values[name],
    set(name, value) {
      values = { ...values, [name]: value };
      apply();
      save();
      document.dispatchEvent(new CustomEvent("prefs", { detail: { name, value } }));
    },
    calm: () => values.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches,
    dark: () =>
      values.theme === "dark" || (values.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches),
  };
})();
