// Goals of tasks, places in lessons, and emphasis in their texts, in which *stars* stand around words.

import { element } from "../../ui/element.js";

/** Whether the address has all parts of a goal; `part(name)` returns a part's text, or null for its initial text. */
export function isReached(goal, part, initial) {
  return Object.entries(goal).every(([name, text]) => (part(name) ?? initial[name] ?? "") === text);
}

/** Parses "NAME.STEP", with steps from one, to { lesson, at }; null if there is no such lesson or step. */
export function parseLessonPlace(lessons, text) {
  const [name, step, ...more] = text.split("."), lesson = lessons.find((candidate) => candidate.name === name);
  const at = /^[1-9]\d?$/.test(step ?? "") ? Number(step) - 1 : -1;
  return lesson && !more.length && at >= 0 && at < lesson.steps.length ? { lesson, at } : null;
}

/** The nodes of a text, with bold words; markup in the text stays plain text. */
export function parseEmphasis(text) {
  return text.split("*").map((part, i) => (i % 2 ? element("b", {}, part) : part)).filter((part) => part !== "");
}
