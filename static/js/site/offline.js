// Without a network: the worker that shows pages again is put to work, a line under the header says that the network is
// gone, and a form that would be lost on the way is not sent.
import { $ } from "../lib/dom.js";
import { toast } from "../lib/toast.js";

const line = () => $("[data-offline]");

function show() {
  line().hidden = navigator.onLine;
}
navigator.serviceWorker?.register("/service-worker.js", { scope: "/" });
window.addEventListener("online", show);
window.addEventListener("offline", show);
document.addEventListener("submit", (event) => {
  if (navigator.onLine || event.target.matches("[hx-get], [hx-post]")) return;
  event.preventDefault();
  toast(line().dataset.unsent, "error");
});
show();
