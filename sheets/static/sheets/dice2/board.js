// A board of Dice² at a table: first the number thrown, then the field. An act is sent again under
// the same id until the server has answered; what the page shows is what the server said last.
import { use } from "../lib/art.js";
import { flash } from "../lib/say.js";
import { onForms, say, tableOutbox } from "../table/acts.js";
import { reloadAtTop } from "../table/kept_focus.js";
import { latest, look, onState, page, query, refresh, take } from "../table/live.js";

const byId = (id) => document.getElementById(id);
const tap = byId("tap");
const buttons = new Map();
for (const button of tap.querySelectorAll(".sheet-grid button")) buttons.set(button.dataset.at, button);
let state = latest();

const chosen = () => tap.querySelector("[name=die]:checked")?.value ?? "";

// Acts -------------------------------------------------------------------------------------------

const outbox = tableOutbox({
  search: () => "", // what comes back is the board, whatever somebody has asked about
  taken(fresh) {
    if (query()) look("");
    take(fresh);
    if (fresh.refusal) refuse(fresh.refusal);
  },
  changed: () => page.classList.toggle("is-sending", !outbox.isEmpty()),
});

function act(what) {
  if (!outbox.isEmpty()) return; // a second tap of a nervous thumb means nothing
  say("");
  outbox.add(what);
  showOnItsWay(what);
}
onForms(act, outbox);

function refuse({ sentence, url, at, by }) {
  const refusal = byId("refusal");
  // The way out is not to be hidden by why there is no other.
  refusal.classList.toggle("lifted", [...tap.querySelectorAll(".skip-die")].some((skip) => skip.offsetParent));
  refusal.classList.toggle("is-low", /[789]$/.test(at));
  say(sentence, url);
  const inTheWay = by ? by.split(" ").map((die) => [`[data-die="${die}"]`, "in-the-way"]) : [];
  for (const [selector, name] of [[`[data-field="${at}"]`, "refused"], ...inTheWay]) {
    const drawing = document.querySelector(selector);
    if (drawing) flash(drawing, name, 2500);
  }
}

// The die lies there faintly until the server has answered: what it says is drawn over this.
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
    look(`?why=${at}`);
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

let number = ""; // chosen before somebody asked about a field, and again afterwards

function chose() {
  say("");
  const die = chosen();
  if (die !== "why") number = die;
  if (query() && die !== "why") look("");
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

// Before the board hears of them: Escape ends asking first, and Enter on a key is no tap on a field.
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
// Radio buttons cannot be let go of by themselves.
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

// Who has chosen the next game stands at the foot of the page.
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
outbox.acts().forEach(showOnItsWay); // since before the page was opened
outbox.send();
addEventListener("pageshow", (event) => event.persisted && refresh(true));
