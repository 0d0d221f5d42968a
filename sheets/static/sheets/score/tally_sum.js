// Adds up the entries (`[data-each]`) of a tally form. `add_up` on the server calculates the same, and the winner.

const shown = (points) => String(points).replace("-", "−");

// Points of one input: a checkbox counts once, a number multiplies, an invalid number counts 0.
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

// Remove the winner until the server sends it.
export function forgetWinner(form) {
  form.querySelector(".verdict").replaceChildren();
  for (const winner of form.querySelectorAll(".winner")) winner.classList.remove("winner");
}
