// The sections of Positions: each computes its figures and texts from the values of its controls.

import { PositionTable, angleOf, pairDimensions, similarities } from "../../derived/position_table.js";
import { compareOrders, formulaText, inputTexts, layerInput, shiftText } from "../../derived/positions.js";
import { nameToken } from "../../derived/token_names.js";
import { targetOf } from "../../derived/trace.js";
import { formatText } from "../../ui/format_text.js";
import { PositionFigures } from "./figures.js";

/** The sections, as the templates name them. Each returns or promises { figures, texts } by name; texts are HTML. */
export class Sections {
  settings;
  model;
  figures;
  table = null; // the model may have none

  /** @param {import("../../ui/model.js").Model} model */
  constructor(settings, model) {
    this.settings = settings;
    this.model = model;
    this.figures = new PositionFigures(settings);
    if (settings.added) this.table = new PositionTable(settings.table);
  }

  /** The table with one cell's formula; `length` is the number of positions in the figures. */
  tableSection(length, position, dimension) {
    const { table, figures, settings: { texts } } = this;
    const heatmap = figures.table(table, table.rows(Math.max(length, position + 1)), position, dimension);
    return { figures: { heatmap }, texts: { formula: formulaText(table, position, dimension, texts) } };
  }

  /** Some columns of the table, and the wavelengths of all, if it has any. */
  wavesSection(length, dimensions) {
    const { table, figures } = this;
    const curves = figures.curves(table, table.rows(length), dimensions);
    const wavelengths = table.isLearned ? null : figures.wavelengths(table);
    return { figures: { curves, wavelengths }, texts: {} };
  }

  similaritySection(length, measure) {
    const { table, figures } = this;
    const found = similarities(table.rows(length), measure);
    const similarity = figures.similarity(found.similar, measure);
    return { figures: { similarity, "similarity-curve": figures.similarityCurve(found, measure) }, texts: {} };
  }

  /** A shift as a rotation of one pair, given by one of its dimensions, and its error. */
  turnSection(length, dimension, start, distance) {
    const { table, figures, settings: { texts } } = this;
    const { pair } = table.wave(dimension);
    const turn = table.isLearned ? null : angleOf(distance, pair, table.width);
    const [sine, cosine] = pairDimensions(pair, table.width, table.kind);
    const plane = table.rows(Math.max(length, start + distance + 1)).map((row) => [row[sine], row[cosine]]);
    return {
      figures: { turn: figures.turn(plane, [start, start + distance], turn) },
      texts: { error: shiftText(table, distance, turn, texts) },
    };
  }

  /** The pieces of a trace's side at the input of the first layer; with `isBare` without the scaling. */
  async piecesSection(trace, side, isBare) {
    const { settings: { added, scale, tied, texts, names }, figures, model } = this;
    const sites = ["embedding", "positions"].map((name) => [side, null, null, name]);
    const { sentence, experiment } = trace.run ?? { sentence: trace.sentence, experiment: {} };
    const { tensors } = await model.tensors(sentence, sites, experiment);
    const input = layerInput(tensors, side, { scale, isBare });
    const { vectors, norms, factor } = input;
    const pieces = side === "encoder" ? trace.source : targetOf(trace);
    const name = formatText(factor === 1 ? names.strips.unscaled : names.strips.scaled, { scale: factor });
    const strips = [
      { name, vectors: vectors.embedding, norms: norms.embedding },
      { name: names.strips.positions, vectors: vectors.positions, norms: norms.positions },
      { name: names.strips.stream, vectors: vectors.stream, norms: norms.stream },
    ];
    const shown = added ? strips : strips.slice(0, 1); // without positions, the sum is the embedding
    return {
      figures: { pieces: figures.strips(pieces.map(({ text }) => text), shown) },
      texts: inputTexts(input, { tied: tied[side], texts }),
    };
  }

  /** Two sentences of the same pieces, with positions and without. Rejects with a UserError if the pieces differ. */
  async orderSection(...sentences) {
    const { settings: { texts }, figures, model } = this;
    if (!sentences.every((sentence) => sentence.trim())) return { figures: {}, texts: { result: texts.twoSentences } };
    const encode = async (sentence) => {
      const { source, ...encoded } = await model.encode(sentence);
      return { ...encoded, source: source.map((token) => nameToken(token, model.about.tokenNames)) };
    };
    const [first, second] = await Promise.all(sentences.map(encode));
    const { labels, matrices, result } = compareOrders(first, second, texts);
    return { figures: { order: figures.distances(labels, matrices) }, texts: { result } };
  }
}
