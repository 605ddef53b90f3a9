// Beside the translation: English words with several meanings, and the German for those that this translation lacks. A
// click makes the model write such a word, and shows how it goes on (explorer/derived/senses.js).

import { predictedIds } from "../derived/differences.js";
import { articleForms } from "../derived/senses.js";
import { splitWords } from "../derived/splitting.js";
import { logProbability } from "../derived/trace.js";
import { AnswerCache } from "../ui/answer_cache.js";
import { button, element } from "../ui/element.js";
import { trackWork } from "../ui/rest.js";
import { isolate } from "../ui/scripts.js";
import { fill, fillParts, joinList } from "../ui/text.js";

const MAX_WORDS = 2; // of a sentence, those with a warning first
const MAX_KEPT = 30;

/**
 * What another German word may replace: the steps before, and the texts to try. Its article has to suit it, so that
 * all forms of the article belong to the texts.
 */
export function replacement({ steps }, chosen, name) {
  const [start] = chosen.pieces;
  const words = splitWords(steps.map(({ predicted }) => predicted));
  const before = words.find(({ pieces }) => pieces.at(-1) === start - 1);
  const forms = before ? articleForms(before.clean) : [];
  if (forms.length < 2) return { start, texts: [name] };
  return { start: before.pieces[0], texts: forms.map((form) => `${form} ${name}`) };
}

export class SenseOffer {
  /** The one whose line is drawn. @type {Trace | null} */
  trace = null;
  /** What came of a click, where nothing did. @type {HTMLElement | null} */
  failure = null;

  /** `force(ids)` shows the translation that begins with these tokens; without it meanings are only named. */
  constructor(root, model, { text, target, force }) {
    this.root = root;
    this.model = model;
    this.text = text;
    this.target = target;
    this.force = force;
    this.beginnings = new AnswerCache((request) => this.likeliest(request), MAX_KEPT);
  }

  draw(trace) {
    this.trace = trace;
    const isExpected = ({ expected }) => expected !== null;
    const senses = trace.senses ?? [];
    const shown = [...senses.filter(isExpected), ...senses.filter((one) => !isExpected(one))].slice(0, MAX_WORDS);
    this.failure = element("span", { role: "status" });
    this.root.hidden = !shown.length;
    this.root.replaceChildren(...shown.map((choice) => this.line(trace, choice)), this.failure);
  }

  /** The line about a word: "crane" is also Kranich. */
  line(trace, choice) {
    const nodes = choice.others.map((name) => this.sense(trace, choice, name));
    const separator = joinList(["", ""]);
    const senses = element("span", {}, ...nodes.flatMap((node, i) => (i ? [separator, node] : [node])));
    return element("span", {}, ...fillParts(this.text.also, { word: isolate(choice.word.clean), senses }));
  }

  sense(trace, { chosen }, name) {
    const lang = this.target;
    if (!this.force) return element("i", { lang }, name);
    const title = fill(this.text.hint, { sense: name });
    const node = button(() => this.choose(trace, replacement(trace, chosen, name), node), { lang, title }, name);
    return node;
  }

  async choose(trace, { start, texts }, node) {
    this.failure.textContent = "";
    const request = { sentence: trace.sentence, before: predictedIds(trace).slice(0, start), texts };
    node.setAttribute("aria-busy", "true");
    const answer = await this.beginnings.get(request);
    node.removeAttribute("aria-busy");
    if (trace !== this.trace) return; // another sentence has come meanwhile
    if (answer && !answer.error) this.force(answer.beginning);
    else this.failure.textContent = answer?.error ?? this.text.noAnswer;
  }

  /** Promises the beginning, as ids, with the text that is the likeliest one behind what stands before. */
  likeliest({ sentence, before, texts }) {
    const beginnings = texts.map(async (text) => {
      const { ids } = await this.model.tokenize(text);
      const beginning = [...before, ...ids];
      if (texts.length === 1) return { beginning, score: 0 };
      const { steps } = await this.model.run(sentence, { beginning });
      return { beginning, score: logProbability(steps.slice(before.length, beginning.length)) };
    });
    const better = (one, other) => (other.score > one.score ? other : one);
    return trackWork("senses", Promise.all(beginnings).then((all) => all.reduce(better)));
  }
}
