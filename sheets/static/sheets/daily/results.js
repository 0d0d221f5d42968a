// Result of the sheet of a day: comparison with the medium bot, squares of the rounds, and the text to share.
import { rate } from "../offline_scoring/scoring.js";
import { make, kit, printed, say } from "../offline_scoring/words.js";

const SVG = "http://www.w3.org/2000/svg";
const BAR_HEIGHT = 40;

const SQUARES = ["⬛", "🟨", "🟩", "🟦"];
const LIMITS = [0, 5, 10, Infinity]; // maximum points of a round for each square

// Return the share of the bot's games with fewer points, and with as many, in whole percent, rounded down.
export function compare({ games, least, counts }, total) {
  const below = counts.reduce((sum, count, i) => (least + i < total ? sum + count : sum), 0);
  const equal = counts[total - least] ?? 0;
  return { better: Math.floor((100 * below) / games), equal: Math.floor((100 * equal) / games) };
}

// Return for each round which of the squares its points have.
export function squareKinds(totals) {
  const gains = totals.map((total, i) => total - (totals[i - 1] ?? 0));
  return gains.map((gain) => LIMITS.findIndex((most) => gain <= most));
}

const squares = (totals) => squareKinds(totals).map((kind) => SQUARES[kind]).join("");

export function drawBots(element, { least, counts }, total) {
  const [first, last] = [Math.min(least, total), Math.max(least + counts.length - 1, total)];
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", `0 0 ${last - first + 1} ${BAR_HEIGHT}`);
  drawing.setAttribute("preserveAspectRatio", "none");
  drawing.setAttribute("aria-hidden", "true");
  const most = Math.max(...counts);
  for (let value = first; value <= last; value += 1) {
    const count = counts[value - least] ?? 0;
    const isOwn = value === total;
    const height = Math.max((BAR_HEIGHT * count) / most, isOwn ? BAR_HEIGHT / 8 : 0);
    const bar = document.createElementNS(SVG, "rect");
    const place = { x: value - first + 0.1, y: BAR_HEIGHT - height, width: 0.8, height };
    for (const [name, number] of Object.entries(place)) bar.setAttribute(name, number);
    if (isOwn) bar.setAttribute("class", "own");
    drawing.append(bar);
  }
  element.replaceChildren(drawing);
}

const percent = (number) => kit.percent.replace("%(figure)s", number);

export function comparisonSentence(bots, total) {
  const { better, equal } = compare(bots, total);
  const sentence = say("better", { percent: percent(better), games: kit.games });
  return equal ? `${sentence} ${say("equal", { percent: percent(equal) })}` : sentence;
}

export const gradeOf = (total) => rate(total, kit.column.ratings);

// Return the text to share: the day, the result, and the squares.
export function sharedText(totals) {
  const total = totals.at(-1);
  const { better } = compare(kit.bots, total);
  const facts = { day: kit.day, level: kit.levelName, total: printed(total), stars: "★".repeat(gradeOf(total)) };
  return `${say("shared", { ...facts, percent: percent(better) }).replace("  ", " ")}\n${squares(totals)}`;
}
