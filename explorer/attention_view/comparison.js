// Two runs in the attention view: the one that is shown with the German of the other below it, both maps side by side,
// or a map of their differences. The view belongs to the run that is shown; the other shows the corresponding rows and
// columns. Side by side and in differences the changed run is shown, and differences are the weights of the changed run
// minus those of the unchanged run, in each cell whose row and column have partners; other cells are NaN and drawn
// hatched.

import { parseHex } from "../ui/contrast.js";
import { contentOf } from "../derived/attention_map.js";
import { formatSigned } from "../ui/numbers.js";
import { sum } from "../ui/tensor.js";
import { fill, joinList } from "../ui/text.js";
import { Pairing } from "../changes/pairing.js";
import { plainTrace } from "./plain.js";
import { Sentences } from "./sentences.js";

const MAX_LISTED = 3; // differences in the readout
const MAX_MOVED = 5; // heads that are framed
const LEAST_MOVED = 1e-3; // mean difference of a weight, below which a head's map looks the same

/**
 * The content (attention_map.js) of the `changed` run with differences instead of weights. `partner(axis, index)` is
 * the corresponding query or key of the unchanged run, or null.
 */
export function computeDifference(changed, unchanged, partner) {
  const columnOf = new Map(unchanged.keys.map((key, column) => [key, column]));
  // A column without a partner is beyond the reach of every row.
  const columns = changed.keys.map((key) => columnOf.get(partner("key", key)) ?? Infinity);
  const rows = changed.rows.map((row, query) => {
    const unchangedQuery = partner("query", query);
    const reach = unchangedQuery === null ? 0 : unchanged.reach[unchangedQuery];
    return Float64Array.from(row, (weight, column) =>
      columns[column] < reach ? weight - unchanged.rows[unchangedQuery][columns[column]] : NaN,
    );
  });
  return { ...changed, rows, signed: true, changed, unchanged };
}

/** The frame of a heatmap (component.py) with a diverging colour scale; zero is transparent. */
export function createSignedFrame(frame, colours, kind) {
  const ink = (name, share) => `rgba(${parseHex(colours[name])},${share})`;
  const negativeKind = `${kind}_negative`;
  const colorscale = [[0, ink(negativeKind, 1)], [0.5, ink(negativeKind, 0)], [0.5, ink(kind, 0)], [1, ink(kind, 1)]];
  const [cells, ...others] = frame.data;
  return { ...frame, data: [{ ...cells, colorscale }, ...others] };
}

/** The largest differences of a row or column by absolute value: pairs of index and number. */
export function largestDifferences(numbers) {
  const differing = [...numbers.entries()].filter(([, number]) => Math.abs(number) >= 0.0005);
  return differing.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, MAX_LISTED);
}

/**
 * A sentence about the largest differences in the row or column `index` of an axis, or in the first `known` rows if
 * `index` is null. `text` holds the sentences.
 */
export function describeDifference({ queries, labels, rows, reach }, { axis, index, known }, text) {
  const formatList = (numbers, names) =>
    joinList(largestDifferences(numbers).map(([i, number]) => `${names(i)} ${formatSigned(number, 3)}`)) || text.none;
  if (index === null) {
    const width = labels.length;
    const all = rows.slice(0, known).flatMap((row) => Array.from(row));
    return fill(text.all, {
      found: formatList(all, (i) => fill(text.pair, { query: queries[Math.floor(i / width)], key: labels[i % width] })),
    });
  }
  const query = axis === "query";
  const name = query ? queries[index] : labels[index];
  const numbers = query
    ? Array.from(rows[index].subarray(0, reach[index]))
    : rows.slice(0, known).map((row) => row[index]);
  if (numbers.every(Number.isNaN)) return fill(text.noPartner, { name });
  return fill(text[query ? "row" : "column"], {
    name,
    found: formatList(numbers, (i) => (query ? labels : queries)[i]),
  });
}

const SIDES = ["source", "target"];

/** Whether the view shows both runs side by side; ribbons do in place of a difference: they have no negative width. */
function isSideBySide({ level, compared, look }) {
  return level !== "picture" && (compared === "beside" || (compared === "difference" && look === "ribbon"));
}

/** Whether the view shows one run. */
function isOneRun({ level, compared }) {
  return level === "picture" || compared === "one";
}

