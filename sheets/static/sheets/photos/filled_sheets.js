// Sends photos of filled sheets from the form `#send`; the readings are shown below.
import { offerCorners } from "./corners.js";
import { findRetake, nextIndex } from "./retakes.js";
import { switchPage, offerOtherPads } from "./other_pad.js";
import { show, showRetake } from "./review.js";
import { add, startUploads, fail, removeLine, refuse, retakenCard } from "./upload_queue.js";
import { forgetWaiting, keepWaiting, resumeWaiting } from "./stored_photos.js";

const texts = document.getElementById("take").dataset;

startUploads({
  texts,
  onQueued: keepWaiting,
  onDone: forgetWaiting,
  prepare(form, line) {
    form.set("first", String(retakenCard(line) ? nextIndex() - 1 : nextIndex())); // a retake adds no sheet
    for (const name of ["turn", "corners"]) if (line.dataset[name]) form.set(name, line.dataset[name]);
  },
  async onResult(line, part, again, file) {
    const turns = part.querySelector(".turns");
    if (turns) {
      askTurn(line, turns, again);
      return;
    }
    const refused = part.querySelector(".refused");
    const wanted = retakenCard(line);
    if (refused && !part.querySelector(".seen-sheet")) {
      refuse(line, refused.querySelector(".why"));
      if (!wanted) offerOtherPads(line, again);
      offerCorners(line, file, (said) => readAtCorners(line, said, again));
    } else if (wanted) {
      const { sheet, problem } = findRetake([...part.querySelectorAll(".seen-sheet")], wanted);
      if (sheet) showRetake(sheet, wanted, line);
      else refuse(line, texts[problem]);
    } else if (await switchPage(line)) {
      const unread = part.querySelectorAll(".unread-sheet");
      removeLine(line, () => show(part));
      for (const card of unread) offerCorners(card, file, (said) => add(file, { ...said, replaces: card.id }));
    } else if (line.isConnected) {
      fail(line, texts.first);
    }
  },
});

resumeWaiting(add);

function readAtCorners(line, said, again) {
  Object.assign(line.dataset, said);
  again();
  line.querySelector(".drop").focus({ preventScroll: true });
}

// Ask the user which way is up, and send the photo again with the answer.
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
