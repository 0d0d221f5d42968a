// Four marks that the user drags onto the corners of a sheet in a photo, with a magnifying lens; also by arrow keys.

const START = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]; // initial corners
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const [KEY_STEP, SMALL_KEY_STEP] = [0.01, 0.002]; // as shares of the photo
const LENS_SHARE = 1 / 9; // width of the magnified part, as a share of the photo's width

// Draw a photo on a canvas, at most `longestPx` long. Returns the scale.
export async function drawPhoto(canvas, blob, longestPx) {
  const picture = await createImageBitmap(blob, { imageOrientation: "from-image" });
  const scale = Math.min(1, longestPx / Math.max(picture.width, picture.height));
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return scale;
}

// Start the marks in `holder` (_corner_marks.html). `onSettled` is called after each move. Returns an object with
// `corners`: clockwise from the top left, as shares of the photo.
export function startCornerMarks(holder, onSettled = () => {}) {
  const canvas = holder.querySelector(".corners-photo > canvas");
  const glass = holder.querySelector(".corner-lens");
  const marks = [...holder.querySelectorAll("[data-corner]")];
  let corners = START;

  const within = (share) => Math.min(1, Math.max(0, share));
  function show(i) {
    marks[i].style.left = `${corners[i][0] * 100}%`;
    marks[i].style.top = `${corners[i][1] * 100}%`;
  }
  function move(i, dx, dy) {
    corners = corners.map(([x, y], other) => (other === i ? [within(x + dx), within(y + dy)] : [x, y]));
    show(i);
    magnify(i);
  }
  // Magnify the photo under the finger.
  function magnify(i) {
    const pen = glass.getContext("2d");
    const [x, y] = [corners[i][0] * canvas.width, corners[i][1] * canvas.height];
    const side = canvas.width * LENS_SHARE;
    pen.clearRect(0, 0, glass.width, glass.height);
    pen.drawImage(canvas, x - side / 2, y - side / 2, side, side, 0, 0, glass.width, glass.height);
    pen.strokeStyle = getComputedStyle(holder).getPropertyValue("--pen");
    pen.lineWidth = 2;
    const [across, down] = [glass.width / 2, glass.height / 2];
    pen.stroke(new Path2D(`M${across} 0V${glass.height}M0 ${down}H${glass.width}`));
    glass.hidden = false;
    glass.classList.toggle("at-left", corners[i][0] > 0.5);
  }

  for (const [i, mark] of marks.entries()) {
    let held = null;
    mark.addEventListener("pointerdown", (event) => {
      mark.setPointerCapture(event.pointerId);
      held = [event.clientX, event.clientY];
      magnify(i);
    });
    mark.addEventListener("pointermove", (event) => {
      if (!held) return;
      const box = canvas.getBoundingClientRect();
      move(i, (event.clientX - held[0]) / box.width, (event.clientY - held[1]) / box.height);
      held = [event.clientX, event.clientY];
    });
    const letGo = () => {
      held = null;
      glass.hidden = true;
      onSettled();
    };
    for (const end of ["pointerup", "pointercancel", "blur"]) mark.addEventListener(end, letGo);
    mark.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      const size = event.shiftKey ? SMALL_KEY_STEP : KEY_STEP;
      move(i, step[0] * size, step[1] * size);
    });
  }
  return {
    get corners() {
      return corners;
    },
    set corners(wanted) {
      corners = wanted;
      for (const i of marks.keys()) show(i);
    },
    reset() {
      this.corners = START;
    },
  };
}
