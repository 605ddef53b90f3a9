// Describes an experiment in words: explorer/handout/report.py.

import { isolate } from "../../ui/scripts.js";
import { joinList } from "../../ui/text.js";
import { piecesOf } from "../pieces.js";
import { formatText } from "../python_text.js";

/** One sentence for each change of an experiment with all its fields; `changed` is its trace. */
export function describeExperiment(experiment, changed, { translator, data: { handout, language } }) {
  const { EXPERIMENT: texts } = handout.texts, { source, word_order: order, hidden, beginning, off, off_by: how, seed, shift, patch } = experiment;
  const format = (text, values) => formatText(text, values, language);
  const heads = (list) => list.map(([kind, layer, head]) => `${handout.kindNames[kind]} ${layer + 1}.${head + 1}`);
  const cells = (list) => list.map(([stack, layer, position]) => format(texts.cell, { stack: texts.stacks[stack], layer: layer + 1, position: position + 1 }));
  const positions = ["encoder", "decoder"].filter((stack) => experiment[`${stack}_positions`]).map((stack) => (
    format(texts[stack], { how: format(texts.positions[experiment[`${stack}_positions`]], { seed, shift }) })
  ));
  const begun = piecesOf(translator, beginning).map(({ text }) => text).join(" ");
  const patched = patch && { sentence: isolate(patch.sentence), what: joinList([...heads(patch.heads), ...cells(patch.cells)], language) };
  return [
    ...(source === null ? [] : [format(texts.source, { text: isolate(source) })]),
    ...(order === null ? [] : [format(texts.word_order, { text: isolate(changed.sentence) })]),
    ...(hidden.length ? [format(texts.hidden, { pieces: joinList(hidden.map((place) => isolate(changed.source[place].text)), language) })] : []),
    ...(beginning.length ? [format(texts.beginning, { pieces: isolate(begun) })] : []),
    ...(off.length ? [format(texts.off, { heads: joinList(heads(off), language), how: texts.off_by[how] })] : []),
    ...positions,
    ...(patch ? [format(texts.patch, patched)] : []),
  ].map((line) => line.trim());
}
