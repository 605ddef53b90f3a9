// Goals of tasks and places in lessons. No drawing.

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
