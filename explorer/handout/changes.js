// What an experiment changes, in words.

import { formatExact } from "../ui/numbers.js";
import { isolate } from "../ui/scripts.js";
import { fill, joinList } from "../ui/text.js";

/**
 * One sentence for each change of an experiment with all its fields; `changed` is the trace under it. `texts` are
 * EXPERIMENT of this folder's words, `kindNames` names of the kinds of attention.
 */
export function describeExperiment(experiment, changed, { texts, kindNames }) {
  const { source, word_order: order, hidden, beginning, off, off_by: how, neurons, patch } = experiment;
  const named = (heads) => heads.map(([kind, layer, head]) => `${kindNames[kind]} ${layer + 1}.${head + 1}`);
  const lines = [];
  if (source !== null) lines.push(fill(texts.source, { text: source }));
  if (order !== null) lines.push(fill(texts.word_order, { text: changed.sentence }));
  if (hidden.length) {
    lines.push(fill(texts.hidden, { pieces: joinList(hidden.map((i) => isolate(changed.source[i].text))) }));
  }
  if (beginning.length) {
    const begun = changed.steps.slice(0, beginning.length).map(({ predicted }) => predicted.text);
    lines.push(fill(texts.beginning, { pieces: begun.join(" ") }));
  }
  if (off.length) lines.push(fill(texts.off, { heads: joinList(named(off)), how: texts.off_by[how] }));
  if (neurons.length) {
    lines.push(fill(texts.neurons, { neurons: joinList(neurons.map((held) => describeNeuron(held, texts))) }));
  }
  for (const stack of ["encoder", "decoder"]) {
    const positions = experiment[`${stack}_positions`];
    if (positions) lines.push(fill(texts[stack], { how: fill(texts.positions[positions], experiment) }));
  }
  if (patch) lines.push(describePatch(patch, texts, named));
  return lines.map((line) => line.trim());
}

/** A neuron, the value at which it is held, and the position if it is held at one alone. */
function describeNeuron([stack, layer, neuron, value, position], texts) {
  const where = `${value === 0 ? "off" : "held"}${position === null ? "" : "_at"}`;
  return fill(texts.neuron[where], {
    stack: texts.stacks[stack], layer: layer + 1, neuron: neuron + 1, value: formatExact(value),
    position: (position ?? 0) + 1,
  });
}

/** What is copied from the run of another sentence: heads, and cells of the residual streams. */
function describePatch({ sentence, heads = [], cells = [] }, texts, named) {
  const streams = cells.map(([stack, layer, position]) => (
    fill(texts.cell, { stack: texts.stacks[stack], layer: layer + 1, position: position + 1 })));
  return fill(texts.patch, { sentence, what: joinList([...named(heads), ...streams]) });
}
