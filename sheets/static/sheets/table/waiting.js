// What waits to be sent to this table lies on the device, so that it is there when the page is opened again.
// Each act has a name of its own, in its order: two pages of one table neither lose an act nor double it.
import { inTime } from "../lib/in_time.js";
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

// An earlier version kept them in the tab, all under one name.
queue.write([...queue.read(), ...tabStore.read(TABLE, [])]);
tabStore.forget(TABLE);

// One page sends at a time. A page that sleeps may never let go: then the server still counts an act once.
const inTurn = (send) => {
  let sent;
  const once = () => (sent ??= send());
  return navigator.locks?.request(TABLE, { signal: inTime() }, once).catch(once) ?? once();
};

export const waiting = { queue, inTurn };
