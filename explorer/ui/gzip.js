// Gzip and DEFLATE (RFC 1952, RFC 1951), by the browser's streams. Safari has them since 16.4; before, what comes is
// unpacked here, and what goes out is stored as it is.

const { CompressionStream, DecompressionStream } = globalThis;
const GZIP_HEADER = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255]; // as Python and the streams write it, without a name
const GZIP_TRAILER = 8;
const MAX_STORED = 0xffff; // bytes of a block
const MAX_BITS = 15; // of a code
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

export function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Promises the bytes that a stream makes of others. */
async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Promises the bytes as DEFLATE data without a frame. */
export async function deflate(bytes) {
  return CompressionStream ? through(new CompressionStream("deflate-raw"), bytes) : storedBlocks(bytes);
}

/** Promises the bytes as a gzip file. */
export async function gzip(bytes) {
  if (CompressionStream) return through(new CompressionStream("gzip"), bytes);
  const trailer = new Uint32Array([crc32(bytes), bytes.length]);
  return new Uint8Array(await new Blob([
    new Uint8Array(GZIP_HEADER), storedBlocks(bytes), new Uint8Array(trailer.buffer),
  ]).arrayBuffer());
}

/** Promises what a gzip file holds that has no name; rejects if it is damaged. */
export async function gunzip(bytes) {
  return DecompressionStream ? through(new DecompressionStream("gzip"), bytes) : gunzipHere(bytes);
}

/** DEFLATE data that hold the bytes as they are. */
function storedBlocks(bytes) {
  const count = Math.max(1, Math.ceil(bytes.length / MAX_STORED));
  const blocks = new Uint8Array(bytes.length + 5 * count);
  for (let i = 0; i < count; i++) {
    const part = bytes.subarray(i * MAX_STORED, (i + 1) * MAX_STORED);
    const { length } = part, at = i * (MAX_STORED + 5);
    blocks.set([Number(i === count - 1), length & 255, length >> 8, ~length & 255, (~length >> 8) & 255], at);
    blocks.set(part, at + 5);
  }
  return blocks;
}

export function gunzipHere(bytes) {
  const trailer = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - GZIP_TRAILER);
  const unpacked = new Uint8Array(trailer.getUint32(4, true));
  const length = inflate(bytes.subarray(GZIP_HEADER.length, -GZIP_TRAILER), unpacked);
  const isWhole = length === unpacked.length && crc32(unpacked) === trailer.getUint32(0, true);
  if (bytes[0] !== GZIP_HEADER[0] || bytes[1] !== GZIP_HEADER[1] || !isWhole) throw new TypeError("damaged gzip data");
  return unpacked;
}

class BitReader {
  at = 0;
  held = 0;
  bits = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  /** The next bits as a number, the first of them the lowest. */
  read(count) {
    while (this.bits < count) {
      if (this.at >= this.bytes.length) throw new TypeError("DEFLATE data are cut off");
      this.held |= this.bytes[this.at++] << this.bits;
      this.bits += 8;
    }
    const value = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.bits -= count;
    return value;
  }

  /** The next bytes, from the next whole one on. */
  readBytes(count) {
    this.held = this.bits = 0;
    this.at += count;
    if (this.at > this.bytes.length) throw new TypeError("DEFLATE data are cut off");
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** The next symbol of a Huffman code. */
  readSymbol({ counts, symbols }) {
    let code = 0, first = 0, index = 0;
    for (let length = 1; length <= MAX_BITS; length++) {
      code |= this.read(1);
      if (code - first < counts[length]) return symbols[index + code - first];
      index += counts[length];
      first = (first + counts[length]) << 1;
      code <<= 1;
    }
    throw new TypeError("DEFLATE data have an unknown code");
  }
}

/** The canonical Huffman code with codes of these lengths; symbols of length 0 have none. */
function huffmanCode(lengths) {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) if (length) counts[length] += 1;
  const used = [...lengths.keys()].filter((symbol) => lengths[symbol]);
  return { counts, symbols: used.sort((one, other) => lengths[one] - lengths[other] || one - other) };
}

/** The lowest values of codes with extra bits, and those bits; `perBits` codes have each number of them. */
function extraBits(count, perBits, lowest) {
  const bits = Array.from({ length: count }, (_, i) => Math.max(0, Math.floor(i / perBits) - 1));
  let next = lowest;
  const bases = bits.map((extra) => {
    next += 2 ** extra;
    return next - 2 ** extra;
  });
  return { bits, bases };
}

const LENGTHS = extraBits(28, 4, 3);
LENGTHS.bits.push(0);
LENGTHS.bases.push(258);
const DISTANCES = extraBits(30, 2, 1);
const FIXED = {
  literals: huffmanCode(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
  distances: huffmanCode(new Array(30).fill(5)),
};

function readCodes(reader) {
  const [literals, distances, count] = [reader.read(5) + 257, reader.read(5) + 1, reader.read(4) + 4];
  const codeLengths = new Array(19).fill(0);
  for (const symbol of LENGTH_ORDER.slice(0, count)) codeLengths[symbol] = reader.read(3);
  const code = huffmanCode(codeLengths);
  const lengths = [];
  while (lengths.length < literals + distances) {
    const symbol = reader.readSymbol(code);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...new Array(3 + reader.read(2)).fill(lengths[lengths.length - 1]));
    else lengths.push(...new Array(symbol === 17 ? 3 + reader.read(3) : 11 + reader.read(7)).fill(0));
  }
  return { literals: huffmanCode(lengths.slice(0, literals)), distances: huffmanCode(lengths.slice(literals)) };
}

/** Unpacks DEFLATE data into an array of their size; returns how many bytes they have. */
function inflate(bytes, unpacked) {
  const reader = new BitReader(bytes);
  let end = 0;
  for (let isLast = false; !isLast;) {
    isLast = reader.read(1) === 1;
    const type = reader.read(2);
    if (type === 0) {
      const [low, high] = reader.readBytes(4);
      const stored = reader.readBytes(low | (high << 8));
      unpacked.set(stored, end);
      end += stored.length;
    } else {
      end = inflateBlock(reader, type === 1 ? FIXED : readCodes(reader), unpacked, end);
    }
  }
  return end;
}

function inflateBlock(reader, { literals, distances }, unpacked, start) {
  let end = start;
  for (;;) {
    const symbol = reader.readSymbol(literals);
    if (symbol < 256) unpacked[end++] = symbol;
    else if (symbol === 256) return end;
    else {
      const length = LENGTHS.bases[symbol - 257] + reader.read(LENGTHS.bits[symbol - 257]);
      const far = reader.readSymbol(distances);
      const distance = DISTANCES.bases[far] + reader.read(DISTANCES.bits[far]);
      for (const until = end + length; end < until; end++) unpacked[end] = unpacked[end - distance];
    }
  }
}
