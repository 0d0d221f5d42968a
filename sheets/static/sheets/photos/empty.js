// The photo of an empty sheet is sent; what is read on it begins a level.
import { begin, fail } from "./sending.js";

begin({
  says: document.getElementById("send").dataset,
  // The same photo that is sent again begins no second level.
  prepare(form, line) {
    line.dataset.request ??= crypto.getRandomValues(new Uint32Array(3)).join("-");
    form.set("request", line.dataset.request);
  },
  took(line, part) {
    const begun = part.querySelector(".begun");
    if (begun) location.assign(begun.href);
    else fail(line, part.querySelector(".why"), false);
  },
});
