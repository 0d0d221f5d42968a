// A photo of the paper, laid straight by its four corners: beside the drawn sheet where the two are
// compared, else behind it. It is kept by this window alone, goes nowhere, and is gone with the window.
// Where the level is entered from the photo of an empty sheet, that is shown unless there is another.
import { tabStore } from "../lib/store.js";
import { known, sayRefusal } from "./acts.js";
import { bench } from "./bench.js";
import { columnOf, rowOf } from "./draft.js";
import { byId, empty, isWide, page, words } from "./page.js";

const canvas = byId("photo-canvas");
const strip = byId("photo-strip");
const under = byId("photo-under");
const kept = `dizzle.workshop.photo.${page.dataset.key}`;
const LONGEST = 1600;
const START = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];

let pixels = null; // of the whole photo
let corners = START; // of the printed fields, from the top left, in parts of the photo
let isShown = page.dataset.comparing !== "things"; // where the two are compared thing by thing
let isSetting = false;
let isEmpty = false; // it is that of the empty sheet
let scale = 1; // of its pixels here to those that it was read in

// Where there is no room for it, the photo is there until the page is left.
function keep() {
  if (pixels && !isEmpty) tabStore.write(kept, { url: canvas.toDataURL("image/jpeg", 0.8), corners });
  else tabStore.forget(kept);
}
async function load(blob) {
  const picture = await createImageBitmap(blob);
  scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  pixels = pen.getImageData(0, 0, canvas.width, canvas.height);
}
function arrange() {
  byId("corners").hidden = !(pixels && isShown && isSetting);
  byId("photo-frame").hidden = Boolean(under) || !(pixels && isShown && !isSetting);
  if (under) under.hidden = !pixels || isSetting;
  byId("corners-again").hidden = !pixels || isEmpty;
  byId("photo-away").hidden = !pixels;
  page.classList.toggle(under ? "over-photo" : "with-photo", Boolean(pixels && isShown));
  page.classList.toggle("with-empty", Boolean(pixels && isEmpty));
  bench.pen.isBeside = page.classList.toggle("over-empty", Boolean(under && pixels && isEmpty));
  page.classList.toggle("with-corners", Boolean(pixels && isShown && isSetting));
  for (const [i, [x, y]] of corners.entries()) {
    const { style } = byId("corners").querySelector(`[data-corner="${i}"]`);
    style.left = `${x * 100}%`;
    style.top = `${y * 100}%`;
  }
  drawn = "";
  bench.draw();
  bench.handler().moved?.();
}

// Where something lies on the empty sheet, in pixels of the canvas, by its place on the drawn sheet.
function onEmpty(x, y) {
  const [columns, rows] = known().moved;
  const left = Math.min(0, ...(bench.draft.shifts ?? []));
  const at = (place, first) => (first + (place - 0.5) * empty.fieldPx) * scale;
  return [at(x + left - columns, empty.first[0]), at(y - rows, empty.first[1])];
}
function cornersPx() {
  if (!isEmpty) return corners.map(([x, y]) => [x * canvas.width, y * canvas.height]);
  const { width, height } = bench.layout;
  return [onEmpty(0, 0), onEmpty(width, 0), onEmpty(width, height), onEmpty(0, height)];
}

// From a place on the sheet (0 to 1 each way) to one on the photo: the map of a square to four
// corners that keeps straight lines straight.
function toPhoto() {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = cornersPx();
  const [ax, ay, bx, by] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const area = ax * by - bx * ay || 1;
  const g = (sx * by - bx * sy) / area;
  const h = (ax * sy - sx * ay) / area;
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (u, v) => {
    const far = g * u + h * v + 1;
    return [(a * u + b * v + x0) / far, (d * u + e * v + y0) / far];
  };
}

// The rows `from` to `to` of the photo, as large as the drawn ones (`unit` pixels a field), on a
// canvas of the page.
let drawn = "";
function draw({ from, to, unit, width, row = null, on = strip }) {
  if (!pixels || !isShown || isSetting || !unit) return;
  const now = JSON.stringify([from, to, unit, width, row, bench.draft.shifts, known().moved]);
  if (now === drawn) return;
  drawn = now;
  const zoom = unit * Math.min(2, devicePixelRatio);
  on.width = Math.round(width * zoom);
  on.height = Math.round((to - from) * zoom);
  on.style.width = `${Math.round(width * unit)}px`;
  const pen = on.getContext("2d", { willReadFrequently: true });
  const image = pen.createImageData(on.width, on.height);
  const source = new Uint32Array(pixels.data.buffer);
  const target = new Uint32Array(image.data.buffer);
  const map = toPhoto();
  const [columns, rows] = [bench.layout.width, bench.layout.height];
  for (let y = 0, at = 0; y < on.height; y++) {
    for (let x = 0; x < on.width; x++, at++) {
      const [px, py] = map((x / zoom - 0.04) / columns, (from + y / zoom) / rows);
      if (px >= 0 && py >= 0 && px < pixels.width && py < pixels.height) {
        target[at] = source[Math.floor(py) * pixels.width + Math.floor(px)];
      }
    }
  }
  pen.putImageData(image, 0, 0);
  if (row === null) return;
  pen.strokeStyle = getComputedStyle(page).getPropertyValue("--pen");
  pen.lineWidth = zoom * 0.08;
  pen.strokeRect(pen.lineWidth / 2, (row - from) * zoom, on.width - pen.lineWidth, zoom);
}
if (under) {
  bench.underlay = (width, height) => {
    const unit = byId("draft").clientWidth / (width + 0.08);
    draw({ from: -0.04, to: height + 0.04, unit, width: width + 0.08, on: under });
  };
}
// A field as it is on the empty sheet, and a little around it, or what lies so many places on;
// `on` is a canvas of the page.
const AROUND = 0.14;
function crop(name, on, [right, down] = [0, 0]) {
  const pen = on.getContext("2d");
  pen.clearRect(0, 0, on.width, on.height);
  if (!isEmpty || !pixels || !bench.layout) return;
  const [x, y] = onEmpty(bench.layout.x(columnOf(name), rowOf(name)) + right - AROUND, rowOf(name) + down - AROUND);
  const side = (1 + 2 * AROUND) * empty.fieldPx * scale;
  pen.drawImage(canvas, x, y, side, side, 0, 0, on.width, on.height);
}
bench.photo = {
  draw,
  crop,
  show(isWanted) {
    isShown = isWanted;
    arrange();
  },
};
// Wide sheets are pushed sideways; the photo goes with them.
byId("draft-frame").addEventListener("scroll", () => {
  byId("photo-frame").scrollLeft = byId("draft-frame").scrollLeft;
});

