// What hands do at the table: tap, double-tap, long-press, swipe, shift-click; and what they feel: motion, buzz, sound.
(() => {
  const LONG = 500,
    FAR = 28,
    EARLY = 350;
  const buzz = (pattern) => {
    if ("vibrate" in navigator && !Prefs.calm()) navigator.vibrate(pattern);
  };

  // ---- sound, made here and off unless wanted: a short burst of filtered noise for each die
  let audio;
  function clack(count) {
    if (Prefs.get("sound") !== "on") return;
    audio ??= new AudioContext();
    for (let i = 0; i < count; i++) {
      const at = audio.currentTime + i * 0.07 + Math.random() * 0.03,
        noise = audio.createBufferSource();
      const buffer = audio.createBuffer(1, audio.sampleRate * 0.05, audio.sampleRate),
        samples = buffer.getChannelData(0);
      for (let s = 0; s < samples.length; s++) samples[s] = (Math.random() * 2 - 1) * (1 - s / samples.length) ** 3;
      const filter = audio.createBiquadFilter(),
        gain = audio.createGain();
      filter.type = "bandpass";
      filter.frequency.value = 900 + Math.random() * 900;
      gain.gain.value = 0.35;
      noise.buffer = buffer;
      noise.connect(filter).connect(gain).connect(audio.destination);
      noise.start(at);
    }
  }

  // ---- touch and mouse on dice and boxes
  let press;
  const dieAt = (target) => target.closest?.("[data-dice] label.die"),
    rowAt = (target) => target.closest?.("button[data-cat]");
  document.addEventListener("pointerdown", (e) => {
    const die = dieAt(e.target),
      row = rowAt(e.target);
    if ((!die && !row) || e.button) return;
    press = { die, row, x: e.clientX, y: e.clientY, touch: e.pointerType !== "mouse", done: false };
    if (press.touch)
      press.timer = setTimeout(() => {
        if (press) {
          press.done = true;
          buzz(15);
          look(press);
        }
      }, LONG);
  });
  const look = ({ die, row }) => (die ? Table.breakdown() : Table.explain(+row.dataset.cat));
  document.addEventListener("pointermove", (e) => {
    if (press && Math.hypot(e.clientX - press.x, e.clientY - press.y) > 10) clearTimeout(press.timer);
  });
  document.addEventListener("pointerup", (e) => {
    if (!press) return;
    clearTimeout(press.timer);
    const dx = e.clientX - press.x,
      dy = e.clientY - press.y,
      { die, row, touch } = press;
    if (touch && !press.done && die && Math.abs(dy) > FAR && Math.abs(dy) > Math.abs(dx)) {
      press.done = true;
      set(die, dy < 0);
    }
    if (touch && !press.done && row && Math.abs(dx) > 2 * FAR && Math.abs(dx) > 2 * Math.abs(dy)) {
      press.done = true;
      if (dx < 0) Table.explain(+row.dataset.cat);
      else {
        Table.pin(+row.dataset.cat);
        $("#analysis").scrollIntoView({ block: "nearest" });
      }
    }
  });
  document.addEventListener("pointercancel", () => {
    clearTimeout(press?.timer);
    press = undefined;
  });
  function set(die, held) {
    const box = $("input", die);
    if (box.disabled || box.checked === held) return;
    box.checked = held;
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }
  // A press that became something else must not also click.
  document.addEventListener(
    "click",
    (e) => {
      if (press?.done && (dieAt(e.target) || rowAt(e.target))) {
        e.preventDefault();
        e.stopPropagation();
      }
      const row = rowAt(e.target);
      if (row && e.shiftKey) {
        e.preventDefault();
        e.stopPropagation();
        Table.pin(+row.dataset.cat);
      }
      press = undefined;
    },
    true,
  );
  document.addEventListener("contextmenu", (e) => {
    const die = dieAt(e.target),
      row = rowAt(e.target);
    if ((!die && !row) || !Table.data()) return;
    e.preventDefault();
    if (!$("#explain").open) look({ die, row });
  });

  // Double-click: hold that die and mark what the coach would go for.
  document.addEventListener("dblclick", (e) => {
    const die = dieAt(e.target);
    if (!die) return;
    set(die, true);
    const row = $(".score-row--best");
    row?.classList.remove("is-called");
    void row?.offsetWidth;
    row?.classList.add("is-called");
    row?.scrollIntoView({ block: "nearest" });
  });

  // ---- previews: what a box would write, while it is pointed at or in focus
  const considered = [];
  let since = 0,
    over;
  function preview(row) {
    over = row;
    since = performance.now();
    const box = $("[data-evd]"),
      data = Table.data();
    if (!box || !data || $("#game").dataset.profile === "beginner") return;
    const n = +row.dataset.cat,
      stop = Table.hold(31),
      loss = Table.hold(Table.best()).g - stop.f[n];
    if (data.horizon !== "game" || stop.f[n] === null) return;
    $("[data-diff]", box).textContent = loss < 0.005 ? "0.00" : `−${loss.toFixed(2)}`;
    box.classList.toggle("hold-verdict--loss", loss >= 0.005);
    $("[data-diffhead]", box).textContent = `${row.dataset.now} in ${Table.titleOf(n)} now`;
    const value = document.createElement("span");
    value.className = "num";
    value.textContent = stop.f[n].toFixed(2);
    $("[data-difftext]", box).replaceChildren("Expected final score ", value);
  }
  function endPreview() {
    if (over && performance.now() - since > EARLY) {
      considered.push(over.value);
      const hold = Table.data() && Table.hold(Table.shown());
      if (hold)
        notes.push({
          eventType: "hover",
          categoryHovered: over.value,
          hoverDuration: Math.round(performance.now() - since),
          wouldScore: +over.dataset.now,
          currentEV: hold.e[+over.dataset.cat],
          isOptimal: over.classList.contains("score-row--best"),
          hoverSequence: considered.length,
        });
      const field = $("[data-considered]");
      if (field) field.value = [...new Set(considered)].join(" ");
    }
    over = undefined;
    Table.paint();
  }
  for (const name of ["pointerover", "focusin"])
    document.addEventListener(name, (e) => {
      const row = rowAt(e.target);
      if (row && row !== over && e.pointerType !== "touch") preview(row);
    });
  for (const name of ["pointerout", "focusout"])
    document.addEventListener(name, (e) => {
      const row = rowAt(e.target);
      if (row && !row.contains(e.relatedTarget)) endPreview();
    });
  document.addEventListener("keydown", (e) => {
    const row = rowAt(e.target),
      step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!row || !step) return;
    const rows = $$("button[data-cat]");
    e.preventDefault();
    rows[rows.indexOf(row) + step]?.focus();
  });

  // ---- what was looked at, for learning statistics: in batches, when there is time, and never asked about again
  const notes = [];
  function send() {
    if (!notes.length) return;
    const headers = {
      "Content-Type": "application/json",
      ...JSON.parse(document.body.getAttribute("hx-headers") || "{}"),
    };
    fetch(`${$("#game").dataset.url}notes/`, {
      method: "POST",
      headers,
      body: JSON.stringify({ events: notes.splice(0, 50) }),
      keepalive: true,
    }).catch(() => {});
  }
  setInterval(send, 10000);
  addEventListener("pagehide", send);

  // ---- after a move: the dice tumble, the box flashes, the total counts up, a screen reader hears it
  let before = { rolls: 0 },
    keyboard = false;
  document.addEventListener("keydown", () => {
    keyboard = true;
  });
  document.addEventListener("pointerdown", () => {
    keyboard = false;
  });
  document.addEventListener("held", () => buzz(8));
  const faces = () => $$("[data-dice] label.die").map((die) => +die.dataset.n);
  document.addEventListener("htmx:beforeRequest", (e) => {
    if (!e.detail.elt.closest?.("#game")) return;
    before = {
      kept: Table.mask(),
      faces: faces(),
      total: +($("[data-total]")?.textContent || 0),
      box: e.detail.requestConfig.parameters.box,
      act: e.detail.elt.id,
      best: $(".score-row--best")?.value,
    };
    if (before.act === "roll-form") {
      buzz(20);
      $("#roll-form").classList.add("is-rolling");
    }
  });
  document.addEventListener("table", () => {
    considered.length = 0;
    const now = faces(),
      rolled = before.act === "roll-form" && now.length === 5;
    if (rolled) {
      const free = $$("[data-dice] label.die").filter((_, i) => !((before.kept >> i) & 1));
      clack(free.length);
      if (!Prefs.calm()) for (const die of free) die.classList.add("is-rolling");
      say(`Rolled ${now.join(", ")}. ${$(".roll-button__left")?.textContent ?? ""}`);
    }
    if (before.act === "score-form" && before.box) {
      const row = $(`#score-form ol li:has(.score-row--done) .score-row[data-done="${before.box}"]`),
        total = $("[data-total]"),
        points = +total.textContent - before.total;
      row?.classList.add("is-scored");
      buzz(before.box === before.best ? [30, 40, 30] : 40);
      if (points > 0 && !Prefs.calm()) countUp(total, before.total, +total.textContent);
      say(`Scored ${points} points.${before.box === before.best ? " The best choice." : ""}`);
      if (before.box === before.best && row && !Prefs.calm()) confetti(row);
    }
    if (keyboard && (document.activeElement === document.body || !document.activeElement))
      ($("#roll:enabled") ?? $("button[data-cat]"))?.focus({ preventScroll: true });
    before = {};
  });
  const say = (text) => {
    $("#said").textContent = text;
  };
  function countUp(element, from, to) {
    const start = performance.now();
    const step = (t) => {
      const share = Math.min(1, (t - start) / 400);
      element.textContent = Math.round(from + (to - from) * share);
      if (share < 1 && element.isConnected) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  // Thirty squares for the best choice: squares, because circles are pips.
  function confetti(row) {
    const { left, top, width, height } = row.getBoundingClientRect();
    for (let i = 0; i < 30; i++) {
      const bit = document.createElement("i"),
        angle = Math.random() * 2 * Math.PI,
        speed = 40 + Math.random() * 110;
      bit.className = "confetti";
      bit.dataset.c = i % 3;
      bit.style.left = `${left + width * 0.8}px`;
      bit.style.top = `${top + height / 2}px`;
      document.body.append(bit);
      bit.animate(
        [
          { translate: "0 0", opacity: 1 },
          { translate: `${Math.cos(angle) * speed}px ${Math.sin(angle) * speed + 60}px`, rotate: "1turn", opacity: 0 },
        ],
        { duration: 700, easing: "cubic-bezier(.2, .6, .4, 1)" },
      ).onfinish = () => bit.remove();
    }
  }
  document.addEventListener("click", async (e) => {
    const button = e.target.closest("[data-copy]");
    if (button) await navigator.clipboard.writeText(button.dataset.copy);
  });
})();
