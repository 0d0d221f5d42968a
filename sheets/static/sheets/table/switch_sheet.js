// Switching between the sheets of a table by a tap on a name, a swipe, or a key.
import { showView, onState } from "./live.js";

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-person]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  showView(link.getAttribute("href"));
});

onState((fresh, before) => {
  if (fresh.shown === before.shown) return;
  document.querySelector("#_people [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
});

const people = () => [...document.querySelectorAll("#_people a")];
function step(by) {
  const all = people();
  const now = all.findIndex((link) => link.hasAttribute("aria-current"));
  const next = all[(now + by + all.length) % all.length];
  if (next && all.length > 1) showView(next.getAttribute("href"));
}

// Only with the focus on the sheet or the players: elsewhere, speech input would trigger single characters.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (!event.target.closest("#sheet, #_people")) return;
  const link = people()[Number(event.key) - 1];
  if (link) showView(link.getAttribute("href"));
  else if (event.key === "[" || event.key === "]") step(event.key === "]" ? 1 : -1);
});

const frame = document.getElementById("sheet");
let from = null;
frame.addEventListener("touchstart", (event) => {
  const isScrolling = frame.scrollWidth > frame.clientWidth + 1;
  const { touches } = event;
  from = touches.length === 1 && !isScrolling ? { x: touches[0].clientX, y: touches[0].clientY } : null;
}, { passive: true });
frame.addEventListener("touchend", (event) => {
  const to = event.changedTouches[0];
  if (!from || event.touches.length) return;
  const [across, down] = [to.clientX - from.x, to.clientY - from.y];
  from = null;
  if (Math.abs(across) > 70 && Math.abs(across) > 2 * Math.abs(down)) step(across < 0 ? 1 : -1);
}, { passive: true });
