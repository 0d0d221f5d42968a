// The parts of a page that change, as the server said them last: it sends those alone that are new
// here, with a sum of each for all of them.
import { newId } from "../lib/new_id.js";
import { token } from "../lib/outbox.js";

const known = new Map();

// The header that says which parts are here.
export const knownParts = () =>
  known.size ? { "Known-Parts": [...known].map(([id, { sum }]) => `${id}=${sum}`).join(" ") } : {};

// All parts of a state by their ids, as they stand on this page, or null where one of those that it
// leaves out is not here.
export function wholeParts({ parts, sums, undo }) {
  if (!sums) return parts;
  for (const [id, sum] of Object.entries(sums)) {
    if (id in parts) known.set(id, { sum, html: parts[id] });
    else if (known.get(id)?.sum !== sum) {
      known.clear();
      return null;
    }
  }
  // What is this page's own, in the place of one letter each.
  const put = { "\ue000": token(), "\ue001": newId(), "\ue002": undo ?? "" };
  const whole = (id) => known.get(id).html.replace(/[\ue000-\ue002]/g, (letter) => put[letter]);
  return Object.fromEntries(Object.keys(sums).map((id) => [id, whole(id)]));
}
