// After the counts were saved behind a link: reset the device's tally to the same pad and players.
import { deviceStore, tabStore } from "../lib/store.js";
import { KEPT, TALLY, isOfPad } from "./tally_storage.js";

const kept = tabStore.read(KEPT);
tabStore.forget(KEPT);
if (kept === TALLY) {
  const typed = deviceStore.read(TALLY, []);
  deviceStore.write(TALLY, typed.filter(([name]) => isOfPad(name) || name.endsWith("-name")));
} else if (kept) deviceStore.forget(kept);
