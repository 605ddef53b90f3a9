// The story of a training from tools/story.py: a few sentences' traces at moments of the training. It is
// checked before any of it is shown: a checkpoint, and with it this file, may come from anywhere. This module draws
// nothing.

import { nameTokens } from "./token_names.js";
import { labelledTrace } from "./trace.js";
import { fetchPacked } from "../ui/packed_files.js";

/**
 * What is shown of a story: indices, and whether the model is fed the final translation (else its own).
 * @typedef {{ sentence: number, moment: number, forced: boolean }} Choice
 */

/**
 * A moment of the training, with the traces of each sentence: the model's own, and what differs where the final
 * translation is fed.
 * @typedef {object} Moment
 * @property {number} step
 * @property {number | null} loss
 * @property {number | null} dev_loss
 * @property {MomentTraces[]} traces
 */

/**
 * @typedef {Record<Kind, LabelledAttention>} Kinds
 * @typedef {Omit<TracePayload, "kinds"> & { kinds: Kinds, stopped: boolean }} OwnTrace
 * @typedef {Pick<TracePayload, "translation" | "steps"> & { kinds: Omit<Kinds, "encoder"> }} ForcedTrace
 * @typedef {{ own: OwnTrace, forced: ForcedTrace }} MomentTraces
 * @typedef {{ sentence: string, shows: string, translation: string }} StorySentence
 * @typedef {{ sentences: StorySentence[], moments: Moment[] }} StoryFile
 * @typedef {{ stopped: string, labels: Record<string, string>, tokenNames: TokenNames }} StoryWords
 * @typedef {import("./token_names.js").TokenNames} TokenNames
 */

/** A story that cannot be shown; `field` is its first faulty field, as moments[2].step. */
export class StoryFault extends Error {
  /** @param {string} field */
  constructor(field) {
    super(field);
    this.field = field;
  }
}

/**
 * What a file may hold is known by checking it alone.
 * @typedef {(value: unknown) => boolean} Condition
 * @typedef {(value: unknown, field: string) => void} Check throws StoryFault of a field
 */

