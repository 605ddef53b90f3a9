// A translation as the page shows it: the trace of a sentence, and what is remarked on it.

import { strip } from "../engine/python_text.js";
import { formatPercent } from "../ui/numbers.js";
import { isolate, isUnspaced } from "../ui/scripts.js";
import { fill } from "../ui/text.js";
import { UserError } from "../ui/user_error.js";
import { ALL_GERMAN, GermanWords, areGermanWordsLoaded, loadGermanWords } from "./german_words.js";
import { likelihoodOf } from "./likelihood.js";
import { chooseReading, formsOf } from "./reading.js";
import { createTrace } from "./trace.js";
import { Warnings } from "./warnings.js";

/** @typedef {import("../ui/model.js").Model} Model */

export const LOW_CONFIDENCE = 0.3; // a predicted piece below this probability is marked

/**
 * The trace of a text, or of the form in which what a visitor typed is read. `typed` is the text where another form was
 * read. Rejects with a UserError for what the model refuses.
 * @param {Model} model @param {string} text @param {{ isTyped?: boolean }} options
 */
export async function translate(model, text, { isTyped = false } = {}) {
  const about = /** @type {About} */ (model.about);
  const [first, ...others] = await translateForms(model, isTyped ? formsOf(text, about) : [strip(text)]);
  const trace = others.length ? chooseReading(first, others[0]) : first;
  const typed = strip(text);
  const subject = about.subjects[typed];
  const isRead = typed !== trace.sentence;
  const shown = createTrace(trace, {
    isModelsChoice: true, subject, typed: isRead ? typed : null, names: about.tokenNames,
  });
  return withRemarks(shown, about);
}

/**
 * The trace, with its remarks if they need not wait for a file or for weights, so that the view draws once.
 * @param {Trace} trace @param {About} about
 */
export async function withRemarks(trace, about) {
  const { germanWords } = about;
  const canRemark = typeof germanWords !== "string" || areGermanWordsLoaded(germanWords);
  return canRemark && trace.kinds.cross.ready ? Object.assign(trace, await remarksOn(trace, about)) : trace;
}

/**
 * The traces of the forms of a text; where the model refuses a mended form, the text as it was typed.
 *
 * @param {Model} model
 * @param {string[]} forms
 */
async function translateForms(model, [first, ...others]) {
  /** @type {(error: unknown) => null} */
  const orNull = (error) => {
    if (error instanceof UserError) return null;
    throw error;
  };
  const mended = others.map((form) => translateWhole(model, form).catch(orNull));
  return (await Promise.all([translateWhole(model, first), ...mended])).filter(Boolean);
}

/**
 * A trace with the weights that the default step and the warnings read, also where it is too large to hold all.
 * @param {Model} model @param {string} sentence
 * @returns {Promise<TracePayload>}
 */
async function translateWhole(model, sentence) {
  const trace = await model.translate(sentence);
  const { cross } = trace.kinds;
  if (cross.weights === null) cross.weights = (await model.weights(trace.sentence, {}, "cross")).weights;
  return trace;
}

/**
 * Promises { notes, senses, warnings, likelihood } of a trace in the page's language. `about` are texts, languages and
 * lists of words (explorer/derived/about.py).
 * @param {Trace} trace @param {About} about
 */
export async function remarksOn(trace, about) {
  const warnings = new Warnings(about, await germanWordsOf(about, trace));
  return {
    notes: notesOn(trace, about.notes),
    senses: warnings.senseChoices(trace),
    warnings: warnings.of(trace),
    likelihood: trace.isModelsChoice ? likelihoodOf(trace, about.fit, warnings) : null,
  };
}

/**
 * Those of a file's address or, where they came with the page, of their bits; null for other languages. The
 * first trace of a page says whether all its words are German, so that a visit begins without the file.
 * @param {About} about @param {Trace} trace
 */
async function germanWordsOf({ germanWords }, { isAllGerman = false }) {
  if (!germanWords) return null;
  if (isAllGerman) return ALL_GERMAN;
  return typeof germanWords === "string" ? loadGermanWords(germanWords) : new GermanWords(germanWords);
}

/** Remarks on how the translation was chosen. @param {Trace} trace @param {About["notes"]} notes */
function notesOn({ source, steps }, { texts, directions, sidesWithoutBlanks }) {
  const unsure = steps.filter(({ probability }) => probability < LOW_CONFIDENCE);
  // Each once: a model in a loop is unsure of the same piece many times.
  const pieces = [...new Set(unsure.map(({ predicted }) => isolate(predicted.text)))].join(", ");
  const shown = { source, target: steps.map(({ predicted }) => predicted) };
  const unspaced = sidesWithoutBlanks.filter((side) => shown[side].some(({ text }) => isUnspaced(text)));
  return [
    ...(unsure.length ? [fill(texts.unsure, { percent: formatPercent(LOW_CONFIDENCE), pieces })] : []),
    ...unspaced.map((side) => texts[side]),
    ...directions,
  ];
}
