// Form for names and texts.
import { act, onChange } from "./acts.js";
import { bench } from "./bench.js";
import { complain, write } from "./inputs.js";
import { byId, words } from "./page.js";

// In the guide, a name in the user's language also sets the languages that had the same name.
const ownName = document.querySelector("[data-alike] [data-text=name]");
let alsoNamed = null;
function languagesOf(input) {
  const { language } = input.dataset;
  const names = bench.draft.name ?? {};
  if (input === ownName) alsoNamed ??= Object.keys(names).filter((one) => names[one] === names[language]);
  else alsoNamed = (alsoNamed ?? []).filter((one) => one !== language);
  return input === ownName ? [...new Set([language, ...alsoNamed])] : [language];
}
for (const input of document.querySelectorAll("[data-text]")) {
  input.addEventListener("input", () => {
    const text = input.value.trim();
    act(...languagesOf(input).map((language) => ({ do: "text", of: input.dataset.text, language, text })));
  });
}
byId("difficulty")?.addEventListener("change", (event) => act({ do: "difficulty", stars: Number(event.target.value) }));
const isId = (text) => RegExp(`^${words.levelId}$`).test(text);
byId("level-id")?.addEventListener("input", (event) => {
  if (isId(event.target.value)) act({ do: "level-id", level_id: event.target.value });
});
byId("level-id")?.addEventListener("change", (event) => complain(event.target, isId(event.target.value), words.say.badId));
function listNames() {
  for (const input of document.querySelectorAll("[data-text]")) {
    const texts = bench.draft[input.dataset.text] ?? "";
    write(input, typeof texts === "string" ? texts : texts[input.dataset.language]);
  }
  write(byId("level-id"), bench.draft.id);
  const stars = document.querySelector(`#difficulty [value="${bench.draft.difficulty ?? 0}"]`);
  if (stars) stars.checked = true;
}
bench.tools.names = { isForm: true, moved: listNames };
if (document.querySelector("[data-panel=names]")) onChange(listNames);
