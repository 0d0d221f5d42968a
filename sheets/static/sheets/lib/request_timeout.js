// Abort signal for `fetch` after a timeout.
const TIMEOUT_MS = 20000; // longer than a slow mobile network takes

export const requestTimeout = () => AbortSignal.timeout?.(TIMEOUT_MS);
