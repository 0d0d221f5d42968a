// Check of a photo before the upload: too blurred, too dark, or blank. docs/photos.md explains the limits.

const SIDE_PX = 1000; // longest side of the measured copy, so that cameras are comparable
const PAPER_SHARE = 0.99; // quantile of the brightness that is paper, even for a small sheet on a dark table
const EDGE_SHARE = 0.995; // quantile of the Laplacian that is the sharpest edges
const MIN_PAPER_BRIGHTNESS = 50; // of 255; below, the photo is dark
const MIN_EDGE = 0.14; // Laplacian of the sharpest edges, divided by the contrast; below, the photo is blurred
const MAX_INK_SHARE = 0.002; // share of dark pixels on a blank page
const INK_CONTRAST = 40; // difference between paper and ink, of 255

// Return "dark", "blank", "blurred" or null for the photo on a canvas.
export function findFault(canvas) {
  const { grey, width } = toGrey(canvas);
  const light = histogramOf(grey);
  const paper = light.level(PAPER_SHARE);
  if (paper < MIN_PAPER_BRIGHTNESS) return "dark";
  const edges = histogramOf(laplacianOf(grey, width));
  const contrast = Math.max(1, paper - light.level(1 - PAPER_SHARE));
  if (edges.level(EDGE_SHARE) / contrast >= MIN_EDGE) return null;
  return light.level(MAX_INK_SHARE) < paper - INK_CONTRAST ? "blurred" : "blank";
}

function toGrey(canvas) {
  const scale = Math.min(1, SIDE_PX / Math.max(canvas.width, canvas.height));
  const small = document.createElement("canvas");
  small.width = Math.round(canvas.width * scale);
  small.height = Math.round(canvas.height * scale);
  const pen = small.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(canvas, 0, 0, small.width, small.height);
  const { data } = pen.getImageData(0, 0, small.width, small.height);
  const grey = new Uint8Array(data.length / 4);
  for (let i = 0; i < grey.length; i++) grey[i] = (299 * data[4 * i] + 587 * data[4 * i + 1] + 114 * data[4 * i + 2]) / 1000;
  return { grey, width: small.width };
}

function laplacianOf(grey, width) {
  const edges = new Uint16Array(grey.length);
  for (let i = width + 1; i < grey.length - width - 1; i++) {
    edges[i] = Math.abs(grey[i - width] + grey[i + width] + grey[i - 1] + grey[i + 1] - 4 * grey[i]);
  }
  return edges;
}

function histogramOf(values) {
  const counts = new Uint32Array(1021); // a Laplacian is 1020 at most
  for (const value of values) counts[value] += 1;
  // Return the quantile of this share.
  const level = (share) => {
    let left = share * values.length;
    return counts.findIndex((count) => (left -= count) <= 0);
  };
  return { level };
}
