// Sends the photo of an empty sheet from the form `#send`, which begins a new level.
import { offerCorners, showOutline } from "./corners.js";
import { startUploads, fail, stop } from "./upload_queue.js";

startUploads({
  texts: document.getElementById("send").dataset,
  // Idempotency key: a retry of the same photo begins no second level.
  prepare(form, line) {
    line.dataset.request ??= crypto.getRandomValues(new Uint32Array(3)).join("-");
    for (const name of ["request", "corners", "columns", "rows"]) {
      if (line.dataset[name]) form.set(name, line.dataset[name]);
    }
  },
  onResult(line, part, again, file) {
    const begun = part.querySelector(".begun");
    const question = part.querySelector(".entered, .asks-whole");
    if (begun) location.assign(begun.href);
    else if (question) {
      stop(line, question);
      const picture = line.querySelector(".outline");
      if (picture) showOutline(picture, file, question.dataset.outline);
      line.scrollIntoView({ block: "nearest" });
    } else fail(line, part.querySelector(".why"), false);
    offerCorners(line, file, (said) => {
      Object.assign(line.dataset, said);
      again();
      line.querySelector(".drop").focus({ preventScroll: true });
    });
  },
});
