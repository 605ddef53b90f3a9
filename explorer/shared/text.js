// Words on the screen; the sentences themselves come from explorer/prose.py.

/** "{name}" in a sentence replaced by the value of that name. */
export function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Numbers on the screen count from one. */
function named(noun, choice) {
  return typeof choice === "number" ? `${noun} ${choice + 1}` : `${choice} of ${noun}s`;
}

export function headsName({ layer, head }) {
  return `${named("layer", layer)} · ${named("head", head)}`;
}
