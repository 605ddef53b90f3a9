// The length of a film as WebM. A recorder does not know it when it writes the beginning of the file, and players then
// show none. WebM is EBML (RFC 8794): elements with an id, a size and contents, here Segment > Info > Duration.

const INFO = [0x15, 0x49, 0xa9, 0x66]; // the ids, RFC 9559
const DURATION = [0x44, 0x89];
const SEEK_HEAD = [0x11, 0x4d, 0x9b, 0x74];
const VOID = 0xec;
const HEAD_BYTES = 4096; // Info stands before the first frame

function find(bytes, id, from = 0, to = bytes.length) {
  for (let at = from; at < to; at++) if (id.every((byte, i) => bytes[at + i] === byte)) return at;
  return -1;
}

/** A size that a file can hold in one byte to eight: { value, width }. The first bit that is set tells the width. */
function readSize(bytes, at) {
  const width = Math.clz32(bytes[at]) - 23;
  let value = bytes[at] & (0xff >> width);
  for (let i = 1; i < width; i++) value = 256 * value + bytes[at + i];
  return { value, width };
}

/** A size in eight bytes. */
function writeSize(size) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(4, size);
  bytes[0] = 1;
  return bytes;
}

/** Makes void, in its place, the list of positions before the information, which a longer information would shift. */
function dropSeekHead(bytes, end) {
  const at = find(bytes, SEEK_HEAD, 0, end);
  if (at < 0) return;
  const { value, width } = readSize(bytes, at + SEEK_HEAD.length);
  const sizeBytes = SEEK_HEAD.length + width - 1; // the id of a void element takes one byte of these
  if (sizeBytes > 8) return; // no size is as long
  const size = writeSize(value).subarray(8 - sizeBytes);
  size[0] |= 0x100 >> sizeBytes;
  bytes.set([VOID, ...size], at);
}

/** An element with milliseconds, which are the unit of a recorder's files. */
function durationElement(milliseconds) {
  const element = new Uint8Array([...DURATION, 0x88, 0, 0, 0, 0, 0, 0, 0, 0]);
  new DataView(element.buffer).setFloat64(3, milliseconds);
  return element;
}

/**
 * Promises the film with its length; as it is if it has one, or if it begins unlike a recorder's. Its Segment must have
 * no size, as those that are written while they are recorded.
 * @param {Blob} film
 */
export async function withDuration(film, milliseconds) {
  const bytes = new Uint8Array(await film.slice(0, HEAD_BYTES).arrayBuffer());
  const info = find(bytes, INFO);
  if (info < 0) return film;
  const { value, width } = readSize(bytes, info + INFO.length);
  const start = info + INFO.length + width, end = start + value;
  if (find(bytes, DURATION, start, end) >= 0) return film;
  const duration = durationElement(milliseconds);
  dropSeekHead(bytes, info);
  const head = bytes.subarray(0, info + INFO.length);
  const contents = bytes.subarray(start, end);
  return new Blob([head, writeSize(value + duration.length), contents, duration, film.slice(end)], { type: film.type });
}
