// Routes of the tracks on a rail sheet, and which are loops: port of sheets/rules/rails.py.
// tests/browser/test_scoring_scripts.py compares both implementations.

// Return the fields whose track is connected to the track of a field at their common edge.
function joinedFields(beyond, tracks, at) {
  const joined = [];
  for (const edge of tracks[at]) {
    const [other, opposite] = beyond[at][edge] ?? [];
    if (tracks[other]?.includes(opposite)) joined.push(other);
  }
  return joined;
}

// Return all routes of a sheet, in the order of their first fields. `beyond` maps fields in reading order to their
// neighbours by edge, and `tracks` maps fields to shapes, printed ones included.
export function findRoutes(beyond, tracks) {
  const routes = [];
  const inOrder = Object.keys(beyond);
  const unseen = new Set(Object.keys(tracks));
  for (const start of inOrder) {
    if (!unseen.delete(start)) continue;
    const route = new Set();
    const waiting = [start];
    let isLoop = true;
    while (waiting.length) {
      const at = waiting.pop();
      route.add(at);
      const joined = joinedFields(beyond, tracks, at);
      // A track has two ends, so a connected component is a loop exactly if it has no loose end.
      isLoop &&= joined.length === 2;
      waiting.push(...joined.filter((other) => unseen.delete(other)));
    }
    routes.push({ fields: inOrder.filter((at) => route.has(at)), isLoop });
  }
  return routes;
}
