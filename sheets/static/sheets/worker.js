// Service worker: caches pages and their files for times without a network. The server puts the constant KEPT
// before this script: the pages to cache at installation, and texts (see sheets/pages/offline.py).
//
// A page is cached only after all files that it loads, and file names contain a hash of the content. So no page
// ever loads a script of another release.
const FILES = "dizzle-files"; // static files
const SHELL = `dizzle-shell-${KEPT.release}`; // general pages of this release
const OWN = "dizzle-own"; // pages behind secret links and codes that this device has opened

const SLOW_NETWORK_MS = 4000; // timeout of a cached page; then its copy is shown
const RESPONSE_TIMEOUT_MS = 20000; // timeout of other pages; then a health check decides
const HEALTH_TIMEOUT_MS = 10000; // timeout of the health check
const QUIET_PERIOD_MS = 1500; // debounce: delay after the last POST before its page is fetched again
const MAX_OWN_PAGES = 40; // bounds the storage; the oldest are evicted
const MAX_AGE_MS = 90 * 24 * 3600 * 1000; // retention of own pages: 90 days

// Paths of own pages, and of the sheets of days.
const OWN_PAGES = /^\/(my|workshop\/[\w-]{32}\/here|score\/[\w-]{32}(\/\d+)?|tally\/[\w-]{32}(\/count)?|groups\/[\w-]{32}|table\/[^/]+|day\/[\d-]{10})\/$/;
const DELETED = /^(\/\w+\/[\w-]{32}\/)delete\/$/;

const isOwn = (path) => OWN_PAGES.test(path) && !KEPT.never.includes(path);
const isKept = (path) => KEPT.shell.includes(path) || isOwn(path);
const isPage = (answer) => answer.headers.get("Content-Type")?.startsWith("text/html");
const isOurs = (text) => /<body[^>]* data-worker\b/.test(text); // other apps may use the same origin (base.html)
const htmlTagOf = (text) => /<html[^>]*>/.exec(text)?.[0] ?? ""; // has the language and the theme

let forgetCount = 0; // deletions of all own pages since this script began; pending writes compare it

// Caching ----------------------------------------------------------------------------------------

const linksIn = {
  html: (text) => [...text.matchAll(/"(\/static\/[^" ]+)"/g)],
  css: (text) => [...text.matchAll(/url\("?([^")]+)/g)],
  js: (text) => [...text.matchAll(/"(\.\.?\/[^" ]+\.js)"/g)],
};

// Store a file and all files that it names. `found` has the addresses that are stored already or in progress.
async function storeFile(url, found) {
  const files = await caches.open(FILES);
  const kept = await files.match(url);
  const answer = kept ?? (await fetch(url));
  if (!answer.ok) throw new Error(url);
  const find = linksIn[/\.(css|js)$/.exec(url)?.[1]];
  const named = find ? find(await answer.clone().text()) : [];
  await storeFiles(named.map(([, path]) => new URL(path, new URL(url, location)).pathname), found);
  if (!kept) await files.put(url, answer);
}

// Return the addresses of all these files, and of those that they name.
async function storeFiles(urls, found = new Set()) {
  const fresh = [...new Set(urls)].filter((url) => !found.has(url));
  for (const url of fresh) found.add(url);
  await Promise.all(fresh.map((url) => storeFile(url, found)));
  return [...found];
}

const requests = { last: 0, of: new Map() };

// Number of the last request, in all and by path. An older answer may need more files and so finish later than a
// newer one of the same page; it is then dropped.
async function storePage(path, answer) {
  const before = forgetCount;
  const request = (requests.last += 1);
  const text = await answer.text();
  if (!isOurs(text)) throw new Error(path);
  const files = await storeFiles(linksIn.html(text).map(([, url]) => url));
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set("Kept", Date.now());
  headers.set("Kept-Files", files.join(" "));
  headers.set("Kept-Look", htmlTagOf(text));
  const isForOne = isOwn(path) || /no-store/.test(headers.get("Cache-Control"));
  const [own, shell] = [await caches.open(OWN), await caches.open(SHELL)];
  if (before !== forgetCount || request < requests.of.get(path)) return;
  requests.of.set(path, request);
  await (isForOne ? own : shell).put(path, new Response(text, { headers }));
  if (isForOne) await evictOld(own);
  else await own.delete(path);
}

async function storeShell() {
  for (const path of KEPT.shell) {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(path);
    await storePage(path, answer);
  }
}

let keeping = null;
const storeShellOnce = () => (keeping ??= storeShell().finally(() => (keeping = null))); // one at a time

