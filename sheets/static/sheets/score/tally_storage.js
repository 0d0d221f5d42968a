// Storage names of a tally, and the predicate for its fields about the pad.

export const TALLY = "dizzle.tally"; // localStorage; a saved tally appends its key
export const FORM = "dizzle.tally-form"; // localStorage: the last form of `TALLY` from the server
export const KEPT = "dizzle.tally.kept"; // sessionStorage: the name of the tally that is being saved
export const isOfPad = (name) => !/^p\d-/.test(name);