/** @type {Condition} */
const isText = (value) => typeof value === "string";
/** @type {Condition} */
const isNumber = (value) => Number.isFinite(value);
/** @type {(limit: number) => Condition} */
const isIndex = (limit) => (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < limit;
/** @type {Condition} */
const isPositive = (value) => Number.isInteger(value) && Number(value) > 0;

/** @param {boolean} holds @param {string} field */
function require(holds, field) {
  if (!holds) throw new StoryFault(field);
}

/**
 * Checks every entry of a list with `check(entry, field)`; `count` is how many there must be, else one or more.
 * @param {unknown} value @param {string} field @param {Check} check @param {number | null} count
 */
function requireList(value, field, check, count = null) {
  require(Array.isArray(value) && (count === null ? value.length > 0 : value.length === count), field);
  /** @type {unknown[]} */ (value).forEach((entry, i) => check(entry, `${field}[${i}]`));
}

/** @param {unknown} value @param {string} field @param {Record<string, Check>} parts */
function requireRecord(value, field, parts) {
  require(value !== null && typeof value === "object", field);
  const entries = /** @type {Record<string, unknown>} */ (value);
  for (const [name, check] of Object.entries(parts)) check(entries[name], field ? `${field}.${name}` : name);
}

/** @type {(holds: Condition) => Check} */
const must = (holds) => (value, field) => require(holds(value), field);
const text = must(isText);
const number = must(isNumber);
const numberOrNull = must((value) => value === null || isNumber(value));
const flag = must((value) => typeof value === "boolean");
/** @type {Check} */
const piece = (value, field) => requireRecord(value, field, { text, special: flag });

/** @param {unknown} value @param {string} field */
function step(value, field) {
  /** @type {Check} */
  const candidate = (one, path) => requireRecord(one, path, { text, probability: number });
  requireRecord(value, field, {
    fed: piece, predicted: piece, probability: number,
    candidates: (list, path) => requireList(list, path, candidate),
    excluded: (one, path) => (one ?? null) === null || candidate(one, path),
  });
}

/**
 * A map whose shape fits the sentence: as many queries and keys as there are pieces, and a weight for each pair.
 * @param {unknown} value @param {string} field @param {{ kind: Kind, queries: number, keys: number }} sizes
 */
function requireMap(value, field, { kind, queries, keys }) {
  /** @type {(count: number) => Check} */
  const labels = (count) => (list, path) => requireList(list, path, text, count);
  /** @type {(limit: number) => Check} */
  const indices = (limit) => (list, path) => {
    const count = Array.isArray(list) ? list.length : null; // any, also none
    requireList(list, path, must(isIndex(limit)), count);
  };
  requireRecord(value, field, {
    shape: (shape, path) => requireList(shape, path, must(isPositive), 4),
    queries: labels(queries),
    keys: labels(keys),
    special: (special, path) => requireRecord(special, path, { queries: indices(queries), keys: indices(keys) }),
    weights: text,
  });
  const { shape: [layers, heads, ...sizes], weights } = /** @type {AttentionPayload} */ (value);
  require(sizes[0] === queries && sizes[1] === keys, `${field}.shape`);
  const cells = kind === "decoder" ? (queries * (queries + 1)) / 2 : queries * keys;
  const letters = 4 * Math.ceil((4 * layers * heads * cells) / 3); // base64 of 32-bit floats
  require(weights.length === letters, `${field}.weights`);
}

/**
 * A trace with maps of these kinds.
 * @param {unknown} value @param {string} field @param {Kind[]} kinds @param {number} source
 */
function requireTrace(value, field, kinds, source) {
  requireRecord(value, field, { translation: text, steps: (list, path) => requireList(list, path, step) });
  const { steps: { length: target }, kinds: maps } = /** @type {TracePayload} */ (value);
  const sizes = { encoder: [source, source], decoder: [target, target], cross: [target, source] };
  /** @type {(kind: Kind) => Check} */
  const map = (kind) => (one, path) => requireMap(one, path, { kind, queries: sizes[kind][0], keys: sizes[kind][1] });
  requireRecord(maps, `${field}.kinds`, Object.fromEntries(kinds.map((kind) => [kind, map(kind)])));
}

/** @param {unknown} value @param {string} field */
function requireTraces(value, field) {
  /** @type {Check} */
  const source = (list, path) => requireList(list, path, piece);
  requireRecord(value, field, { own: (own, path) => requireRecord(own, path, { stopped: flag, source }) });
  const { own, forced } = /** @type {MomentTraces} */ (value);
  requireTrace(own, `${field}.own`, ["encoder", "decoder", "cross"], own.source.length);
  requireTrace(forced, `${field}.forced`, ["decoder", "cross"], own.source.length);
}

/** Throws StoryFault unless a story has all that is shown of it. @param {unknown} story */
export function requireStory(story) {
  /** @type {Check} */
  const sentence = (value, field) => requireRecord(value, field, { sentence: text, shows: text, translation: text });
  requireRecord(story, "", { sentences: (list, field) => requireList(list, field, sentence) });
  const { sentences: { length: count } } = /** @type {StoryFile} */ (story);
  /** @type {Check} */
  const traces = (list, field) => requireList(list, field, requireTraces, count);
  const parts = { step: must(Number.isInteger), loss: numberOrNull, dev_loss: numberOrNull, traces };
  /** @type {Check} */
  const moment = (value, field) => requireRecord(value, field, parts);
  requireRecord(story, "", { moments: (list, field) => requireList(list, field, moment) });
}

/** @param {string} json */
function parseOrNull(json) {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/**
 * Loads a story; `words` has the labels of Story. Throws FileError if it does not come, StoryFault where it cannot be
 * shown.
 * @param {string} url @param {StoryWords} words
 */
export async function fetchStory(url, words) {
  const story = parseOrNull((await fetchPacked(url, { cache: "no-cache" })).text);
  requireStory(story);
  return new Story(story, words);
}

/**
 * A model's own trace with what differs where the final translation is fed.
 * @param {MomentTraces} traces
 * @returns {OwnTrace}
 */
function forcedTrace({ own, forced }) {
  return { ...own, ...forced, kinds: { ...own.kinds, ...forced.kinds }, notes: [] };
}

export class Story {
  /** @type {StorySentence[]} */ sentences;
  /** @type {Moment[]} */ moments;
  /** @type {string} The note about a translation that was stopped. */ stopped;
  /** @type {TokenNames} */ tokenNames;
  /** @type {Map<string, Trace>} Those that were shown. */ traces = new Map();

  /**
   * `labels` say in the page's language what a sentence shows; they replace the file's labels.
   * @param {StoryFile} file @param {StoryWords} words
   */
  constructor({ sentences, moments }, { stopped, labels, tokenNames }) {
    const labelOf = (/** @type {StorySentence} */ { sentence, shows }) => labels[sentence] ?? shows;
    this.sentences = sentences.map((sentence) => ({ ...sentence, shows: labelOf(sentence) }));
    this.moments = moments;
    this.stopped = stopped;
    this.tokenNames = tokenNames;
  }

  /**
   * The choice after a change, limited to the story.
   *
   * @param {Choice} choice
   * @param {Partial<Choice>} change
   * @returns {Choice}
   */
  applyChange(choice, change) {
    const { sentence, moment, forced } = { ...choice, ...change };
    /** @type {(index: number, list: unknown[]) => number} */
    const limitIndex = (index, list) => Math.max(0, Math.min(index, list.length - 1));
    return {
      sentence: limitIndex(sentence, this.sentences),
      moment: limitIndex(moment, this.moments),
      forced,
    };
  }

  /**
   * The cached trace of a choice; forced traces share the encoder's attention with the model's own.
   *
   * @param {Choice} choice
   * @returns {Trace}
   */
  trace({ sentence, moment, forced }) {
    const key = `${sentence} ${moment} ${forced}`;
    if (!this.traces.has(key)) {
      const traces = this.moments[moment].traces[sentence];
      const trace = forced ? forcedTrace(traces) : this.ownTrace(traces);
      this.traces.set(key, { ...labelledTrace(nameTokens(trace, this.tokenNames)), submission: key });
    }
    return this.traces.get(key);
  }

  /** @param {MomentTraces} traces */
  ownTrace({ own }) {
    return { ...own, notes: own.stopped ? [this.stopped] : [] }; // before the end piece
  }
}

/** Whether the model's translation ends with the end piece. @param {Pick<Trace, "steps">} trace */
export function hasEnd({ steps }) {
  return steps.at(-1).predicted.special;
}
