// The record sheet: every heat comes with the page, so the slider answers under the finger; actions are fetched in place.
(() => {
  const at = (heat) => {
    const { stretches, lows } = JSON.parse($("#risk-curve").textContent);
    return stretches[lows.findLastIndex((low) => low <= heat)];
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
    for (const name of ["any", "lost"]) for (const el of $$(`[data-now="${name}"]`)) Odds.put(el, now[name]);
    for (const bar of $$("[data-hb]")) bar.classList.toggle("on", +bar.dataset.hb === heat);
    for (const part of $$("[data-loc]:not(.is-gone)")) {
      const p = now.locations[part.dataset.loc];
      $(".loc__risk", part).style.setProperty("--v", p);
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
    const said = $("#sheet")?.dataset.said;
    if (said) $("#said").textContent = said;
    const wrong = $('#sheet [aria-invalid="true"]');
    if (wrong && wrong.checkVisibility()) wrong.focus();
    else if (document.activeElement === document.body && said) $("#log-h").focus({ preventScroll: true });
  });
})();
