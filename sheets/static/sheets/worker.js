// What does a device show when there is no network? The server puts KEPT before this script: what is
// kept from the start, and what is said about it (see sheets/pages/offline.py).
//
// A page is kept only after all the files that it loads are, and files are named by what is in them:
// so no page ever meets a script of another release. What one device alone may see lies in OWN.
const FILES = "dizzle-files";
const SHELL = `dizzle-shell-${KEPT.release}`;
const OWN = "dizzle-own";

const PATIENCE_MS = 4000; // a network that is slower is as good as none, where a page is kept
const LONG_MS = 20000; // a page that is not kept takes longer: is the site there at all?
const SIGN_MS = 10000; // so long it has to show a sign
const QUIET_MS = 1500; // after this long without anything sent, the page is kept as it is then
const MOST_OWN = 40;
const LONGEST_MS = 90 * 24 * 3600 * 1000;

// Pages behind the links and codes that this device has opened: to look at, and to go on with.
const OWN_PAGES = /^\/(my|workshop\/[\w-]{32}\/here|score\/[\w-]{32}(\/\d+)?|tally\/[\w-]{32}(\/count)?|groups\/[\w-]{32}|table\/[^/]+)\/$/;
const DELETED = /^(\/\w+\/[\w-]{32}\/)delete\/$/;

const isOwn = (path) => OWN_PAGES.test(path) && !KEPT.never.includes(path);
const isKept = (path) => KEPT.shell.includes(path) || isOwn(path);
const isPage = (answer) => answer.headers.get("Content-Type")?.startsWith("text/html");
const isOurs = (text) => /<body[^>]* data-worker\b/.test(text); // another app may use the same address (base.html)
const lookOf = (text) => /<html[^>]*>/.exec(text)?.[0] ?? ""; // in which language, light or dark

let forgotten = 0; // how often this device was told to forget all, while this script has run

// Keeping ----------------------------------------------------------------------------------------

const namedIn = {
  html: (text) => [...text.matchAll(/"(\/static\/[^" ]+)"/g)],
  css: (text) => [...text.matchAll(/url\("?([^")]+)/g)],
  js: (text) => [...text.matchAll(/"(\.\.?\/[^" ]+\.js)"/g)],
};

// Store a file and all files that it names. `found` has the addresses that are stored already or in progress.
async function keepFile(url, found) {
  const files = await caches.open(FILES);
  const kept = await files.match(url);
  const answer = kept ?? (await fetch(url));
  if (!answer.ok) throw new Error(url);
  const find = namedIn[/\.(css|js)$/.exec(url)?.[1]];
  const named = find ? find(await answer.clone().text()) : [];
  await keepFiles(named.map(([, path]) => new URL(path, new URL(url, location)).pathname), found);
  if (!kept) await files.put(url, answer);
}

// Return the addresses of all these files, and of those that they name.
async function keepFiles(urls, found = new Set()) {
  const fresh = [...new Set(urls)].filter((url) => !found.has(url));
  for (const url of fresh) found.add(url);
  await Promise.all(fresh.map((url) => keepFile(url, found)));
  return [...found];
}

const turns = { last: 0, of: new Map() };

// An answer that came earlier may have more to load than a later one of the same page: it comes too late then.
async function keep(path, answer) {
  const before = forgotten;
  const turn = (turns.last += 1);
  const text = await answer.text();
  if (!isOurs(text)) throw new Error(path);
  const files = await keepFiles(namedIn.html(text).map(([, url]) => url));
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set("Kept", Date.now());
  headers.set("Kept-Files", files.join(" "));
  headers.set("Kept-Look", lookOf(text));
  const isForOne = isOwn(path) || /no-store/.test(headers.get("Cache-Control"));
  const [own, shell] = [await caches.open(OWN), await caches.open(SHELL)];
  if (before !== forgotten || turn < turns.of.get(path)) return;
  turns.of.set(path, turn);
  await (isForOne ? own : shell).put(path, new Response(text, { headers }));
  if (isForOne) await tidy(own);
  else await own.delete(path);
}

