// A live class. A board hears which tiles look different and puts them in place; a student's page hears which phase the
// question is in and fetches its part again. A lost line is made again, and its first word tells what was missed.
(() => {
  const FIRST = 500,
    LONGEST = 15000,
    PING = 20000;
  let socket,
    failures = 0,
    waiting,
    fetching = false,
    behind = false;
  const part = () => document.querySelector("#board, #round");
  const address = () => document.querySelector("[data-class]")?.dataset.class;

  // ---- the line
  function connect() {
    clearTimeout(waiting);
    if (!address() || (socket && socket.readyState < 2)) return;
    socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${address()}`);
    socket.addEventListener("open", ping);
    socket.addEventListener("message", (e) => {
      failures = 0;
      line(true);
      hear(JSON.parse(e.data));
    });
    socket.addEventListener("close", (e) => {
      if (e.code >= 4400 && e.code < 4500) return;
      line(false);
      // Doubling up to a quarter of a minute; some chance, so that a class does not come back at the same moment.
      waiting = setTimeout(connect, Math.min(LONGEST, FIRST * 2 ** failures++) * (0.75 + Math.random() / 2));
    });
  }
  const line = (ok) => {
    const note = document.querySelector("[data-line]");
    if (note) note.hidden = ok;
  };
  // A page that is looked at says so: that is how a board tells thinking from gone.
  const ping = () => {
    if (!document.hidden && socket?.readyState === 1) socket.send("here");
  };
  setInterval(ping, PING);
  addEventListener("online", () => {
    failures = 0;
    connect();
  });
  addEventListener("offline", () => {
    line(false);
    socket?.close();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      connect();
      ping();
    }
  });

  // ---- what is heard
  function hear(news) {
    if (news.type === "nudge") return toast(`Your teacher: ${news.text}`);
    if (news.type === "round") return question(news);
    if (news.type === "board") board(news);
  }
  function question({ round, phase }) {
    const here = part();
    if (!here) {
      if (phase === "vote" || phase === "predict") invite(round);
      return;
    }
    // A question that is closed leaves the page; one that is open or revealed changes it.
    const shown = here.dataset.phase,
      closed = phase === "closed" || !phase;
    if (closed ? shown : here.dataset.round !== round || shown !== phase) refetch();
  }
  function board(news) {
    for (const [id, html] of Object.entries(news.tiles))
      document.getElementById(`tile-${id}`)?.replaceWith(element(html));
    if (news.again) return refetch();
    const stuck = document.getElementById("stuck");
    if (news.stuck && stuck && !stuck.contains(document.activeElement)) {
      stuck.replaceWith(element(news.stuck));
      htmx.process(document.getElementById("stuck"));
    }
    for (const [name, n] of Object.entries(news.counts ?? {}))
      for (const el of document.querySelectorAll(`[data-count="${name}"]`)) el.textContent = n;
    if (news.answered) answered(...news.answered);
    tick();
  }
  function answered(n, of) {
    for (const el of document.querySelectorAll("[data-answered]")) el.textContent = n;
    for (const el of document.querySelectorAll("[data-of]")) el.textContent = of;
    document.querySelector("[data-answered-bar]")?.style.setProperty("--v", of ? (100 * n) / of : 0);
  }
  const element = (html) => {
    const box = document.createElement("template");
    box.innerHTML = html.trim();
    return box.content.firstElementChild;
  };
  function refetch() {
    if (fetching) {
      behind = true;
      return;
    }
    fetching = true;
    htmx.ajax("GET", part().dataset.url, { target: `#${part().id}`, swap: "outerHTML show:none" }).finally(() => {
      fetching = false;
      if (behind) {
        behind = false;
        refetch();
      }
    });
  }
  // On any other page of the class a question is announced with the way to it.
  let invited = "";
  function invite(round) {
    if (invited === round) return;
    invited = round;
    toast("Your teacher asks the class a question.");
    const link = document.createElement("a");
    link.href = address().replace("/ws/v1/class/", "/classroom/") + "round/";
    link.textContent = "Answer it";
    document.querySelector("#toasts .toast:last-child span").append(" ", link);
  }

  // ---- clocks and sliders
  function tick() {
    for (const clock of document.querySelectorAll("[data-since]")) {
      const seconds = Math.max(0, Math.round(Date.now() / 1000 - Number(clock.dataset.since)));
      clock.textContent =
        seconds < 3600
          ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
          : `${Math.floor(seconds / 3600)} h`;
    }
  }
  setInterval(tick, 1000);
  document.addEventListener("input", (e) => {
    if (e.target.matches("#round [data-range]")) e.target.nextElementSibling.textContent = `${e.target.value} %`;
  });
  document.addEventListener("htmx:afterSettle", () => {
    tick();
    connect();
  });
  tick();
  connect();
})();
