// The table. Every hold's numbers come with the page (#holds), so touching a die repaints the card without the server.
const Table = (() => {
  const WORDS = [
      [0.5, "Likely"],
      [0.2, "Possible"],
      [0, "Unlikely"],
    ],
    ALL = 31,
    SMALL = 0.005;
  const dice = (count) => `${count} ${count === 1 ? "die" : "dice"}`;
  const word = (p, best = false) => WORDS.find(([above]) => p > above)?.[1] ?? (best ? "Fallback" : "No chance");
  const signed = (x, places = 2) =>
    Math.abs(x) < 10 ** -places / 2 ? (0).toFixed(places) : `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(places)}`;
  let data,
    touched = false,
    pins = new Set(),
    guessed = -1,
    hud = true;

  // ---- what is on the page
  const game = () => $("#game");
  const boxes = () => $$("[data-dice] input[name=keep]");
  const mask = () => boxes().reduce((m, box, i) => m | (box.checked << i), 0);
  const inGame = () => game().dataset.horizon !== "turn" && data.horizon === "game";
  const valueOf = (hold) => (inGame() ? hold.g : hold.t);
  const hold = (m) => data.holds[data.of[m]];
  const bestMask = () =>
    inGame() ? data.best : data.of.reduce((best, _, m) => (hold(m).t > hold(best).t + 1e-9 ? m : best), ALL);
  const titleOf = (n) => $(`[data-cat="${n}"] .lg`)?.textContent ?? "";

  // ---- the card for one hold
  function paint(m) {
    if (!data) return;
    m ??= shown();
    const now = hold(m),
      best = hold(bestMask()),
      rows = $$("[data-cat]"),
      open = rows.map((row) => +row.dataset.cat);
    const order = [...open].sort(
      inGame() ? (a, b) => now.d[b] - now.d[a] || now.f[b] - now.f[a] : (a, b) => now.e[b] - now.e[a],
    );
    const most = Math.max(...open.map((n) => now.e[n])) || 1;
    for (const row of rows) {
      const n = +row.dataset.cat,
        rank = order.indexOf(n) + 1,
        heat = $(".heat", row);
      Odds.put(heat, now.p[n]);
      $("[data-fr]", row).textContent = Odds.fraction(now.p[n]);
      $(".word i", row).dataset.h = Odds.heat(now.p[n]);
      $("[data-w]", row).textContent = word(now.p[n], rank === 1);
      $("[data-e]", row).textContent = now.e[n].toFixed(1);
      $("[data-f]", row).textContent = now.f[n] === null ? "" : now.f[n].toFixed(1);
      $(".rank", row).dataset.r = rank;
      $(".rank__n", row).textContent = rank;
      $(".rank .vh", row).textContent = ` rank ${rank}`;
      row.classList.toggle("cat--best", rank === 1);
      row.style.setProperty("--bar", (100 * now.e[n]) / most);
      row.style.setProperty("--tick", Math.min(100, (100 * best.e[n]) / most));
      const bar = $(`[data-bar="${n}"]`);
      if (bar) {
        $("i", bar).style.setProperty("--v", (100 * now.e[n]) / most);
        $(".bar", bar).classList.toggle("bar--gold", rank === 1);
        $(".num", bar).textContent = now.e[n].toFixed(1);
      }
    }
    for (const cost of $$("[data-keep]"))
      cost.classList.toggle("is-yours", touched && cost.dataset.keep === now.k.join(""));
    difference(now, best, m);
    outcomes(m);
    showPins();
  }
  const shown = () => (!data.left ? ALL : touched || mask() ? mask() : bestMask());

  function difference(now, best, m) {
    const box = $("[data-evd]"),
      loss = valueOf(best) - valueOf(now),
      free = 5 - now.k.length;
    if (!box) return;
    const choosing = data.left && !touched && !mask(),
      beginner = game().dataset.profile === "beginner";
    box.classList.toggle("evd--loss", loss >= SMALL);
    $("[data-diff]", box).textContent = loss < SMALL ? "0.00" : `−${loss.toFixed(2)}`;
    $("[data-diffhead]", box).textContent = !data.left
      ? "Choose a box"
      : choosing
        ? "Which dice do you keep?"
        : loss < SMALL
          ? m === ALL
            ? "Stop here: write a box"
            : "You hold the best dice"
          : beginner
            ? free
              ? "Other dice would be better to keep"
              : "Roll again first"
            : free
              ? "points behind the best hold"
              : "points behind: roll again first";
    const value = document.createElement("span");
    value.className = "num";
    value.textContent = inGame() ? now.g.toFixed(2) : now.t.toFixed(2);
    $("[data-difftext]", box).replaceChildren(inGame() ? "Expected final score " : "Expected points this turn ", value);
    const final = $("[data-final]");
    if (final) final.textContent = now.g.toFixed(1);
    const button = $("[data-free]"),
      held = mask(),
      rolled = boxes().filter((b) => !b.checked).length;
    if (button) {
      button.textContent = rolled ? dice(rolled) : "nothing";
      $("#roll").disabled = held === ALL;
    }
  }

  // ---- every way the next roll can land
  function outcomes(m) {
    const place = $("[data-outcomes]");
    if (!place) return;
    const kept = hold(m).k,
      free = 5 - kept.length;
    place.hidden = !data.left || !free;
    if (place.hidden) return;
    const groups = new Map(),
      cells = [],
      now = hold(m).g;
    for (let n = 0; n < 6 ** free; n++) {
      const thrown = Array.from({ length: free }, (_, i) => 1 + (Math.floor(n / 6 ** (free - 1 - i)) % 6));
      const [box, points, final] = data.rolls[[...kept, ...thrown].sort().join("")];
      const [name, worth] = data.left === 1 ? [`${titleOf(box)} ${points}`, points] : band(final - now);
      const group = groups.get(name) ?? { name, count: 0, worth };
      group.count++;
      groups.set(name, group);
      cells.push({ name, text: data.left === 1 ? String(points) : signed(final - now, 0) });
    }
    const ordered = [...groups.values()].sort((a, b) => a.worth - b.worth);
    const shade = new Map(
      ordered.map((group, i) => [
        group.name,
        ordered.length === 1 ? "d" : "abfd"[Math.round((3 * i) / (ordered.length - 1))],
      ]),
    );
    const total = 6 ** free,
      key = [...ordered].sort((a, b) => b.count - a.count).slice(0, 6);
    place.innerHTML = `<h2 class="eyebrow">${total === 1 ? "One way" : `${total.toLocaleString("en-US")} ways`} the next roll can land</h2>`;
    if (free <= 2) place.append(grid(cells, free, shade));
    const list = document.createElement("ul");
    list.className = "o36key";
    for (const { name, count } of key) {
      const row = document.createElement("li");
      row.innerHTML = `<i data-k="${shade.get(name)}"></i><span></span><b class="num"></b>`;
      row.children[1].textContent = name;
      row.children[2].textContent = `${count}/${total.toLocaleString("en-US")}`;
      list.append(row);
    }
    place.append(list);
  }
  // With rolls still to come a roll is worth what it does to the expected final score.
  const band = (change) =>
    change >= 10
      ? ["+10 or more", 2]
      : change >= 0
        ? ["up to +10", 1]
        : change > -10
          ? ["up to −10", -1]
          : ["−10 or worse", -2];
  function grid(cells, free, shade) {
    const table = document.createElement("table"),
      faces = [1, 2, 3, 4, 5, 6];
    const head = (face) =>
      `<span class="o36d"><svg aria-hidden="true" fill="currentColor"><use href="#d${face}"/></svg></span><span class="vh">${face}</span>`;
    const cell = (at) => {
      const td = document.createElement("td");
      td.dataset.k = shade.get(cells[at].name);
      td.textContent = cells[at].text;
      td.title = cells[at].name;
      return td;
    };
    table.className = "o36";
    table.innerHTML = `<caption class="vh">Every way the dice can land and what it is worth</caption><thead><tr>${free === 2 ? "<td></td>" : ""}${faces.map((f) => `<th scope="col">${head(f)}</th>`).join("")}</tr></thead><tbody></tbody>`;
    for (const first of free === 2 ? faces : [1]) {
      const row = document.createElement("tr");
      if (free === 2) row.innerHTML = `<th scope="row">${head(first)}</th>`;
      for (const second of faces) row.append(cell(6 * (first - 1) + second - 1));
      table.tBodies[0].append(row);
    }
    return table;
  }

  // ---- holding
  function keep(wanted) {
    boxes().forEach((box, i) => {
      if (!box.disabled) box.checked = !!((wanted >> i) & 1);
    });
    touch();
  }
  function touch() {
    touched = true;
    paint();
    document.dispatchEvent(new CustomEvent("held"));
  }
  document.addEventListener("change", (e) => {
    if (e.target.matches("[data-dice] input")) touch();
  });
  document.addEventListener("click", (e) => {
    if (data && e.target.closest("[data-holdbest]")) keep(bestMask());
    if (e.target.closest("[data-all]")) keep(ALL);
    if (e.target.closest("[data-none]")) keep(0);
    if (e.target.closest("[data-unpin]")) {
      pins.clear();
      showPins();
    }
    const level = e.target.closest("[data-setprofile]"),
      why = e.target.closest("[data-why]");
    if (level) $(`#look input[value=${level.dataset.setprofile}]`).click();
    if (why) explain(+why.dataset.why);
  });
  for (const [name, on] of [
    ["pointerover", true],
    ["pointerout", false],
    ["focusin", true],
    ["focusout", false],
  ]) {
    document.addEventListener(name, (e) => {
      if (data?.left && e.target.closest?.("[data-holdbest]")) paint(on ? bestMask() : undefined);
    });
  }

  // ---- looking closer: one box, or the whole hold
  const row = (cells) =>
    `<tr>${cells.map((c, i) => (i ? `<td>${c}</td>` : `<th scope="row">${c}</th>`)).join("")}</tr>`;
  function explain(n) {
    if (!data) return;
    const now = hold(shown()),
      best = hold(bestMask()),
      better = data.holds.reduce((a, b) => (b.p[n] > a.p[n] ? b : a)),
      button = $(`[data-cat="${n}"]`);
    $("#explain-title").textContent = titleOf(n);
    const beginner = game().dataset.profile === "beginner",
      say = (p) => (beginner ? word(p) : `${Odds.percent(p)} · ${Odds.fraction(p)} · ${Odds.oneIn(p)}`);
    const rows = [
      ["Writes now", button.dataset.now],
      [data.left ? "With what you hold" : "Now", say(now.p[n])],
    ];
    if (data.left)
      rows.push(
        ["With the best hold", say(best.p[n])],
        ["At best, keeping " + (better.k.join(" ") || "nothing"), say(better.p[n])],
      );
    if (!beginner) {
      if (data.left && inGame()) rows.push(["Best play ends here", Odds.percent(now.d[n])]);
      rows.push(["Expected points", now.e[n].toFixed(2)]);
      if (inGame() && now.f[n] !== null)
        rows.push(
          ["Expected final, played for this box", now.f[n].toFixed(2)],
          ["Against the best choice", signed(now.f[n] - best.g)],
        );
    }
    const reason =
      now.f[n] === null || !inGame()
        ? ""
        : best.g - now.f[n] < SMALL
          ? "Nothing is better than this."
          : `Going for it costs ${beginner ? "points" : `${(best.g - now.f[n]).toFixed(1)} points`} over the whole game: ${data.left && bestMask() !== ALL ? `keep ${best.k.join(" ") || "nothing"} and leave the box open` : `${titleOf(data.box)} is the better place for these dice`}.`;
    $("[data-explain]").innerHTML =
      `<p>${reason}</p><div class="tablewrap" tabindex="0"><table class="table"><tbody>${rows.map(row).join("")}</tbody></table></div>`;
    $("#explain").showModal();
  }
  function breakdown() {
    if (!data) return;
    const now = hold(shown()),
      beginner = game().dataset.profile === "beginner";
    $("#explain-title").textContent = data.left ? `Holding ${now.k.join(" ") || "nothing"}` : "These dice";
    const rows = $$("[data-cat]")
      .map((r) => +r.dataset.cat)
      .sort((a, b) => now.p[b] - now.p[a])
      .map((n) =>
        beginner
          ? [titleOf(n), word(now.p[n])]
          : [titleOf(n), Odds.percent(now.p[n]), Odds.fraction(now.p[n]), now.e[n].toFixed(2)],
      );
    $("[data-explain]").innerHTML =
      `<div class="tablewrap" tabindex="0"><table class="table"><thead><tr><th scope="col">Box</th><th scope="col">Odds</th>${beginner ? "" : '<th scope="col">Exactly</th><th scope="col">Exp.</th>'}</tr></thead><tbody>${rows.map(row).join("")}</tbody></table></div>`;
    $("#explain").showModal();
  }
  function pin(n) {
    if (!data) return;
    pins.has(n) ? pins.delete(n) : pins.add(n);
    showPins();
  }
  function showPins() {
    const section = $("[data-pins]");
    if (!section || !data) return;
    const now = hold(shown()),
      best = valueOf(hold(bestMask()));
    section.hidden = !pins.size;
    for (const r of $$("[data-cat]")) r.classList.toggle("is-pinned", pins.has(+r.dataset.cat));
    const value = (n) => (inGame() ? now.f[n] : now.e[n]);
    $("tbody", section).innerHTML = [...pins]
      .filter((n) => now.f[n] !== null)
      .sort((a, b) => value(b) - value(a))
      .map((n) =>
        row([
          titleOf(n),
          $(`[data-cat="${n}"]`).dataset.now,
          Odds.show(now.p[n]),
          now.e[n].toFixed(1),
          now.f[n].toFixed(1),
          signed(value(n) - best),
        ]),
      )
      .join("");
  }

  // ---- how it is shown
  const quiet = () => !$("#look input[name=stats]")?.checked && !$("#look input[name=always]")?.checked;
  document.addEventListener("change", (e) => {
    const { form, name, value, checked } = e.target;
    if (form?.id !== "look") return;
    if (name === "profile" || name === "horizon") game().dataset[name] = value;
    game().toggleAttribute("data-quiet", quiet());
    if (name === "win") game().toggleAttribute("data-nowin", !checked);
    if (name === "predict") {
      game().toggleAttribute("data-predict", checked);
      ask();
    }
    paint();
  });
  document.addEventListener("shortcut", (e) => {
    const { action } = e.detail;
    if (action === "hud") {
      hud = !hud;
      game().toggleAttribute("data-nohud", !hud);
      toast(hud ? "Analysis shown" : "Analysis hidden");
    }
    if (action.startsWith("only-")) keep(1 << (action.at(-1) - 1));
  });

  // ---- guess first: the card's numbers stay covered until the guess is in
  function ask() {
    const section = $("[data-guess]");
    if (!section) return;
    const wanted = game().hasAttribute("data-predict") && guessed !== +game().dataset.seq;
    section.hidden = !wanted;
    game().toggleAttribute("data-covered", wanted);
  }
  document.addEventListener("input", (e) => {
    if (e.target.matches("[data-range]")) e.target.nextElementSibling.textContent = `${e.target.value} %`;
  });

  // ---- a fresh table
  function load() {
    const json = $("#holds");
    data = json && JSON.parse(json.textContent);
    touched = false;
    pins = new Set();
    game().toggleAttribute("data-nohud", !hud);
    ask();
    if (data) paint();
  }
  document.addEventListener("htmx:afterSwap", (e) => {
    if (e.detail.target.id === "guess") {
      guessed = +game().dataset.seq;
      game().removeAttribute("data-covered");
      $("#guess").hidden = false;
    }
  });
  // While one table replaces the other both are on the page: nothing is painted until the new one is read.
  document.addEventListener("htmx:beforeSwap", (e) => {
    if (e.detail.target.id === "game" && e.detail.shouldSwap) data = null;
  });
  document.addEventListener("table", load);
  document.addEventListener("prefs", () => paint());
  load();
  return {
    mask,
    keep,
    paint: () => paint(),
    explain,
    breakdown,
    pin,
    hold,
    shown,
    best: bestMask,
    data: () => data,
    titleOf,
  };
})();
