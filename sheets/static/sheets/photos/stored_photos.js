// Photos waiting to be read, stored on the device so that a reload continues with them.
import { findPhoto, forgetPhoto, keep, listPhotos } from "./draft.js";

const releases = new Map(); // functions that release the lock of a photo, by id
let lastId = 0;

export function keepWaiting(line, file) {
  if (line.dataset.photo) return;
  lastId = Math.max(Date.now(), lastId + 1); // ids increase in the order of reading
  line.dataset.photo = lastId;
  lock(lastId);
  keep("photo", lastId, { file, data: { ...line.dataset } });
}

export async function forgetWaiting(line) {
  const { photo } = line.dataset;
  if (!photo) return;
  delete line.dataset.photo;
  await forgetPhoto(photo);
  releases.get(Number(photo))();
}

// Call `add` for each waiting photo, with the dataset of its line.
export async function resumeWaiting(add) {
  for (const id of await listPhotos()) {
    lock(id, async () => {
      const photo = await findPhoto(id);
      if (photo) add(photo.file, photo.data);
      else releases.get(id)(); // another tab has read it
    });
  }
}

// Run `act` with an exclusive lock on a photo among all tabs. Over plain HTTP there are no locks, and two tabs may
// read the same photo.
function lock(id, act = () => {}) {
  const released = new Promise((release) => releases.set(id, release));
  if (!navigator.locks) return act();
  navigator.locks.request(`dizzle.photos ${id}`, async () => {
    await act();
    await released;
  });
}
