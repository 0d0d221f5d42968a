// Downscaling of a photo before the upload: as an upright JPEG, no larger than the reader needs, without metadata.
import { findFault } from "./quality.js";
import { countPixels, isTiff } from "./image_header.js";

const LONGEST_PX = 4000; // longest side that the reader uses
const MAX_PIXELS = 65_000_000; // bounds memory: 4 bytes per pixel; cameras with "64 megapixels" have some more
const QUALITY = 0.85; // of the JPEG, 0 to 1

// Return the `photo` to send, and its `fault`, if any. Files that the browser cannot decode (PDF, HEIC) are sent
// unchanged, and so is TIFF, of which Safari decodes only the first page. Images above MAX_PIXELS return no photo.
export async function shrink(file) {
  if (await isTiff(file)) return { photo: file };
  if ((await countPixels(file)) > MAX_PIXELS) return {};
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
  canvas.width = canvas.height = 0; // frees the memory at once
  return { photo: blob ?? file, fault };
}