async function keepShell() {
  for (const path of KEPT.shell) {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(path);
    await keep(path, answer);
  }
}

let keeping = null;
const keepAll = () => (keeping ??= keepShell().finally(() => (keeping = null))); // once at a time

const ageOf = (kept) => Date.now() - Number(kept.headers.get("Kept"));

// The oldest make room.
async function tidy(own) {
  const ages = new Map();
  for (const request of await own.keys()) {
    if (isOwn(new URL(request.url).pathname)) ages.set(request, ageOf(await own.match(request)));
  }
  const oldest = [...ages].sort(([, one], [, other]) => one - other);
  for (const [at, [request, age]] of oldest.entries()) {
    if (at >= MOST_OWN || age > LONGEST_MS) await own.delete(request);
  }
}

// Whoever has changed the language, or light to dark, finds all that is kept so; and who has emptied it all, all of it.
async function keepLook(answer) {
  const kept = await caches.match(KEPT.lost, { cacheName: SHELL });
  if (kept?.headers.get("Kept-Look") !== lookOf(await answer.text())) await keepAll();
}

// Releases ---------------------------------------------------------------------------------------

// Workers of earlier releases kept pages of other apps, too.
async function forgetForeign() {
  const own = await caches.open(OWN);
  for (const request of await own.keys()) {
    const kept = await own.match(request);
    if (!isOurs(await kept.text())) await own.delete(request);
  }
}

