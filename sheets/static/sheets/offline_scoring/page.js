// Offline scoring of paper sheets: marks by taps as on the site's pages (score/), scores by a copy of the rules
// (paper_scoring.js), stored on the device until they are sent or deleted. Needs no network.
import "../score/taps.js";
import "../score/paint.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
import { markNames } from "../lib/names.js";
import { applyActs } from "../score/marks.js";
import { act, draw, setMarkSource, drawTotal, onDrawn, shownMarks } from "../score/marked_sheet.js";
import { page } from "../score/page.js";
import { drawQuestions } from "./circle_questions.js";
import { drawColumn } from "./score_column.js";
import { documentOf, findGame, forget, isSolo, keep, nameOf, newGame, distinctNames, withPlayers } from "./games.js";
import { drawGameList } from "./game_list.js";
import { scorePaper } from "./paper_scoring.js";
import { drawResults, owesSign } from "./results.js";
import { send } from "./upload.js";
import { kit, make, printed, say, shortName } from "./words.js";

const byId = (id) => document.getElementById(id);
let game = null;
let shown = 0; // index of the shown player

const players = () => distinctNames(game.players.map((name, i) => name || say("player", { number: i + 1 })));

// Storage ----------------------------------------------------------------------------------------

function store() {
  const address = location.pathname;
  const levelName = byId("level-name").textContent;
  const isKept = keep({ ...game, address, levelName, shownNames: players() });
  byId("not-kept").textContent = isKept ? "" : page.dataset.notKept;
  byId("not-kept").hidden = isKept;
}

setMarkSource({
  known: () => game?.sheets[shown] ?? { marks: {} },
  add(acts) {
    game.sheets[shown] = applyActs(game.sheets[shown], acts);
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
  byId("score-title").replaceChildren(...markNames(say("scoreOf", { player: name }), [name]));
  document.querySelector(".sheet-grid").setAttribute("aria-label", say("sheetOf", { player: name }));
  drawSolo();
  draw();
}

// Which game -------------------------------------------------------------------------------------

function showParts(parts) {
  for (const id of ["begin", "sheets", "results"]) byId(id).hidden = !parts.includes(id);
  byId("where").classList.toggle("for-ears", parts.includes("sheets")); // the sheets need the room
  for (const id of ["to-players", "to-results"]) byId(id).hidden = !parts.includes("sheets");
}

function open(found) {
  game = found;
  showParts(game ? ["sheets", "results"] : ["begin"]);
  history.replaceState(null, "", game ? `#${game.id}` : location.pathname);
  if (game) show(Math.min(shown, game.players.length - 1));
  else {
    shown = 0;
    byId("who").reset();
    byId("who").dispatchEvent(new Event("change"));
    drawGameList();
  }
}

const openNamed = () => open(findGame(kit.kept, location.hash.slice(1)));

addEventListener("hashchange", () => {
  if (/^#[a-z0-9]{1,6}$/.test(location.hash) && findGame(kit.kept, location.hash.slice(1))) openNamed();
});

// Another tab has changed the same sheets.
addEventListener("storage", ({ key }) => {
  if (game && key === nameOf(game)) open(findGame(game.level, game.id));
});

// Another page may have changed them while this one was in the back/forward cache.
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
  // Otherwise browsers may delete the sheets when the disk is full. Some ask the user, so only once a game begins.
  navigator.storage?.persist?.().catch(() => {});
  open(game);
  byId("sheet").focus();
});

byId("to-players").addEventListener("click", () => {
  const form = byId("who");
  form.elements.count.value = game.players.length;
  game.players.forEach((name, i) => (form.elements[`name-${i + 1}`].value = name));
  form.dispatchEvent(new Event("change"));
  showParts(["begin"]);
  byId("kept-games").hidden = true;
  byId("begin-title").focus();
});

// Players and questions --------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-player]");
  if (!link) return;
  event.preventDefault();
  show(Number(link.dataset.player));
  if (link.closest("#moment, #ranking")) byId("sheet").focus();
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

// Sending and deleting ---------------------------------------------------------------------------

function showProblem(sentence) {
  byId("not-sent").textContent = sentence;
  byId("not-sent").hidden = !sentence;
}

byId("send").addEventListener("click", async () => {
  const sent = game;
  const button = byId("send");
  if (button.disabled) return;
  button.disabled = true;
  byId("sheets").inert = true; // marks set now would not be sent
  showProblem("");
  try {
    const sheets = documentOf(kit, sent, players());
    const answer = await send(page.dataset.tokenUrl, page.dataset.sendUrl, sent.request, sheets);
    if (answer.url) {
      // Keep the game if another tab has changed it meanwhile.
      const now = findGame(sent.level, sent.id) ?? sent;
      if (JSON.stringify(documentOf(kit, now, players())) === JSON.stringify(sheets)) forget(sent);
      location.replace(answer.url);
    } else showProblem(answer.refusal || page.dataset.refused);
  } catch {
    showProblem(page.dataset.noAnswer);
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
