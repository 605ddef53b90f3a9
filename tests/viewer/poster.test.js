// What a poster is laid out with: letters as large as fit, a sentence in parts, things in rows, the picture's size.

import assert from "node:assert/strict";
import { test } from "node:test";
import { translationUntil } from "../../explorer/derived/written.js";
import { fitTexts, flow, partLines } from "../../explorer/ui/fitting.js";
import { typedAddress } from "../../explorer/page/save/poster/poster.js";
import { layoutOf } from "../../explorer/tabs/whole/picture/layout.js";
import { drawingSize } from "../../explorer/tabs/whole/poster.js";

const CONFIG = { layers: { encoder: 4, decoder: 4 } };
const widthOf = (text) => 0.5 * text.length;

test("texts are as large as fit, and a little smaller for the sake of fewer lines", () => {
  const text = "Birds sing in the old garden."; // 29 letters
  const room = { width: 100, height: 30, leading: 1.25 };
  assert.deepEqual(fitTexts([text], room, [10, 8, 6, 4], widthOf).lines, [["Birds sing in the", "old garden."]]);
  const one = fitTexts([text], room, [10, 8, 6.8, 6], widthOf);
  assert.equal(one.size, 10); // 6.8 has one line, but is less than three quarters
  assert.equal(fitTexts([text], { ...room, width: 110 }, [10, 8.5, 7.5, 6], widthOf).size, 7.5);
  assert.equal(fitTexts([text, text, text], { ...room, height: 1 }, [10, 8], widthOf).size, 8);
});

test("the lines of a sentence are in parts at the word that is being written", () => {
  const text = "Der Hund schläft im Garten.";
  const now = { from: 3, to: 8 };
  const parts = partLines(text, ["Der Hund", "schläft im", "Garten."], now);
  assert.deepEqual(parts, [
    [{ part: "before", text: "Der" }, { part: "now", text: " Hund" }],
    [{ part: "after", text: "schläft im" }],
    [{ part: "after", text: "Garten." }],
  ]);
  const split = partLines(text, ["Der Hu", "nd schläft im Garten."], now);
  assert.deepEqual(split[1][0], { part: "now", text: "nd" });
});

test("what has no room in a row stands in the next", () => {
  assert.deepEqual(flow([40, 50, 30], 100, 10), [{ row: 0, left: 0 }, { row: 0, left: 50 }, { row: 1, left: 0 }]);
  assert.deepEqual(flow([140, 50], 100, 10), [{ row: 0, left: 0 }, { row: 1, left: 0 }]);
});

test("the drawing of a short sentence has letters as large as lanes have room for, and is never too fine", () => {
  const short = drawingSize(CONFIG, { src: 16, tgt: 16 }, 2.1);
  assert.ok(layoutOf(CONFIG, { src: 16, tgt: 16 }, short).pitch >= 10);
  assert.ok(drawingSize(CONFIG, { src: 24, tgt: 24 }, 2.1).width > short.width);
  assert.equal(drawingSize(CONFIG, { src: 5, tgt: 5 }, 2.1).width, 880);
  const long = drawingSize(CONFIG, { src: 60, tgt: 65 }, 2.3);
  assert.deepEqual([long.width, Math.round(long.width / long.height * 10)], [1500, 23]);
});

test("a translation grows by what each step writes", () => {
  const words = [["Der", true], ["·Hund", true], ["e", false], [".", false]];
  const steps = words.map(([text, starts]) => ({ predicted: { text, starts_word: starts, special: false } }));
  const all = /** @type {any} */ ([...steps, { predicted: { text: "(end)", special: true } }]);
  const grown = [-2, -1, 0, 1, 2, 3, 4].map((step) => translationUntil(step, { steps: all }));
  assert.deepEqual(grown, ["", "", "Der", "Der Hund", "Der Hunde", "Der Hunde.", "Der Hunde."]);
});

test("an address on paper is one that can be typed", () => {
  assert.equal(typedAddress("https://explorer.example.org/?sentence=Birds%20sing.&tab=whole"), "explorer.example.org");
  assert.equal(typedAddress("https://example.org/explorer/de?step=2"), "example.org/explorer/de");
});