async function forgetOldReleases() {
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

// The pages on which this device has begun, before there was a worker.
async function keepOpened() {
  for (const { url } of await clients.matchAll({ type: "window" })) await keepAnew(new URL(url).pathname);
}

async function keepAnew(path) {
  if (!isOwn(path)) return;
  const before = forgotten;
  const answer = await fetch(path);
  if (answer.ok && !answer.redirected && before === forgotten) await keep(path, answer);
}

// What is scored changes with what its page sends: it is kept anew once nothing more is sent.
const sentAt = new Map();
async function keepSent(id) {
  const sent = {};
  sentAt.set(id, sent);
  await after(QUIET_MS);
  const client = sentAt.get(id) === sent && (await clients.get(id));
  if (sentAt.get(id) === sent) sentAt.delete(id);
  const path = client && new URL(client.url).pathname;
  if (path && !path.startsWith("/table/")) await keepAnew(path); // that of a table is changed by all
}

addEventListener("install", (event) => event.waitUntil(keepAll()));
addEventListener("activate", (event) => {
  const start = async () => {
    await registration.navigationPreload?.enable();
    await forgetForeign();
    await forgetOldReleases();
    await clients.claim();
    await keepOpened().catch(() => {}); // they are kept when they are opened again
  };
  event.waitUntil(start());
});

// Showing ----------------------------------------------------------------------------------------

const find = async (path) => {
  const asked = { ignoreVary: true };
  return (await (await caches.open(OWN)).match(path, asked)) ?? (await caches.open(SHELL)).match(path, asked);
};

// A kept page says that it is one, and from when.
async function fromMemory(kept) {
  const text = await kept.text();
  const language = /<html lang="([\w-]+)"/.exec(text)?.[1];
  const when = new Date(Number(kept.headers.get("Kept")));
  const style = when.toDateString() === new Date().toDateString() ? {} : { dateStyle: "medium" };
  const shown = new Intl.DateTimeFormat(language, { ...style, timeStyle: "short", hourCycle: "h23" }).format(when);
  return withLine(kept, text, KEPT.words.memory[language].replace("%s", shown), "", KEPT.words.again[language]);
}

// Instead of a page that is not there, or cannot be: what is, with the reason above it and a way on.
async function lost(said, href, way) {
  const kept = await find(KEPT.lost);
  if (!kept) return Response.error();
  const text = await kept.text();
  const language = /<html lang="([\w-]+)"/.exec(text)?.[1];
  return withLine(kept, text, KEPT.words[said][language], href, KEPT.words[way][language]);
}

function withLine({ headers }, text, said, href, way) {
  const line = `<p class="from-memory" role="status">${said} <a href="${href}">${way}</a></p>`;
  const page = text
    .replace("</head>", () => `<link rel="stylesheet" href="${KEPT.style}"></head>`)
    .replace("<header", () => `${line}<header`);
  return new Response(page, { headers });
}

async function fromNetwork(event, path, search) {
  const answer = (await event.preloadResponse) ?? (await fetch(event.request));
  if (!isKept(path)) return answer;
  if (answer.status === 404 || answer.status === 410) event.waitUntil(forgetGone(path, answer.clone()));
  if (answer.ok && isPage(answer) && !search) {
    const copies = [answer.clone(), answer.clone()];
    event.waitUntil(keep(path, copies[0]).then(() => keepLook(copies[1])).catch(() => {}));
  }
  return answer;
}

const after = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

// Whether the site answers anything at all: what is only slow is waited for.
const lives = () =>
  fetch(KEPT.alive, { cache: "no-store", signal: AbortSignal.timeout?.(SIGN_MS) })
    .then(({ status }) => status !== 502 && status !== 504)
    .catch(() => false);

// Gives `value` once the site shows no sign any more, while the network still owes its answer.
async function hung(network, value) {
  let isOwed = true;
  const settle = () => (isOwed = false);
  network.then(settle, settle);
  do await after(LONG_MS);
  while (isOwed && (await lives()));
  return value;
}

// Where there is no network a level is scored on the device alone.
const inPlaceOf = (path) => path.replace(/^\/score\/new\//, "/score/here/");

async function page(event, { pathname, search }) {
  const network = fromNetwork(event, pathname, search);
  event.waitUntil(network.catch(() => {}));
  const kept = await find(pathname);
  const none = Symbol("none");
  const late = kept ? after(PATIENCE_MS, none) : hung(network, none);
  const answer = await Promise.race([network, late]).catch(() => none);
  // A proxy answers for a server that does not.
  if (answer !== none && !(kept && answer.status >= 502)) return answer;
  if (kept) return fromMemory(kept);
  const other = inPlaceOf(pathname);
  if (other !== pathname && (await find(other))) return Response.redirect(other);
  return lost("lost", "", "again");
}

// A form sent by the browser itself. Files go their own way: browsers lose some that pass through here.
const isPlainForm = ({ method, mode, headers }) =>
  method === "POST" && mode === "navigate" && /urlencoded/.test(headers.get("Content-Type"));

const sendForm = (request) => fetch(request).catch(() => lost("unsent", request.referrer || "/", "back"));

const file = async (request) => (await caches.match(request.url, { cacheName: FILES })) ?? fetch(request);

// What is sent passes untouched, and is never sent again; so do streams, pictures and what scripts ask for.
addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && DELETED.test(url.pathname)) {
    event.waitUntil(forgetBelow(DELETED.exec(url.pathname)[1]));
  }
  if (request.method === "POST" && event.clientId && request.mode !== "navigate") {
    event.waitUntil(keepSent(event.clientId).catch(() => {}));
  }
  if (isPlainForm(request)) event.respondWith(sendForm(request));
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event, url));
});

// Forgetting -------------------------------------------------------------------------------------

async function forgetGone(path, answer) {
  if (isOurs(await answer.text())) await (await caches.open(OWN)).delete(path);
}

async function forgetBelow(path) {
  const own = await caches.open(OWN);
  for (const request of await own.keys()) {
    if (new URL(request.url).pathname.startsWith(path)) await own.delete(request);
  }
}

// What is open in other tabs goes with what it holds: it would be kept, and sent, again.
async function closeOthers(mine) {
  const open = await clients.matchAll({ type: "window" });
  await Promise.allSettled(open.filter(({ id }) => id !== mine).map((other) => other.navigate("/")));
}

async function forget({ data, source, ports: [port] }) {
  forgotten += 1; // also what is just being kept
  if (data === "forget all") await closeOthers(source.id);
  forgotten += 1; // and what has been opened meanwhile
  await caches.delete(OWN);
  port.postMessage("forgotten");
}

addEventListener("message", (event) => {
  if (["forget", "forget all"].includes(event.data)) event.waitUntil(forget(event));
});
