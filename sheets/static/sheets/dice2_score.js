// Tapping in a finished board: the same address as without script, only without loading the page.
"use strict";

(() => {
  const form = document.getElementById("score-form");
  const queue = [];
  let isBusy = false;

  async function next() {
    const at = queue.shift();
    if (!at) return;
    isBusy = true;
    const sent = new URLSearchParams(new FormData(form));
    sent.set("at", at);
    try {
      const answer = await fetch(`?${sent}`);
      if (!answer.ok) throw new Error(String(answer.status));
      show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      location.search = sent; // the page itself says what is wrong
      return;
    }
    isBusy = false;
    next();
  }

  function show(fresh) {
    for (const id of ["score-games", "score-board", "score-points"]) {
      document.getElementById(id).replaceChildren(...fresh.getElementById(id).childNodes);
    }
    document.getElementById("board-code").value = fresh.getElementById("board-code").value;
    for (const button of form.querySelectorAll(".sheet-grid button")) {
      const other = fresh.querySelector(`.sheet-grid [data-at="${button.dataset.at}"]`);
      button.setAttribute("aria-label", other.getAttribute("aria-label"));
    }
    const now = new URLSearchParams(new FormData(form));
    history.replaceState(null, "", `?${now}`);
    document.dispatchEvent(new Event("scored"));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const at = event.submitter?.dataset.at;
    if (!at) return;
    queue.push(at);
    if (!isBusy) next();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !/^[0-6]$/.test(event.key)) return;
    const key = form.querySelector(`[name=die][value="${event.key}"]`);
    if (key) key.checked = true;
  });
})();
