// Abort signals for `fetch` after a timeout. Safari before 16 has no `AbortSignal.timeout`.
const TIMEOUT_MS = 20000; // longer than a slow mobile network takes

// Return a signal that aborts after a time, or earlier with another signal.
export function abortAfter(ms, other) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  setTimeout(abort, ms);
  other?.addEventListener("abort", abort, { signal: controller.signal });
  return controller.signal;
}

export const requestTimeout = () => abortAfter(TIMEOUT_MS);
