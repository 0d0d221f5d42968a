// Entry point of the big screen: plays the end of a pass and highlights its fields on all sheets.
import { highlight } from "../sheet/highlight.js";
import { playPassEnd } from "./pass_end_playback.js";

const LINE_MS = 2600; // duration of a line, read from a distance

playPassEnd({
  lasts: () => LINE_MS,
  show(line) {
    for (const paper of document.querySelectorAll(".screen-paper")) {
      highlight(paper, line?.players.includes(paper.dataset.player) ? line.lit : "");
    }
  },
});

// Loaded later, because it is not needed at first. Without a network it stays missing.
import(document.getElementById("table").dataset.awake).catch(() => {});