/** Why pieces differ from the other run: a list of reasons by index of the piece. */
function differenceReasons(pieces, partners, others, { text, name }) {
  const reasons = new Map();
  pieces.forEach((piece, i) => {
    const other = others[partners[i]];
    if (!other) reasons.set(i, [fill(text.alone, { name })]);
    else if (other.id !== piece.id) reasons.set(i, [fill(text.instead, { name, piece: other.text })]);
  });
  return reasons;
}

/** The heads of a map with the largest mean difference of a weight, where its row and column have partners. */
function mostMoved(map, other, pairing) {
  const partner = (axis, index) => pairing.partner(map.kind, axis, index);
  const distances = [];
  for (let layer = 0; layer < map.layers; layer++) {
    for (const head of map.headsOn(layer)) {
      const contents = [map, other].map((one) => contentOf(one, { layer, head }, true));
      const { rows } = computeDifference(contents[0], contents[1], partner);
      const numbers = rows.flatMap((row) => Array.from(row, Math.abs)).filter((number) => !Number.isNaN(number));
      distances.push({ layer, head, distance: sum(numbers) / (numbers.length || 1) });
    }
  }
  const moved = distances.filter(({ distance }) => distance > LEAST_MOVED);
  return moved.sort((one, two) => two.distance - one.distance).slice(0, MAX_MOVED);
}

const predictedPieces = ({ steps }) => steps.map((step) => step.predicted);

export class Comparison {
  /** The run that is not shown, { trace, pairs, names }. @type {any} */ run = null;

  /** `set` changes the view; `choose` holds the handlers of clicks on pieces of the other run, `go` and `pin`. */
  constructor(root, part, settings, { set, choose }) {
    this.root = root;
    this.part = part;
    this.text = settings.text.compared;
    this.sides = Object.fromEntries(SIDES.map((side) => [side, part[`${side}Side`].textContent]));
    this.scales = [...part.scale.options].map((option) => option.text);
    this.buttons = [...part.compared.children];
    for (const button of this.buttons) button.addEventListener("click", () => set({ compared: button.value }));
    const originOf = (axis, index) => this.run.pairing.origin("cross", axis, index);
    this.sentences = new Sentences(part.sourceOther, part.targetOther, settings, {
      go: (step) => originOf("query", step) !== null && choose.go(originOf("query", step)),
      pin: (piece) => originOf("key", piece) !== null && choose.pin(originOf("key", piece)),
      preview() {},
    });
  }

  /**
   * Compares the run that is shown with another: { trace, pairs, names }. `pairs` are { source, steps }, the partners
   * in the other of what is shown, `names` { shown, other } the titles of both; null ends it.
   */
  setRun(shown, run) {
    const { part, root, sides, text } = this;
    this.run = run && { ...run, plain: plainTrace(run.trace), pairing: new Pairing(run.pairs, run.trace) };
    root.toggleAttribute("data-two", run !== null);
    for (const name of ["compared", "targetSideOther", "targetOther", "sourceSideOther", "sourceOther"]) {
      part[name].hidden = run === null;
    }
    for (const side of SIDES) {
      const label = (name) => (run ? fill(text.side, { side: sides[side], name: run.names[name] }) : sides[side]);
      for (const [suffix, name] of [["", "shown"], ["Other", "other"]]) {
        part[`${side}${suffix}`].setAttribute("aria-label", label(name));
        part[`${side}Side${suffix}`].textContent = run ? run.names[name] : sides[side];
      }
    }
    if (run) this.mark(shown);
    else this.offer(this.scales);
  }

  /** Marks the pieces that differ between the runs; a source sentence that both have is shown once. */
  mark(shown) {
    const { part, run, text } = this, { trace, pairing: { toOther, toShown }, names } = run;
    const marks = (one, other, partners, name) => ({
      key: other.submission,
      source: differenceReasons(one.source, partners.source, other.source, { text, name }),
      steps: differenceReasons(predictedPieces(one), partners.steps, predictedPieces(other), { text, name }),
    });
    this.apart = {
      shown: marks(shown, trace, toOther, names.other),
      other: marks(trace, shown, toShown, names.shown),
    };
    this.root.toggleAttribute("data-alike", this.apart.other.steps.size === 0); // the same words in both runs
    const hasMoved = toOther.source.some((partner, index) => partner !== index);
    if (hasMoved || this.apart.shown.source.size) return this.nameSides();
    part.sourceOther.hidden = part.sourceSideOther.hidden = true;
    part.sourceSide.textContent = this.sides.source;
  }

