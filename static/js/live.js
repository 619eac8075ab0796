// A table others play at: a word from the server means "something happened", and the table is fetched again. Messages
// older than what is shown are dropped; after a lost connection the first word tells whether anything was missed.
(() => {
  const FIRST = 500,
    LONGEST = 15000;
  let socket,
    failures = 0,
    waiting,
    fetching = false,
    moving = false,
    newest = 0;
  const game = () => document.getElementById("game");

  // One's own move is announced too, often before its answer is here: wait for the answer, then see what is still missing.
  const behind = () => newest > Number(game().dataset.seq);
  function refetch() {
    if (fetching || moving) return;
    fetching = true;
    htmx.ajax("GET", game().dataset.url, { target: "#game", swap: "outerHTML" }).finally(() => {
      fetching = false;
      if (behind()) refetch();
    });
  }
  const isMove = (e) => e.detail.requestConfig?.verb === "post" && e.detail.target?.id === "game";
  document.addEventListener("htmx:beforeRequest", (e) => {
    if (isMove(e)) moving = true;
  });
  document.addEventListener("htmx:afterRequest", (e) => {
    if (isMove(e)) {
      moving = false;
      setTimeout(() => {
        if (behind()) refetch();
      }, 50);
    }
  });
  function hear(event) {
    failures = 0;
    line(true);
    const { seq = 0, type } = JSON.parse(event.data);
    if (type === "chances") return htmx.trigger(document.body, "chances");
    newest = Math.max(newest, seq);
    if (type === "horizon_ready" ? "short" in game().dataset : behind()) refetch();
  }
  const line = (ok) => {
    const note = document.querySelector("[data-line]");
    if (note) note.hidden = ok;
  };
  function connect() {
    clearTimeout(waiting);
    const path = game()?.dataset.live;
    if (!path || (socket && socket.readyState < 2)) return;
    socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`);
    socket.addEventListener("message", hear);
    socket.addEventListener("close", (e) => {
      if (e.code >= 4400 && e.code < 4500) return;
      line(false);
      // Doubling up to a quarter of a minute; some chance, so that not everyone comes back at the same moment.
      waiting = setTimeout(connect, Math.min(LONGEST, FIRST * 2 ** failures++) * (0.75 + Math.random() / 2));
    });
  }
  addEventListener("online", () => {
    failures = 0;
    connect();
    refetch();
  });
  addEventListener("offline", () => {
    line(false);
    socket?.close();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) connect();
  });
  // The table is exchanged as a whole; the place on the page is not.
  let place = 0;
  document.addEventListener("htmx:beforeSwap", (e) => {
    if (e.detail.target.id === "game") place = scrollY;
  });
  document.addEventListener("htmx:afterSettle", (e) => {
    if (e.detail.elt.id !== "game" && e.detail.target?.id !== "game") return;
    scrollTo({ top: place, behavior: "instant" });
    document.dispatchEvent(new CustomEvent("table"));
    connect();
    line(!socket || socket.readyState < 2);
  });

  // ---- the clock of the move
  setInterval(() => {
    const clock = document.querySelector("[data-clock] .num"),
      end = Number(game()?.dataset.deadline);
    if (!clock || !end) return;
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.parentElement.classList.toggle("is-late", left <= 10);
  }, 500);
  connect();
})();
