// A phone tells the end of a pass on the sheet it shows, unless somebody skips it; each line can be
// looked at again.
import { light } from "../sheet/light.js";
import { latest } from "./live.js";
import { tellLines } from "./telling.js";

const byId = (id) => document.getElementById(id);
const LINE_MS = 2200;
const OTHERS_LINE_MS = 1100; // nothing to be seen on the sheet that is shown
const panel = byId("telling");

const isShown = ({ players }) => players.includes(String(latest().shown));
const skip = tellLines({
  place: panel.querySelector("p"),
  lasts: (line) => (isShown(line) ? LINE_MS : OTHERS_LINE_MS),
  // Whoever has chosen something knows it.
  isNews: ({ isChoice, players }) => !isChoice || players.join() !== String(latest().seat),
  show: (line) => light(document, line && isShown(line) ? line.lit : ""),
});

panel.addEventListener("click", skip);
byId("tap").addEventListener("submit", () => panel.hidden || skip());
document.addEventListener("click", (event) => {
  const line = event.target.closest("#_story li");
  if (!line) return;
  light(document, line.dataset.lit);
  byId("sheet").scrollIntoView({ block: "nearest" });
  setTimeout(() => light(document, ""), LINE_MS);
});
