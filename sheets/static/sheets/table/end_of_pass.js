// End of a pass on a phone: plays the effects on the shown sheet, with a way to skip and to repeat each line.
import { highlight } from "../sheet/highlight.js";
import { latestState } from "./live.js";
import { playPassEnd } from "./pass_end_playback.js";

const byId = (id) => document.getElementById(id);
const LINE_MS = 2200; // duration of an effect on the shown sheet
const OTHERS_LINE_MS = 1100; // duration of an effect on other sheets only
const panel = byId("telling");

const isShown = ({ players }) => players.includes(String(latestState().shown));
const skip = playPassEnd({
  place: panel.querySelector("p"),
  lasts: (line) => (isShown(line) ? LINE_MS : OTHERS_LINE_MS),
  // Skip the player's own choices.
  isNews: ({ isChoice, players }) => !isChoice || players.join() !== String(latestState().seat),
  show: (line) => highlight(document, line && isShown(line) ? line.lit : ""),
});

panel.addEventListener("click", skip);
byId("tap").addEventListener("submit", () => panel.hidden || skip());
document.addEventListener("click", (event) => {
  const line = event.target.closest("#_story li");
  if (!line) return;
  highlight(document, line.dataset.lit);
  byId("sheet").scrollIntoView({ block: "nearest" });
  setTimeout(() => highlight(document, ""), LINE_MS);
});
