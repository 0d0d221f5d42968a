// What is everything worth that stands in the form of a tally? `add_up` on the server says the same, and
// who has won.

const shown = (points) => String(points).replace("-", "−");

// What one input brings: those that are ticked their points once, the others for each; nothing where there is no
// such number.
function pointsOf(input) {
  const number = input.validity.valid ? Number(input.value) : 0;
  const count = input.type === "checkbox" ? Number(input.checked) : number;
  return count * Number(input.dataset.each);
}

export function addUp(form) {
  for (const [at, player] of form.querySelectorAll(".player").entries()) {
    const byRow = new Map();
    for (const input of player.querySelectorAll("[data-each]")) {
      const { row } = input.dataset;
      byRow.set(row, (byRow.get(row) ?? 0) + pointsOf(input));
    }
    for (const row of form.querySelectorAll("tr[data-row]")) {
      const cell = row.querySelectorAll("td")[at];
      const points = byRow.get(row.dataset.row) ?? 0;
      cell.textContent = shown(points);
      cell.classList.toggle("zero", !points);
    }
    const total = shown([...byRow.values()].reduce((sum, points) => sum + points, 0));
    player.querySelector(".player-total").textContent = total;
    form.querySelectorAll("tfoot td")[at].textContent = total;
  }
}

// Who has won the server says: until it does, nobody has.
export function forgetWinner(form) {
  form.querySelector(".verdict").replaceChildren();
  for (const winner of form.querySelectorAll(".winner")) winner.classList.remove("winner");
}
