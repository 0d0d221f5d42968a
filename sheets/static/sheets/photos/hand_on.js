// A leaf of a pad was photographed on another page than the pad's: its photo is sent on from here, and
// once its sheet is seen, this page becomes the pad's.

import { moveDraft } from "./draft.js";

const send = document.getElementById("send");
const take = document.getElementById("take");

// Sheets of two pages are not taken over together: with one in sight the links only lead there.
const isFree = (address) => address === location.pathname || !document.querySelector(".seen-sheet");

// The pages that have refused the photo of a line.
const triedBy = new WeakMap();

// The ways on from a photo that was refused; `again` sends it once more.
export function offer(line, again) {
  const tried = triedBy.get(line) ?? new Set();
  triedBy.set(line, tried.add(line.dataset.to ?? location.pathname));
  for (const way of line.querySelectorAll("[data-hand-on]")) if (tried.has(way.pathname)) way.remove();
  if (tried.size > 1 && !line.querySelector("[data-hand-on]")) {
    line.querySelector("p").firstChild.textContent = take.dataset.noPad;
  }
  for (const way of line.querySelectorAll("[data-hand-on]")) {
    way.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !isFree(way.pathname)) return;
      event.preventDefault();
      line.dataset.to = way.pathname;
      delete line.dataset.turn;
      again();
      line.querySelector(".drop").focus({ preventScroll: true });
    });
  }
}

// Whether the sheet of a photo may be shown here: it can be that others came before it meanwhile.
export async function arrive(line) {
  const { to } = line.dataset;
  if (!to || to === location.pathname) return true;
  const answer = await fetch(to);
  if (!answer.ok) throw new Error(answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!line.isConnected || !isFree(to)) return false;
  for (const old of document.querySelectorAll(".of-pads, .of-pads + h2")) old.remove();
  for (const part of [".crumb", "h1", "#send .how"]) {
    document.querySelector(part).replaceWith(page.querySelector(part));
  }
  const { draft } = take.dataset;
  for (const [form, name] of [
    [send, "action"],
    [take, "action"],
    [take, "data-sum"],
    [take, "data-draft"],
  ]) {
    form.setAttribute(name, page.getElementById(form.id).getAttribute(name));
  }
  moveDraft(draft);
  document.title = page.title;
  history.replaceState(history.state, "", to);
  return true;
}
