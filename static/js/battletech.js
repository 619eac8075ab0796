// The record sheet: every heat comes with the page, so the slider answers under the finger; actions are fetched in place.
(() => {
  const at = (heat) => {
    const { stretches, lows } = JSON.parse($("#risk-curve").textContent);
    return stretches[lows.findLastIndex((low) => low <= heat)];
  };
  const byOtherRules = (heat) => {
    const { other } = JSON.parse($("#risk-curve").textContent);
    return other.findLast(([low]) => low <= heat)[1];
  };
  const put = (name, text) => {
    for (const el of $$(`[data-now="${name}"]`)) el.textContent = text;
  };
  const fixed = (x) => x.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

  function show(heat) {
    const now = at(heat),
      big = $('[data-now="big"]'),
      percent = Odds.percent(now.any);
    big.firstChild.textContent = percent.slice(0, -2);
    put("heat", heat);
    put("damage", fixed(now.damage));
    put("structure", fixed(now.structure));
    put("avoid", now.avoid);
    for (const el of $$('[data-now="other"]')) Odds.put(el, byOtherRules(heat));
    for (const name of ["any", "lost"]) for (const el of $$(`[data-now="${name}"]`)) Odds.put(el, now[name]);
    for (const bar of $$("[data-hb]")) bar.classList.toggle("is-on", +bar.dataset.hb === heat);
    for (const part of $$("[data-loc]:not(.is-gone)")) {
      const p = now.locations[part.dataset.doll - part];
      $(".doll-part__risk", part).style.setProperty("--v", p);
      Odds.put($("[data-lp]", part), p);
    }
    $("#heat").setAttribute("aria-valuetext", `${heat}: ${percent}`);
  }

  document.addEventListener("input", (e) => {
    if (e.target.id === "heat") show(+e.target.value);
    const twin = e.target.dataset.twin;
    if (twin) document.getElementById(twin).value = e.target.value;
    const slider = e.target.id && $(`[data-twin="${e.target.id}"]`);
    if (slider) slider.value = e.target.value;
  });
  // Another kind of ammunition has other figures, another tonnage another structure: the server fills them in.
  document.addEventListener("change", (e) => {
    const editor = e.target.closest("#mech-editor");
    if (editor && e.target.matches("[name$='-ammo'], [name$='-type'], [name='tonnage']"))
      htmx.ajax("GET", editor.action, {
        source: editor,
        target: "#mech-editor",
        select: "#mech-editor",
        swap: "outerHTML show:none",
      });
  });
  document.addEventListener("click", (e) => {
    const step = e.target.closest("[data-heat]"),
      link = e.target.closest("a[data-go]");
    if (step) {
      e.preventDefault();
      const slider = $("#heat");
      slider.value = +slider.value + +step.dataset.heat;
      for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
    }
    if (link && !e.metaKey && !e.ctrlKey && !e.shiftKey) {
      e.preventDefault();
      htmx.ajax("GET", link.getAttribute("href"), {
        source: document.body,
        target: "#sheet",
        swap: "outerHTML show:none",
      });
    }
  });

  // After a swap: say what happened, and never leave the keyboard nowhere.
  document.addEventListener("htmx:afterSettle", () => {
    const slider = $("#heat"); // moved on between the swap and now, when nobody listened yet
    if (slider && slider.value !== slider.defaultValue) slider.dispatchEvent(new Event("change", { bubbles: true }));
    const announcement = $("#sheet")?.dataset.announcement;
    if (announcement) $("#announcement").textContent = announcement;
    const wrong = $('#sheet [aria-invalid="true"]');
    if (wrong && wrong.checkVisibility()) wrong.focus();
    else if (document.activeElement === document.body && announcement) $("#log-h").focus({ preventScroll: true });
  });
})();
