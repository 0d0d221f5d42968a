// The routes that the tracks on a rail sheet form, and which of them are loops: the twin of
// sheets/rules/rails.py. tests/browser/test_here_twins.py holds the two together.

// The fields whose track joins the one on a field: both reach the edge they share.
function joinedFields(beyond, tracks, at) {
  const joined = [];
  for (const edge of tracks[at]) {
    const [other, opposite] = beyond[at][edge] ?? [];
    if (tracks[other]?.includes(opposite)) joined.push(other);
  }
  return joined;
}

// All routes of a sheet, by their first field. `beyond` has the fields in reading order, and what lies beyond
// the edges of each; `tracks` the shape by field, what is printed included.
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
      // A track has two ends, so a route is a ring exactly when no end of it is loose.
      isLoop &&= joined.length === 2;
      waiting.push(...joined.filter((other) => unseen.delete(other)));
    }
    routes.push({ fields: inOrder.filter((at) => route.has(at)), isLoop });
  }
  return routes;
}
