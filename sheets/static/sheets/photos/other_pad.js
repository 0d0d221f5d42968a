// Photos of another pad's sheet: sends the photo to that pad's page and, after success, turns this page into that
// one.

import { moveDraft } from "./draft.js";

const send = document.getElementById("send");
const take = document.getElementById("take");

// Sheets of two pads cannot be submitted together, so with a sheet on the page the links are plain links.
const isFree = (address) => address === location.pathname || !document.querySelector(".seen-sheet");

// The pages that have refused a line's photo.
const triedBy = new WeakMap();

// Offer the remaining pads for a refused photo; `again` sends it again.
export function offerOtherPads(line, again) {
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
      delete line.dataset.corners;
      again();
      line.querySelector(".drop").focus({ preventScroll: true });
    });
  }
}

// Turn this page into the photo's pad page, if needed. Returns false if other sheets were added meanwhile.
export async function switchPage(line) {
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
