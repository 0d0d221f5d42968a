// Questions about the circled numbers of flags and races, as in templates/score/_circle.html.
import { isReached, possibleNumbers } from "./paper_scoring.js";
import { kit, make, printed } from "./words.js";

// Return a question for each track that a sheet has reached, and whether its number is missing.
function questionsOf(result, player) {
  return kit.column.tracks
    .filter((track) => isReached(track, result.sheets[player]))
    .map((track) => {
      const takers = result.sheets.filter((sheet) => isReached(track, sheet)).length;
      return {
        ...track,
        choices: [...new Set([...track.numbers, ...possibleNumbers(track, takers)])],
        current: result.sheets[player].circled[track.place],
        isOpen: result.unclear.some((one) => one.player === player && one.place === track.place),
      };
    });
}

function form(question, result, player, players) {
  const holders = (number) =>
    players.filter((_, i) => i !== player && result.sheets[i].circled[question.place] === number).join(", ");
  const button = (number) =>
    make(
      "button",
      { value: number, "aria-pressed": String(number === question.current) },
      printed(number),
      holders(number) && make("small", {}, make("bdi", { translate: "no" }, holders(number))),
    );
  const numbers = make("div", { class: "row circle-numbers" }, ...question.choices.map(button));
  const asked = make("fieldset", {}, make("legend", {}, kit.questions[question.place]), numbers);
  return make("form", { class: "circle", "data-at": question.place }, asked);
}

// Draw open questions above the bar, answered ones above the score column.
export function drawQuestions(ask, below, result, player, players) {
  const focused = document.activeElement;
  const [at, value] = [focused?.closest?.(".circle")?.dataset.at, focused?.value];
  const questions = questionsOf(result, player);
  const open = questions.filter(({ isOpen }) => isOpen);
  const asked = open.map((one) => {
    const title = make("h2", {}, kit.questions[one.place]);
    return make("section", {}, title, form(one, result, player, players));
  });
  ask.replaceChildren(...asked);
  ask.toggleAttribute("open", open.length > 0);
  const known = questions.filter(({ isOpen }) => !isOpen);
  below.replaceChildren(...known.map((one) => form(one, result, player, players)));
  if (at) document.querySelector(`.circle[data-at="${at}"] [value="${value}"]`)?.focus({ preventScroll: true });
}
