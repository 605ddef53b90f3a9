// Gzip and DEFLATE as a browser without the streams has them: read and written here, checked by Node's zlib.

import assert from "node:assert/strict";
import test from "node:test";
import zlib from "node:zlib";

const streams = [globalThis.CompressionStream, globalThis.DecompressionStream];
Object.assign(globalThis, { CompressionStream: undefined, DecompressionStream: undefined });
const { deflate, gunzip, gzip } = await import("../../explorer/ui/gzip.js");
[globalThis.CompressionStream, globalThis.DecompressionStream] = streams;

const noise = Uint8Array.from({ length: 70_000 }, (_, i) => (Math.imul(i, i + 7919) >>> 3) & 255);
const texts = ["", "a", "Die Katze schläft. ".repeat(4000), JSON.stringify([...noise].map((byte) => byte % 17))];
const contents = [noise, ...texts.map((text) => new TextEncoder().encode(text))];

test("what others have packed is unpacked, in blocks of every type", async () => {
  for (const bytes of contents) {
    for (const options of [{ level: 0 }, { level: 9 }, { strategy: zlib.constants.Z_FIXED }]) {
      assert.deepEqual(await gunzip(new Uint8Array(zlib.gzipSync(bytes, options))), bytes);
    }
  }
});

test("what is packed here is what others unpack", async () => {
  for (const bytes of contents) {
    assert.deepEqual(new Uint8Array(zlib.gunzipSync(await gzip(bytes))), bytes);
    assert.deepEqual(new Uint8Array(zlib.inflateRawSync(await deflate(bytes))), bytes);
  }
});

test("what is damaged or cut off is refused", async () => {
  const packed = new Uint8Array(zlib.gzipSync(contents[3]));
  const damaged = packed.map((byte, i) => (i === 40 ? byte ^ 8 : byte));
  for (const bytes of [damaged, packed.subarray(0, 60), new TextEncoder().encode("<!doctype html><title>Log in")]) {
    await assert.rejects(gunzip(bytes));
  }
});
