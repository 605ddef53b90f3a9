// The story of a training from explorer/remake/story.py: a few sentences' traces at moments of the training. It is checked before any
// of it is shown: a checkpoint, and with it this file, may come from anywhere. This module draws nothing.

import { createMaps } from "../../derived/trace.js";
import { fetchPacked } from "../../ui/packed_files.js";

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
const flag = must((value) => typeof value === "boolean");
const piece = (value, field) => requireRecord(value, field, { text, special: flag });

function step(value, field) {
  const candidate = (one, place) => requireRecord(one, place, { text, probability: number });
  requireRecord(value, field, {
    fed: piece, predicted: piece, probability: number,
    candidates: (list, place) => requireList(list, place, candidate),
    excluded: (one, place) => one == null || candidate(one, place),
  });
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
  require(value.weights.length === 4 * Math.ceil((4 * layers * heads * cells) / 3), `${field}.weights`); // base64 of 32-bit floats
}

/** A trace with maps of these kinds. */
function requireTrace(value, field, kinds, source) {
  requireRecord(value, field, { translation: text, steps: (list, place) => requireList(list, place, step) });
  const target = value.steps.length;
  const sizes = { encoder: [source, source], decoder: [target, target], cross: [target, source] };
  const map = (kind) => (one, place) => requireMap(one, place, { kind, queries: sizes[kind][0], keys: sizes[kind][1] });
  requireRecord(value.kinds, `${field}.kinds`, Object.fromEntries(kinds.map((kind) => [kind, map(kind)])));
}

function requireTraces(value, field) {
  requireRecord(value, field, { own: (own, place) => requireRecord(own, place, { stopped: flag, source: (list, at) => requireList(list, at, piece) }) });
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

function parseOrNull(json) {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/** Loads a story; `words` has the labels of Story. Throws FileError if it does not come, StoryFault where it cannot be shown. */
export async function fetchStory(url, words) {
  const story = parseOrNull((await fetchPacked(url, { cache: "no-cache" })).text);
  requireStory(story);
  return new Story(story, words);
}

export class Story {
  /** `labels` say in the page's language what a sentence shows; they replace the file's labels. */
  constructor({ sentences, moments }, { stopped, labels }) {
    const namedSentences = sentences.map((sentence) => ({ ...sentence, shows: labels[sentence.sentence] ?? sentence.shows }));
    Object.assign(this, { sentences: namedSentences, moments, stopped, traces: new Map() });
  }

  /** The choice after a change, limited to the story; `sentence` and `moment` are zero-based. */
  applyChange(choice, change) {
    const nextChoice = { ...choice, ...change };
    const limitIndex = (index, list) => Math.max(0, Math.min(index, list.length - 1));
    return { ...nextChoice, sentence: limitIndex(nextChoice.sentence, this.sentences), moment: limitIndex(nextChoice.moment, this.moments) };
  }

  /** The cached trace of a choice; forced traces share the encoder's attention with the model's own. */
  trace({ sentence, moment, forced }) {
    const key = `${sentence} ${moment} ${forced}`;
    if (!this.traces.has(key)) {
      const { own, forced: forcedTrace } = this.moments[moment].traces[sentence];
      const payload = forced ? { ...own, ...forcedTrace, kinds: { ...own.kinds, ...forcedTrace.kinds } } : own;
      const notes = !forced && own.stopped ? [this.stopped] : []; // before the end piece
      this.traces.set(key, { ...payload, kinds: createMaps(payload.kinds), notes, submission: key });
    }
    return this.traces.get(key);
  }
}

/** Whether the model's translation ends with the end piece. */
export function hasEnd({ steps }) {
  return steps.at(-1).predicted.special;
}
