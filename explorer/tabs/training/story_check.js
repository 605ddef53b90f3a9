// Checks a story before any of it is shown: a checkpoint, and with it this file, may come from anywhere.

/** A story that cannot be shown; `field` is its first faulty field, as moments[2].step. */
export class StoryFault extends Error {
  constructor(field) {
    super(field);
    this.field = field;
  }
}

const isText = (value) => typeof value === "string";
const isNumber = (value) => Number.isFinite(value);
const isIndex = (limit) => (value) => Number.isInteger(value) && value >= 0 && value < limit;

function require(holds, field) {
  if (!holds) throw new StoryFault(field);
}

/** Checks every entry of a list with `check(entry, field)`; `count` is how many there must be, else one or more. */
function requireList(value, field, check, count = null) {
  require(Array.isArray(value) && (count === null ? value.length > 0 : value.length === count), field);
  value.forEach((entry, i) => check(entry, `${field}[${i}]`));
}

function requireRecord(value, field, parts) {
  require(value !== null && typeof value === "object", field);
  for (const [name, check] of Object.entries(parts)) check(value[name], field ? `${field}.${name}` : name);
}

const must = (holds) => (value, field) => require(holds(value), field);
const text = must(isText), number = must(isNumber), numberOrNull = must((value) => value === null || isNumber(value));
const piece = (value, field) => requireRecord(value, field, { text, special: must((special) => typeof special === "boolean") });

function step(value, field) {
  const candidate = (one, place) => requireRecord(one, place, { text, probability: number });
  requireRecord(value, field, { fed: piece, predicted: piece, probability: number, candidates: (list, place) => requireList(list, place, candidate) });
}

/** A map whose shape fits the sentence: as many queries and keys as there are pieces, and a weight for each pair. */
function requireMap(value, field, { kind, queries, keys }) {
  const labels = (count) => (list, place) => requireList(list, place, text, count);
  const indices = (count) => (list, place) => requireList(list, place, must(isIndex(count)), Array.isArray(list) ? list.length : null);
  requireRecord(value, field, {
    shape: (shape, place) => requireList(shape, place, must((count) => Number.isInteger(count) && count > 0), 4),
    queries: labels(queries),
    keys: labels(keys),
    special: (special, place) => requireRecord(special, place, { queries: indices(queries), keys: indices(keys) }),
    weights: text,
  });
  const [layers, heads, ...sizes] = value.shape, cells = kind === "decoder" ? (queries * (queries + 1)) / 2 : queries * keys;
  require(sizes[0] === queries && sizes[1] === keys, `${field}.shape`);
  // Base64 of 32-bit floats; an older file has a rollout beside them, and two digits for each.
  const count = layers * heads * cells, length = value.rollout === undefined ? 4 * Math.ceil((4 * count) / 3) : 2 * count;
  require(value.weights.length === length, `${field}.weights`);
}

/** A trace with maps of these kinds. */
function requireTrace(value, field, kinds, source) {
  requireRecord(value, field, { translation: text, steps: (list, place) => requireList(list, place, step) });
  require(typeof value.stopped === "boolean" || Array.isArray(value.notes), `${field}.stopped`);
  const target = value.steps.length;
  const sizes = { encoder: [source, source], decoder: [target, target], cross: [target, source] };
  const map = (kind) => (one, place) => requireMap(one, place, { kind, queries: sizes[kind][0], keys: sizes[kind][1] });
  requireRecord(value.kinds, `${field}.kinds`, Object.fromEntries(kinds.map((kind) => [kind, map(kind)])));
}

function requireTraces(value, field) {
  requireRecord(value, field, { own: (own, place) => requireRecord(own, place, { source: (list, at) => requireList(list, at, piece) }) });
  const source = value.own.source.length;
  requireTrace(value.own, `${field}.own`, ["encoder", "decoder", "cross"], source);
  requireTrace(value.forced, `${field}.forced`, ["decoder", "cross"], source);
}

/** Throws StoryFault unless a story has all that is shown of it. */
export function requireStory(story) {
  const sentence = (value, field) => requireRecord(value, field, { sentence: text, shows: text, translation: text });
  requireRecord(story, "", { sentences: (list, field) => requireList(list, field, sentence) });
  const traces = (list, field) => requireList(list, field, requireTraces, story.sentences.length);
  const moment = (value, field) => requireRecord(value, field, { step: must(Number.isInteger), loss: numberOrNull, dev_loss: numberOrNull, traces });
  requireRecord(story, "", { moments: (list, field) => requireList(list, field, moment) });
}
