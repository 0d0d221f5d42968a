// The levels of one's own that this device knows: chosen by name, in place of a link that is typed.
import { recent } from "../lib/recent.js";

const form = document.getElementById("beside-own");
const key = location.pathname.split("/")[2];
const own = recent().filter(({ url }) => /^\/workshop\/[\w-]{32}\//.test(url) && !url.includes(key));
if (form && own.length) {
  const choice = document.createElement("select");
  choice.name = "link";
  choice.append(...own.map(({ url, title }) => new Option(title, url)));
  form.querySelector("input[name=link]").replaceWith(choice);
  form.querySelector("label span").textContent = form.dataset.title;
}
