// The length that a recorder's WebM gets, on the head of a file made by hand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withDuration } from "../../explorer/page/save/webm.js";

const SEEK_HEAD = [0x11, 0x4d, 0x9b, 0x74, 0x82, 0x4d, 0xbb]; // two bytes of contents
const SCALE = [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40]; // milliseconds
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75, 0x81, 0x07];
const SEGMENT = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]; // of no size
const INFO = [0x15, 0x49, 0xa9, 0x66, 0x80 + SCALE.length, ...SCALE];

/** The bytes of a film of so many milliseconds that begins so. */
async function written(head, milliseconds) {
  const bytes = new Uint8Array([...head, ...CLUSTER]);
  const film = await withDuration(new Blob([bytes], { type: "video/webm" }), milliseconds);
  assert.equal(film.type, "video/webm");
  return [...new Uint8Array(await film.arrayBuffer())];
}

test("the information gets a duration and the size of both, and the rest of the file stays", async () => {
  const bytes = await written([...SEGMENT, ...INFO], 2500);
  const duration = new Uint8Array([0x44, 0x89, 0x88, 0, 0, 0, 0, 0, 0, 0, 0]);
  new DataView(duration.buffer).setFloat64(3, 2500);
  const size = [1, 0, 0, 0, 0, 0, 0, SCALE.length + duration.length];
  assert.deepEqual(bytes, [...SEGMENT, 0x15, 0x49, 0xa9, 0x66, ...size, ...SCALE, ...duration, ...CLUSTER]);
});

test("a list of positions, which the duration shifts, becomes void", async () => {
  const bytes = await written([...SEGMENT, ...SEEK_HEAD, ...INFO], 2500);
  const at = SEGMENT.length;
  assert.deepEqual(bytes.slice(at, at + SEEK_HEAD.length), [0xec, 0x10, 0x00, 0x00, 0x02, 0x4d, 0xbb]);
});

test("a film that has a duration stays as it is", async () => {
  const duration = [0x44, 0x89, 0x84, 0x45, 0x1c, 0x40, 0x00];
  const head = [...SEGMENT, 0x15, 0x49, 0xa9, 0x66, 0x80 + duration.length, ...duration];
  assert.deepEqual(await written(head, 9), [...head, ...CLUSTER]);
});
