// Lessons: how far a visitor came in each, which stays in this browser, and the way to the one that stands on the page.

import { store, readStored } from "./storage.js";

const MEMORY = "lessons";
const NONE = { at: 0, guesses: {}, solved: {}, over: false };

const watchers = [];
let memory = {}; // for a browser that keeps nothing: as long as the page is open
let open = () => {};

/** What was remembered, by the names of lessons; what is damaged counts as nothing. */
function all() {
  try {
    const text = readStored(MEMORY);
    if (text === null) return memory;
    const found = JSON.parse(text);
    return found !== null && typeof found === "object" ? found : {};
  } catch (damaged) {
    if (damaged instanceof SyntaxError) return {};
    throw damaged;
  }
}

/** How far a visitor came: { at, guesses, solved, over }; null where he never began. */
export function progressOf(name) {
  const found = all()[name], whole = (value) => value !== null && typeof value === "object";
  return whole(found) && Number.isInteger(found.at) && whole(found.guesses) && whole(found.solved) ? found : null;
}

/** Remembers what has changed in a lesson; null forgets all of it. */
export function saveProgress(name, change) {
  const before = all(), from = progressOf(name) ?? NONE, kept = change && { ...from, ...change };
  memory = { ...before, [name]: kept ?? undefined };
  store(MEMORY, JSON.stringify(memory));
  for (const watch of watchers) watch();
}

/** Calls `watch()` whenever a visitor has come farther. */
export function onProgress(watch) {
  watchers.push(watch);
}

/** The page says how a lesson is opened at a step, which counts from zero. */
export function setLessonOpener(how) {
  open = how;
}

export function openLesson(name, step) {
  open(name, step);
}

/** How often the model did what was guessed, of the guesses made: { same, made }. */
export function scoreOf({ steps }, { guesses }) {
  const made = Object.entries(guesses).filter(([at]) => steps[at]?.question);
  return { same: made.filter(([at, guess]) => steps[at].question.right === guess).length, made: made.length };
}
