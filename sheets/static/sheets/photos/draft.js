// Draft storage in IndexedDB: photos until they are read, and readings until they are scored, for one day at most.
// So nothing is lost by a reload or a discarded tab. IndexedDB has room for photos and works without HTTPS.

const DAY_MS = 24 * 60 * 60 * 1000;
const form = document.getElementById("take");
let isKept = true;
let changing = 0; // pending writes
let opening;

// Return whether all writes have succeeded. Some browsers forbid storage, some devices are full.
export const isDraftKept = () => isKept && !changing;

// Store a value by index and kind. For a card: "html" as received, "said" (the answers), and "earlier" (the card it
// has replaced, while that is doubtful). For the index "photo": each waiting photo by id.
export const keep = (index, what, value) => inStore((store) => store.put({ at: Date.now(), value }, key(index, what)));

export const forgetCard = (index) => inStore((store) => store.delete(below(key(index))));
export const forgetPhoto = (id) => inStore((store) => store.delete(key("photo", id)));
export const forgetDraft = () => inStore((store) => store.delete(below(key())));

// Return the stored cards in the order of their numbers, and delete old ones.
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

// Return the ids of the waiting photos in the order of their choice.
export async function listPhotos() {
  const keys = await ask((store) => store.getAllKeys(below(key("photo"))));
  return (keys ?? []).map(([, , id]) => id);
}

export const findPhoto = async (id) => (await ask((store) => store.get(key("photo", id))))?.value;

// Move the draft when the page has become that of another pad.
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
      request.result.onversionchange = () => request.result.close(); // another tab deletes the database
      done(request.result);
    };
    request.onerror = () => fail(request.error);
  });
  return opening;
}

// Perform a change in a transaction. Resolves once it is stored or has failed.
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

// Return the result of a query, or undefined on failure.
async function ask(question) {
  let request;
  await inStore((store) => (request = question(store)));
  return request?.result;
}
