// Whether a photo is too blurred or too dark to be read, or blank, before it is sent. docs/photos.md explains the limits.

const SIDE_PX = 1000; // all photos are measured in one size, whatever their camera
const PAPER_SHARE = 0.99; // a bright sheet on a dark table is not dark
const EDGE_SHARE = 0.995;
const LEAST_PAPER = 50; // brightness, of 255
const LEAST_EDGE = 0.14; // Laplacian of the sharpest edges, by the contrast of the picture
const MOST_INK = 0.002; // of a blank page
const INK = 40; // how much darker than paper

// "dark", "blank", "blurred", or nothing. The canvas holds the photo.
export function findFault(canvas) {
  const { grey, width } = inGrey(canvas);
  const light = histogramOf(grey);
  const paper = light.level(PAPER_SHARE);
  if (paper < LEAST_PAPER) return "dark";
  const edges = histogramOf(laplacianOf(grey, width));
  const contrast = Math.max(1, paper - light.level(1 - PAPER_SHARE));
  if (edges.level(EDGE_SHARE) / contrast >= LEAST_EDGE) return null;
  return light.level(MOST_INK) < paper - INK ? "blurred" : "blank";
}

function inGrey(canvas) {
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
  // The value below which this share of all lies.
  const level = (share) => {
    let left = share * values.length;
    return counts.findIndex((count) => (left -= count) <= 0);
  };
  return { level };
}
