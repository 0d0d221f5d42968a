// What this device remembers, and this tab. The browser's storage may be full or forbidden: then a
// value lives as long as the page, and `write` says so by giving false.

function storeOf(storage) {
  const memory = new Map(); // what could not be stored

  // The text under a name as it is, or null.
  function readText(name) {
    if (memory.has(name)) return memory.get(name);
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  }

  function writeText(name, text) {
    try {
      storage().setItem(name, text);
      memory.delete(name);
      return true;
    } catch {
      memory.set(name, text);
      return false;
    }
  }

  function read(name, fallback = null) {
    try {
      return JSON.parse(readText(name)) ?? fallback;
    } catch {
      return fallback; // somebody else's, or cut off
    }
  }

  const write = (name, value) => writeText(name, JSON.stringify(value));

  function forget(name) {
    memory.delete(name);
    try {
      storage().removeItem(name);
    } catch {
      // then it holds nothing either
    }
  }

  // All names that begin so.
  function names(prefix) {
    let stored = [];
    try {
      stored = Object.keys(storage());
    } catch {
      // only what this page remembers
    }
    return [...new Set([...stored, ...memory.keys()])].filter((name) => name.startsWith(prefix));
  }

  return { readText, writeText, read, write, forget, names };
}

export const deviceStore = storeOf(() => localStorage); // shared by all tabs, until it is cleared
export const tabStore = storeOf(() => sessionStorage); // until this tab is closed
