// The service worker. Pages come from the network; without one, those that were opened before are shown again, and the
// others say that they need the server. Files with a hash in their names never change, so they are kept.
// apps/offline/views.py puts RELEASE (version, shell, page) in front of this file.

const FILES = `files-${RELEASE.version}`;
const PAGES = "pages";
const PERSON = "/offline/person"; // no page: under this address the cache remembers whose pages it holds
const MOST_PAGES = 40;
const HASHED = /^\/static\/.*\.[0-9a-f]{12}\./;

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});
self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldReleases());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (HASHED.test(url.pathname)) event.respondWith(file(request));
});

async function install() {
  const files = await caches.open(FILES);
  // Asked for as nobody: it is shown to whoever is there.
  await files.addAll([...RELEASE.shell, new Request(RELEASE.page, { credentials: "omit" })]);
  await self.skipWaiting();
}

async function forgetOldReleases() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== FILES && name !== PAGES).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function file(request) {
  const files = await caches.open(FILES);
  const found = await files.match(request, { ignoreVary: true });
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await files.put(request, response.clone());
  return response;
}

async function page(request) {
  try {
    const response = await fetch(request);
    await remember(request, response.clone());
    return response;
  } catch {
    const pages = await caches.open(PAGES);
    const seen = await pages.match(request, { ignoreVary: true });
    return seen ?? caches.match(RELEASE.page, { ignoreVary: true });
  }
}

async function remember(request, response) {
  const person = response.headers.get("X-Person");
  if (!person) return;
  const pages = await caches.open(PAGES);
  const before = await pages.match(PERSON);
  if (!before || (await before.text()) !== person) {
    for (const old of await pages.keys()) await pages.delete(old); // somebody else's
    await pages.put(PERSON, new Response(person));
  }
  if (response.headers.get("X-Offline") !== "keep") return;
  await pages.delete(request, { ignoreVary: true }); // the newest comes last
  await pages.put(request, response);
  const kept = (await pages.keys()).filter((old) => new URL(old.url).pathname !== PERSON);
  for (const old of kept.slice(0, -MOST_PAGES)) await pages.delete(old);
}
