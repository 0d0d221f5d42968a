// JSON values in localStorage (device) and sessionStorage (tab). If storage is full or forbidden, a value lives
// in memory as long as the page, and `write` returns false.

function storeOf(storage) {
  const memory = new Map(); // values that could not be stored

  // Return the stored text of a name, or null.
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
      return fallback; // foreign or truncated text
    }
  }

  const write = (name, value) => writeText(name, JSON.stringify(value));

  function forget(name) {
    memory.delete(name);
    try {
      storage().removeItem(name);
    } catch {
      // forbidden storage holds nothing
    }
  }

  // Return all names with this prefix.
  function names(prefix) {
    let stored = [];
    try {
      stored = Object.keys(storage());
    } catch {
      // only values in memory
    }
    return [...new Set([...stored, ...memory.keys()])].filter((name) => name.startsWith(prefix));
  }

  return { readText, writeText, read, write, forget, names };
}

export const deviceStore = storeOf(() => localStorage); // shared by all tabs, until it is cleared
export const tabStore = storeOf(() => sessionStorage); // until this tab is closed

// Return random bytes in hexadecimal digits: an id for what is stored or sent.
export const newId = (bytes = 12) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