const ageOf = (kept) => Date.now() - Number(kept.headers.get("Kept"));

// Evict own pages that are too old or too many, the oldest first.
async function evictOld(own) {
  const ages = new Map();
  for (const request of await own.keys()) {
    if (isOwn(new URL(request.url).pathname)) ages.set(request, ageOf(await own.match(request)));
  }
  const oldest = [...ages].sort(([, one], [, other]) => one - other);
  for (const [at, [request, age]] of oldest.entries()) {
    if (at >= MAX_OWN_PAGES || age > MAX_AGE_MS) await own.delete(request);
  }
}

// Cache the shell again if the language or theme has changed, or if the user has deleted the cache.
async function refreshShell(answer) {
  const kept = await caches.match(KEPT.lost, { cacheName: SHELL });
  if (kept?.headers.get("Kept-Look") !== htmlTagOf(await answer.text())) await storeShellOnce();
}

// Releases ---------------------------------------------------------------------------------------

// Earlier releases also cached pages of other apps on the same origin.
async function deleteForeignPages() {
  const own = await caches.open(OWN);
  for (const request of await own.keys()) {
    const kept = await own.match(request);
    if (!isOurs(await kept.text())) await own.delete(request);
  }
}

async function deleteOldReleases() {
  for (const name of await caches.keys()) {
    if (name.startsWith("dizzle-") && ![FILES, SHELL, OWN].includes(name)) await caches.delete(name);
  }
  const needed = new Set();
  for (const name of [SHELL, OWN]) {
    const cache = await caches.open(name);
    for (const kept of await cache.matchAll()) {
      for (const url of kept.headers.get("Kept-Files").split(" ")) needed.add(url);
    }
  }
  const files = await caches.open(FILES);
  for (const request of await files.keys()) {
    if (!needed.has(new URL(request.url).pathname)) await files.delete(request);
  }
}

// Cache pages that were opened before the worker was installed.
async function storeOpenPages() {
  for (const { url } of await clients.matchAll({ type: "window" })) await refetch(new URL(url).pathname);
}

async function refetch(path) {
  if (!isOwn(path)) return;
  const before = forgetCount;
  const answer = await fetch(path);
  if (answer.ok && !answer.redirected && before === forgetCount) await storePage(path, answer);
}

// POST requests of a page change its content, so fetch it again after the last one.
const sentAt = new Map();
async function refetchAfterPost(id) {
  const sent = {};
  sentAt.set(id, sent);
  await after(QUIET_PERIOD_MS);
  const client = sentAt.get(id) === sent && (await clients.get(id));
  if (sentAt.get(id) === sent) sentAt.delete(id);
  const path = client && new URL(client.url).pathname;
  if (path && !path.startsWith("/table/")) await refetch(path); // a table changes too often
}

addEventListener("install", (event) => event.waitUntil(storeShellOnce()));
addEventListener("activate", (event) => {
  const start = async () => {
    await registration.navigationPreload?.enable();
    await deleteForeignPages();
    await deleteOldReleases();
    await clients.claim();
    await storeOpenPages().catch(() => {}); // they are cached when opened again
  };
  event.waitUntil(start());
});

// Responses --------------------------------------------------------------------------------------

// Return a cached answer. If the device cannot read its storage, there is none.
const findIn = (cacheName, request) => caches.match(request, { cacheName, ignoreVary: true }).catch(() => undefined);

const findStored = async (path) => (await findIn(OWN, path)) ?? findIn(SHELL, path);

// Return a cached page with a notice of its age.
async function storedPage(kept) {
  const text = await kept.text();
  const language = /<html lang="([\w-]+)"/.exec(text)?.[1];
  const when = new Date(Number(kept.headers.get("Kept")));
  const style = when.toDateString() === new Date().toDateString() ? {} : { dateStyle: "medium" };
  const shown = new Intl.DateTimeFormat(language, { ...style, timeStyle: "short", hourCycle: "h23" }).format(when);
  return withNotice(kept, text, KEPT.words.memory[language].replace("%s", shown), "", KEPT.words.again[language]);
}

// Return the offline page with the reason and a link.
async function fallbackPage(said, href, way) {
  const kept = await findStored(KEPT.lost);
  if (!kept) return Response.error();
  const text = await kept.text();
  const language = /<html lang="([\w-]+)"/.exec(text)?.[1];
  return withNotice(kept, text, KEPT.words[said][language], href, KEPT.words[way][language]);
}

