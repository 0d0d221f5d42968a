// Migration of the list of levels that earlier versions stored on the device, possibly with the only link to a
// level: it is sent to the server once, the oldest first, and then deleted here.
import { deviceStore } from "../lib/store.js";

const NAME = "dizzle.recent";

function urls() {
  const found = deviceStore.read(NAME, []);
  if (!Array.isArray(found)) return [];
  return found.map((entry) => entry?.url).filter((url) => typeof url === "string").reverse();
}

async function handOn(old) {
  const sent = new FormData();
  sent.append("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  for (const url of old) sent.append("url", url);
  const answer = await fetch("/my/old/", { method: "POST", body: sent });
  if (answer.status !== 204) return;
  deviceStore.forget(NAME);
  location.reload();
}

const old = urls();
// Without an answer, the next page tries again.
if (old.length) handOn(old).catch(() => {});
