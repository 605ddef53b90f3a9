import assert from "node:assert/strict";
import { test } from "node:test";
import { createFlightPictures } from "../../explorer/page/save/flight.js";
import { writingAt } from "../../explorer/tabs/whole/film/writing.js";
import { momentAt, timetableOf } from "../../explorer/tabs/whole/film/timetable.js";
import { stopsOf } from "../../explorer/tabs/whole/guide/stops.js";
import { project } from "../../explorer/tabs/whole/picture/camera.js";
import { boardsSeen, legsOf, viewpointAt, viewpointBetween } from "../../explorer/tabs/whole/picture/flight.js";
import { layoutOf } from "../../explorer/tabs/whole/picture/layout.js";
import { levelOf } from "../../explorer/tabs/whole/place.js";
import { ShownRun } from "../../explorer/tabs/whole/shown_run.js";

const CONFIG = { layers: { encoder: 4, decoder: 4 }, heads: 8 };
const STAGE = { width: 1302, height: 545 }; // of a window of 1366 by 768 pixels
const LEAST_SHARE = 0.1; // of the stage, that something fills in every frame
const TIMES = Array.from({ length: 41 }, (_, i) => i / 40);

/** The stops and the scene of a translation with so many tokens on both sides. */
function flightOf(tokens, stage = STAGE) {
  const kinds = Object.fromEntries(["encoder", "decoder", "cross"].map((kind) => (
    [kind, { heads: 8, keys: Array(tokens), queries: Array(tokens), ready: false }])));
  const trace = { kinds, steps: Array(tokens) };
  const scene = { trace, layout: layoutOf(CONFIG, { src: tokens, tgt: tokens }, stage) };
  return { scene, stops: stopsOf({ trace, step: 11, config: CONFIG }) };
}

/** The share of the stage that a box fills. */
function shareOf({ left, top, width, height }, stage) {
  const across = Math.min(stage.width, left + width) - Math.max(0, left);
  const down = Math.min(stage.height, top + height) - Math.max(0, top);
  return (Math.max(0, across) * Math.max(0, down)) / (stage.width * stage.height);
}

/** The boxes on the stage of what is drawn: the lanes of both stacks, and boards. */
function drawnBoxes({ layout, trace }, viewpoint, place) {
  const { camera } = viewpoint;
  const stacks = ["encoder", "decoder"].map((stack) => {
    const { top, bottom } = layout[stack];
    const { from: left } = layout.start;
    return project(camera, { left, width: layout.right - left, top, height: bottom - top });
  });
  const seen = boardsSeen({ layout, trace }, viewpoint, place).filter(({ opacity }) => opacity >= 0.5);
  const boards = seen.map((board) => ({ ...board, width: board.x * layout.width, height: board.y * layout.height }));
  return [...stacks, ...boards];
}

test("in every frame of a flight from stop to stop something fills a tenth of the stage", () => {
  for (const tokens of [16, 56]) {
    const { scene, stops } = flightOf(tokens);
    for (let i = 1; i < stops.length; i++) {
      let { place } = stops[i - 1];
      let viewpoint = viewpointAt(scene, place);
      for (const { end, opens } of legsOf(place, stops[i].place)) {
        const [start, goal] = [viewpoint, viewpointAt(scene, end)];
        if (opens) place = end;
        for (const time of TIMES) {
          const boxes = drawnBoxes(scene, viewpointBetween(start, goal, time), place);
          const most = Math.max(...boxes.map((box) => shareOf(box, STAGE)));
          assert.ok(most >= LEAST_SHARE, `${stops[i].key}, ${tokens} tokens, at ${time}: ${most}`);
        }
        viewpoint = goal;
      }
    }
  }
});

test("at the end of a flight the board of its place fills the stage, and that of a number covers it", () => {
  const { scene, stops } = flightOf(16);
  const full = { opacity: 1, left: 0, top: 0, x: 1, y: 1 };
  for (const { key, place } of stops) {
    const seen = boardsSeen(scene, viewpointAt(scene, place), place);
    const name = { feed: "feed", head: "head", q: "number", weight: "number", output: "output" }[key];
    assert.equal(seen.length, name ? 1 : 0, key);
    if (!name) continue;
    assert.equal(seen[0].name, name);
    for (const [side, value] of Object.entries(full)) assert.ok(Math.abs(seen[0][side] - value) < 1e-6, side);
  }
});