function withNotice({ headers }, text, said, href, way) {
  const line = `<p class="from-memory" role="status">${said} <a href="${href}">${way}</a></p>`;
  const page = text
    .replace("</head>", () => `<link rel="stylesheet" href="${KEPT.style}"></head>`)
    .replace("<header", () => `${line}<header`);
  return new Response(page, { headers });
}

async function fetchPage(event, path, search) {
  const answer = (await event.preloadResponse) ?? (await fetch(event.request));
  if (!isKept(path)) return answer;
  if (answer.status === 404 || answer.status === 410) event.waitUntil(deleteGone(path, answer.clone()));
  if (answer.ok && isPage(answer) && !search) {
    const copies = [answer.clone(), answer.clone()];
    event.waitUntil(storePage(path, copies[0]).then(() => refreshShell(copies[1])).catch(() => {}));
  }
  return answer;
}

const after = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

// Return whether the site answers a health check. 502 and 504 come from a proxy.
const isServerAlive = () =>
  Promise.race([fetch(KEPT.alive, { cache: "no-store" }), after(HEALTH_TIMEOUT_MS, { status: 504 })])
    .then(({ status }) => status !== 502 && status !== 504)
    .catch(() => false);

// Resolve to `value` once the health check fails while the answer is still missing.
async function waitWhileAlive(network, value) {
  let isOwed = true;
  const settle = () => (isOwed = false);
  network.then(settle, settle);
  do await after(RESPONSE_TIMEOUT_MS);
  while (isOwed && (await isServerAlive()));
  return value;
}

// Day of this device, as in daily/day_here.js.
const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10);

// Without a network, a level is scored on the device, and the sheet of the day is that of the device's day.
const offlineAddress = (path) =>
  path === "/day/" ? `/day/${today()}/` : path.replace(/^\/score\/new\//, "/score/here/");

async function page(event, { pathname, search }) {
  const network = fetchPage(event, pathname, search);
  event.waitUntil(network.catch(() => {}));
  const kept = await findStored(pathname);
  const none = Symbol("none");
  const late = kept ? after(SLOW_NETWORK_MS, none) : waitWhileAlive(network, none);
  const answer = await Promise.race([network, late]).catch(() => none);
  // 502 and higher come from a proxy whose server does not answer.
  if (answer !== none && !(kept && answer.status >= 502)) return answer;
  if (kept) return storedPage(kept);
  const other = offlineAddress(pathname);
  if (other !== pathname && (await findStored(other))) return Response.redirect(other);
  return fallbackPage("lost", "", "again");
}

// Form submissions without files. Browsers lose some uploads that pass through a worker.
const isPlainForm = ({ method, mode, headers }) =>
  method === "POST" && mode === "navigate" && /urlencoded/.test(headers.get("Content-Type"));

const sendForm = (request) => fetch(request).catch(() => fallbackPage("unsent", request.referrer || "/", "back"));

const file = async (request) => (await findIn(FILES, request.url)) ?? fetch(request);

// Other requests pass unchanged: POST requests of scripts, streams, images and fetches.
addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && DELETED.test(url.pathname)) {
    event.waitUntil(deleteBelow(DELETED.exec(url.pathname)[1]));
  }
  if (request.method === "POST" && event.clientId && request.mode !== "navigate") {
    event.waitUntil(refetchAfterPost(event.clientId).catch(() => {}));
  }
  if (isPlainForm(request)) event.respondWith(sendForm(request));
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event, url));
});

// Deletion ---------------------------------------------------------------------------------------

async function deleteGone(path, answer) {
  if (isOurs(await answer.text())) await (await caches.open(OWN)).delete(path);
}

async function deleteBelow(path) {
  const own = await caches.open(OWN);
  for (const request of await own.keys()) {
    if (new URL(request.url).pathname.startsWith(path)) await own.delete(request);
  }
}

// Navigate other tabs to the home page, because they would cache and send their content again.
async function navigateOthers(mine) {
  const open = await clients.matchAll({ type: "window" });
  await Promise.allSettled(open.filter(({ id }) => id !== mine).map((other) => other.navigate("/")));
}

async function forget({ data, source, ports: [port] }) {
  forgetCount += 1; // drops pages that are being cached
  if (data === "forget all") await navigateOthers(source.id);
  forgetCount += 1; // and pages opened meanwhile
  await caches.delete(OWN);
  port.postMessage("forgotten");
}

addEventListener("message", (event) => {
  if (["forget", "forget all"].includes(event.data)) event.waitUntil(forget(event));
});
