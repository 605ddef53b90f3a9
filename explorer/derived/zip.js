// Files in a ZIP archive (PKWARE's APPNOTE.TXT), compressed one by one.

import { crc32, deflate } from "../ui/gzip.js";

const DEFLATE = 8;
const VERSION = 20;
const UTF8 = 1 << 11;
const FIRST_DATE = 0x21; // 1980-01-01, so that equal files give equal archives

/** @param {Uint8Array[]} parts */
export function joinBytes(parts) {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/**
 * Little-endian numbers, each given as its size in bytes, 2 or 4, and its value.
 * @param {[size: number, value: number][]} sized
 */
export function fields(...sized) {
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

/**
 * What the archive says of a file, before its contents and again in the directory at the end.
 * @param {Uint8Array} bytes @param {Uint8Array} data @param {Uint8Array} path
 */
function fileHeader(bytes, data, path) {
  const sizes = fields([4, crc32(bytes)], [4, data.length], [4, bytes.length], [2, path.length], [2, 0]);
  return joinBytes([fields([2, VERSION], [2, UTF8], [2, DEFLATE], [2, 0], [2, FIRST_DATE]), sizes]);
}

/**
 * Promises the bytes of an archive.
 *
 * @param {[name: string, bytes: Uint8Array<ArrayBuffer>][]} contents
 */
export async function zipFile(contents) {
  /** @type {Uint8Array[]} */
  const files = [];
  /** @type {Uint8Array[]} */
  const directory = [];
  let offset = 0;
  for (const [name, bytes] of contents) {
    const data = await deflate(bytes);
    const path = new TextEncoder().encode(name);
    const header = fileHeader(bytes, data, path);
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
