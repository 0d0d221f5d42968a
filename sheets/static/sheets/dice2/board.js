// Dice² board at a table: the user chooses the number thrown, then the field. An act is retried under the same id
// until the server answers. The page shows the server's last state.
import { use } from "../lib/art.js";
import { flash } from "../lib/live_region.js";
import { onForms, say, tableOutbox } from "../table/acts.js";
import { reloadAtTop } from "../table/kept_focus.js";
import { latestState, showView, onState, page, query, applyState } from "../table/live.js";

const byId = (id) => document.getElementById(id);
const tap = byId("tap");
const buttons = new Map();
for (const button of tap.querySelectorAll(".sheet-grid button")) buttons.set(button.dataset.at, button);
let state = latestState();

const chosen = () => tap.querySelector("[name=die]:checked")?.value ?? "";

// Acts -------------------------------------------------------------------------------------------

const outbox = tableOutbox({
  search: () => "", // the answer shows the board, without a question about a field
  taken(fresh) {
    if (query()) showView("");
    applyState(fresh);
    if (fresh.refusal) refuse(fresh.refusal);
  },
  changed: () => page.classList.toggle("is-sending", !outbox.isEmpty()),
});

function act(what) {
  if (!outbox.isEmpty()) return; // ignore a double tap
  say("");
  outbox.add(what);
  showOnItsWay(what);
}
onForms(act, outbox);

function refuse({ sentence, url, at, by }) {
  const refusal = byId("refusal");
  // The message must not hide the Skip button.
  refusal.classList.toggle("lifted", [...tap.querySelectorAll(".skip-die")].some((skip) => skip.offsetParent));
  refusal.classList.toggle("is-low", /[789]$/.test(at));
  say(sentence, url);
  const inTheWay = by ? by.split(" ").map((die) => [`[data-die="${die}"]`, "in-the-way"]) : [];
  for (const [selector, name] of [[`[data-field="${at}"]`, "refused"], ...inTheWay]) {
    const drawing = document.querySelector(selector);
    if (drawing) flash(drawing, name, 2500);
  }
}

// Draw the die faintly until the server's answer replaces it.
function showOnItsWay({ do: what, at, die = state.thrown, moment }) {
  if (what !== "place" || moment !== state.moment || document.querySelector(`[data-die="${at}"]`)) return;
  document.querySelector(`[data-field="${at}"]`).append(use(`${state.die}-${die}`, "on-its-way"));
}

tap.addEventListener("submit", (event) => {
  event.preventDefault();
  const { submitter } = event;
  const at = submitter?.dataset.at ?? "";
  const die = chosen();
  if (at && die === "why") {
    showView(`?why=${at}`);
    return;
  }
  if (!submitter) return;
  if (!state.mine) {
    if (at && state.waiting) refuse({ sentence: state.waiting });
    return;
  }
  const isSkip = submitter.value === "skip";
  if (!at && !isSkip) return;
  if (!die && !state.thrown) {
    refuse({ sentence: page.dataset.choose });
    return;
  }
  const what = { url: page.dataset.actUrl, do: isSkip ? "skip" : "place", player: state.seat, moment: state.moment };
  if (at) what.at = at;
  if (die) what.die = die;
  act(what);
});

// Choosing ---------------------------------------------------------------------------------------

let number = ""; // chosen number, restored after a question about a field

function chose() {
  say("");
  const die = chosen();
  if (die !== "why") number = die;
  if (query() && die !== "why") showView("");
}

function stopAsking() {
  byId("die-why").checked = false;
  const key = byId(`die-${number}`);
  if (key) key.checked = true;
  chose();
}

function choose(key) {
  if (key.checked && key.value === "why") stopAsking();
  else {
    key.checked = true;
    chose();
  }
}

// In the capture phase, before the board: Escape ends a question first, and Enter on a key is no tap on a field.
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input[type=text]")) return;
  const focused = event.target.closest("[name=die]");
  const named = /^[1-6]$/.test(event.key) ? byId(`die-${event.key}`) : event.key === "?" && byId("die-why");
  const isAsking = chosen() === "why";
  if (named) choose(named);
  else if (event.key === "Escape" && isAsking) stopAsking();
  else if (focused && (event.key === "Enter" || (event.key === " " && isAsking))) choose(focused);
  else return;
  event.preventDefault();
  event.stopPropagation();
}, true);
// A second tap on the radio button "Why?" deselects it.
tap.addEventListener("pointerdown", (event) => {
  const key = event.target.closest(".ask-why")?.querySelector("input");
  if (key?.checked) key.addEventListener("click", () => setTimeout(stopAsking), { once: true });
});
tap.addEventListener("change", chose);

// Showing ----------------------------------------------------------------------------------------

function label() {
  for (const [at, button] of buttons) {
    const [says, takes] = state.cells[at];
    if (button.getAttribute("aria-label") !== says) button.setAttribute("aria-label", says);
    if (takes) button.dataset.takes = takes;
    else delete button.dataset.takes;
  }
  tap.querySelector(".sheet-grid").dataset.enter = state.enter;
  document.title = `${state.title} · ${page.dataset.called}`;
}

// The user who chose the next game is at the bottom of the page.
function toBoard() {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  page.scrollIntoView({ behavior: isCalm ? "auto" : "smooth" });
  byId("sheet").focus({ preventScroll: true });
}

onState((fresh) => {
  if (String(fresh.box) !== String(state.box)) {
    reloadAtTop(); // another game, on another part of the board
    return;
  }
  if (fresh.moment !== state.moment) {
    number = "";
    for (const key of tap.querySelectorAll("[name=die]:checked")) if (key.value !== "why") key.checked = false;
  }
  const isNewGame = state.phase === "begin" && fresh.phase !== "begin";
  state = fresh;
  label();
  if (isNewGame) toBoard();
});

label();
outbox.acts().forEach(showOnItsWay); // queued before the page was opened
outbox.send();
