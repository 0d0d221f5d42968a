// State of a scored sheet: the server's last state with unconfirmed acts applied.

const put = (marks, steps, which) => {
  for (const step of steps) {
    if (step[which]) marks[step[0]] = step[which];
    else delete marks[step[0]];
  }
};

// Return the state after the acts. `known` has the marks by field, and the steps to undo and to redo: lists of
// `[field, mark before, mark after]`.
export function applyActs(known, acts) {
  const marks = { ...known.marks };
  const undo = [...(known.undo ?? [])];
  const redo = [...(known.redo ?? [])];
  for (const act of acts) {
    if (act.do === "mark") {
      const step = [act.at, marks[act.at] ?? "", act.value];
      put(marks, [step], 2);
      undo.push([step]);
      redo.length = 0;
    } else if (act.do === "undo" && undo.length) {
      const steps = undo.pop();
      put(marks, steps, 1);
      redo.push(steps);
    } else if (act.do === "redo" && redo.length) {
      const steps = redo.pop();
      put(marks, steps, 2);
      undo.push(steps);
    }
  }
  return { marks, undo, redo };
}
