// Sheets of this device go to the site as a file of sheets does that somebody opens there.
import { inTime } from "../lib/in_time.js";

const TOKEN = /name="csrfmiddlewaretoken" value="([^"]+)"/;

// A network that wants a password first answers, too, and leads to a page of its own.
const RESULTS = new RegExp(`^${location.origin}/score/[\\w-]{32}/$`);

// `tokenUrl` is any page of the site with a form. Gives `{ url }` of the results there, or as `{ refusal }` what
// the site says against the sheets, empty for nothing. Throws where there is no answer: the same sheets, sent again
// under the same `id`, are scored once.
export async function send(tokenUrl, url, id, sheets) {
  // This page may be much older than what the site takes forms from now.
  const page = await fetch(tokenUrl, { signal: inTime() });
  const [, token] = TOKEN.exec(await page.text()) ?? [];
  if (!token) return { refusal: "" };
  const body = new FormData();
  body.append("csrfmiddlewaretoken", token);
  body.append("request", id);
  body.append("document", new Blob([JSON.stringify(sheets)], { type: "application/json" }), "sheets.json");
  const answer = await fetch(url, { method: "POST", body, signal: inTime() });
  if (answer.ok && RESULTS.test(answer.url)) return { url: answer.url };
  if (answer.status >= 500) throw new Error(String(answer.status));
  const told = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { refusal: told.querySelector("#main .fault, #main .alert")?.textContent.trim() ?? "" };
}
