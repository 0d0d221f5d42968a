// The levels of one's own that this device knows: chosen by name, in place of a link that is typed.
import { ownLevels } from "../lib/recent.js";

const form = document.getElementById("beside-own");
const own = ownLevels().filter(({ key }) => key !== location.pathname.split("/")[2]);
if (form && own.length) {
  const typed = form.querySelector("input[name=link]");
  const choice = document.createElement("select");
  choice.name = typed.name;
  choice.append(...own.map(({ key, title }) => new Option(title, key, false, typed.value.includes(key))));
  for (const { name, value } of typed.attributes) if (name.startsWith("aria-")) choice.setAttribute(name, value);
  // A browser that is late has not yet taken the focus to the field that is wrong.
  const isAsked = [typed, typed.autofocus ? document.body : typed].includes(document.activeElement);
  typed.replaceWith(choice);
  if (isAsked) choice.focus();
  form.querySelector("label span").textContent = form.dataset.title;
}
