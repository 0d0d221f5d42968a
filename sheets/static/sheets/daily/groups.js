// Results of this device for its groups: buttons that send the finished game, also later when there is a network again.
import { messageIn } from "../lib/live_region.js";
import { makeOutbox, postJson } from "../lib/outbox.js";
import { kit, make, printed } from "../offline_scoring/words.js";
import { groupsWith, noteGroup, storePlayer, storedPlayer } from "./storage.js";

const byId = (id) => document.getElementById(id);
const { day } = kit;
const words = byId("day").dataset;
const name = byId("day-name"); // missing without groups
const groups = new Map(); // elements by address
for (const element of document.querySelectorAll("[data-group]")) groups.set(element.dataset.group, element);
const refusal = byId("day-refusal");
const tellOfOther = messageIn(byId("other-day-refusal"), { stays: () => true });
const tell = refusal ? messageIn(refusal, { stays: () => true }) : () => {};

const dateOf = (other) =>
  new Date(`${other}T00:00`).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });

function drawResults(group, results) {
  const lines = results.map(([place, player, total]) =>
    make("li", { value: place }, make("bdi", { translate: "no" }, player), " ", make("b", {}, printed(total))),
  );
  group.querySelector("ol").replaceChildren(...lines);
}

function taken({ refusal: sentence, results }, [act]) {
  if (!sentence) noteGroup(act.day, act.url);
  if (act.day !== day) {
    if (sentence) tellOfOther(`${dateOf(act.day)}: ${sentence}`);
    return;
  }
  tell(sentence);
  if (groups.has(act.url)) drawResults(groups.get(act.url), results);
}

let onChange = () => {};

const outbox = makeOutbox({
  name: "dizzle.daily",
  post: ([{ url, ...sent }]) => postJson(url, sent),
  taken,
  broken: () => tell(words.refused),
  gone(acts) {
    outbox.drop(acts);
    tell(words.gone);
  },
  held: tell,
  changed() {
    draw();
    onChange();
  },
});

const isWaiting = (url) => outbox.acts().some((act) => act.day === day && act.url === url);

// Return whether this game was sent to a group or waits for that. Then it cannot be changed any more.
export const isSent = () => groupsWith(day).length > 0 || [...groups.keys()].some(isWaiting);

function draw() {
  for (const [url, group] of groups) {
    group.querySelector("button").hidden = groupsWith(day).includes(url) || isWaiting(url);
    group.querySelector("[data-waits]").hidden = !isWaiting(url);
  }
}

// Enable the buttons. `recordOf` returns the record of the finished game; `whenChanged` is called when `isSent` may have
// changed.
export function enableGroups(recordOf, whenChanged) {
  onChange = whenChanged;
  if (name) name.value = storedPlayer();
  for (const [url, group] of groups) {
    group.querySelector("button").addEventListener("click", () => {
      const player = name.value.trim();
      tell(player ? "" : words.noName);
      if (!player) return name.focus();
      storePlayer(player);
      outbox.add({ url, day, name: player, record: recordOf() });
    });
  }
  draw();
  outbox.send();
}