  /** Names the language of each strip, where both runs have two. */
  nameSides() {
    const { part, run: { names }, sides, text } = this;
    for (const side of SIDES) {
      for (const [suffix, name] of [["", names.shown], ["Other", names.other]]) {
        part[`${side}Side${suffix}`].textContent = fill(text.side, { side: sides[side], name });
      }
    }
  }

  /** The other run's map of a kind, or undefined. */
  map(kind) {
    return this.run?.trace.kinds[kind];
  }

  /** The heads whose weights moved most from the other run, of which more would say nothing. */
  movedHeads(kind, { kinds }) {
    const { run } = this, map = kinds[kind];
    if (run === null || !map.ready || !run.trace.kinds[kind].ready) return [];
    return map.once(`moved from ${run.trace.submission}`, () => mostMoved(map, run.trace.kinds[kind], run.pairing));
  }

  /** Whether two pictures are shown side by side. */
  showsTwo(view) {
    return this.run !== null && isSideBySide(view);
  }

  /**
   * Translates a choice in a picture of the other run to the one that is shown; without a counterpart the readout says
   * so.
   */
  choosePartner(pane, position, choose) {
    const { view: { kind }, trace } = pane.scene, { run } = this;
    if (trace !== run?.trace) return choose(position);
    const originOf = (axis, index) => run.pairing.origin(kind, axis, index);
    const counterpart = position.axis ? { axis: position.axis, index: originOf(position.axis, position.index) }
      : { query: originOf("query", position.query), key: originOf("key", position.key) };
    if (Object.values(counterpart).includes(null)) {
      pane.part.readout.textContent = fill(this.text.lost, { name: run.names.shown });
    } else choose(counterpart);
  }

  /** Draws the pictures and sentences of both runs; `scene` belongs to the run that is shown. */
  draw(scene, panes, sentences) {
    const { run: { trace, plain, pairing } } = this;
    const { view } = scene;
    const heads = { layer: view.layer, head: view.head };
    const shown = { ...scene, heads };
    const other = { ...shown, trace, map: trace.kinds[view.kind], view: pairing.viewOf(view) };
    panes[1].root.hidden = !isSideBySide(view);
    const [shownPieces, otherPieces] = this.drawPanes(shown, other, panes);
    sentences.draw(scene.trace, view, scene.map, shownPieces, this.apart.shown);
    // All steps of the other run are known.
    const all = { ...other.view, whole: true };
    this.sentences.draw(view.level === "picture" ? plain : trace, all, other.map, otherPieces, this.apart.other);
    this.controls(view);
  }

  /** Draws the pictures, of which a comparison's first is the unchanged run; returns the contents of both runs. */
  drawPanes(shown, other, [first, second]) {
    const { run: { names, pairing }, text } = this, { view } = shown;
    if (isOneRun(view)) {
      first.draw({ ...shown, name: view.level === "picture" ? undefined : names.shown });
      return [first.pieces, null];
    }
    if (isSideBySide(view)) {
      first.draw({ ...other, name: names.other });
      second.draw({ ...shown, name: names.shown });
      return [second.pieces, first.pieces];
    }
    const partner = (axis, index) => pairing.partner(view.kind, axis, index);
    const name = fill(text.difference, { changed: names.shown, unchanged: names.other });
    first.draw({ ...shown, name, against: { ...other, partner } });
    return [first.pieces.changed, first.pieces.unchanged];
  }

  controls(view) {
    const { part, text, run: { names } } = this;
    for (const button of this.buttons) button.setAttribute("aria-pressed", button.value === view.compared);
    const values = { changed: names.shown, unchanged: names.other };
    const isPair = isSideBySide(view);
    const isOne = isOneRun(view);
    const remark = isOne ? "" : fill(isPair ? text.beside[view.compared] : text.remark, values);
    part.remark.hidden = isOne;
    if (part.remark.textContent !== remark) part.remark.textContent = remark;
    this.offer(isPair || isOne ? this.scales : Object.values(text.scales));
  }

  /** Sets the names of the colour scales. */
  offer(scales) {
    [...this.part.scale.options].forEach((option, i) => { if (option.text !== scales[i]) option.text = scales[i]; });
  }

  /** Measures overflow again after a change of width. */
  measure() {
    if (this.run) this.sentences.measure();
  }
}
