// Texts of other directions and scripts: labels, sentences, joined pieces, and what a device has no font for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cut } from "../../explorer/attention_view/heatmap.js";
import { groupByWord, wordAxes } from "../../explorer/attention_view/word_groups.js";
import { plainTrace } from "../../explorer/attention_view/plain.js";
import { missingScripts } from "../../explorer/ui/fonts.js";
import { fill, innerPiece, plainPiece } from "../../explorer/ui/text.js";
import { withoutIsolates, isolate } from "../../explorer/ui/scripts.js";

const piece = (text) => ({ text, special: text.startsWith("<"), starts_word: text.startsWith("·") });

test("a value from right to left leaves the sentence around it in place", () => {
  assert.equal(fill("“{word}” ({percent}%)", { word: "·في", percent: 36 }), "“\u2068·في\u2069” (36%)");
  assert.equal(fill("“{word}”", { word: "·猫" }), "“·猫”");
});

test("a label is cut by its letters, and what isolates them stays in pairs", () => {
  const label = `${isolate("·الحديقة")} → ${isolate("·كتاب")}`;
  assert.equal(cut(label, [...withoutIsolates(label)].length), label);
  assert.equal(cut(label, 6), "\u2068·الحد\u2069\u2068\u2069…");
});

test("a mark stands on the word before it, and alone on a circle", () => {
  assert.equal(plainPiece("◌\u064b"), "◌\u064b");
  assert.equal(innerPiece("◌\u064b"), "\u064b");
  const source = ["·كتاب", "◌\u064b", "ا"].map(piece);
  const { keys } = wordAxes({ source, steps: [] }, "encoder", "");
  assert.deepEqual(keys.groups.map(keys.name), [isolate("·كتاب\u064bا")]);
});

test("a blank alone belongs to the word after it, also where it is not written", () => {
  const source = ["·", "男", "の子", "。", "</s>"].map(piece);
  assert.deepEqual(groupByWord(source), [[0, 1], [2], [3], [4]]);
  const shown = plainTrace({ source, steps: [] }, { mark: { end: "(end)" } });
  assert.deepEqual(groupByWord(shown.source), groupByWord(source));
});

/** A device with pictures of some letters only; all others look alike. */
const device = (letters) => (letter) => (letters.includes(letter) ? letter : "□");

test("scripts are missing of which a letter looks like one that no font has", () => {
  assert.deepEqual(missingScripts("cat، في 猫", device("، في")), ["Hani"]);
  assert.deepEqual(missingScripts("猫は寝る。", device("")), ["Jpan"]);
  assert.deepEqual(missingScripts("ที่ 고양이", device("")), ["Thai", "Hang"]);
  assert.deepEqual(missingScripts("猫は", device("猫は")), []);
});
