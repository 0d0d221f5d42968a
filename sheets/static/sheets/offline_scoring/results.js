// Results: podium, ranking and comparison, as templates/score/_results.html, sheets/scoring/ranking.py and result.py.
import { picture } from "../lib/art.js";
import { markNames } from "../lib/names.js";
import { columnHeads, forEars, gradeLines, joinNames, kit, make, points, printed, say } from "./words.js";

const byId = (id) => document.getElementById(id);

// Return the players with their places, 0 before the end.
function standing({ scores, unclear, outcome }, sheets) {
  const waits = (i) => !Object.keys(sheets[i].marks).length;
  const owes = (i) => unclear.some(({ player }) => player === i);
  const all = [...scores.keys()];
  const isOver = !all.some((i) => waits(i) || owes(i));
  const isAhead = (a, b) => a.total > b.total || (a.total === b.total && a.marks < b.marks);
  const place = (i) => 1 + scores.filter((other) => isAhead(other, scores[i])).length;
  const wins = (i) => isOver && scores.length > 1 && outcome.winners.includes(i);
  const ranks = all.map((i) => ({
    ...{ i, score: scores[i], place: isOver ? place(i) : 0 },
    ...{ wins: wins(i), waits: waits(i), owes: owes(i) },
  }));
  return { ranks, isOver };
}

function verdict({ winners, tieRule }, players) {
  const names = winners.map((i) => players[i]);
  if (tieRule === "shared") return say("share", { players: joinNames(names) });
  return say(tieRule === "crosses" ? "winsTie" : "wins", { player: names[0] });
}

// Return points and margin. A step of the podium is a list of ranks with the same place.
function detail([first, second], players) {
  const facts = { points: points(first[0].score.total) };
  if (!second) return say("each", facts);
  facts.lead = first[0].score.total - second[0].score.total;
  facts.players = joinNames(second.map(({ i }) => players[i]));
  return say(first.length > 1 ? "each" : facts.lead ? "lead" : "asMany", facts);
}

const nameLink = (i, players) =>
  make("a", { class: "rank-name", href: "#sheet", "data-player": i }, make("bdi", { translate: "no" }, players[i]));

function podium(steps, players) {
  const player = ({ i, score, wins }) =>
    make(
      "div",
      { class: "podium-player" },
      nameLink(i, players),
      wins && forEars(say("winner")),
      make("b", { class: "rank-total" }, printed(score.total)),
    );
  const items = steps.map((ranks) => {
    const [{ place }] = ranks;
    const sign = make("span", { class: "place" }, `${place}.`);
    return make("li", { class: `podium-step podium-${place}` }, sign, ...ranks.map(player));
  });
  return make("ol", { class: "podium", "aria-label": say("ranking") }, ...items);
}

function moment({ outcome, scores }, steps, players) {
  if (players.length === 1) return [make("p", { class: "solo-points" }, points(scores[0].total)), make("div", { class: "grade" }, ...gradeLines(outcome.rating))];
  const said = make("p", { class: "verdict-detail" }, ...markNames(detail(steps, players), players));
  return [make("p", { class: "verdict" }, ...markNames(verdict(outcome, players), players)), said, podium(steps, players)];
}

export const owesSign = () => [make("i", { class: "owes-sign", "aria-hidden": "true" }, "?"), forEars(say("owes"))];

const ranked = ({ place, i, score, wins, waits, owes }, players) =>
  make(
    "li",
    { class: wins && "winner" },
    place > 0 && make("span", { class: "place" }, `${place}.`),
    nameLink(i, players),
    ...(owes ? owesSign() : []),
    wins && forEars(say("winner")),
    waits ? make("span", { class: "quiet" }, say("waits")) : make("b", { class: "rank-total" }, printed(score.total)),
  );

const cells = (ranks, told) =>
  ranks.map((rank) => make("td", { class: rank.wins ? "winner" : told(rank) === 0 && "zero" }, printed(told(rank))));

function compare(table, ranks, players) {
  table.className = `score comparison ${columnHeads(players)}`;
  const [heads] = table.tHead.rows;
  const names = players.map((name, i) =>
    make("th", { scope: "col", class: ranks[i].wins && "winner" }, make("bdi", { translate: "no", class: "column-name" }, name)),
  );
  heads.replaceChildren(heads.cells[0], ...names);
  const rows = Object.entries(kit.categories).map(([category, { name }]) => {
    const { sign } = kit.column.rows.find((row) => row.category === category);
    const head = make("span", { class: "with-sign" }, picture(sign), make("span", {}, name));
    return make("tr", {}, make("th", { scope: "row" }, head), ...cells(ranks, ({ score }) => score.by[category]));
  });
  table.tBodies[0].replaceChildren(...rows);
  const total = make("tr", {}, make("th", { scope: "row" }, say("total")), ...cells(ranks, ({ score }) => score.total));
  const crosses = cells(ranks, ({ score }) => score.marks);
  table.tFoot.replaceChildren(total, make("tr", { class: "crosses" }, make("th", { scope: "row" }, say("crosses")), ...crosses));
}

export function drawResults(result, sheets, players) {
  const { ranks, isOver } = standing(result, sheets);
  const hasMoment = isOver && (players.length > 1 || result.outcome.rating !== null);
  const inOrder = [...ranks].sort((a, b) => a.place - b.place);
  const steps = [1, 2, 3].map((place) => ranks.filter((rank) => rank.place === place)).filter((step) => step.length);
  byId("moment").replaceChildren(...(hasMoment ? moment(result, steps, players) : []));
  byId("moment").classList.toggle("is-won", hasMoment);
  const below = inOrder.filter(({ place }) => !hasMoment || place > 3);
  byId("ranking").replaceChildren(...below.map((rank) => ranked(rank, players)));
  byId("ranking").hidden = !below.length;
  byId("ranking").setAttribute("aria-label", say(hasMoment ? "further" : "ranking"));
  compare(byId("comparison").querySelector("table"), ranks, players);
  return ranks;
}
