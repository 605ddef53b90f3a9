// An experiment as parts of an address, and back (explorer/experiments/experiment.py). In an address places count from
// one, as on the screen; ids of pieces are ids.

const KINDS = ["encoder", "decoder", "cross"], STACKS = ["encoder", "decoder"];
const POSITIONS = ["off", "shuffled", "shifted"], WAYS = ["zero", "uniform", "mean", "special"];

const number = (from) => ({
  read: (text) => (/^\d{1,7}$/.test(text) && Number(text) >= from ? Number(text) - from : undefined),
  write: (value) => `${value + from}`,
});
const text = { read: (given) => given, write: String };
const among = (values) => ({ read: (given) => values.find((value) => value === given), write: String });

/** Several of the same, joined by a sign. */
function list(of, sign) {
  const read = (given) => {
    const found = given.split(sign).map(of.read);
    return found.includes(undefined) ? undefined : found;
  };
  return { read, write: (values) => values.map(of.write).join(sign) };
}

/** A name and two numbers in one, as "cross.4.5". */
function place(names, first, second) {
  const read = (given) => {
    const [name, a, b, ...more] = given.split("."), found = [name, first.read(a ?? ""), second.read(b ?? "")];
    return more.length || !names.includes(name) || found.includes(undefined) ? undefined : found;
  };
  return { read, write: ([name, a, b]) => `${name}.${first.write(a)}.${second.write(b)}` };
}

const one = number(1), id = number(0);
/** A layer of which 0 is the embedding. */
const level = { read: (given) => (id.read(given) === undefined ? undefined : id.read(given) - 1), write: (value) => `${value + 1}` };
const heads = list(place(KINDS, one, one), ","), cells = list(place(STACKS, level, one), ",");

/** The name of each field in an address, and how it is written; the donor's own fields follow. */
const FIELDS = {
  source: ["source", text],
  word_order: ["order", id],
  hidden: ["hidden", list(one, ".")],
  beginning: ["begin", list(id, ".")],
  off: ["off", heads],
  off_by: ["by", among(WAYS)],
  encoder_positions: ["encoder", among(POSITIONS)],
  decoder_positions: ["decoder", among(POSITIONS)],
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
