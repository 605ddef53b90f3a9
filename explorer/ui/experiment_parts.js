// Encodes an experiment as URL parameters and decodes it again (explorer/experiments/experiment.py).

import { among, id, index, list, text, tuple } from "./codecs.js";

const KINDS = among("encoder", "decoder", "cross");
const STACKS = among("encoder", "decoder");
const POSITIONS = among("off", "shuffled", "shifted");
/** A layer number in a URL, where 0 is the embedding. */
const layerOrEmbedding = {
  read: (text) => (id.read(text) === undefined ? undefined : id.read(text) - 1),
  write: (value) => `${value + 1}`,
};
const heads = list(tuple(KINDS, index, index), ",");
const cells = list(tuple(STACKS, layerOrEmbedding, index), ",");

/** The URL parameter and the codec of each field; PATCH has the fields of `patch`. */
const FIELDS = {
  source: ["source", text],
  word_order: ["order", id],
  hidden: ["hidden", list(index, ".")],
  beginning: ["begin", list(id, ".")],
  off: ["off", heads],
  off_by: ["by", among("zero", "uniform", "mean", "special")],
  encoder_positions: ["encoder", POSITIONS],
  decoder_positions: ["decoder", POSITIONS],
  seed: ["seed", id],
  shift: ["shift", id],
};
const PATCH = { sentence: ["from", text], heads: ["heads", heads], cells: ["cells", cells] };
export const NAMES = [...Object.values(FIELDS), ...Object.values(PATCH)].map(([name]) => name);

function encodeFields(fields, values) {
  const parameters = Object.entries(fields).map(([field, [name, codec]]) => {
    const value = values[field] ?? null;
    const isEmpty = value === null || (Array.isArray(value) && !value.length);
    return [name, isEmpty ? null : codec.write(value)];
  });
  return Object.fromEntries(parameters);
}

/** The URL parameters of an experiment; those without a value are null. */
export function encodeExperiment(experiment) {
  return { ...encodeFields(FIELDS, experiment), ...encodeFields(PATCH, experiment.patch ?? {}) };
}

/** The experiment that URL parameters describe, and the names of `damaged` parameters. */
export function decodeExperiment(parameters) {
  const damaged = [];
  const decodeFields = (fields) => {
    const values = {};
    for (const [field, [name, codec]] of Object.entries(fields)) {
      if (parameters[name] === undefined) continue;
      const value = codec.read(parameters[name]);
      if (value === undefined) damaged.push(name);
      else values[field] = value;
    }
    return values;
  };
  const experiment = decodeFields(FIELDS);
  const patch = decodeFields(PATCH);
  if (patch.sentence !== undefined) experiment.patch = patch;
  else damaged.push(...Object.keys(patch).map((field) => PATCH[field][0]));
  return { experiment, damaged };
}
