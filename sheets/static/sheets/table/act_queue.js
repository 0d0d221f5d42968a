// Queue of unsent acts at this table, stored on the device. Each act has its own, ordered name, so that two tabs
// neither lose nor duplicate acts.
import { requestTimeout } from "../lib/request_timeout.js";
import { deviceStore, tabStore } from "../lib/store.js";
import { page } from "./live.js";

const TABLE = `dizzle.table.${page.dataset.code}`;
const names = () => deviceStore.names(`${TABLE}.`).sort();

const queue = {
  read: () => names().map((name) => deviceStore.read(name)),
  write(acts) {
    const known = names();
    let number = Number(known.at(-1)?.split(".")[3] ?? 1e5);
    for (const name of known) {
      if (!acts.some(({ request }) => name.endsWith(request))) deviceStore.forget(name);
    }
    for (const act of acts) {
      if (known.some((name) => name.endsWith(act.request))) continue;
      number += 1;
      deviceStore.write(`${TABLE}.${number}.${act.request}`, act);
    }
  },
};

// An earlier version stored all of them under one name in the tab.
queue.write([...queue.read(), ...tabStore.read(TABLE, [])]);
tabStore.forget(TABLE);

// Lock: one tab sends at a time. A sleeping tab may never release it; after a timeout the act is sent anyway, and
// the server ignores duplicates.
const inTurn = (send) => {
  let sent;
  const once = () => (sent ??= send());
  return navigator.locks?.request(TABLE, { signal: requestTimeout() }, once).catch(once) ?? once();
};

export const actQueue = { queue, inTurn };
