// Rails with the brush: which tracks has a finger drawn that came over fields?
import { buttons } from "./drawn.js";
import { beyondOf, onlyShape, shapeOf } from "./taps.js";

const edgeTo = (at, other) => {
  const beyond = beyondOf(at);
  return Object.keys(beyond).find((edge) => beyond[edge][0] === other);
};

// `ways` are the fields a finger has come over: lists of fields, of which every next one lies beyond an
// edge of the one before. Going back takes back; a jump, or a wall, begins a new list.
export function goOn(ways, at) {
  const way = ways.at(-1);
  if (way?.at(-1) === at) return;
  if (way?.at(-2) === at) way.pop();
  else if (way && edgeTo(way.at(-1), at)) way.push(at);
  else ways.push([at]);
}

// The marks with the tracks along these ways. A field that is entered and left gets the piece of both
// edges. The first and the last field of a way keep a track that leads on into it; else they get the one
// piece that fits all around, or go straight on. What is printed stays, and what is no track.
export function drawAlong(ways, before) {
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