test("a film shows every stop in turn, without a gap, and longest the one with most to read", () => {
  const { scene, stops } = flightOf(16);
  for (const duration of [60_000, 1500]) {
    const told = stops.map(({ place }, i) => ({ place, letters: i === 4 ? 900 : 80 }));
    const shots = timetableOf(scene, told, duration);
    shots.forEach(({ from, to }, i) => {
      assert.ok(to > from);
      assert.ok(Math.abs(from - (shots[i - 1]?.to ?? 0)) < 1e-9);
    });
    assert.ok(Math.abs(shots.at(-1).to - 1) < 1e-9);
    assert.deepEqual([...new Set(shots.map(({ stop }) => stop))], [...stops.keys()]);
    const rests = shots.filter(({ start, end }) => start === end);
    assert.deepEqual(rests.map(({ place }) => place), stops.map(({ place }) => place));
    const longest = rests.reduce((best, one) => (one.to - one.from > best.to - best.from ? one : best));
    assert.equal(longest.stop, 4);
    const end = momentAt(shots, 1);
    assert.deepEqual([end.stop, end.viewpoint], [stops.length - 1, viewpointAt(scene, stops.at(-1).place)]);
  }
});

test("while a number's board closes it is that of the stop before, and while it opens that of the next", () => {
  const { scene, stops } = flightOf(16);
  const shots = timetableOf(scene, stops.map(({ place }) => ({ place, letters: 100 })), 60_000);
  const at = stops.findIndex(({ key }) => key === "weight");
  const [closing, opening] = shots.filter(({ stop, start, end }) => stop === at && start !== end);
  assert.deepEqual([closing.end.openness, closing.boards.ofNumber], [0, at - 1]);
  assert.deepEqual([opening.end.openness, opening.boards.ofNumber], [1, at]);
  for (const { stop, place, boards } of shots) {
    assert.ok(boards.ofPlace === stop || boards.ofPlace === stop - 1);
    const blockOf = ({ stack, layer, block }) => [stack, layer, block];
    if (levelOf(place) !== "whole") assert.deepEqual(blockOf(place), blockOf(stops[boards.ofPlace].place));
  }
});

test("a sentence is written in the same time however many steps it has, each faded in after the one before", () => {
  globalThis.document = /** @type {any} */ ({ createElement: () => ({}) });
  for (const steps of [1, 15, 71]) {
    const moments = Array.from({ length: 1001 }, (_, i) => writingAt(i / 1000, steps, 10_000));
    assert.deepEqual(moments[0], { read: 0, step: 0, shown: 1 });
    assert.deepEqual(moments.at(-1), { read: 1, step: steps - 1, shown: 1 });
    assert.equal(moments.find(({ read }) => read === 1).step, 0);
    assert.deepEqual([...new Set(moments.map(({ step }) => step))], [...Array(steps).keys()]);
    const counts = [...Array(steps).keys()].map((step) => moments.filter((one) => one.step === step).length);
    assert.ok(counts.at(-1) > 150); // a second and a half for all of it
    assert.ok(Math.max(...counts.slice(1, -1), 0) - Math.min(...counts.slice(1, -1), 1000) <= 1);
    for (let step = 1; step < steps; step++) {
      const faded = moments.filter((one) => one.step === step).map(({ shown }) => shown);
      assert.ok(faded[0] < 0.5 && faded.at(-1) === 1);
    }
  }
});

test("what is shown is complete once its strips are of its sentence and all weights are there", async () => {
  const weights = { encoder: { ready: true }, cross: { ready: false } };
  const trace = { sentence: "Birds sing.", kinds: weights, steps: [{}] };
  const model = /** @type {any} */ ({ overview: async () => ({ strips: [] }) });
  const shown = new ShownRun(model);
  shown.viewer = { trace, source: trace, experiment: {}, view: { step: 0 } };
  assert.equal(shown.isComplete, false);
  assert.equal(await shown.load(/** @type {any} */ ({}), "failed"), "new");
  assert.equal(shown.isComplete, false);
  weights.cross.ready = true;
  assert.equal(shown.isComplete, true);
  shown.viewer.trace = { ...trace, sentence: "Dogs bark." };
  assert.equal(shown.isComplete, false);
});

test("pictures that are stopped in the last one are not saved, whatever is being done then", async () => {
  for (const moment of ["load", "encode", null]) {
    const controller = new AbortController();
    const abortAt = (name) => moment === name && controller.abort();
    const encode = (done) => {
      abortAt("encode");
      done(new Blob(["png"]));
    };
    const canvas = { getContext: () => ({ setTransform: () => {} }), toBlob: encode };
    globalThis.document = /** @type {any} */ ({ createElement: () => canvas });
    const still = { title: "", caption: "" };
    let isOpen = false;
    const flight = {
      size: {}, stops: [{ key: "again" }], stills: [still], shown: { trace: { sentence: "Birds sing." } },
      open: async () => { isOpen = true; }, close: () => { isOpen = false; }, load: async () => abortAt("load"),
      drawStop: () => {}, drop: () => {},
    };
    const watch = { signal: controller.signal, show: () => {}, tell: () => {} };
    const saved = createFlightPictures({ snapshot: { flight }, settings: { text: { drawing: "" } }, watch });
    if (moment) await assert.rejects(saved, { name: "AbortError" });
    else assert.equal((await saved).name, "flight-birds-sing.zip");
    assert.equal(isOpen, false);
  }
});
