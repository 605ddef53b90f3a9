// The story of a training as it comes from explorer/tabs/training/story.py: what the model made of a few sentences at moments of its
// training. No drawing here.

import { createTrace } from "../../attention_view/payload.js";

/** `words` are what the file does not say: see Story. */
export async function fetchStory(url, words) {
  const answer = await fetch(url, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Story(await new Response(unpacked).json(), words);
}

export class Story {
  /** `labels` say of a sentence what it shows, in the page's language; of others the file does. */
  constructor({ sentences, moments }, { stopped, labels }) {
    const named = sentences.map((told) => ({ ...told, shows: labels[told.sentence] ?? told.shows }));
    Object.assign(this, { sentences: named, moments, stopped, traces: new Map() });
  }

  /** The choice after a change, inside the story: `sentence` and `moment` count from zero. */
  chosen(choice, change) {
    const next = { ...choice, ...change };
    const within = (index, list) => Math.max(0, Math.min(index, list.length - 1));
    return { ...next, sentence: within(next.sentence, this.sentences), moment: within(next.moment, this.moments) };
  }

  /** The trace of a choice, made once; where the final translation was fed, the encoder's attention is the same. */
  trace({ sentence, moment, forced }) {
    const key = `${sentence} ${moment} ${forced}`;
    if (!this.traces.has(key)) {
      const { own, forced: given } = this.moments[moment].traces[sentence];
      const payload = forced ? { ...own, ...given, kinds: { ...own.kinds, ...given.kinds } } : own;
      const notes = !forced && withoutEnd(own) ? [this.stopped] : [];
      const trace = createTrace({ ...payload, notes, submission: key });
      for (const [kind, { rollout, weights }] of Object.entries(payload.kinds)) {
        if (rollout !== undefined) trace.kinds[kind].decoded = olderWeights(weights);
      }
      this.traces.set(key, trace);
    }
    return this.traces.get(key);
  }
}

const DIGITS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((sign) => !"\"\\&'<>".includes(sign));

/** Weights of an older file, which has two digits for each: (level / highest level)^4. Other numbers follow them. */
function olderWeights(text) {
  const base = DIGITS.length, levels = text.match(/../g).map(([high, low]) => DIGITS.indexOf(high) * base + DIGITS.indexOf(low));
  return Float64Array.from(levels, (level) => (level / (base ** 2 - 1)) ** 4);
}

/** Whether a model was stopped before it found an end; older files say so by a note, in English. */
const withoutEnd = ({ stopped, notes }) => stopped ?? notes.length > 0;

/** Whether the model found an end by itself. */
export function ended({ steps }) {
  return steps.at(-1).predicted.special;
}
