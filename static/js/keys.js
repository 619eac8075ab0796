// Single keys press what is marked data-key; the rows of the keyboard list (apps/core/keyboard.py) say which.
(() => {
  const typing =
    "input:not([type=radio], [type=checkbox], [type=range], [type=button], [type=submit]), textarea, select, [contenteditable]";
  const pressable = "button, a, summary, input, [role=button]";
  const visible = (element) => (element.checkVisibility ? element.checkVisibility() : element.offsetParent !== null);

  const nameOf = (e) =>
    e.key === " "
      ? "Space"
      : e.shiftKey && /^Digit\d$/.test(e.code)
        ? `Shift+${e.code.slice(5)}`
        : e.key.length === 1
          ? e.key.toLowerCase()
          : e.key;
  const actionOf = (key) => {
    const scopes = ["everywhere", ...document.body.dataset.scopes.split(" ").filter(Boolean)];
    const row = [...document.querySelectorAll("[data-keys]")].find(
      (r) =>
        r.dataset.action &&
        r.dataset.keys.split(" ").includes(key) &&
        scopes.includes(r.closest("[data-scope]").dataset.scope),
    );
    return row?.dataset.action.replace("*", key.at(-1));
  };
  const press = (action) => {
    if (action === "first-field") {
      return [...document.querySelectorAll("main :is(input:not([type=hidden]), select, textarea)")]
        .find(visible)
        ?.focus();
    }
    const element = [...document.querySelectorAll(`[data-key="${action}"]`)].find(visible);
    if (!element) return document.dispatchEvent(new CustomEvent("shortcut", { detail: { action } }));
    if (element.matches(typing)) return element.focus();
    (element.matches("details") ? element.querySelector("summary") : element).click();
  };

  document.addEventListener("keydown", (e) => {
    if (Prefs.get("keys") === "off" || e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.isComposing)
      return;
    if (e.target.closest?.(typing) || document.querySelector("dialog[open]")) return;
    const key = nameOf(e);
    if ((key === "Space" || key === "Enter") && e.target.closest?.(pressable)) return;
    const action = actionOf(key);
    if (action) {
      e.preventDefault();
      press(action);
    }
  });
})();
