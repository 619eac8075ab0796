// Live progress. Every [data-job] on the page is watched until it ends; messages older than what is shown are dropped,
// a lost connection is made again with growing patience, and the server's first word is always the current state.
(() => {
  const ENDED = { done: "Done", failed: "Failed", cancelled: "Cancelled" };
  const NAMES = { queued: "Waiting", running: "Running", ...ENDED };
  const REFUSED = [4403, 4404];
  const watched = new Map();

  function address(id) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${location.host}/ws/v1/jobs/${id}/`;
  }

  function show(panel, job) {
    if (job.seq <= Number(panel.dataset.seq)) return;
    panel.dataset.seq = job.seq;
    panel.dataset.state = job.state;
    const tag = panel.querySelector("[data-job-state]");
    tag.textContent = NAMES[job.state];
    tag.classList.toggle("tag--gold", job.state === "done");
    panel.querySelector("[data-job-note]").textContent = job.note;
    const bar = panel.querySelector("progress");
    if (job.total) {
      bar.max = job.total;
      bar.value = job.done;
    } else {
      bar.removeAttribute("value");
    }
    panel.querySelector("[data-job-count]").textContent = job.total ? `${job.done} of ${job.total}` : "";
    if (job.state in ENDED) end(panel);
  }

  function end(panel) {
    panel.querySelector(".job-progress").hidden = true;
    panel.querySelector("[data-job-cancel]")?.remove();
    panel.querySelector("[data-job-result]").dispatchEvent(new Event("job-ended"));
  }

  function watch(id, failures = 0) {
    const socket = new WebSocket(address(id));
    watched.set(id, socket);
    const find = () => document.querySelector(`[data-job="${id}"]`);
    socket.addEventListener("message", (event) => {
      failures = 0;
      const panel = find();
      if (panel) show(panel, JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      watched.delete(id);
      const panel = find();
      if (!panel || panel.dataset.state in ENDED || REFUSED.includes(event.code)) return;
      // Half a second, doubling to half a minute; some chance, so that a restarted server is not met by everyone at once.
      const wait = Math.min(30000, 500 * 2 ** failures) * (0.75 + Math.random() / 2);
      setTimeout(() => {
        if (!watched.has(id)) watch(id, failures + 1);
      }, wait);
    });
  }

  function look() {
    for (const panel of document.querySelectorAll("[data-job]")) {
      const { job, state } = panel.dataset;
      if (!(state in ENDED) && !watched.has(job)) watch(job);
    }
  }

  document.addEventListener("htmx:afterSwap", look);
  look();
})();
