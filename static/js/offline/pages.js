// The pages that are there without a network, newest first, on the page that stands in for one that is not.
import { $, element } from "../lib/dom.js";

const list = $("[data-kept-pages]");
const titleOf = (html) => new DOMParser().parseFromString(html, "text/html").title.replace(/ · Oddsmith$/, "");

async function show() {
  const pages = await caches.open("pages");
  for (const request of (await pages.keys()).toReversed()) {
    const kept = await pages.match(request, { ignoreVary: true });
    if (!kept.headers.get("X-Offline")) continue;
    const item = element("<li><a></a></li>");
    const link = $("a", item);
    link.href = request.url;
    link.textContent = titleOf(await kept.text());
    list.append(item);
  }
  $("[data-none-kept]").hidden = list.children.length > 0;
}
if ("caches" in window) await show();
