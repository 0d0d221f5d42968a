// Names in sentences, as `mark_names` of sheets/names/markup.py: page translators leave them unchanged.
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
const namesOnPage = () => [...document.querySelectorAll("bdi")].map(({ textContent }) => textContent);

function marked(name) {
  const element = document.createElement("bdi");
  element.translate = false;
  element.append(name);
  return element;
}

// Return a sentence as a list of texts and of elements for names.
export function markNames(sentence, names = namesOnPage()) {
  const longestFirst = names.filter(Boolean).sort((a, b) => b.length - a.length);
  if (!longestFirst.length) return [sentence];
  const whole = `(^|[^\\p{L}\\p{M}\\p{N}])(${longestFirst.map(escaped).join("|")})(?![\\p{L}\\p{M}\\p{N}])`;
  // The split yields a text, what is before a name, the name, a text and so on.
  return sentence.split(new RegExp(whole, "u")).map((part, at) => (at % 3 === 2 ? marked(part) : part));
}
