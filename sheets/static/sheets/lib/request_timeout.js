// Abort signals for `fetch` after a timeout. Safari before 16 has no `AbortSignal.timeout`.
const TIMEOUT_MS = 20000; // longer than a slow mobile network takes

export function abortAfter(ms, controller = new AbortController()) {
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

export const requestTimeout = () => abortAfter(TIMEOUT_MS);
