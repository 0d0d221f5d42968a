// The big screen tells the end of a pass large, and lights up the fields of all sheets it is about.
import { light } from "../sheet/light.js";
import { tellLines } from "./telling.js";

const LINE_MS = 2600;

tellLines({
  lasts: () => LINE_MS,
  show(line) {
    for (const paper of document.querySelectorAll(".screen-paper")) {
      light(paper, line?.players.includes(paper.dataset.player) ? line.lit : "");
    }
  },
});

import(document.getElementById("table").dataset.awake); // not needed before the page is there
