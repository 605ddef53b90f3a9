// Files that leave the page: names, colours, fonts and captions of pictures.

import assert from "node:assert/strict";
import { test } from "node:test";

import { csv } from "../../explorer/page/save/numbers.js";
import { slug } from "../../explorer/page/save/names.js";
import { broken } from "../../explorer/page/save/picture/caption.js";
import { hex, inked, parsed } from "../../explorer/page/save/picture/colours.js";
import { Refused } from "../../explorer/page/save/file.js";
import { familyOf, fontOf } from "../../explorer/page/save/picture/fonts.js";
import { pngOf } from "../../explorer/page/save/picture/picture.js";

test("a name holds letters, digits and hyphens only", () => {
  assert.equal(slug("  Größe: <i>&\"%{x} – Ärger?/.."), "grosse-i-x-arger");
  assert.equal(slug("?!"), "");
  assert.equal(slug("a ".repeat(50)).length <= 40, true);
});

test("every way in which CSS says a colour is understood", () => {
  const green = [0, 120, 90, 1];
  for (const css of ["#00785a", "rgb(0, 120, 90)", "rgb(0 120 90)"]) assert.deepEqual(parsed(css), green);
  assert.deepEqual(parsed("rgba(0, 120, 90, 0.5)"), [0, 120, 90, 0.5]);
  assert.deepEqual(parsed("#00785a80").slice(0, 3), [0, 120, 90]);
  assert.deepEqual(parsed("color(srgb 0 1 0.5 / 0.25)"), [0, 255, 127.5, 0.25]);
  assert.deepEqual([parsed("transparent")[3], parsed("none"), parsed("url(#a)")], [0, null, null]);
  assert.equal(hex([0, 119.6, 90]), "#00785a");
});

test("what is half seen says how much", () => {
  assert.deepEqual(inked("fill", "rgba(0, 120, 90, 0.5)", 0.5), { fill: "#00785a", "fill-opacity": "0.25" });
  assert.deepEqual(inked("stroke", "#00785a"), { stroke: "#00785a" });
});

test("a font names families that other programs have", () => {
  const { "font-family": family, ...rest } = fontOf("italic bold 12px ui-monospace, monospace", 2);
  assert.deepEqual(rest, { "font-size": "24", "font-style": "italic", "font-weight": "bold" });
  assert.match(familyOf('"DejaVu Sans Mono", system-ui'), /^'DejaVu Sans Mono', system-ui, .*Arial/);
  assert.match(family, /monospace$/);
});

test("a caption is broken where it may be, and an address anywhere", () => {
  const width = (text) => text.length;
  assert.deepEqual(broken("one two three", "", 8, width), ["one two", "three"]);
  assert.deepEqual(broken("http://a/?b=1&c=2", "", 14, width), ["http://a/?b=1&", "c=2"]);
  assert.deepEqual(broken("abcdefghij", "", 4, width), ["abcd", "efgh", "ij"]);
  assert.deepEqual(broken("short", "", 8, width), ["short"]);
});

test("a picture of which a browser makes no PNG is refused in words", async () => {
  const canvas = (blob) => ({ toBlob: (done) => done(blob) }), blob = new Blob(["a"]);
  assert.equal(await pngOf(canvas(blob), { tooLarge: "too large" }), blob);
  await assert.rejects(pngOf(canvas(null), { tooLarge: "too large" }), new Refused("too large"));
});

test("words go to the server and into a file without the signs that isolate them", async () => {
  const content = {
    members: { query: [[0]], key: [[0, 1]] },
    full: { queries: ["\u2068<s> → \u2068·في\u2069\u2069"], labels: ["\u2068كتاب\u2069"] },
  };
  const asked = [], ask = async (wanted) => (asked.push(wanted), { text: "" });
  const view = { level: "heads", kind: "cross", layer: 0, head: 0, second: null, words: true, specials: true };
  const viewer = { view, panes: [{ content }], trace: { sentence: "A" }, map: { measure: null }, compared: { run: null } };
  await csv({ look: { tab: "explore", viewer, experiment: null }, ask });
  assert.deepEqual(asked[0].words, { queries: [[0]], keys: [[0, 1]], query_labels: ["<s> → ·في"], key_labels: ["كتاب"] });
});
