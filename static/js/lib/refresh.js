// Fetching a part of the page again, as often as needed and no more.
import { toast } from "./toast.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;

/**
 * A function that fetches one part of the page again: one request at a time, once more when it was asked meanwhile,
 * and after a failure with growing patience instead of at once.
 *
 * @param {() => HTMLElement | null} part the part; its `data-url` says where from
 * @param {object} [options]
 * @param {string} [options.swap] how htmx puts it in place
 * @param {() => boolean} [options.ready] whether it may be fetched now
 * @param {() => boolean} [options.behind] whether what came is still too old
 * @returns {() => void}
 */
export function refresher(part, { swap = "outerHTML show:none", ready = () => true, behind = () => false } = {}) {
  let fetching = false;
  let asked = false;
  let failures = 0;
  let waiting;
  let notice; // the message that says it fails, while it is shown

  async function fetchAgain() {
    if (!part() || !ready()) return;
    if (fetching) {
      asked = true;
      return;
    }
    clearTimeout(waiting);
    fetching = true;
    asked = false;
    const worked = await load();
    fetching = false;
    if (worked) {
      failures = 0;
      notice?.remove();
      if (asked || (part() && behind())) fetchAgain();
    } else {
      waiting = setTimeout(fetchAgain, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.75 + Math.random() / 2));
      failures += 1;
      if (failures === 2) notice = toast("The page could not be brought up to date. It keeps trying.", "error");
    }
  }

  /** Resolves to whether the answer was put in place. */
  function load() {
    const { id, dataset } = part();
    return new Promise((resolve) => {
      let worked = false;
      const note = (event) => {
        if (event.detail.target?.id === id && event.detail.requestConfig?.verb === "get") {
          worked = event.detail.successful === true;
        }
      };
      document.addEventListener("htmx:afterRequest", note);
      const done = () => {
        document.removeEventListener("htmx:afterRequest", note);
        resolve(worked);
      };
      // "source": the part's own htmx extensions decide how it is swapped. "quiet": failures are told once,
      // above, not by every request (site/waiting.js).
      const context = { source: `#${id}`, target: `#${id}`, swap, headers: { "X-Quiet": "1" } };
      htmx.ajax("GET", dataset.url, context).then(done, done);
    });
  }

  return fetchAgain;
}
