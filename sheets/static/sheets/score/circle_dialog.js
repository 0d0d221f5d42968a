// Shows `#ask`, the questions about unclear circled numbers, as a dialog. A postponed question stays visible above the
// bar until it is answered, as it always does without scripts.
import { tabStore } from "../lib/store.js";
import { isAnswered } from "./acts.js";
import { act, onDrawn } from "./marked_sheet.js";
import { number, page } from "./page.js";

const ask = document.getElementById("ask");
const putOffName = `dizzle.put-off.${page.dataset.key}.${number}`;
const putOff = () => tabStore.read(putOffName, []);

const open = (selector) => [...ask.querySelectorAll(`${selector}:not([hidden])`)];
const places = () => open(".circle:not(.of-other)").map((form) => form.elements.at.value);

// Hide questions whose answer is being sent. Move the focus away from them, because otherwise the next key would
// be lost or reach the page behind the dialog.
function draw(mayAsk) {
  const focused = document.activeElement;
  for (const form of ask.querySelectorAll(".circle")) {
    form.hidden = isAnswered(Number(form.dataset.number), form.elements.at.value);
  }
  for (const section of ask.querySelectorAll("section")) {
    section.hidden = !section.querySelector(".circle:not([hidden])");
  }
  const own = places();
  tabStore.write(putOffName, putOff().filter((at) => own.includes(at)));
  if (ask.matches(":modal")) {
    if (!open(".circle").length) ask.close();
  } else if (mayAsk && own.some((at) => !putOff().includes(at)) && !document.querySelector(":modal")) {
    ask.removeAttribute("open");
    ask.showModal();
    ask.focus(); // no number looks chosen yet
  } else {
    ask.toggleAttribute("open", own.length > 0); // `show` would move the focus
  }
  if (ask.contains(focused) && focused.closest("[hidden]")) keepFocus();
}

// Focus the open dialog. After closing, focus the sheet if the focus is lost.
function keepFocus() {
  const lost = [document.body, document.getElementById("main")].includes(document.activeElement);
  if (ask.open) ask.focus();
  else if (lost || ask.contains(document.activeElement)) document.getElementById("sheet").focus({ preventScroll: true });
}

// The score column has the same questions, also on pages without this dialog.
document.addEventListener("submit", (event) => {
  if (!event.target.matches(".circle")) return;
  event.preventDefault();
  const form = event.target;
  const sheet = Number(form.dataset.number);
  act({ do: "mark", number: sheet, at: form.elements.at.value, value: event.submitter.value });
});

if (ask) {
  onDrawn(draw);
  ask.addEventListener("close", () => {
    const own = places();
    tabStore.write(putOffName, own);
    ask.toggleAttribute("open", own.length > 0);
  });
  ask.addEventListener("click", (event) => event.target === ask && ask.close());
  ask.querySelector(".ask-later").addEventListener("submit", (event) => {
    event.preventDefault();
    ask.close();
  });
  draw(true);
}
