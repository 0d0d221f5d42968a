// For `fetch`: whoever does not answer in this time does not answer at all.
const TIMEOUT_MS = 20000;

export const inTime = () => AbortSignal.timeout?.(TIMEOUT_MS);
