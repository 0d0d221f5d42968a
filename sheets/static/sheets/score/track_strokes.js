// Track pieces for a brush stroke over the fields of a rail sheet.
import { buttons } from "./marked_sheet.js";
import { beyondOf, onlyShape, shapeOf } from "./taps.js";

const edgeTo = (at, other) => {
  const beyond = beyondOf(at);
  return Object.keys(beyond).find((edge) => beyond[edge][0] === other);
};

// Add a field to the paths of a stroke: `ways`, lists of adjacent fields. Moving back removes the last field; a
// jump or a wall begins a new path.
export function extendPaths(ways, at) {
  const way = ways.at(-1);
  if (way?.at(-1) === at) return;
  if (way?.at(-2) === at) way.pop();
  else if (way && edgeTo(way.at(-1), at)) way.push(at);
  else ways.push([at]);
}

// Return the marks with tracks along these paths. An inner field gets the piece with both edges. The first and the
// last field keep a track that already continues the path; otherwise they get the only fitting piece, or a straight
// one. Printed tracks and other marks stay.
export function marksAlong(ways, before) {
  const marks = { ...before };
  const put = (at, shape) => {
    const isFree = !marks[at] || shapeOf(marks[at]);
    if (shape && isFree && buttons.get(at).dataset.kind !== "printed") marks[at] = shape;
  };
  const end = (at, edge) => {
    if (marks[at]?.includes(edge)) return;
    const beyond = beyondOf(at);
    const [, opposite] = beyond[edge];
    const straight = opposite in beyond && !marks[at] ? shapeOf(edge + opposite) : "";
    put(at, onlyShape(marks, at, [edge]) || straight);
  };
  for (const way of ways.filter(({ length }) => length > 1)) {
    const last = way.length - 1;
    const into = (i) => edgeTo(way[i], way[i - 1]);
    const out = (i) => edgeTo(way[i], way[i + 1]);
    for (let i = 1; i < last; i++) put(way[i], shapeOf(into(i) + out(i)));
    if (way[0] === way[last]) put(way[0], shapeOf(into(last) + out(0)));
    else {
      end(way[0], out(0));
      end(way[last], into(last));
    }
  }
  return marks;
}
