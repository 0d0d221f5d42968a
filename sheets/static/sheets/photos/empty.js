// The photo of an empty sheet is sent; what is read on it begins a level.
import { begin, fail, stop } from "./sending.js";

begin({
  says: document.getElementById("send").dataset,
  // The same photo that is sent again begins no second level.
  prepare(form, line) {
    line.dataset.request ??= crypto.getRandomValues(new Uint32Array(3)).join("-");
    form.set("request", line.dataset.request);
  },
  took(line, part) {
    const begun = part.querySelector(".begun");
    const entered = part.querySelector(".entered");
    if (begun) location.assign(begun.href);
    else if (entered) {
      stop(line, entered);
      line.scrollIntoView({ block: "nearest" });
    } else fail(line, part.querySelector(".why"), false);
  },
});
