// An experiment (explorer/experiments/experiment.py) as one text in the address, such as
// "off.cross.4.8_hidden.12_encoder.off". Its twin on the server is `parse_experiment` in explorer/lessons/url_state.py.

import { among, id, index, list, text, tuple } from "../ui/codecs.js";

export const HEADS_BY_KIND = ["encoder", "decoder", "cross"];
const KINDS = among(...HEADS_BY_KIND);
const STACKS = among("encoder", "decoder");
const POSITIONS = among("off", "shuffled", "shifted");
/** A layer number in a URL, where 0 is the embedding. */
const layerOrEmbedding = {
  read: (text) => (id.read(text) === undefined ? undefined : id.read(text) - 1),
  write: (value) => `${value + 1}`,
};
const heads = list(tuple(KINDS, index, index), ",");
const cells = list(tuple(STACKS, layerOrEmbedding, index), ",");

/**
 * A neuron and its value, as "decoder.4.542.6.5", and where it is held at one position alone, as
 * "decoder.4.542.6.5.at3". Neurons count from one, as on the feed-forward board.
 */
const NEURON = /^(encoder|decoder)\.(\d+)\.(\d+)\.(-?\d+(?:\.\d+)?(?:e-?\d+)?)(?:\.at(\d+))?$/;
const neuron = {
  read: (text) => {
    const [, stack, layer, number, value, position] = NEURON.exec(text) ?? [];
    if (stack === undefined) return undefined;
    const indices = [layer, number, position ?? null].map((one) => (one === null ? null : index.read(one)));
    return indices.includes(undefined) ? undefined
      : [stack, indices[0], indices[1], Number(value) + 0, indices[2]]; // + 0: -0 is 0
  },
  write: ([stack, layer, number, value, position]) => (
    `${stack}.${index.write(layer)}.${index.write(number)}.${value}`
      + (position === null ? "" : `.at${index.write(position)}`)),
};

const BETWEEN = "_"; // two parts of a text
/** A sentence, which may have what stands between two parts. */
const sentence = {
  read: (written) => text.read(written.replaceAll("*1", BETWEEN).replaceAll("*0", "*")),
  write: (value) => value.replaceAll("*", "*0").replaceAll(BETWEEN, "*1"),
};

/** The name and the codec of each field; PATCH has the fields of `patch`. */
const FIELDS = {
  source: ["source", sentence],
  word_order: ["order", id],
  hidden: ["hidden", list(index, ".")],
  beginning: ["begin", list(id, ".")],
  off: ["off", heads],
  off_by: ["by", among("zero", "uniform", "mean", "special")],
  neurons: ["neuron", list(neuron, ",")],
  encoder_positions: ["encoder", POSITIONS],
  decoder_positions: ["decoder", POSITIONS],
  seed: ["seed", id],
  shift: ["shift", id],
};
const PATCH = { sentence: ["from", sentence], heads: ["heads", heads], cells: ["cells", cells] };
const NAMES = [...Object.values(FIELDS), ...Object.values(PATCH)].map(([name]) => name);

/** The text of an experiment; "" if it changes nothing. */
export function formatExperiment(experiment) {
  const written = [...partsOf(FIELDS, experiment), ...partsOf(PATCH, experiment.patch ?? {})];
  return written.map(([name, value]) => `${name}.${value}`).join(BETWEEN);
}

function partsOf(fields, values) {
  return Object.entries(fields).flatMap(([field, [name, codec]]) => {
    const value = values[field] ?? null;
    return value === null || (Array.isArray(value) && !value.length) ? [] : [[name, codec.write(value)]];
  });
}

/** The experiment of a text; null if it is none. */
export function parseExperiment(written) {
  if (written === "") return {};
  const parts = Object.fromEntries(written.split(BETWEEN).map((part) => {
    const dot = part.indexOf(".");
    return [part.slice(0, Math.max(0, dot)), part.slice(dot + 1)];
  }));
  if (Object.keys(parts).some((name) => !NAMES.includes(name))) return null;
  const [experiment, patch] = [FIELDS, PATCH].map((fields) => valuesOf(fields, parts));
  const isDamaged = [experiment, patch].some((values) => Object.values(values).includes(undefined));
  if (isDamaged || (patch.sentence === undefined && Object.keys(patch).length)) return null;
  return patch.sentence === undefined ? experiment : { ...experiment, patch };
}

function valuesOf(fields, parts) {
  const given = Object.entries(fields).filter(([, [name]]) => parts[name] !== undefined);
  return Object.fromEntries(given.map(([field, [name, codec]]) => [field, codec.read(parts[name])]));
}
