// What all pages of scoring share: what the device remembers, and small helps in forms.
"use strict";

// localStorage, which may be full or forbidden: then nothing is kept, and false says so.
const deviceStore = {
  read(name, fallback) {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? fallback;
    } catch {
      return fallback;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
  forget(name) {
    try {
      localStorage.removeItem(name);
      return true;
    } catch {
      return false;
    }
  },
};

(() => {
  const recentName = "dizzle.recent"; // the home page shows these
  const recent = () => deviceStore.read(recentName, []);

  const page = document.getElementById("scoring");
  if (page?.dataset.title) {
    const url = location.pathname.split("/").slice(0, 3).join("/") + "/";
    const entry = { url, title: page.dataset.title, when: new Date().toISOString() };
    const others = recent().filter((other) => other.url !== url);
    deviceStore.write(recentName, [entry, ...others].slice(0, 8));
  }

  const deletion = document.getElementById("delete");
  deletion?.addEventListener("submit", () => {
    const { key } = deletion.dataset;
    const others = recent().filter((entry) => !entry.url.includes(key));
    deviceStore.write(recentName, others);
    deviceStore.forget(`dizzle.outbox.${key}`);
    deviceStore.forget(`dizzle.pen.${key}`);
  });

  // Only as many names as there are players.
  const who = document.getElementById("who");
  if (who) {
    const show = () => {
      const count = Number(new FormData(who).get("count"));
      for (const label of who.querySelectorAll("[data-name]")) {
        label.hidden = Number(label.dataset.name) > count;
      }
    };
    who.addEventListener("change", show);
    show();
  }

  const link = document.getElementById("share-link");
  link?.addEventListener("focus", () => link.select());
})();
