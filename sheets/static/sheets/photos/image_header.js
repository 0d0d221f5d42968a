// Number of pixels of an image from its file header, without decoding. 0 if unknown.

const CHUNK_BYTES = 40; // covers the size in each supported header

export async function countPixels(file) {
  const head = await read(file, 0);
  const starts = (text, at = 0) => [...text].every((sign, i) => byte(head, at + i) === sign.charCodeAt());
  if (starts("\x89PNG")) return readBigEndian(head, 16, 4) * readBigEndian(head, 20, 4);
  if (starts("GIF8")) return readLittleEndian(head, 6, 2) * readLittleEndian(head, 8, 2);
  if (starts("\xff\xd8")) return countJpegPixels(file);
  if (!starts("RIFF") || !starts("WEBP", 8)) return 0;
  if (starts("VP8X", 12)) return (1 + readLittleEndian(head, 24, 3)) * (1 + readLittleEndian(head, 27, 3));
  if (starts("VP8 ", 12)) return (readLittleEndian(head, 26, 2) & 0x3fff) * (readLittleEndian(head, 28, 2) & 0x3fff);
  const bits = readLittleEndian(head, 21, 4);
  return starts("VP8L", 12) ? (1 + (bits % 2 ** 14)) * (1 + (Math.floor(bits / 2 ** 14) % 2 ** 14)) : 0;
}

export async function isTiff(file) {
  const [first, second] = await read(file, 0);
  return first === second && (first === 0x49 || first === 0x4d); // "II" or "MM", the byte order
}

// JPEG: the size follows metadata of any length, so skip from segment to segment.
async function countJpegPixels(file) {
  for (let at = 2; at + 9 < file.size; ) {
    const part = await read(file, at);
    const kind = byte(part, 1);
    if (byte(part, 0) !== 0xff || kind === 0xda) return 0;
    if (kind === 0xff) {
      at += 1; // padding
    } else if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) {
      return readBigEndian(part, 5, 2) * readBigEndian(part, 7, 2);
    } else {
      at += 2 + readBigEndian(part, 2, 2);
    }
  }
  return 0;
}

async function read(file, at) {
  return new Uint8Array(await file.slice(at, at + CHUNK_BYTES).arrayBuffer());
}

const byte = (bytes, at) => bytes[at] ?? 0;

function readBigEndian(bytes, at, length) {
  let value = 0;
  for (let i = 0; i < length; i++) value = value * 256 + byte(bytes, at + i);
  return value;
}

function readLittleEndian(bytes, at, length) {
  let value = 0;
  for (let i = length; i--; ) value = value * 256 + byte(bytes, at + i);
  return value;
}
