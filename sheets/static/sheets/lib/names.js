// Names in sentences, which page translators leave unchanged, as `mark_names` of sheets/names/markup.py.
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function marked(name) {
  const element = document.createElement("bdi");
  element.translate = false;
  element.textContent = name;
  return element;
}

const markedOnPage = () => [...document.querySelectorAll("bdi")].map((element) => element.textContent);

// Return a sentence as a list of texts and of elements for names; by default, for those that the page marks already.
export function markNames(sentence, names = markedOnPage()) {
  const longestFirst = [...new Set(names)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!longestFirst.length) return [sentence];
  const whole = `(^|[^\\p{L}\\p{M}\\p{N}])(${longestFirst.map(escaped).join("|")})(?![\\p{L}\\p{M}\\p{N}])`;
  // The parts are a text, what is before a name, the name, a text and so on.
  return sentence.split(new RegExp(whole, "u")).map((part, at) => (at % 3 === 2 ? marked(part) : part));
}
