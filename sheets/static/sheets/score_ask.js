// Asks for a circled number in a dialog as soon as it is not clear; put off, the question stays
// above the bar until it is answered. Without script it always stands there.
"use strict";

(() => {
  const ask = document.getElementById("ask");
  if (!ask) return;
  const { key, number } = document.getElementById("scoring").dataset;
  const putOffName = `dizzle.put-off.${key}.${number}`;

  const putOff = {
    read() {
      try {
        return JSON.parse(sessionStorage.getItem(putOffName)) ?? [];
      } catch {
        return [];
      }
    },
    write(places) {
      try {
        sessionStorage.setItem(putOffName, JSON.stringify(places));
      } catch {
        // then it asks once more
      }
    },
  };

  const open = (selector) => [...ask.querySelectorAll(`${selector}:not([hidden])`)];
  const places = () => open(".circle:not(.of-other)").map((form) => form.elements.at.value);

  // `answered` tells of a question whose answer is still on its way.
  function draw({ answered, mayAsk }) {
    for (const form of ask.querySelectorAll(".circle")) {
      form.hidden = answered(Number(form.dataset.number), form.elements.at.value);
    }
    for (const section of ask.querySelectorAll("section")) {
      section.hidden = !section.querySelector(".circle:not([hidden])");
    }
    const own = places();
    putOff.write(putOff.read().filter((at) => own.includes(at)));
    if (ask.matches(":modal")) {
      if (!open(".circle").length) ask.close();
    } else if (mayAsk && own.some((at) => !putOff.read().includes(at)) && !document.querySelector(":modal")) {
      ask.removeAttribute("open");
      ask.showModal();
      ask.focus(); // no number looks chosen before one is
    } else {
      ask.toggleAttribute("open", own.length > 0); // no `show`: it would take the focus away
    }
  }
  document.addEventListener("numbers", (event) => draw(event.detail));

  ask.addEventListener("close", () => {
    const own = places();
    putOff.write(own);
    ask.toggleAttribute("open", own.length > 0);
  });
  ask.addEventListener("click", (event) => event.target === ask && ask.close());
  ask.querySelector(".ask-later").addEventListener("submit", (event) => {
    event.preventDefault();
    ask.close();
  });
})();
