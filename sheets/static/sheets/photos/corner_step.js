// Dialog `#corner-step` in which the user marks the corners of a sheet that was not found in a photo, or only in part.
import { drawPhoto, startCornerMarks } from "../lib/corner_marks.js";

const LONGEST_PX = 1600; // longest side of the shown photo: the lens magnifies it
const OUTLINE_PX = 900; // longest side of the photo with an outline

const step = document.getElementById("corner-step");
const canvas = step.querySelector(".corners-photo > canvas");
const marks = startCornerMarks(step);
const isUprightPhone = matchMedia("(max-width: 40rem) and (max-aspect-ratio: 3/4)");

step.querySelector(".cancel").addEventListener("click", () => step.close());

// Ask for the corners in a photo. Resolves to the fields to send, or to null if the user cancels. Throws if the
// browser cannot show the photo.
export async function askCorners(file) {
  await drawPhoto(canvas, file, LONGEST_PX);
  const isTurned = isUprightPhone.matches && canvas.width > canvas.height;
  if (isTurned) turnCanvas();
  step.returnValue = "";
  step.showModal();
  marks.reset();
  await new Promise((done) => step.addEventListener("close", done, { once: true }));
  canvas.width = canvas.height = 0; // frees the memory at once
  if (step.returnValue !== "read") return null;
  const corners = isTurned ? turnBack(marks.corners) : marks.corners;
  const said = { corners: corners.map(([x, y]) => `${x.toFixed(4)},${y.toFixed(4)}`).join(" ") };
  for (const field of step.querySelectorAll("input")) said[field.name] = field.value;
  return said;
}

// Turn the drawn photo clockwise: on an upright phone, a photo in landscape is then larger.
function turnCanvas() {
  const flat = canvas.cloneNode();
  flat.getContext("2d").drawImage(canvas, 0, 0);
  [canvas.width, canvas.height] = [flat.height, flat.width];
  const pen = canvas.getContext("2d");
  pen.setTransform(0, 1, -1, 0, flat.height, 0);
  pen.drawImage(flat, 0, 0);
  pen.resetTransform();
  flat.width = flat.height = 0;
}
// Return the corners of the photo that were marked on the turned one, again clockwise from the top left.
function turnBack([first, ...rest]) {
  return [...rest, first].map(([x, y]) => [y, 1 - x]);
}

// Draw a photo with a line around the fields that were found, from corners such as "0.1,0.1 0.9,0.1 …".
export async function drawOutline(picture, file, outline) {
  await drawPhoto(picture, file, OUTLINE_PX);
  const points = outline.split(" ").map((one) => one.split(",").map(Number));
  const line = new Path2D(`M${points.map(([x, y]) => `${x * picture.width} ${y * picture.height}`).join("L")}Z`);
  const pen = picture.getContext("2d");
  pen.lineJoin = "round";
  for (const [colour, width] of [["#fff", 14], ["#e15a00", 7]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = (width * picture.width) / OUTLINE_PX;
    pen.stroke(line);
  }
}