// The photo and its corners ---------------------------------------------------------------------

byId("photo").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  try {
    await load(file);
    [corners, isSetting, isEmpty] = [START, true, false];
    keep();
  } catch {
    sayRefusal(words.say.badPhoto);
  }
  event.target.value = "";
  arrange();
});
byId("photo-away").addEventListener("click", () => {
  pixels = null;
  keep();
  arrange();
});
byId("corners-again").addEventListener("click", () => {
  isSetting = true;
  arrange();
});
byId("corners-done").addEventListener("click", () => {
  isSetting = false;
  keep();
  arrange();
  if (under) bench.focus();
  else byId("photo-frame").focus({ preventScroll: true });
  if (!isWide.matches) document.querySelector(".stage").scrollIntoView();
});
const within = (part) => Math.min(1, Math.max(0, part));
function moveCorner(i, dx, dy) {
  corners = corners.map(([x, y], other) => (other === i ? [within(x + dx), within(y + dy)] : [x, y]));
  const { style } = byId("corners").querySelector(`[data-corner="${i}"]`);
  style.left = `${corners[i][0] * 100}%`;
  style.top = `${corners[i][1] * 100}%`;
  lens(i);
}
// What lies under the finger.
function lens(i) {
  const glass = byId("corner-lens");
  const pen = glass.getContext("2d");
  const [x, y] = [corners[i][0] * canvas.width, corners[i][1] * canvas.height];
  const side = canvas.width / 9;
  pen.clearRect(0, 0, glass.width, glass.height);
  pen.drawImage(canvas, x - side / 2, y - side / 2, side, side, 0, 0, glass.width, glass.height);
  pen.strokeStyle = getComputedStyle(page).getPropertyValue("--pen");
  pen.lineWidth = 2;
  const [across, down] = [glass.width / 2, glass.height / 2];
  pen.stroke(new Path2D(`M${across} 0V${glass.height}M0 ${down}H${glass.width}`));
  glass.hidden = false;
  glass.classList.toggle("at-left", corners[i][0] > 0.5);
}
for (const mark of byId("corners").querySelectorAll("[data-corner]")) {
  const i = Number(mark.dataset.corner);
  let held = null;
  mark.addEventListener("pointerdown", (event) => {
    mark.setPointerCapture(event.pointerId);
    held = [event.clientX, event.clientY];
    lens(i);
  });
  mark.addEventListener("pointermove", (event) => {
    if (!held) return;
    const box = canvas.getBoundingClientRect();
    moveCorner(i, (event.clientX - held[0]) / box.width, (event.clientY - held[1]) / box.height);
    held = [event.clientX, event.clientY];
  });
  const letGo = () => {
    held = null;
    byId("corner-lens").hidden = true;
    keep();
  };
  mark.addEventListener("pointerup", letGo);
  mark.addEventListener("pointercancel", letGo);
  mark.addEventListener("blur", letGo);
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  mark.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const size = event.shiftKey ? 0.002 : 0.01;
    moveCorner(i, step[0] * size, step[1] * size);
  });
}

// What this window has kept.
async function restore() {
  try {
    const before = tabStore.read(kept);
    if (!before && empty) {
      const answer = await fetch(page.dataset.empty);
      if (!answer.ok) return;
      await load(await answer.blob());
      isEmpty = true;
      arrange();
    }
    if (!before) return;
    const bytes = Uint8Array.from(atob(before.url.split(",")[1]), (letter) => letter.charCodeAt(0));
    await load(new Blob([bytes], { type: "image/jpeg" }));
    corners = before.corners;
    arrange();
  } catch {
    // nothing was kept, or nothing that can be shown
  }
}
// Where its own script is loaded late, because there is a new photo, that one is not to be replaced.
if (!byId("photo").files.length) restore();
