// The sections of Positions: figures that Python has drawn, with this model's or this sentence's numbers (positions.py).

import { Probe } from "../engine/probe.js";
import { Tensor, euclideanDistance, norm } from "../engine/tensor.js";
import { isolate } from "../ui/scripts.js";
import { escapeLabel } from "../ui/text.js";
import { isolatedTexts, sourcePieces } from "./pieces.js";
import { angleOf, fitError, pairDimensions, roundingBound, similarityOf, turnError, waveOf } from "./position_table.js";
import { formatText, shorten, strip } from "../engine/python_text.js";
import { requireIndex } from "./refusal.js";
import { UserError } from "../ui/user_error.js";
import { checkSentence } from "./sentence.js";

const DECIMALS = 1000, ARC_POINTS = 60;

/** The HTML of a text with numbers; in formulas a minus is as wide as a plus. */
function fillHtml(template, values, language) {
  return formatText(template, values, language).replaceAll("<mn>-", "<mn>−");
}

/** The largest absolute number. */
function largest(numbers) {
  return numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function rowsOf(tensor) {
  return Array.from({ length: tensor.shape[0] }, (_, row) => [...tensor.at(row)]);
}

/** A heatmap with other numbers, rounded, on a symmetric scale. */
function signedHeatmap(trace, rows) {
  const limit = largest(rows.map(largest));
  return { ...trace, z: rows.map((row) => row.map((number) => Math.round(number * DECIMALS) / DECIMALS)), zmin: -limit, zmax: limit };
}

/** The sections about the table itself. All throw a UserError for missing positions. */
export class TableSections {
  constructor({ translator, data: { language, positions }, refusals }) {
    Object.assign(this, { language, refusals, ...positions, table: translator.model.encoder.embedding.positions });
    this.width = this.table.shape[1];
  }

  get sections() {
    return {
      table: (...args) => this.tableSection(...args),
      waves: (...args) => this.wavesSection(...args),
      similarity: (...args) => this.similaritySection(...args),
      turn: (...args) => this.turnSection(...args),
    };
  }

  require(length, ...dimensions) {
    requireIndex("length", length, this.shown + 1, this.refusals);
    for (const dimension of dimensions) requireIndex("dimension", dimension, this.width, this.refusals);
  }

  rows(count) {
    return Array.from({ length: count }, (_, position) => [...this.table.at(position)]);
  }

  format(template, values) {
    return formatText(template, values, this.language);
  }

  /** The table with one cell's formula. */
  tableSection(length, position, dimension) {
    this.require(length, dimension);
    requireIndex("position", position, this.shown, this.refusals);
    const { width, trained, figures: { heatmap: { data: [heatmap, mark, line], layout } } } = this;
    const rows = this.rows(Math.max(length, position + 1)), data = [signedHeatmap(heatmap, rows), { ...mark, x: [dimension], y: [position] }];
    if (trained !== null && trained < rows.length) {
      const across = [-0.5, width - 0.5], text = ["", this.format(this.texts.trained, { trained })];
      data.push({ ...line, x: across, y: [trained - 0.5, trained - 0.5], text });
    }
    const yaxis = { ...layout.yaxis, range: [rows.length - 0.5, -0.5] };
    return { figures: { heatmap: { data, layout: { ...layout, yaxis } } }, texts: { formula: this.formula(position, dimension) } };
  }

  /** The formula with its numbers, and the value in the table. */
  formula(position, dimension) {
    const { width, kind, language, texts } = this, { pair, isCosine } = waveOf(dimension, width, kind), angle = angleOf(position, pair, width);
    const values = {
      position, dimension, held: this.table.at(position)[dimension], i: pair, even: 2 * pair, d_model: width, angle,
      value: isCosine ? Math.cos(angle) : Math.sin(angle),
    };
    return fillHtml(texts.formula[Number(isCosine)], values, language);
  }

  /** Selected columns of the table, and the wavelengths of all, if it has any. */
  wavesSection(length, dimensions) {
    this.require(length, ...dimensions);
    const { figures: { curves: { data, layout }, wavelengths } } = this, rows = this.rows(length), limit = 1.08 * largest(rows.map(largest));
    const lines = dimensions.map((dimension, number) => this.curve(data[number], rows, dimension));
    const curves = { data: lines, layout: { ...layout, yaxis: { ...layout.yaxis, range: [-limit, limit] } } };
    return { figures: { curves, ...(wavelengths ? { wavelengths } : {}) }, texts: {} };
  }

  curve(line, rows, dimension) {
    const { width, kind, figures: { wavelengths }, texts } = this, { pair, isCosine } = waveOf(dimension, width, kind);
    const values = { dimension, wavelength: (2 * Math.PI) / angleOf(1, pair, width) };
    return {
      ...line,
      y: rows.map((row) => row[dimension]),
      line: { ...line.line, dash: isCosine ? "dot" : "solid" },
      name: this.format(wavelengths ? texts.wave : texts.curve, values),
      hovertemplate: `${this.format(texts.point, values)}<extra></extra>`,
    };
  }

  similaritySection(length, measure) {
    this.require(length);
    const rows = this.rows(length), similar = rows.map((row) => rows.map((other) => similarityOf(row, other, measure)));
    const diagonals = rows.map((_, distance) => rows.slice(distance).map((__, i) => similar[i][i + distance]));
    const { similarity: { [measure]: heatmap }, "similarity-curve": { [measure]: curve } } = this.figures;
    const [least, greatest, means] = curve.data, distances = rows.map((_, distance) => distance);
    const data = [
      { ...least, y: diagonals.map((numbers) => Math.min(...numbers)) },
      { ...greatest, y: diagonals.map((numbers) => Math.max(...numbers)) },
      { ...means, x: distances, y: diagonals.map(mean) },
    ];
    const similarity = { ...heatmap, data: [signedHeatmap(heatmap.data[0], similar)] };
    return { figures: { similarity, "similarity-curve": { ...curve, data } }, texts: {} };
  }

  /** A shift as a rotation of one pair, given by one of its dimensions, and its error. */
  turnSection(length, dimension, start, distance) {
    this.require(length);
    const { width, kind, shown } = this, half = Math.floor(shown / 2), last = pairDimensions(width / 2 - 1, width, kind)[0];
    requireIndex("pair", dimension, last + 1, this.refusals);
    requireIndex("start", start, half, this.refusals);
    requireIndex("distance", distance, half + 1, this.refusals);
    const { pair } = waveOf(dimension, width, kind), turn = kind === "learned" ? null : angleOf(distance, pair, width);
    const rows = this.rows(Math.max(length, start + distance + 1)), dimensions = pairDimensions(pair, width, kind);
    const plane = rows.map((row) => dimensions.map((place) => row[place]));
    return { figures: { turn: this.turnFigure(plane, start, distance, turn) }, texts: { error: this.turnText(distance, turn) } };
  }

  turnFigure(plane, start, distance, turn) {
    const { texts, figures: { turn: { data: [points, ...others], layout } } } = this, limit = 1.12 * largest(plane.map(largest));
    const hands = [start, start + distance].map((position, i) => ({
      ...others[i], x: [0, plane[position][1]], y: [0, plane[position][0]], name: this.format(texts.one, { position }),
      hovertemplate: `${this.format(texts.hand, { position })}<extra></extra>`,
    }));
    const first = Math.atan2(...plane[start]), step = Math.min(turn, 2 * Math.PI) / (ARC_POINTS - 1);
    const bow = Array.from({ length: ARC_POINTS }, (_, i) => first + i * step);
    const arcs = others.slice(2).map((arc) => ({ ...arc, x: bow.map((angle) => 0.5 * Math.cos(angle)), y: bow.map((angle) => 0.5 * Math.sin(angle)) }));
    const range = [-limit, limit], axes = { xaxis: { ...layout.xaxis, range }, yaxis: { ...layout.yaxis, range } };
    const all = { ...points, x: plane.map((row) => row[1]), y: plane.map((row) => row[0]) };
    return { data: [all, ...hands, ...arcs], layout: { ...layout, ...axes } };
  }

  turnText(distance, turn) {
    const { kind, table, trained, texts, language } = this, [count] = table.shape;
    if (kind !== "learned") {
      const values = { turn, degrees: (turn * 180) / Math.PI, distance, count: count - distance, rounding: roundingBound(turnError(table, distance, kind)) };
      return fillHtml(texts.error, values, language);
    }
    const error = fitError(table, Math.min(trained ?? count, count), distance);
    return fillHtml(error === null ? texts.undetermined : texts.error, { distance, error }, language);
  }
}

/** At most `maxLabels` labels of an axis, long ones shortened. */
function ticks(labels, { maxLabels, maxLetters }) {
  const stride = Math.ceil(labels.length / maxLabels), places = [...labels.keys()].filter((i) => i % stride === 0);
  return { tickvals: places, ticktext: places.map((i) => escapeLabel(isolate(shorten(labels[i], maxLetters)))) };
}

/** A labelled axis whose rows go down the page. */
function downwardAxis(labels, options) {
  return { ...ticks(labels, options), range: [labels.length - 0.5, -0.5] };
}

/** The number below which a part of all lies, between the nearest two. */
function quantile(numbers, part) {
  const sorted = Float64Array.from(numbers).sort(), place = part * (sorted.length - 1), before = Math.floor(place);
  return sorted[before] + (place - before) * ((sorted[before + 1] ?? sorted[before]) - sorted[before]);
}

/** Layout axes are "xaxis", "xaxis2", "xaxis3". */
function axisName(letter, number) {
  return `${letter}axis${number === 1 ? "" : number}`;
}

/** The pieces of a sentence at the input of the first layer; with `forget` without the scaling. */
export function piecesSection(pass, side, forget, { language, positions }) {
  const [{ source, target }] = pass.traces, { scale } = pass.model[side].embedding, { figures, texts, tied, kind } = positions;
  const [embedding, places] = ["embedding", "positions"].map((name) => pass.at({ stack: side, tensor: name }));
  const width = places.width, added = places.data, factor = forget ? 1 / scale : 1, pieces = side === "encoder" ? source : target;
  const input = new Tensor([pieces.length, width], embedding.at(0).map((number) => number * factor));
  const strips = [input, new Tensor(input.shape, added), input.map((number, i) => number + added[i])];
  const norms = strips.map((strip) => rowsOf(strip).map(norm)), [own, position, stream] = norms.map(mean);
  const count = kind === "none" ? 1 : 3, bare = own / (forget ? 1 : scale);
  const figure = stripsFigure(figures.pieces[forget || scale === 1 ? "unscaled" : "scaled"], strips.slice(0, count), norms, {
    labels: pieces.map(({ text }) => text), language, positions,
  });
  const mistake = texts.mistake?.[Number(2 * bare < position)][Number(tied[side])];
  return {
    figures: { pieces: figure },
    texts: {
      norms: fillHtml(texts.norms, { embedding: own, positions: position, stream }, language),
      mistake: mistake ? fillHtml(mistake, { bare, positions: position }, language) : "",
    },
  };
}

/** Rows of numbers for each piece, one below the other on one colour scale, every norm at its right. */
function stripsFigure({ data, layout }, strips, norms, { labels, language, positions }) {
  const most = quantile(strips.flatMap((strip) => [...strip.data].map(Math.abs)), 0.99), count = strips.length, axes = {};
  strips.forEach((strip, i) => {
    const [x, y, beside] = [axisName("x", i + 1), axisName("y", i + 1), axisName("y", i + 1 + count)];
    const lengths = norms[i].map((norm) => formatText("{norm:.1f}", { norm }, language));
    axes[x] = { ...layout[x], range: [-0.5, strip.width - 0.5] };
    axes[y] = { ...layout[y], ...downwardAxis(labels, positions) };
    axes[beside] = { ...layout[beside], ...downwardAxis(lengths, positions) };
  });
  const traces = data.map((trace, i) => (i % 2 ? trace : { ...trace, z: rowsOf(strips[i / 2]), zmin: -most, zmax: most }));
  const height = 130 + 10 * count * Math.min(labels.length, positions.maxLabels);
  return { data: traces, layout: { ...layout, ...axes, height } };
}

/** The distances between the encoder's outputs of two sentences: [first second]. */
function distancesOf(translator, sources, probe) {
  const [first, second] = sources.map((src) => {
    const { memory } = translator.encode(src, probe);
    return src.map((_, place) => memory.at(0, place));
  });
  return first.map((row) => second.map((other) => euclideanDistance(row, other)));
}

/** The place of each id of the first list in the second, a permutation of it; equal ids match in order. */
function matchPermutation(first, second) {
  const taken = new Set();
  return first.map((id) => {
    const place = second.findIndex((other, i) => other === id && !taken.has(i));
    taken.add(place);
    return place;
  });
}

/** Two sentences of the same pieces, encoded with positions and without. Throws a UserError if the pieces differ. */
export function orderSection({ translator, data }, first, second) {
  const { language, positions: { texts } } = data;
  if (!strip(first) || !strip(second)) return { figures: {}, texts: { result: texts.twoSentences } };
  const sentences = [first, second].map((text) => checkSentence(text, translator, data)), sources = sentences.map((text) => translator.sourceIds(text));
  const pieces = sentences.map((text, i) => sourcePieces(translator, text, sources[i])), sorted = sources.map((src) => `${src.toSorted()}`);
  if (sorted[0] !== sorted[1]) {
    const [one, other] = pieces.map((side) => isolatedTexts(side).join(" "));
    throw new UserError(formatText(texts.otherPieces, { first: one, second: other }, language));
  }
  const isPosition = ({ stack, tensor }) => stack === "encoder" && tensor === "positions";
  const probes = [new Probe(), new Probe((site, tensor) => (isPosition(site) ? tensor.map(() => 0) : undefined))];
  const matrices = probes.map((probe) => distancesOf(translator, sources, probe)), partners = matchPermutation(...sources);
  const [ordered, unordered] = matrices.map((distances) => Math.max(...partners.map((place, i) => distances[i][place])));
  const labels = pieces.map((side) => side.map(({ text }) => text));
  return {
    figures: { order: orderFigure(labels, matrices, data) },
    texts: { result: fillHtml(texts.result, { ordered, rounding: roundingBound(unordered) }, language) },
  };
}

/** Distances side by side on one scale. */
function orderFigure([rows, columns], matrices, { language, positions }) {
  const { figures: { order: { data, layout } }, texts, maxLabels } = positions, shown = matrices.slice(0, data.length), axes = {};
  const text = (distances) => rows.map((row, i) => columns.map((column, j) => (
    escapeLabel(formatText(texts.pair, { row: isolate(row), column: isolate(column), distance: distances[i][j] }, language))
  )));
  const zmax = Math.max(...shown.flat(2)), traces = shown.map((z, i) => ({ ...data[i], z, zmax, text: text(z) }));
  shown.forEach((_, i) => {
    const [x, y] = [axisName("x", i + 1), axisName("y", i + 1)];
    axes[x] = { ...layout[x], ...ticks(columns, positions) };
    axes[y] = { ...layout[y], ...downwardAxis(rows, positions) };
  });
  return { data: traces, layout: { ...layout, ...axes, height: 120 + 22 * Math.min(rows.length, maxLabels) } };
}
