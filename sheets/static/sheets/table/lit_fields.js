// Highlight the fields of a score or story line on its sheets, while it has the pointer or the focus.
import { highlight, announceHighlight } from "../sheet/highlight.js";

const framesOf = (line) => {
  const own = line.closest(".shown-sheet")?.querySelector(".shown-paper");
  if (own) return [own];
  const players = (line.dataset.players ?? "").split(" ").filter(Boolean);
  return players.map((player) => document.getElementById(`sheet-${player}`)).filter(Boolean);
};

let on = null;
function choose(line) {
  if (on === line) return;
  if (on) for (const frame of framesOf(on)) highlight(frame, "", "");
  on = line;
  if (on) for (const frame of framesOf(on)) highlight(frame, on.dataset.lit, on.dataset.missing ?? "");
}

const lineAt = (event) => event.target.closest?.("[data-lit]");
for (const name of ["pointerover", "focusin", "click"]) {
  document.addEventListener(name, (event) => {
    const line = lineAt(event);
    if (line) choose(line);
    if (line && name === "click") announceHighlight(line);
  });
}
document.addEventListener("pointerout", (event) => {
  const line = event.pointerType === "mouse" && lineAt(event);
  if (line && line !== document.activeElement) choose(null);
});
document.addEventListener("focusout", (event) => lineAt(event) && choose(null));

// Forget the highlighted line after the sheets were replaced.
export function forgetLine() {
  on = null;
}
