// Upload of sheets from this device, in the same way as an opened sheets file.
import { requestTimeout } from "../lib/request_timeout.js";

const TOKEN = /name="csrfmiddlewaretoken" value="([^"]+)"/;

// Address of the results. A captive portal answers with another one.
const RESULTS = new RegExp(`^${location.origin}/score/[\\w-]{32}/$`);

// Send sheets. `tokenUrl` is any page of the site with a form. Returns `{ url }` of the results, or `{ refusal }`
// with the site's reason, possibly empty. Throws without an answer; a retry with the same `id` is idempotent.
export async function send(tokenUrl, url, id, sheets) {
  // Fetch a fresh CSRF token, because this page may come from the cache.
  const page = await fetch(tokenUrl, { signal: requestTimeout() });
  const [, token] = TOKEN.exec(await page.text()) ?? [];
  if (!token) return { refusal: "" };
  const body = new FormData();
  body.append("csrfmiddlewaretoken", token);
  body.append("request", id);
  body.append("document", new Blob([JSON.stringify(sheets)], { type: "application/json" }), "sheets.json");
  const answer = await fetch(url, { method: "POST", body, signal: requestTimeout() });
  if (answer.ok && RESULTS.test(answer.url)) return { url: answer.url };
  if (answer.status >= 500) throw new Error(String(answer.status));
  const told = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { refusal: told.querySelector("#main .fault, #main .alert")?.textContent.trim() ?? "" };
}
