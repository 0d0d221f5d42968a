// Keys on the page for what pays: a phone's own keyboard would cover the sheet that is being tapped.
"use strict";

(() => {
  const { page } = workshop;
  if (!page) return;
  const isTouch = matchMedia("(pointer: coarse)");

  for (const pad of document.querySelectorAll(".pad")) {
    const input = pad.parentElement.querySelector("input");
    const usual = input.inputMode;
    const choose = () => (input.inputMode = isTouch.matches ? "none" : usual);
    isTouch.addEventListener("change", choose);
    choose();
    // The input keeps the focus: what is typed stays one thing to take back.
    pad.addEventListener("pointerdown", (event) => event.preventDefault());
    pad.addEventListener("click", (event) => {
      const key = event.target.closest("[data-pad]")?.dataset.pad;
      if (!key) return;
      if (document.activeElement !== input) {
        // What stands there was only proposed.
        input.focus({ preventScroll: true });
        input.select();
      }
      if (key === "back") takeBack(input);
      else {
        const [start, end] = [input.selectionStart, input.selectionEnd];
        if (input.value.length - (end - start) + key.length > input.maxLength) return;
        input.setRangeText(key, start, end, "end");
      }
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  // The last digit goes, with the blanks behind it: also of what is marked only to be typed over.
  function takeBack(input) {
    const isAll = input.selectionEnd - input.selectionStart === input.value.length;
    const isMarked = !isAll && input.selectionStart !== input.selectionEnd;
    const end = input.selectionEnd;
    const kept = isMarked ? input.selectionStart : input.value.slice(0, end).replace(/\S\s*$/, "").length;
    input.setRangeText("", kept, end, "end");
  }
})();
