// The shape trace of a pass: its sites, which come from the call `tensors`, with the names of their axes and inputs.

/** @typedef {{ axes: string[], sizes: number[] }} AxisSizes */

/**
 * The steps from the stream to the queries, keys or values of every head.
 * @param {"q" | "k" | "v"} name @param {string} source @param {string} axes
 */
function headSteps(name, source, axes) {
  const [position, width] = axes.split(" ");
  return {
    [`attention.${name}_projected`]: { takes: [source], axes: `batch ${position} head·${width}` },
    [`attention.${name}_split`]: { takes: [`${name}_projected`], axes: `batch ${position} head ${width}` },
    [`attention.${name}`]: { takes: [`${name}_split`], axes: `batch head ${position} ${width}` },
  };
}

/**
 * How a tensor is computed: from the latest ones of these names; `position` is src or tgt. Words have these keys.
 * @type {Record<string, { takes: string[], axes: string }>}
 */
export const STEPS = {
  "encoder.ids": { takes: ["sentence"], axes: "batch src" },
  "encoder.mask": { takes: ["ids"], axes: "batch 1 1 key" },
  "decoder.memory": { takes: ["stream"], axes: "batch src d_model" },
  "decoder.memory_mask": { takes: ["mask"], axes: "batch 1 1 key" },
  "decoder.ids": { takes: ["steps"], axes: "batch tgt" },
  "decoder.mask": { takes: ["ids"], axes: "batch 1 query key" },
  "stack.token_embedding": { takes: ["ids"], axes: "batch position d_model" },
  "stack.embedding": { takes: ["token_embedding"], axes: "batch position d_model" },
  "stack.positions": { takes: ["ids"], axes: "position d_model" },
  "stack.stream": { takes: ["embedding", "positions"], axes: "batch position d_model" },
  ...headSteps("q", "stream", "query d_head"),
  ...headSteps("k", "stream", "key d_head"),
  ...headSteps("v", "stream", "key d_value"),
  "cross_attention.k_projected": { takes: ["memory"], axes: "batch key head·d_head" },
  "cross_attention.v_projected": { takes: ["memory"], axes: "batch key head·d_value" },
  "attention.k_transposed": { takes: ["k"], axes: "batch head d_head key" },
  "attention.dot_products": { takes: ["q", "k_transposed"], axes: "batch head query key" },
  "attention.scores": { takes: ["dot_products"], axes: "batch head query key" },
  "attention.masked_scores": { takes: ["scores", "mask"], axes: "batch head query key" },
  "cross_attention.masked_scores": { takes: ["scores", "memory_mask"], axes: "batch head query key" },
  "attention.weights": { takes: ["masked_scores"], axes: "batch head query key" },
  "attention.heads": { takes: ["weights", "v"], axes: "batch head query d_value" },
  "attention.heads_transposed": { takes: ["heads"], axes: "batch query head d_value" },
  "attention.concatenated": { takes: ["heads_transposed"], axes: "batch query head·d_value" },
  "attention.output": { takes: ["concatenated"], axes: "batch position d_model" },
  "feed_forward.pre_activation": { takes: ["stream"], axes: "batch position d_ff" },
  "feed_forward.hidden": { takes: ["pre_activation"], axes: "batch position d_ff" },
  "feed_forward.output": { takes: ["hidden"], axes: "batch position d_model" },
  "sublayer.sum": { takes: ["stream", "output"], axes: "batch position d_model" },
  "sublayer.stream": { takes: ["sum"], axes: "batch position d_model" },
  "decoder.logits": { takes: ["stream"], axes: "batch tgt vocab" },
  "decoder.probabilities": { takes: ["logits"], axes: "batch tgt vocab" },
};

/**
 * The key of a site's step in STEPS; the most specific key counts.
 * @param {Pick<Site, "stack" | "sublayer" | "tensor">} site
 */
export function stepKey({ stack, sublayer, tensor }) {
  let prefixes = [sublayer, "attention", "sublayer"];
  if (sublayer === null) prefixes = [stack, "stack"];
  else if (sublayer === "feed_forward") prefixes = ["feed_forward", "sublayer"];
  return prefixes.map((prefix) => `${prefix}.${tensor}`).find((key) => Object.hasOwn(STEPS, key));
}

/** A tensor's axes and their sizes as text: "[batch, src] = [1, 9]". @param {AxisSizes} axisSizes */
function shapeText({ axes, sizes }) {
  return `[${axes.join(", ")}] = [${sizes.join(", ")}]`;
}

/**
 * The steps of a trace's pass in the order of computation, with the shapes of their inputs by name and of their
 * results. `size` is the root mean square of the finite numbers, null for ids and masks.
 *
 * @param {Site[]} tensors of the call `tensors`
 * @param {Pick<TracePayload, "sentence" | "steps">} trace
 */
export function stepsOf(tensors, { sentence, steps }) {
  /** @type {Record<string, AxisSizes>} */
  const latest = {
    sentence: { axes: ["character"], sizes: [[...sentence].length] },
    steps: { axes: ["step"], sizes: [steps.length] },
  };
  return tensors.map(({ stack, layer, sublayer, tensor, shape, rms: size }) => {
    const key = stepKey({ stack, sublayer, tensor });
    const { takes, axes } = STEPS[key];
    const before = Object.fromEntries(takes.map((name) => [name, latest[name]]));
    const ofStack = axes.replace("position", stack === "encoder" ? "src" : "tgt");
    latest[tensor] = { axes: ofStack.split(" "), sizes: shape };
    return { stack, layer, sublayer, tensor, key, before, after: latest[tensor], size };
  });
}

/**
 * The steps of a trace's pass with their shapes as text.
 * @param {Site[]} tensors @param {Pick<TracePayload, "sentence" | "steps">} trace
 */
export function shapesOf(tensors, trace) {
  return stepsOf(tensors, trace).map(({ before, after, ...step }) => (
    { ...step, before: Object.values(before).map(shapeText), after: shapeText(after) }
  ));
}
