// Fields show at once what the next tap on them means, so that it may come sooner than elsewhere (see
// presses.js). A second tap on one field within this was none.
const NERVOUS_MS = 300;
const taps = {};

export function isNervous(at) {
  const before = taps[at];
  taps[at] = performance.now();
  return taps[at] - before < NERVOUS_MS;
}
