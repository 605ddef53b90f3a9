// Values in the page's address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { id, index, indexOr, list, record, tuple } from "../../explorer/ui/codecs.js";
import { median } from "../../explorer/ui/numbers.js";

test("places count from one in the address, and ids do not", () => {
  assert.deepEqual([index.write(0), index.read("1"), id.read("0")], ["1", 0, 0]);
  for (const text of ["", "0", "-1", "1.5", "x", "12345678"]) assert.equal(index.read(text), undefined);
});

test("a record reads what it writes, and nothing else", () => {
  const heads = record({ layer: indexOr("mean"), head: indexOr("mean") });
  for (const value of [{ layer: 3, head: "mean" }, { layer: "mean", head: 0 }]) assert.deepEqual(heads.read(heads.write(value)), value);
  assert.equal(heads.write({ layer: 3, head: "mean" }), "4.mean");
  for (const text of ["", "4", "0.1", "4.mean.1", "x.1"]) assert.equal(heads.read(text), undefined);
});

test("a list with one wrong value is none", () => {
  const places = list(tuple(index, index), ",");
  assert.deepEqual(places.read("1.2,3.4"), [[0, 1], [2, 3]]);
  assert.equal(places.read("1.2,3.x"), undefined);
});

test("the median of an even count lies between two", () => {
  assert.deepEqual([median([1, 2, 9]), median([1, 2, 4, 9])], [2, 3]);
});
