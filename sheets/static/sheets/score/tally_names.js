// Under which names is a tally remembered, and which of its fields are about the pad?

export const TALLY = "dizzle.tally"; // on this device; of one that is kept, its key comes after it
export const FORM = "dizzle.tally-form"; // on this device: how the server last showed that of `TALLY`
export const KEPT = "dizzle.tally.kept"; // in this tab: the name of what is just being kept
export const isOfPad = (name) => !/^p\d-/.test(name);
