// A photo becomes no larger than its reader needs, before it goes over a slow network: upright, as a
// JPEG, without anything that the camera has written beside its pixels.
import { findFault } from "./quality.js";
import { countPixels, isTiff } from "./header.js";

const LONGEST_PX = 4000;
// Four bytes for each would be decoded. Cameras that say "64 megapixels" have some more.
const MOST_PIXELS = 65_000_000;
const QUALITY = 0.85;

// Give the `photo` to be sent, and its `fault`, if it has one.
// What no browser part can decode (PDF, HEIC) is sent as it is, and so is TIFF: of its pages Safari decodes
// the first only. What is too large to be decoded at all gives no photo.
export async function shrink(file) {
  if (await isTiff(file)) return { photo: file };
  if ((await countPixels(file)) > MOST_PIXELS) return {};
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return { photo: file };
  }
  const scale = Math.min(1, LONGEST_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const fault = findFault(canvas);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  canvas.width = canvas.height = 0; // phones give a canvas back late
  return { photo: blob ?? file, fault };
}
