// Arrays as NumPy stores them: .npy files (format 1.0) in a ZIP archive.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

import { fields, joinBytes, zipFile } from "./zip.js";

/** @typedef {{ type: string, shape: number[], bytes: Uint8Array<ArrayBuffer> }} NumberArray `type` is NumPy's name. */

const ALIGNMENT = 64;
const MAGIC = [0x93, ...[..."NUMPY"].map((sign) => sign.charCodeAt(0)), 1, 0];
/** @type {Map<Function, string>} NumPy's names of types */
const TYPES = new Map();
TYPES.set(Float32Array, "<f4");
TYPES.set(Float64Array, "<f8");
TYPES.set(BigInt64Array, "<i8");
TYPES.set(Uint8Array, "|b1");

/**
 * Numbers of a typed array: 32-bit and 64-bit floats, 64-bit integers; bytes are truth values.
 *
 * @param {Numbers | BigInt64Array | Uint8Array} data
 * @returns {NumberArray}
 */
export function numberArray(data, shape = [data.length]) {
  const bytes = new Uint8Array(/** @type {ArrayBuffer} */ (data.buffer), data.byteOffset, data.byteLength);
  return { type: TYPES.get(data.constructor), shape, bytes };
}

/** @param {number[]} numbers @param {number[]} [shape] */
export function intArray(numbers, shape) {
  return numberArray(BigInt64Array.from(numbers, BigInt), shape);
}

/** @param {boolean[]} values @param {number[]} [shape] */
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

/** An array as a .npy file, whose numbers begin at a multiple of 64 bytes. @param {NumberArray} array */
function npyFile({ type, shape, bytes }) {
  const sizes = `${shape.join(", ")}${shape.length === 1 ? "," : ""}`;
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const start = MAGIC.length + 2;
  const length = Math.ceil((start + header.length + 1) / ALIGNMENT) * ALIGNMENT - start;
  const text = new TextEncoder().encode(`${header.padEnd(length - 1)}\n`);
  return joinBytes([Uint8Array.from(MAGIC), fields([2, length]), text, bytes]);
}

/**
 * Promises the bytes of an .npz file, which `numpy.load` opens.
 *
 * @param {Record<string, NumberArray>} arrays by name
 */
export function npzFile(arrays) {
  return zipFile(Object.entries(arrays).map(([name, array]) => [`${name}.npy`, npyFile(array)]));
}
