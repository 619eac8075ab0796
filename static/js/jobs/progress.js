// Live progress: every [data-job] on the page is watched until it ends. Messages older than what is shown are dropped,
// and the server's first word is always the current state.
import { $, $$ } from "../lib/dom.js";
import { liveSocket } from "../lib/socket.js";

const LIVE = ["queued", "running"];
const watched = new Set();
const panelOf = (id) => $(`[data-job="${id}"]`);
const hasEnded = (panel) => !LIVE.includes(panel.dataset.state);

function show(panel, job) {
  if (job.seq <= Number(panel.dataset.seq)) return;
  panel.dataset.seq = job.seq;
  panel.dataset.state = job.state;
  const tag = $("[data-job-state]", panel);
  tag.textContent = tag.dataset[job.state]; // the server's words for the states
  tag.classList.toggle("tag--gold", job.state === "done");
  $("[data-job-note]", panel).textContent = job.note;
  $("[data-job-count]", panel).textContent = job.total ? `${job.done} of ${job.total}` : "";
  const bar = $("progress", panel);
  if (job.total) {
    bar.max = job.total;
    bar.value = job.done;
  } else {
    bar.removeAttribute("value");
  }
  if (hasEnded(panel)) end(panel);
}

function end(panel) {
  const note = $("[data-job-note]", panel); // how far it was interests nobody now; that it ended is heard
  note.textContent = $("[data-job-state]", panel).textContent;
  note.classList.add("visually-hidden");
  $(".job-progress", panel).hidden = true;
  $("[data-job-cancel]", panel)?.remove();
  $("[data-job-result]", panel).dispatchEvent(new Event("job-ended"));
}

function watch(id) {
  watched.add(id);
  const path = () => {
    const panel = panelOf(id);
    return panel && !hasEnded(panel) ? `/ws/v1/jobs/${id}/` : undefined;
  };
  const hear = (job) => {
    const panel = panelOf(id);
    if (panel) show(panel, job);
  };
  liveSocket(path, { hear });
}

function look() {
  for (const panel of $$("[data-job]"))
    if (!hasEnded(panel) && !watched.has(panel.dataset.job)) watch(panel.dataset.job);
}

document.addEventListener("htmx:afterSwap", look);
look();
