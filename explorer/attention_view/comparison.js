// Comparison of two runs in the attention view: the unchanged run in the first pane and the changed one in the second,
// or a map of their differences. The view belongs to the changed run; the unchanged run shows the corresponding rows
// and columns. Differences are the weights of the changed run minus those of the unchanged run, in each cell whose row
// and column have partners; other cells are NaN and drawn hatched.

import { parseHex } from "../ui/contrast.js";
import { formatSigned } from "../ui/numbers.js";
import { fill, joinList } from "../ui/text.js";
import { Sentences } from "./sentences.js";
import { SEQUENCE } from "./state.js";

const MAX_LISTED = 3; // differences in the readout

/**
 * The content (attention.js) of the `changed` run with differences instead of weights. `partner(axis, index)` is the
 * corresponding query or key of the unchanged run, or null.
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

/**
 * Outlines of all runs of NaN cells, as x and y for Plotly, where null ends a rectangle. `cells` are rows of numbers,
 * `reach` is the number of unmasked cells of a row.
 */
export function gapOutlines(cells, reach) {
  const x = [], y = [];
  const rectangle = (row, from, to) => {
    const [left, right, top, bottom] = [from - 0.5, to - 0.5, row - 0.5, row + 0.5];
    x.push(left, right, right, left, null);
    y.push(top, top, bottom, bottom, null);
  };
  cells.forEach((row, query) => {
    for (let from = 0, to; from < reach[query]; from = to + 1) {
      for (to = from; to < reach[query] && Number.isNaN(row[to]); to += 1);
      if (to > from) rectangle(query, from, to);
    }
  });
  return { x, y };
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

/** Inverts a list of partners. */
function invert(partners, count) {
  const inverse = Array(count).fill(null);
  partners.forEach((partner, index) => { if (partner !== null) inverse[partner] = index; });
  return inverse;
}

/**
 * The partners of fed pieces: a piece is fed one step after its prediction, and both runs begin with the start token.
 */
function fedPartners(steps, count) {
  const later = steps.slice(0, -1).map((partner) => (partner === null || partner + 1 >= count ? null : partner + 1));
  return [0, ...later];
}

export class Pairing {
  /**
   * The first argument has for every piece and step of the changed run the index in the unchanged run, or null
   * (explorer/derived/differences.js); `trace` is the unchanged run.
   */
  constructor({ source, steps }, trace) {
    const count = { source: trace.source.length, steps: trace.steps.length, fed: trace.steps.length };
    this.toUnchanged = { source, steps, fed: fedPartners(steps, count.steps) };
    this.toChanged = Object.fromEntries(
      Object.entries(this.toUnchanged).map(([name, all]) => [name, invert(all, count[name])]),
    );
  }

  /** The query or key of the unchanged run that corresponds to one of the changed run, or null. */
  partner(kind, axis, index) {
    return this.toUnchanged[SEQUENCE[axis][kind]][index] ?? null;
  }

  /** The query or key of the changed run that corresponds to one of the unchanged run, or null. */
  origin(kind, axis, index) {
    return this.toChanged[SEQUENCE[axis][kind]][index] ?? null;
  }

  /** The partner of the last step, up to a step of the changed run, that has one; the first step if none has. */
  upTo(step) {
    return this.toUnchanged.steps.slice(0, step + 1).findLast((partner) => partner !== null) ?? 0;
  }

  /**
   * The view of the unchanged run that corresponds to one of the changed run. If the step has no partner, the view is
   * `parted`: it stays at the last step with a partner, and no row is current. A pin or cell without a partner is
   * dropped.
   */
  viewOf(view) {
    const { kind, step } = view;
    const partnerOf = (axis, index) => this.partner(kind, axis, index);
    const pin = view.pin && { axis: view.pin.axis, index: partnerOf(view.pin.axis, view.pin.index) };
    const cell = view.cell && { query: partnerOf("query", view.cell.query), key: partnerOf("key", view.cell.key) };
    return {
      ...view, step: this.upTo(step), parted: this.toUnchanged.steps[step] === null,
      pin: pin?.index === null ? null : pin, cell: cell && Object.values(cell).includes(null) ? null : cell,
    };
  }
}

const SIDES = ["source", "target"];

/** Whether the view shows both runs side by side; ribbons always do, because they have no negative width. */
function isSideBySide({ compared, look }) {
  return compared === "beside" || look === "ribbon";
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

const predictedPieces = ({ steps }) => steps.map((step) => step.predicted);

export class Comparison {
  run = null;
  numbered = new WeakMap();
  count = 0;

  /** `set` changes the view; `choose` holds the handlers of clicks on pieces of the unchanged run, `go` and `pin`. */
  constructor(root, part, settings, { set, choose }) {
    this.root = root;
    this.part = part;
    this.text = settings.text.compared;
    this.sides = Object.fromEntries(SIDES.map((side) => [side, part[`${side}Side`].textContent]));
    this.scales = [...part.scale.options].map((option) => option.text);
    this.buttons = [...part.compared.children];
    for (const button of this.buttons) button.addEventListener("click", () => set({ compared: button.value }));
    const originOf = (axis, index) => this.run.pairing.origin("cross", axis, index);
    this.sentences = new Sentences(part.sourceBefore, part.targetBefore, settings, {
      go: (step) => originOf("query", step) !== null && choose.go(originOf("query", step)),
      pin: (piece) => originOf("key", piece) !== null && choose.pin(originOf("key", piece)),
      preview() {},
    });
  }

  /** A trace with a submission number of its own, always the same, because the drawing code identifies traces by it. */
  withSubmission(trace) {
    if (!this.numbered.has(trace)) this.numbered.set(trace, { ...trace, submission: `run ${this.count += 1}` });
    return this.numbered.get(trace);
  }

  /** Starts a comparison with another run; null ends it. */
  setRun(changed, run) {
    const { part, root, text } = this;
    this.run = run && { ...run, pairing: new Pairing(run.pairs, run.trace) };
    root.toggleAttribute("data-two", run !== null);
    const parts = ["compared", "remark", "targetSideBefore", "targetBefore", "sourceSideBefore", "sourceBefore"];
    for (const name of parts) part[name].hidden = run === null;
    part.pair.closest("label").hidden = run !== null; // two heads of two runs would be four pictures
    for (const side of SIDES) {
      const sideLabel = (name) =>
        run ? fill(text.side, { side: this.sides[side], name: run.names[name] }) : this.sides[side];
      part[side].setAttribute("aria-label", sideLabel("changed"));
      part[`${side}Before`].setAttribute("aria-label", sideLabel("unchanged"));
      part[`${side}Side`].textContent = sideLabel("changed");
      part[`${side}SideBefore`].textContent = sideLabel("unchanged");
    }
    if (run) this.mark(changed);
    else this.offer(this.scales);
  }

  /** Marks the pieces that differ between the runs; an unchanged source sentence is shown once. */
  mark(changed) {
    const { part, run, text } = this, { trace, pairing: { toUnchanged, toChanged }, names } = run;
    const marks = (one, other, partners, name) => ({
      key: other.submission,
      source: differenceReasons(one.source, partners.source, other.source, { text, name }),
      steps: differenceReasons(predictedPieces(one), partners.steps, predictedPieces(other), { text, name }),
    });
    this.apart = {
      changed: marks(changed, trace, toUnchanged, names.unchanged),
      unchanged: marks(trace, changed, toChanged, names.changed),
    };
    const hasMoved = toUnchanged.source.some((partner, index) => partner !== index);
    if (hasMoved || this.apart.changed.source.size) return;
    part.sourceBefore.hidden = part.sourceSideBefore.hidden = true;
    part.sourceSide.textContent = this.sides.source;
  }

  /** The unchanged run's map of a kind, or undefined. */
  map(kind) {
    return this.run?.trace.kinds[kind];
  }

  /** Whether two pictures are shown side by side. */
  showsTwo(view) {
    return this.run !== null && isSideBySide(view);
  }

  /**
   * Translates a choice in a picture of the unchanged run to the changed run; without a counterpart the readout says
   * so.
   */
  choosePartner(pane, position, choose) {
    const { view: { kind }, trace } = pane.scene, { run } = this;
    if (trace !== run?.trace) return choose(position);
    const originOf = (axis, index) => run.pairing.origin(kind, axis, index);
    const counterpart = position.axis ? { axis: position.axis, index: originOf(position.axis, position.index) }
      : { query: originOf("query", position.query), key: originOf("key", position.key) };
    if (Object.values(counterpart).includes(null)) {
      pane.part.readout.textContent = fill(this.text.lost, { name: run.names.changed });
    } else choose(counterpart);
  }

  /** Draws the pictures and sentences of both runs; `scene` belongs to the changed run. */
  draw(scene, panes, sentences) {
    const [first, second] = panes;
    const { run: { trace, pairing, names }, text } = this;
    const { view } = scene;
    const isPair = isSideBySide(view);
    const heads = { layer: view.layer, head: view.head };
    const other = { ...scene, trace, map: trace.kinds[view.kind], view: pairing.viewOf(view), heads };
    second.root.hidden = !isPair;
    if (isPair) {
      first.draw({ ...other, name: names.unchanged });
      second.draw({ ...scene, heads, name: names.changed });
    } else {
      const partner = (axis, index) => pairing.partner(view.kind, axis, index);
      first.draw({ ...scene, heads, name: fill(text.difference, names), against: { ...other, partner } });
    }
    const [before, after] = isPair ? [first.pieces, second.pieces] : [first.pieces.unchanged, first.pieces.changed];
    sentences.draw(scene.trace, view, scene.map, after, this.apart.changed);
    // All steps of the unchanged run are known.
    this.sentences.draw(trace, { ...other.view, whole: true }, other.map, before, this.apart.unchanged);
    this.controls(view, isPair);
  }

  controls(view, isPair) {
    const { part, text, run: { names } } = this;
    for (const button of this.buttons) button.setAttribute("aria-pressed", button.value === view.compared);
    const remark = fill(isPair ? text.beside[view.compared] : text.remark, names);
    if (part.remark.textContent !== remark) part.remark.textContent = remark;
    this.offer(isPair ? this.scales : Object.values(text.scales));
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
