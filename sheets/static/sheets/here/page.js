// Paper sheets scored on this device alone: marked by taps as on the site's pages (score/), added up by
// the rules' twin (paper.js), kept here until they are sent or deleted. Nothing is asked of the network.
import "../score/taps.js";
import "../score/paint.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
import { after } from "../score/marks.js";
import { act, draw, drawFrom, drawTotal, onDrawn, shownMarks } from "../score/drawn.js";
import { page } from "../score/place.js";
import { drawQuestions } from "./circled.js";
import { drawColumn } from "./column.js";
import { documentOf, findGame, forget, isSolo, keep, nameOf, newGame, tellApart, withPlayers } from "./games.js";
import { drawKept } from "./kept_games.js";
import { scorePaper } from "./paper.js";
import { drawResults, owesSign } from "./results.js";
import { send } from "./send.js";
import { kit, make, printed, say, shortName } from "./words.js";

const byId = (id) => document.getElementById(id);
let game = null;
let shown = 0; // whose sheet, from 0

const players = () => tellApart(game.players.map((name, i) => name || say("player", { number: i + 1 })));

// Keeping ----------------------------------------------------------------------------------------

function store() {
  const address = location.pathname;
  const levelName = byId("level-name").textContent;
  const isKept = keep({ ...game, address, levelName, shownNames: players() });
  byId("not-kept").textContent = isKept ? "" : page.dataset.notKept;
  byId("not-kept").hidden = isKept;
}

drawFrom({
  known: () => game?.sheets[shown] ?? { marks: {} },
  add(acts) {
    game.sheets[shown] = after(game.sheets[shown], acts);
    store();
    draw();
  },
});

// Drawing ----------------------------------------------------------------------------------------

function drawTabs(ranks) {
  const names = players();
  const tabs = byId("tabs");
  const link = ({ i, owes, score }) =>
    make(
      "a",
      { href: "#sheet", "data-player": i, "aria-current": i === shown && "page", class: owes && "owes", title: names[i] },
      shortName(names[i]),
      " ",
      make("b", {}, printed(score.total)),
      ...(owes ? owesSign() : []),
    );
  const focused = document.activeElement?.closest?.("#tabs a")?.dataset.player;
  tabs.className = `tabs players of-${names.length}`;
  tabs.replaceChildren(...ranks.map((rank) => make("li", {}, link(rank))));
  if (focused) tabs.querySelector(`[data-player="${focused}"]`)?.focus();
}

function drawNext() {
  const name = players()[shown + 1];
  const word = make("span", { class: "next-word" }, say("next"));
  byId("next").replaceChildren(...(name ? [word, " ", make("bdi", { translate: "no" }, name)] : [say("results")]));
}

function drawSolo() {
  const solo = isSolo(game);
  byId("taps").textContent = JSON.stringify(kit.taps[solo ? "solo" : "several"]);
  byId("solo").hidden = game.players.length > 1;
  byId("solo").querySelector("[data-solo]").hidden = !solo;
  byId("solo").querySelector("[data-several]").hidden = solo;
  const hint = byId("bomb-hint");
  if (hint) hint.hidden = solo;
}

onDrawn(() => {
  if (!game) return;
  const marked = { ...game, sheets: game.sheets.map((sheet, i) => (i === shown ? { marks: shownMarks() } : sheet)) };
  const result = scorePaper(kit.column, documentOf(kit, marked, players()));
  drawTabs(drawResults(result, marked.sheets, players()));
  drawColumn(document.querySelector(".score-items"), result.scores[shown]);
  drawQuestions(byId("ask"), byId("circled"), result, shown, players());
  drawTotal(result.scores[shown].total);
  drawNext();
});

function show(player) {
  shown = player;
  const name = players()[shown];
  byId("score-title").textContent = say("scoreOf", { player: name });
  document.querySelector(".sheet-grid").setAttribute("aria-label", say("sheetOf", { player: name }));
  drawSolo();
  draw();
}

// Which game -------------------------------------------------------------------------------------

