// Arrays as NumPy stores them: .npy files (format 1.0) in a ZIP archive (PKWARE's APPNOTE.TXT).
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

/** @typedef {{ type: string, shape: number[], bytes: Uint8Array<ArrayBuffer> }} NumberArray `type` is NumPy's name. */

const ALIGNMENT = 64;
const MAGIC = [0x93, ...[..."NUMPY"].map((sign) => sign.charCodeAt(0)), 1, 0];
/** @type {Map<Function, string>} NumPy's names of types */
const TYPES = new Map();
TYPES.set(Float32Array, "<f4");
TYPES.set(Float64Array, "<f8");
TYPES.set(BigInt64Array, "<i8");
TYPES.set(Uint8Array, "|b1");
const DEFLATE = 8;
const VERSION = 20;
const UTF8 = 1 << 11;
const FIRST_DATE = 0x21; // 1980-01-01, so that equal arrays give equal files

/**
 * Numbers of a typed array: 32-bit and 64-bit floats, 64-bit integers; bytes are truth values.
 *
 * @returns {NumberArray}
 */
export function numberArray(data, shape = [data.length]) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { type: TYPES.get(data.constructor), shape, bytes };
}

export function intArray(numbers, shape) {
  return numberArray(BigInt64Array.from(numbers, BigInt), shape);
}

export function boolArray(values, shape) {
  return numberArray(Uint8Array.from(values), shape);
}

/**
 * Texts in UTF-32, each with the room of the longest.
 *
 * @param {string[]} texts
 * @returns {NumberArray}
 */
export function textArray(texts, shape = [texts.length]) {
  const signs = texts.map((text) => [...text]);
  const width = Math.max(1, ...signs.map(({ length }) => length));
  const codes = new Uint32Array(texts.length * width);
  signs.forEach((row, i) => codes.set(row.map((sign) => sign.codePointAt(0)), i * width));
  return { type: `<U${width}`, shape, bytes: new Uint8Array(codes.buffer) };
}

/** An array as a .npy file, whose numbers begin at a multiple of 64 bytes. */
function npyFile({ type, shape, bytes }) {
  const sizes = `${shape.join(", ")}${shape.length === 1 ? "," : ""}`;
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const start = MAGIC.length + 2;
  const length = Math.ceil((start + header.length + 1) / ALIGNMENT) * ALIGNMENT - start;
  const text = new TextEncoder().encode(`${header.padEnd(length - 1)}\n`);
  return joinBytes([Uint8Array.from(MAGIC), fields([2, length]), text, bytes]);
}

function joinBytes(parts) {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Little-endian numbers, each given as its size in bytes, 2 or 4, and its value. */
function fields(...sized) {
  const bytes = new Uint8Array(sized.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const [size, value] of sized) {
    if (size === 2) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
    offset += size;
  }
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}

async function deflate(bytes) {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/** What the archive says of a file, before its contents and again in the directory at the end. */
function fileHeader(npy, data, path) {
  const sizes = fields([4, crc32(npy)], [4, data.length], [4, npy.length], [2, path.length], [2, 0]);
  return joinBytes([fields([2, VERSION], [2, UTF8], [2, DEFLATE], [2, 0], [2, FIRST_DATE]), sizes]);
}

/**
 * Promises the bytes of an .npz file, which `numpy.load` opens.
 *
 * @param {Record<string, NumberArray>} arrays by name
 */
export async function npzFile(arrays) {
  const files = [];
  const directory = [];
  let offset = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const npy = npyFile(array);
    const data = await deflate(npy);
    const path = new TextEncoder().encode(`${name}.npy`);
    const header = fileHeader(npy, data, path);
    const file = joinBytes([fields([4, 0x04034b50]), header, path, data]);
    const where = fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(fields([4, 0x02014b50], [2, VERSION]), header, where, path);
    files.push(file);
    offset += file.length;
  }
  const index = joinBytes(directory);
  const count = files.length;
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, index.length], [4, offset], [2, 0]);
  return joinBytes([...files, index, end]);
}
