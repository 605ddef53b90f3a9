// The answers to the page's questions, as the server gives them (explorer/ui/questions.py), from the engine's own numbers.

import { CALLS, EngineCalls } from "./calls.js";
import { defaultStep, traceJson } from "./trace.js";
import { Handouts } from "./handout/report.js";
import { lengthsJson } from "./lengths.js";
import { Likelihood } from "./likelihood.js";
import { encodeWeights } from "./payload.js";
import { lengthOf, strip } from "./python_text.js";
import { Recordings } from "./recordings.js";
import { requireForm } from "./refusal.js";
import { UserError } from "../ui/user_error.js";
import { everythingJson, everythingNpz } from "./save/everything.js";
import { csvJson } from "./save/matrix.js";
import { notesOn } from "./sentence.js";
import { Warnings } from "./warnings.js";
import { Laboratory } from "./what_if/laboratory.js";
import { whatIfQuestions } from "./what_if/questions.js";

/**
 * Runs a long answer, a generator, to its end. Between pieces of work it reports what is done, { done, total }, and the
 * worker takes the message that stops it.
 */
async function finish(work, { signal, report }) {
  for (;;) {
    const { value, done } = work.next();
    if (done) return value;
    report(value);
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}

/** A sentence without its middle where it is too long, as when it quotes what was sent. */
function shorten(sentence, limit) {
  const signs = [...sentence], half = Math.floor(limit / 2);
  return lengthOf(sentence) <= limit ? sentence : `${signs.slice(0, half).join("")} … ${signs.slice(-half).join("")}`;
}

export class Answers {
  /**
   * `data` are the texts, limits and lists of a page's language (explorer/answers/data.py); `fetchFile(name)` promises the
   * bytes and the text of a gzip file that only reports need: "handout" (explorer/answers/data.py) or "plotly".
   */
  constructor(translator, data, fetchFile) {
    const { likelihood: fit } = translator.record;
    Object.assign(this, { translator, data, recordings: new Recordings(translator, data), warnings: new Warnings(data, Boolean(fit)) });
    this.likelihood = new Likelihood(fit, data.likelihood, this.warnings);
    this.subjects = new Map(Object.entries(data.subjects));
    const { recordings } = this, laboratory = new Laboratory(recordings), translationJson = (...args) => this.translation(...args);
    const handouts = new Handouts(laboratory, translationJson, fetchFile);
    const calls = new EngineCalls(recordings);
    this.questions = {
      ...Object.fromEntries(CALLS.map((name) => [`model.${name}`, (...args) => calls[name](...args)])),
      translate: (text, isTyped) => this.translate(text, isTyped),
      weights: (sentence, kind) => encodeWeights(recordings.trace(sentence), kind),
      lengths: (sentence, kind) => lengthsJson(recordings.forwardPass(sentence), kind),
      ...whatIfQuestions(laboratory, translationJson),
      "save.csv": (request) => csvJson(laboratory, request),
      "save.csv_unchanged": (request) => csvJson(laboratory, request),
      "save.json": (...args) => everythingJson(laboratory, ...args),
      "save.npz": (...args) => everythingNpz(laboratory, ...args),
      "save.report": (...args) => handouts.report(...args),
      "save.worksheet": (sentence) => handouts.worksheet(sentence),
      "save.print": (sentence) => handouts.worksheet(sentence),
    };
  }

  /** The answer to a question, or a refusal, as one line. A long one can be stopped, and reports what is done. */
  async answer(name, args, options) {
    const { refusals, maxErrorCharacters, schemas } = this.data.questions;
    try {
      if (!Object.hasOwn(this.questions, name)) throw new UserError(refusals.no_question);
      requireForm(args, schemas[name], this.recordings.refusals);
      const given = this.questions[name](...args), answer = await (given.next ? finish(given, options) : given);
      return typeof answer === "string" ? answer : JSON.stringify(answer);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return JSON.stringify({ error: shorten(error.message, maxErrorCharacters) });
    }
  }

  /** The trace of a text, or of the form in which what a visitor typed is read. */
  translate(text, isTyped = false) {
    const { recordings, subjects } = this, trace = isTyped ? recordings.read(text) : recordings.trace(text);
    return this.translation(trace, { subject: subjects.get(strip(text)), text: strip(text) });
  }

  /**
   * A trace with remarks, and with the step to show first: the one that looks most at the word `subject`; without weights
   * if they have more than `maxCharacters`. `text` is what the visitor typed, which is named where another form was read.
   */
  translation(trace, { subject = "", text = null, maxCharacters = this.data.limits.MAX_WEIGHTS_CHARACTERS } = {}) {
    const { data, warnings } = this, { MIN_LETTERS } = data.limits;
    return {
      defaultStep: defaultStep(trace, subject, MIN_LETTERS),
      ...traceJson(trace, maxCharacters),
      notes: notesOn(trace, data),
      warnings: warnings.of(trace),
      likelihood: this.likelihood.of(trace),
      typed: text === trace.sentence ? null : text,
    };
  }
}
