// How many pixels a picture has, as the head of its file says it: nothing is decoded, and little read.
// 0 where it does not say so.

const AHEAD = 40;

export async function countPixels(file) {
  const head = await read(file, 0);
  const starts = (text, at = 0) => [...text].every((sign, i) => byte(head, at + i) === sign.charCodeAt());
  if (starts("\x89PNG")) return big(head, 16, 4) * big(head, 20, 4);
  if (starts("GIF8")) return little(head, 6, 2) * little(head, 8, 2);
  if (starts("\xff\xd8")) return ofJpeg(file);
  if (!starts("RIFF") || !starts("WEBP", 8)) return 0;
  if (starts("VP8X", 12)) return (1 + little(head, 24, 3)) * (1 + little(head, 27, 3));
  if (starts("VP8 ", 12)) return (little(head, 26, 2) & 0x3fff) * (little(head, 28, 2) & 0x3fff);
  const bits = little(head, 21, 4);
  return starts("VP8L", 12) ? (1 + (bits % 2 ** 14)) * (1 + (Math.floor(bits / 2 ** 14) % 2 ** 14)) : 0;
}

export async function isTiff(file) {
  const [first, second] = await read(file, 0);
  return first === second && (first === 0x49 || first === 0x4d); // "II" or "MM": the order of its bytes
}

// The size stands behind what the camera wrote, which may be long: from part to part.
async function ofJpeg(file) {
  for (let at = 2; at + 9 < file.size; ) {
    const part = await read(file, at);
    const kind = byte(part, 1);
    if (byte(part, 0) !== 0xff || kind === 0xda) return 0;
    if (kind === 0xff) {
      at += 1; // they may be filled up
    } else if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) {
      return big(part, 5, 2) * big(part, 7, 2);
    } else {
      at += 2 + big(part, 2, 2);
    }
  }
  return 0;
}

async function read(file, at) {
  return new Uint8Array(await file.slice(at, at + AHEAD).arrayBuffer());
}

const byte = (bytes, at) => bytes[at] ?? 0;

function big(bytes, at, length) {
  let value = 0;
  for (let i = 0; i < length; i++) value = value * 256 + byte(bytes, at + i);
  return value;
}

function little(bytes, at, length) {
  let value = 0;
  for (let i = length; i--; ) value = value * 256 + byte(bytes, at + i);
  return value;
}
