// Arrays as NumPy stores them: .npy files (format 1.0) in a ZIP archive, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.

const ALIGNMENT = 64, MAGIC = [0x93, ...[..."NUMPY"].map((sign) => sign.charCodeAt(0)), 1, 0];
const TYPES = new Map([[Float32Array, "<f4"], [Float64Array, "<f8"], [BigInt64Array, "<i8"], [Uint8Array, "|b1"]]); // by NumPy's names
const DEFLATE = 8, VERSION = 20, UTF8 = 1 << 11, FIRST_DATE = 0x21; // PKWARE's APPNOTE.TXT; 1980-01-01, so that equal arrays give equal files

/** Numbers of a typed array: 32-bit and 64-bit floats, 64-bit integers; bytes are truth values. */
export function numberArray(data, shape = [data.length]) {
  return { type: TYPES.get(data.constructor), shape, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

export function intArray(numbers, shape) {
  return numberArray(BigInt64Array.from(numbers, BigInt), shape);
}

export function boolArray(values, shape) {
  return numberArray(Uint8Array.from(values), shape);
}

/** Texts in UTF-32, each with the room of the longest. */
export function textArray(texts, shape = [texts.length]) {
  const signs = texts.map((text) => [...text]), width = Math.max(1, ...signs.map(({ length }) => length));
  const codes = new Uint32Array(texts.length * width);
  signs.forEach((row, i) => codes.set(row.map((sign) => sign.codePointAt(0)), i * width));
  return { type: `<U${width}`, shape, bytes: new Uint8Array(codes.buffer) };
}

/** An array as a .npy file, whose numbers begin at a multiple of 64 bytes. */
function npyFile({ type, shape, bytes }) {
  const sizes = `${shape.join(", ")}${shape.length === 1 ? "," : ""}`;
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sizes}), }`, start = MAGIC.length + 2;
  const length = Math.ceil((start + header.length + 1) / ALIGNMENT) * ALIGNMENT - start;
  const text = new TextEncoder().encode(`${header.padEnd(length - 1)}\n`);
  return joinBytes([Uint8Array.from(MAGIC), fields([2, length]), text, bytes]);
}

function joinBytes(parts) {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    joined.set(part, place);
    place += part.length;
  }
  return joined;
}

/** Little-endian numbers, each given as its size in bytes, 2 or 4, and its value. */
function fields(...sized) {
  const bytes = new Uint8Array(sized.reduce((sum, [size]) => sum + size, 0)), view = new DataView(bytes.buffer);
  let place = 0;
  for (const [size, value] of sized) {
    if (size === 2) view.setUint16(place, value, true);
    else view.setUint32(place, value, true);
    place += size;
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

/** Promises the bytes of an .npz file, which `numpy.load` opens; `arrays` by name. */
export async function npzFile(arrays) {
  const files = [], directory = [];
  let place = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const npy = npyFile(array), data = await deflate(npy), path = new TextEncoder().encode(`${name}.npy`);
    const both = fields([2, VERSION], [2, UTF8], [2, DEFLATE], [2, 0], [2, FIRST_DATE], [4, crc32(npy)], [4, data.length], [4, npy.length], [2, path.length], [2, 0]);
    const file = joinBytes([fields([4, 0x04034b50]), both, path, data]);
    directory.push(fields([4, 0x02014b50], [2, VERSION]), both, fields([2, 0], [2, 0], [2, 0], [4, 0], [4, place]), path);
    files.push(file);
    place += file.length;
  }
  const index = joinBytes(directory), count = files.length;
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, index.length], [4, place], [2, 0]);
  return joinBytes([...files, index, end]);
}
