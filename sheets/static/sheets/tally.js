// Keeps the tally live: steppers step, the server adds up, the device remembers.
"use strict";
{
  const KEY = "dizzle.tally";
  const page = document.getElementById("tally");
  const offline = document.getElementById("tally-offline");
  let latest = 0;
  let timer = 0;

  const form = () => page.querySelector("form");
  const isPad = (name) => !/^p\d-/.test(name);

  const entries = () =>
    [...new FormData(form())].filter(([name]) => name !== "csrfmiddlewaretoken");

  function remember() {
    try {
      localStorage.setItem(KEY, JSON.stringify(entries()));
    } catch {
      // A device that remembers nothing can still add up.
    }
  }

  function remembered() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY));
      return Array.isArray(found) ? found : null;
    } catch {
      return null;
    }
  }

  // Which parts are open and where the cursor is outlive an exchange of the whole form.
  function exchange(fresh, keepsOpen) {
    const open = new Map([...page.querySelectorAll("details")].map((d) => [d.id, d.open]));
    const active = document.activeElement?.id;
    page.replaceChildren(...fresh.childNodes);
    for (const details of page.querySelectorAll("details")) {
      if (keepsOpen && open.has(details.id)) details.open = open.get(details.id);
    }
    if (active) document.getElementById(active)?.focus({ preventScroll: true });
    document.getElementById("tally-again").hidden = false;
  }

  function refresh(fresh) {
    for (const part of page.querySelectorAll("[data-live]")) {
      const now = fresh.querySelector("#" + part.id);
      if (!now || now.innerHTML === part.innerHTML) continue;
      // The live region itself must stay, else nobody hears what changed in it.
      const verdict = part.querySelector("#tally-verdict");
      const said = now.querySelector("#tally-verdict");
      part.replaceChildren(...now.childNodes);
      if (verdict && said) {
        said.replaceWith(verdict);
        if (verdict.textContent !== said.textContent) verdict.textContent = said.textContent;
      }
    }
  }

  async function send(data, whole, keepsOpen = true) {
    const mine = ++latest;
    page.classList.add("waiting");
    data.set("csrfmiddlewaretoken", form().elements.csrfmiddlewaretoken.value);
    try {
      const answer = await fetch(form().action, {
        method: "POST",
        body: data,
        headers: { "HX-Request": "true" },
      });
      if (answer.status !== 200 && answer.status !== 422) throw new Error(answer.status);
      const html = await answer.text();
      if (mine !== latest) return;
      const fresh = new DOMParser().parseFromString(html, "text/html").body;
      const hasFaults = answer.status === 422 || page.querySelector(".fault");
      if (whole || hasFaults) exchange(fresh, keepsOpen);
      else refresh(fresh);
      offline.hidden = true;
    } catch {
      if (mine !== latest) return;
      offline.hidden = false;
      timer = setTimeout(() => send(new FormData(form()), whole, keepsOpen), 4000);
    } finally {
      if (mine === latest) page.classList.remove("waiting");
    }
  }

  function changed(whole) {
    remember();
    clearTimeout(timer);
    timer = setTimeout(() => send(new FormData(form()), whole), whole ? 0 : 120);
  }

  function restore(found) {
    const data = new FormData();
    for (const [name, value] of found) data.append(name, value);
    return send(data, true, false); // what was open before says nothing about what is open now
  }

  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) {
      const input = button.parentElement.querySelector("input");
      const value = (Number(input.value) || 0) + Number(button.dataset.step);
      input.value = Math.min(Math.max(value, Number(input.min)), Number(input.max));
      changed(false);
    }
    if (event.target.id === "tally-again") {
      const kept = entries().filter(([name]) => isPad(name) || name.endsWith("-name"));
      restore(kept).then(remember);
    }
  });

  page.addEventListener("input", (event) => {
    if (isPad(event.target.name)) return;
    if (event.target.name.endsWith("-name")) {
      const shown = event.target.closest("details").querySelector(".player-name");
      shown.textContent = event.target.value.trim() || event.target.placeholder;
    }
    changed(false);
  });

  page.addEventListener("change", (event) => {
    if (isPad(event.target.name)) changed(true);
  });

  page.addEventListener("submit", (event) => {
    event.preventDefault();
    changed(true);
  });

  addEventListener("online", () => changed(false));

  page.classList.add("live");
  document.getElementById("tally-again").hidden = false;
  const found = remembered();
  if (found && page.dataset.new) {
    document.getElementById("tally-pad").open = false;
    restore(found);
  }
}
