// Photos stay on this device until they are read, and what was read until it is scored, for a day at most: a reload
// loses nothing, nor does a phone that discards the page. IndexedDB has room for the pictures, and needs no HTTPS.

const DAY_MS = 24 * 60 * 60 * 1000;
const form = document.getElementById("take");
let isKept = true;
let changing = 0; // changes that are not stored yet
let opening;

// Whether everything that was to be kept is: some browsers forbid it, some devices are full.
export const isDraftKept = () => isKept && !changing;

// Of each card of the page, its `html` as it came and `said`, what was answered on it since; `earlier` is the card
// that it has replaced, as long as it may be another sheet. Of "photo" each one that waits, by its id.
export const keep = (index, what, value) => inStore((store) => store.put({ at: Date.now(), value }, key(index, what)));

export const forgetCard = (index) => inStore((store) => store.delete(below(key(index))));
export const forgetPhoto = (id) => inStore((store) => store.delete(key("photo", id)));
export const forgetDraft = () => inStore((store) => store.delete(below(key())));

// The cards that are kept, in the order of their numbers.
export async function findDraft() {
  const tooOld = Date.now() - DAY_MS;
  const cards = [];
  await inStore((store) => {
    store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) return;
      const [page, index, what] = cursor.key;
      if (cursor.value.at < tooOld) cursor.delete();
      else if (page === key()[0] && index !== "photo") (cards[index] ??= {})[what] = cursor.value.value;
      cursor.continue();
    };
  });
  return cards.filter((card) => card.html);
}

// The ids of the photos that wait, in the order in which they were chosen.
export async function listPhotos() {
  const keys = await ask((store) => store.getAllKeys(below(key("photo"))));
  return (keys ?? []).map(([, , id]) => id);
}

export const findPhoto = async (id) => (await ask((store) => store.get(key("photo", id))))?.value;

// The page has become another one, and what was kept for it goes along.
export const moveDraft = (from) =>
  inStore((store) => {
    store.openCursor(below([from])).onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) return;
      store.put(cursor.value, key(...cursor.key.slice(1)));
      cursor.delete();
      cursor.continue();
    };
  });

const key = (...more) => [form.dataset.draft, ...more.map((one) => (isNaN(one) ? one : Number(one)))];
const below = (start) => IDBKeyRange.bound(start, [...start, []]);

function open() {
  opening ??= new Promise((done, fail) => {
    const request = indexedDB.open("dizzle.photos", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("cards");
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close(); // all is forgotten on this device
      done(request.result);
    };
    request.onerror = () => fail(request.error);
  });
  return opening;
}

// Resolves once the change is stored, or cannot be.
async function inStore(change) {
  changing += 1;
  try {
    const transaction = (await open()).transaction("cards", "readwrite");
    const done = new Promise((resolve, fail) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => fail(transaction.error);
    });
    change(transaction.objectStore("cards"));
    await done;
  } catch {
    isKept = false;
  }
  changing -= 1;
}

// The result of what is asked of the store, or nothing.
async function ask(question) {
  let request;
  await inStore((store) => (request = question(store)));
  return request?.result;
}
