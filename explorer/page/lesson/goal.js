// Whether a visitor has got where a task leads. No drawing.

/** Whether parts of the address are as a goal says; `part(name)` is their text, null where it is that of the beginning. */
export function reached(goal, part, beginning) {
  return Object.entries(goal).every(([name, text]) => (part(name) ?? beginning[name] ?? "") === text);
}

/** Where a lesson is opened: "NAME.STEP", the step counted from one, as { lesson, at }; null where there is none such. */
export function placeIn(lessons, text) {
  const [name, step, ...more] = text.split("."), lesson = lessons.find((one) => one.name === name);
  const at = /^[1-9]\d?$/.test(step ?? "") ? Number(step) - 1 : -1;
  return lesson && !more.length && at >= 0 && at < lesson.steps.length ? { lesson, at } : null;
}
