// Photos of filled sheets are sent, and what was read on each is shown below.
import { nextIndex } from "./again.js";
import { arrive, offer } from "./hand_on.js";
import { show } from "./review.js";
import { add, begin, fail, leave, refuse } from "./sending.js";
import { forgetWaiting, keepWaiting, resumeWaiting } from "./waiting.js";

const says = document.getElementById("take").dataset;

begin({
  says,
  waits: keepWaiting,
  isOver: forgetWaiting,
  prepare(form, line) {
    form.set("first", String(nextIndex()));
    if (line.dataset.turn) form.set("turn", line.dataset.turn);
  },
  async took(line, part, again) {
    const turns = part.querySelector(".turns");
    if (turns) {
      askTurn(line, turns, again);
      return;
    }
    const refused = part.querySelector(".refused");
    if (refused && !part.querySelector(".seen-sheet")) {
      refuse(line, refused.querySelector(".why"));
      offer(line, again);
    } else if (await arrive(line)) {
      leave(line, () => show(part, document.getElementById(line.dataset.replaces)));
    } else if (line.isConnected) {
      fail(line, says.first);
    }
  },
});

resumeWaiting(add);

// Only somebody who sees the sheet can tell which way is up; the photo is sent once more with that.
function askTurn(line, turns, again) {
  const ways = turns.querySelector(".upright");
  line.querySelector("progress").hidden = true;
  line.querySelector("p").textContent = turns.querySelector("h2").textContent;
  for (const way of ways.querySelectorAll("button")) {
    way.type = "button";
    way.addEventListener("click", () => {
      line.dataset.turn = way.value;
      line.querySelector(".drop").focus({ preventScroll: true });
      ways.remove();
      again();
    });
  }
  line.append(ways);
  line.scrollIntoView({ block: "nearest" });
}
