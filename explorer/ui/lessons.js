// Lessons: the visitor's progress, stored in this browser, a way to open a lesson on the page, and how its texts are
// read.

import { element } from "./element.js";
import { store, readStored } from "./storage.js";

const STORAGE_KEY = "lessons";
const NO_PROGRESS = { at: 0, guesses: {}, solved: {}, over: false };

const listeners = [];
let fallbackMemory = {}; // for a browser without storage, until the page is closed
/** @type {(name: string, step: number) => void} */
let openOnPage = () => {};

/** The stored progress by the names of lessons; damaged storage counts as empty. */
function readAll() {
  try {
    const text = readStored(STORAGE_KEY);
    if (text === null) return fallbackMemory;
    const stored = JSON.parse(text);
    return stored !== null && typeof stored === "object" ? stored : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The progress in a lesson, { at, guesses, solved, over }; null if the visitor has not started it. */
export function progressOf(name) {
  const progress = readAll()[name];
  const isObject = (value) => value !== null && typeof value === "object";
  return isObject(progress) && Number.isInteger(progress.at) && isObject(progress.guesses) && isObject(progress.solved)
    ? progress
    : null;
}

/** Stores a change of the progress in a lesson; null deletes the progress. */
export function saveProgress(name, change) {
  const all = readAll();
  const previous = progressOf(name) ?? NO_PROGRESS;
  const saved = change && { ...previous, ...change };
  fallbackMemory = { ...all, [name]: saved ?? undefined };
  store(STORAGE_KEY, JSON.stringify(fallbackMemory));
  for (const listener of listeners) listener();
}

/** Calls `listener()` after every change of the progress. */
export function onProgress(listener) {
  listeners.push(listener);
}

/** Registers the page's function `opener(name, step)`, which opens a lesson; steps count from zero. */
export function setLessonOpener(opener) {
  openOnPage = opener;
}

export function openLesson(name, step) {
  openOnPage(name, step);
}

/** The number of correct guesses and of all guesses: { same, made }. */
export function scoreOf({ steps }, { guesses }) {
  const answered = Object.entries(guesses).filter(([at]) => steps[at]?.question);
  return { same: answered.filter(([at, guess]) => steps[at].question.right === guess).length, made: answered.length };
}

/** Whether the address has all parts of a goal; `part(name)` returns a part's text, or null for its initial text. */
export function isReached(goal, part, initial) {
  return Object.entries(goal).every(([name, text]) => (part(name) ?? initial[name] ?? "") === text);
}

/** Parses "NAME.STEP", with steps from one, to { lesson, at }; null if there is no such lesson or step. */
export function parseLessonPart(lessons, text) {
  const [name, step, ...more] = text.split(".");
  const lesson = lessons.find((candidate) => candidate.name === name);
  const at = /^[1-9]\d?$/.test(step ?? "") ? Number(step) - 1 : -1;
  return lesson && !more.length && at >= 0 && at < lesson.steps.length ? { lesson, at } : null;
}

/** The nodes of a text, with words between *stars* in bold; markup in the text stays plain text. */
export function parseEmphasis(text) {
  return text.split("*").map((part, i) => (i % 2 ? element("b", {}, part) : part)).filter((part) => part !== "");
}
