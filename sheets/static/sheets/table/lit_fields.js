// A line of a score column or of a story lights up its fields.

const framesOf = (line) => {
  const own = line.closest(".shown-sheet")?.querySelector(".shown-paper");
  if (own) return [own];
  const players = (line.dataset.players ?? "").split(" ").filter(Boolean);
  return players.map((player) => document.getElementById(`sheet-${player}`)).filter(Boolean);
};

function light(line, isOn) {
  const lit = line.dataset.lit.split(" ");
  const missing = (line.dataset.missing ?? "").split(" ");
  for (const frame of framesOf(line)) {
    for (const field of frame.querySelectorAll(".art-field")) {
      field.classList.toggle("lit", isOn && lit.includes(field.dataset.field));
      field.classList.toggle("missing", isOn && missing.includes(field.dataset.field));
    }
  }
}

let on = null;
function choose(line) {
  if (on === line) return;
  if (on) light(on, false);
  on = line;
  if (on) light(on, true);
}

const lineAt = (event) => event.target.closest?.("[data-lit]");
for (const name of ["pointerover", "focusin", "click"]) {
  document.addEventListener(name, (event) => {
    const line = lineAt(event);
    if (line) choose(line);
  });
}
document.addEventListener("pointerout", (event) => {
  if (event.pointerType === "mouse" && lineAt(event)) choose(null);
});
document.addEventListener("focusout", (event) => lineAt(event) && choose(null));

// Sheets that were exchanged are lit as they came.
export function forgetLine() {
  on = null;
}
