// Files that leave the page: names, colours, fonts and captions of pictures.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createCsv } from "../../explorer/page/save/entries.js";
import { slug } from "../../explorer/page/save/snapshot.js";
import { breakLine } from "../../explorer/page/save/picture/caption.js";
import { hex, paintAttributes, parseColour } from "../../explorer/page/save/picture/colours.js";
import { SaveError } from "../../explorer/page/save/snapshot.js";
import { familyOf, fontAttributes } from "../../explorer/page/save/picture/fonts.js";
import { encodePng } from "../../explorer/page/save/picture/picture.js";

test("a name holds letters, digits and hyphens only", () => {
  assert.equal(slug("  Größe: <i>&\"%{x} – Ärger?/.."), "grosse-i-x-arger");
  assert.equal(slug("?!"), "");
  assert.equal(slug("I know that he bought a new car yesterday evening"), "i-know-that-he-bought-a-new-car");
  assert.equal(slug("x".repeat(50)), "x".repeat(40));
});

test("every way in which CSS says a colour is understood", () => {
  const green = [0, 120, 90, 1];
  for (const css of ["#00785a", "rgb(0, 120, 90)", "rgb(0 120 90)"]) assert.deepEqual(parseColour(css), green);
  assert.deepEqual(parseColour("rgba(0, 120, 90, 0.5)"), [0, 120, 90, 0.5]);
  assert.deepEqual(parseColour("#00785a80").slice(0, 3), [0, 120, 90]);
  assert.deepEqual(parseColour("color(srgb 0 1 0.5 / 0.25)"), [0, 255, 127.5, 0.25]);
  assert.deepEqual([parseColour("transparent")[3], parseColour("none"), parseColour("url(#a)")], [0, null, null]);
  assert.equal(hex([0, 119.6, 90]), "#00785a");
});

test("what is half seen says how much", () => {
  assert.deepEqual(paintAttributes("fill", "rgba(0, 120, 90, 0.5)", 0.5), { fill: "#00785a", "fill-opacity": "0.25" });
  assert.deepEqual(paintAttributes("stroke", "#00785a"), { stroke: "#00785a" });
});

test("a font names families that other programs have", () => {
  const { "font-family": family, ...rest } = fontAttributes("italic bold 12px ui-monospace, monospace", 2);
  assert.deepEqual(rest, { "font-size": "24", "font-style": "italic", "font-weight": "bold" });
  assert.match(familyOf('"DejaVu Sans Mono", system-ui'), /^'DejaVu Sans Mono', system-ui, .*Arial/);
  assert.match(family, /monospace$/);
});

test("a caption is broken where it may be, and an address anywhere", () => {
  const width = (text) => text.length;
  assert.deepEqual(breakLine("one two three", "", 8, width), ["one two", "three"]);
  assert.deepEqual(breakLine("http://a/?b=1&c=2", "", 14, width), ["http://a/?b=1&", "c=2"]);
  assert.deepEqual(breakLine("abcdefghij", "", 4, width), ["abcd", "efgh", "ij"]);
  assert.deepEqual(breakLine("short", "", 8, width), ["short"]);
  assert.deepEqual(breakLine("第 4 层，各头的平均。", "", 5, width), ["第 4", "层，各头的", "平均。"]); // no sign begins a line
});

test("a picture of which a browser makes no PNG is refused in words", async () => {
  const canvas = (blob) => ({ toBlob: (done) => done(blob) }), blob = new Blob(["a"]);
  assert.equal(await encodePng(canvas(blob), { tooLarge: "too large" }), blob);
  await assert.rejects(encodePng(canvas(null), { tooLarge: "too large" }), new SaveError("too large"));
});

test("words go to the server and into a file without the signs that isolate them", async () => {
  const content = {
    members: { query: [[0]], key: [[0, 1]] },
    full: { queries: ["\u2068<s> → \u2068·في\u2069\u2069"], labels: ["\u2068كتاب\u2069"] },
  };
  const asked = [], ask = async (wanted) => (asked.push(wanted), { text: "" });
  const view = { level: "heads", kind: "cross", layer: 0, head: 0, second: null, words: true, specials: true };
  const viewer = { view, panes: [{ content }], trace: { sentence: "A" }, map: { measure: null }, compared: { run: null } };
  await createCsv({ look: { tab: "explore", viewer, experiment: null }, ask });
  assert.deepEqual(asked[0].words, { queries: [[0]], keys: [[0, 1]], query_labels: ["<s> → ·في"], key_labels: ["كتاب"] });
});
