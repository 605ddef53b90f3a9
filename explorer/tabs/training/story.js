// The story of a training from explorer/story.py: a few sentences' traces at moments of the training. This
// module draws nothing.

import { createTrace } from "../../attention_view/payload.js";
import { requireStory } from "./story_check.js";

/** Loads a story; `words` has the labels of Story. Throws StoryFault where it cannot be shown. */
export async function fetchStory(url, words) {
  const response = await fetch(url, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const unzipped = response.body.pipeThrough(new DecompressionStream("gzip"));
  const story = await new Response(unzipped).json().catch((error) => {
    if (!(error instanceof SyntaxError)) throw error;
    return null; // no JSON
  });
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
      const notes = !forced && isWithoutEnd(own) ? [this.stopped] : [];
      const trace = createTrace({ ...payload, notes, submission: key });
      for (const [kind, { rollout, weights }] of Object.entries(payload.kinds)) {
        if (rollout !== undefined) trace.kinds[kind].decoded = decodeOldWeights(weights);
      }
      this.traces.set(key, trace);
    }
    return this.traces.get(key);
  }
}

const DIGITS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((sign) => !"\"\\&'<>".includes(sign));

/** Decodes the weights of an older file, two digits each: (level / highest level)^4. */
function decodeOldWeights(text) {
  const base = DIGITS.length, levels = text.match(/../g).map(([high, low]) => DIGITS.indexOf(high) * base + DIGITS.indexOf(low));
  return Float64Array.from(levels, (level) => (level / (base ** 2 - 1)) ** 4);
}

/** Whether the model was stopped before the end piece; older files have an English note instead. */
const isWithoutEnd = ({ stopped, notes }) => stopped ?? notes.length > 0;

/** Whether the model's translation ends with the end piece. */
export function hasEnd({ steps }) {
  return steps.at(-1).predicted.special;
}
