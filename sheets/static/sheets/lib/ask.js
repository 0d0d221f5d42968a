// A page asks for what stands at another address: only what was wanted last counts, whatever comes
// first, and where no answer comes the page says so.
const PATIENCE_MS = 20000;

// What a request says that wants the part alone that changes, as htmx does.
export const FOR_PART = { "HX-Request": "true" };

let latest = null;

// Gives `{ isOk, html }`, or null where there is no answer or something else is wanted by now.
export async function ask(url, headers = FOR_PART) {
  latest?.abort();
  const mine = new AbortController();
  latest = mine;
  setTimeout(() => mine.abort(), PATIENCE_MS);
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
