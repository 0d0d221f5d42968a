// The counts have been kept behind a link, and need not be remembered any more: the tally of this
// device begins anew with the same pad and people.
import { deviceStore, tabStore } from "../lib/store.js";
import { KEPT, TALLY, isOfPad } from "./tally_names.js";

const kept = tabStore.read(KEPT);
tabStore.forget(KEPT);
if (kept === TALLY) {
  const typed = deviceStore.read(TALLY, []);
  deviceStore.write(TALLY, typed.filter(([name]) => isOfPad(name) || name.endsWith("-name")));
} else if (kept) deviceStore.forget(kept);
