// Photos that wait to be read stay on this device as well: after a reload they are read.
import { findPhoto, forgetPhoto, keep, listPhotos } from "./draft.js";

const releases = new Map(); // what lets another tab read a photo, by its id
let lastId = 0;

export function keepWaiting(line, file) {
  if (line.dataset.photo) return;
  lastId = Math.max(Date.now(), lastId + 1); // in this order they are read
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

// Give `add` each photo that still waits, with the data of its line.
export async function resumeWaiting(add) {
  for (const id of await listPhotos()) {
    lock(id, async () => {
      const photo = await findPhoto(id);
      if (photo) add(photo.file, photo.data);
      else releases.get(id)(); // another tab has read it meanwhile
    });
  }
}

// Run `act` once no other tab has this photo, and keep it from them. Plain HTTP has no locks: two tabs may read it.
function lock(id, act = () => {}) {
  const released = new Promise((release) => releases.set(id, release));
  if (!navigator.locks) return act();
  navigator.locks.request(`dizzle.photos ${id}`, async () => {
    await act();
    await released;
  });
}
