// An experiment as parts of an address, and back (explorer/experiments/experiment.py).

import { among, id, index, list, text, tuple } from "../../ui/codecs.js";

const KINDS = among("encoder", "decoder", "cross"), STACKS = among("encoder", "decoder");
const POSITIONS = among("off", "shuffled", "shifted");
/** A layer of which 0 is the embedding. */
const layerOrEmbedding = {
  read: (text) => (id.read(text) === undefined ? undefined : id.read(text) - 1),
  write: (value) => `${value + 1}`,
};
const heads = list(tuple(KINDS, index, index), ","), cells = list(tuple(STACKS, layerOrEmbedding, index), ",");

/** The name of each field in an address, and how it is written; the donor's own fields follow. */
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

function writtenBy(fields, values) {
  const found = Object.entries(fields).map(([field, [name, codec]]) => {
    const value = values[field], empty = value === undefined || value === null || (Array.isArray(value) && !value.length);
    return [name, empty ? null : codec.write(value)];
  });
  return Object.fromEntries(found);
}

/** The parts of an experiment, null where it has none. */
export function written(experiment) {
  return { ...writtenBy(FIELDS, experiment), ...writtenBy(PATCH, experiment.patch ?? {}) };
}

/** The experiment that parts ask for, and the names of those that say nothing understandable. */
export function read(given) {
  const damaged = [];
  const readBy = (fields) => {
    const found = {};
    for (const [field, [name, codec]] of Object.entries(fields)) {
      if (given[name] === undefined) continue;
      const value = codec.read(given[name]);
      if (value === undefined) damaged.push(name);
      else found[field] = value;
    }
    return found;
  };
  const experiment = readBy(FIELDS), patch = readBy(PATCH);
  if (patch.sentence !== undefined) experiment.patch = patch;
  else damaged.push(...Object.keys(patch).map((field) => PATCH[field][0]));
  return { experiment, damaged };
}
