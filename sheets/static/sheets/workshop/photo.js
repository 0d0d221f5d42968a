// Photo of the paper, rectified by its four corners: next to the drawn sheet for comparing, else behind it. It is
// stored in this tab only and never sent. A level entered from the photo of an empty sheet shows that photo first.
import { drawPhoto, startCornerMarks } from "../lib/corner_marks.js";
import { tabStore } from "../lib/store.js";
import { known, sayRefusal } from "./acts.js";
import { bench } from "./bench.js";
import { columnOf, rowOf } from "./draft.js";
import { byId, empty, isWide, page, words } from "./page.js";

const canvas = byId("photo-canvas");
const strip = byId("photo-strip");
const under = byId("photo-under");
const kept = `dizzle.workshop.photo.${page.dataset.key}`;
const LONGEST_PX = 1600; // longest side of the stored photo, so that it fits into sessionStorage
const marks = startCornerMarks(byId("corners"), keep); // on the corners of the printed fields

let pixels = null; // image data of the whole photo
let isShown = page.dataset.comparing !== "things"; // hidden while comparing things
let isSetting = false; // the user is placing the corners
let isEmpty = false; // the photo is that of the empty sheet
let scale = 1; // pixels of the canvas per pixel of the original photo

// If the storage is full, the photo lasts as long as the page.
function keep() {
  if (pixels && !isEmpty) tabStore.write(kept, { url: canvas.toDataURL("image/jpeg", 0.8), corners: marks.corners });
  else tabStore.forget(kept);
}
async function load(blob) {
  scale = await drawPhoto(canvas, blob, LONGEST_PX);
  pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
}
function arrange() {
  byId("corners").hidden = !(pixels && isShown && isSetting);
  byId("photo-frame").hidden = Boolean(under) || !(pixels && isShown && !isSetting);
  if (under) under.hidden = !pixels || isSetting;
  byId("corners-again").hidden = !pixels || isEmpty;
  byId("photo-away").hidden = !pixels;
  page.classList.toggle(under ? "over-photo" : "with-photo", Boolean(pixels && isShown));
  page.classList.toggle("with-empty", Boolean(pixels && isEmpty));
  bench.isOverEmpty = page.classList.toggle("over-empty", Boolean(under && pixels && isEmpty));
  page.classList.toggle("with-corners", Boolean(pixels && isShown && isSetting));
  drawn = "";
  bench.draw();
  bench.handler().moved?.();
}

// Map a position on the drawn sheet, in fields, to pixels of the empty sheet's photo.
function onEmpty(x, y) {
  const [columns, rows] = known().moved;
  const left = Math.min(0, ...(bench.draft.shifts ?? []));
  const at = (place, first) => (first + (place - 0.5) * empty.fieldPx) * scale;
  return [at(x + left - columns, empty.first[0]), at(y - rows, empty.first[1])];
}
function cornersPx() {
  if (!isEmpty) return marks.corners.map(([x, y]) => [x * canvas.width, y * canvas.height]);
  const { width, height } = bench.layout;
  return [onEmpty(0, 0), onEmpty(width, 0), onEmpty(width, height), onEmpty(0, height)];
}

// Return the homography from the sheet (0 to 1 each way) to the photo's pixels.
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

// Draw the rows `from` to `to` of the rectified photo on the canvas `on`, with `unit` pixels per field.
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
// Draw a field of the empty sheet's photo on the canvas `on`, or the place at an offset from it.
const CROP_MARGIN = 0.14; // in fields
function crop(name, on, [right, down] = [0, 0]) {
  const pen = on.getContext("2d");
  pen.clearRect(0, 0, on.width, on.height);
  if (!isEmpty || !pixels || !bench.layout) return;
  const [x, y] = onEmpty(bench.layout.x(columnOf(name), rowOf(name)) + right - CROP_MARGIN, rowOf(name) + down - CROP_MARGIN);
  const side = (1 + 2 * CROP_MARGIN) * empty.fieldPx * scale;
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
// Scroll the photo sideways together with the sheet.
byId("draft-frame").addEventListener("scroll", () => {
  byId("photo-frame").scrollLeft = byId("draft-frame").scrollLeft;
});

// The photo and its corners ---------------------------------------------------------------------

byId("photo").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  try {
    await load(file);
    marks.reset();
    [isSetting, isEmpty] = [true, false];
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

// Restore the photo stored in this tab, or load that of the empty sheet.
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
    marks.corners = before.corners;
    arrange();
  } catch {
    // no usable photo is stored
  }
}
// If a newly chosen photo has loaded this script, keep that photo.
if (!byId("photo").files.length) restore();
