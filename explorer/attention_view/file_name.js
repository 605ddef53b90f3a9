// What a file of a view is called.

function indexedName(letter, choice) {
  return typeof choice === "number" ? `${letter}${choice + 1}` : `${letter}-${choice}`;
}

/**
 * A name such as "attention-cross-l4-h3-step7", with indices from one; `map` is the shown one of its kind.
 * @param {any} view as it is drawn
 * @param {{ measure: string }} map
 */
export function viewName({ kind, layer, head, step, measure }, map) {
  const heads = layer === "rollout" ? ["rollout"] : [indexedName("l", layer), indexedName("h", head)];
  const shows = map.measure === "length" && measure === "length" ? "lengths" : "attention";
  return [shows, kind, ...heads, ...(kind === "encoder" ? [] : [`step${step + 1}`])].join("-");
}

/** What the name of a file says of a run under a change: "changed", or nothing. */
export function runName(trace) {
  return trace.run ? ["changed"] : [];
}