function turnTo(parts) {
  for (const id of ["begin", "sheets", "results"]) byId(id).hidden = !parts.includes(id);
  byId("where").classList.toggle("for-ears", parts.includes("sheets")); // there is no room beside them
  for (const id of ["to-players", "to-results"]) byId(id).hidden = !parts.includes("sheets");
}

function open(found) {
  game = found;
  turnTo(game ? ["sheets", "results"] : ["begin"]);
  history.replaceState(null, "", game ? `#${game.id}` : location.pathname);
  if (game) show(Math.min(shown, game.players.length - 1));
  else {
    shown = 0;
    byId("who").reset();
    byId("who").dispatchEvent(new Event("change"));
    drawKept();
  }
}

const openNamed = () => open(findGame(kit.kept, location.hash.slice(1)));

addEventListener("hashchange", () => {
  if (/^#[a-z0-9]{1,6}$/.test(location.hash) && findGame(kit.kept, location.hash.slice(1))) openNamed();
});

// Another tab has marked the same sheets.
addEventListener("storage", ({ key }) => {
  if (game && key === nameOf(game)) open(findGame(game.level, game.id));
});

// So may have what was opened while this page was kept for going back to it.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && game) open(findGame(game.level, game.id));
});

byId("who").addEventListener("submit", (event) => {
  event.preventDefault();
  const sent = new FormData(byId("who"));
  const count = Number(sent.get("count"));
  const names = Array.from({ length: count }, (_, i) => sent.get(`name-${i + 1}`).trim());
  game = game ? withPlayers(game, names) : newGame(kit.kept, names);
  store();
  // Else browsers may delete the sheets when the disk is full. Some ask the user, so not before a game begins.
  navigator.storage?.persist?.().catch(() => {});
  open(game);
  byId("sheet").focus();
});

byId("to-players").addEventListener("click", () => {
  const form = byId("who");
  form.elements.count.value = game.players.length;
  game.players.forEach((name, i) => (form.elements[`name-${i + 1}`].value = name));
  form.dispatchEvent(new Event("change"));
  turnTo(["begin"]);
  byId("kept-games").hidden = true;
  byId("begin-title").focus();
});

// Who and what next ------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-player]");
  if (!link) return;
  event.preventDefault();
  show(Number(link.dataset.player));
  if (link.closest("#ranking")) byId("sheet").focus();
});

function toResults() {
  byId("results").scrollIntoView();
  byId("results").focus({ preventScroll: true });
}

byId("to-results").addEventListener("click", toResults);
byId("next").addEventListener("click", () => {
  if (shown + 1 < game.players.length) show(shown + 1);
  else toResults();
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches(".circle")) return;
  event.preventDefault();
  act({ do: "mark", at: event.target.dataset.at, value: event.submitter.value });
});

byId("solo").addEventListener("submit", (event) => {
  event.preventDefault();
  game.isSolo = event.submitter.value === "yes";
  store();
  show(shown);
});

// Away from here ---------------------------------------------------------------------------------

function tell(sentence) {
  byId("not-sent").textContent = sentence;
  byId("not-sent").hidden = !sentence;
}

byId("send").addEventListener("click", async () => {
  const sent = game;
  const button = byId("send");
  if (button.disabled) return;
  button.disabled = true;
  byId("sheets").inert = true; // what is marked now would not be sent
  tell("");
  try {
    const sheets = documentOf(kit, sent, players());
    const answer = await send(page.dataset.tokenUrl, page.dataset.sendUrl, sent.request, sheets);
    if (answer.url) {
      // Another tab may have marked more.
      const now = findGame(sent.level, sent.id) ?? sent;
      if (JSON.stringify(documentOf(kit, now, players())) === JSON.stringify(sheets)) forget(sent);
      location.replace(answer.url);
    } else tell(answer.refusal || page.dataset.refused);
  } catch {
    tell(page.dataset.noAnswer);
  }
  button.disabled = false;
  byId("sheets").inert = false;
});

byId("again").addEventListener("click", () => open(null));
byId("delete-here").addEventListener("click", () => {
  forget(game);
  open(null);
  byId("begin-title").focus();
});

openNamed();
