// The panel Patch: which place a cell stands for, and what choosing one more does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { togglePlaces, gridBlocks, columnLabel, cellPlaces } from "../../explorer/tabs/what_if/patch/patch.js";

const TOLD = { layers: { encoder: 3, decoder: 2, cross: 2 }, heads: 3, sources: [["·The", "·cat", "."], ["·The", "·dog", ".", "</s>"]], fed: ["<s>", "·Die"] };
const TEXT = { changed: "{own} from {taken}" };

test("the heads come in three tables, one after the other, the encoder's with more layers", () => {
  const found = gridBlocks("heads", TOLD);
  assert.deepEqual(found.map(({ kind, start }) => [kind, start]), [["encoder", 0], ["decoder", 9], ["cross", 15]]);
  assert.deepEqual(found.map(({ rows }) => rows.length), [3, 2, 2]);
  assert.deepEqual(cellPlaces("heads", found[2], 1, 0), [["cross", 1, 0]]);
  assert.deepEqual(cellPlaces("heads", found[1], 0, null), [["decoder", 0, 0], ["decoder", 0, 1], ["decoder", 0, 2]]);
});

test("streams begin with the embedding, at the positions that both have", () => {
  const [encoder] = gridBlocks("encoder", TOLD), [decoder] = gridBlocks("decoder", TOLD);
  assert.deepEqual([encoder.rows, encoder.columns], [[-1, 0, 1, 2], [0, 1, 2]]);
  assert.deepEqual([decoder.rows, decoder.columns], [[-1, 0, 1], [0, 1]]);
  assert.deepEqual(cellPlaces("encoder", encoder, 0, 2), [["encoder", -1, 2]]);
});

test("a column is called by its pieces, both where they differ", () => {
  assert.deepEqual([0, 1].map((column) => columnLabel("encoder", TOLD, column, TEXT)), ["The", "dog from cat"]);
  assert.equal(columnLabel("decoder", TOLD, 1, TEXT), "Die");
  assert.equal(columnLabel("heads", TOLD, 2, TEXT), "3");
});

test("a place chosen again is let go, and with more it joins the others", () => {
  const one = [["encoder", 0, 1]], other = [["encoder", 1, 1]];
  assert.deepEqual(togglePlaces([], one, []), one);
  assert.deepEqual(togglePlaces([], one, one), []);
  assert.deepEqual(togglePlaces([], other, one), other);
  assert.deepEqual(togglePlaces(one, other, one), [...one, ...other]);
  assert.deepEqual(togglePlaces([...one, ...other], one, []), other);
  assert.deepEqual(togglePlaces(one, one, one), []);
});
