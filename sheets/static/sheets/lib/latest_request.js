// GET requests of which only the newest counts: a new one aborts the previous one. If no answer comes,
// the page's [data-no-answer] element is shown.
const TIMEOUT_MS = 20000; // longer than any page takes to render

// Request header of htmx: the server answers with the changed fragment only.
export const FRAGMENT_HEADERS = { "HX-Request": "true" };

let latest = null;

// Return `{ isOk, html }`, or null without an answer or if a newer request has begun.
export async function fetchLatest(url, headers = FRAGMENT_HEADERS) {
  latest?.abort();
  const mine = new AbortController();
  latest = mine;
  setTimeout(() => mine.abort(), TIMEOUT_MS);
  const noAnswer = document.querySelector("[data-no-answer]");
  try {
    const answer = await fetch(url, { headers, signal: mine.signal });
    if (answer.status >= 500) throw new Error(String(answer.status));
    const html = await answer.text();
    if (mine !== latest) return null;
    noAnswer.hidden = true;
    return { isOk: answer.ok, html };
  } catch {
    if (mine === latest) noAnswer.hidden = false;
    return null;
  }
}
