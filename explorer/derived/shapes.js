// The shape trace of a pass, and the map of the model: the blocks of the paper's figure.
//
// The sites of a pass come from the call `tensors`; this module adds the names of a tensor's axes and inputs. A block
// is a run of steps that belong to one module, so that another checkpoint gives another map. Nothing is drawn here.

/** The steps from the stream to the queries, keys or values of every head. */
function headSteps(name, source, axes) {
  const [position, width] = axes.split(" ");
  return {
    [`attention.${name}_projected`]: { takes: [source], axes: `batch ${position} head·${width}` },
    [`attention.${name}_split`]: { takes: [`${name}_projected`], axes: `batch ${position} head ${width}` },
    [`attention.${name}`]: { takes: [`${name}_split`], axes: `batch head ${position} ${width}` },
  };
}

/** How a tensor is computed: from the latest ones of these names; `position` is src or tgt. Words have these keys. */
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

/** The key of a site's step in STEPS; the most specific key counts. */
export function stepKey({ stack, sublayer, tensor }) {
  let prefixes = [sublayer, "attention", "sublayer"];
  if (sublayer === null) prefixes = [stack, "stack"];
  else if (sublayer === "feed_forward") prefixes = ["feed_forward", "sublayer"];
  return prefixes.map((prefix) => `${prefix}.${tensor}`).find((key) => Object.hasOwn(STEPS, key));
}

/** A tensor's axes and their sizes as text: "[batch, src] = [1, 9]". */
function shapeText({ axes, sizes }) {
  return `[${axes.join(", ")}] = [${sizes.join(", ")}]`;
}

/**
 * The steps of a trace's pass in the order of computation, with the shapes of their inputs by name and of their
 * results. `size` is the root mean square of the finite numbers, null for ids and masks.
 *
 * @param {Site[]} tensors of the call `tensors`
 */
export function stepsOf(tensors, { sentence, steps }) {
  const latest = {
    sentence: { axes: ["character"], sizes: [[...sentence].length] },
    steps: { axes: ["step"], sizes: [steps.length] },
  };
  return tensors.map(({ stack, layer, sublayer, tensor, shape, rms: size }) => {
    const key = stepKey({ stack, sublayer, tensor });
    const { takes, axes } = STEPS[key];
    const before = Object.fromEntries(takes.map((name) => [name, latest[name]]));
    const own = axes.replace("position", stack === "encoder" ? "src" : "tgt");
    latest[tensor] = { axes: own.split(" "), sizes: shape };
    return { stack, layer, sublayer, tensor, key, before, after: latest[tensor], size };
  });
}

/** The module that computes a tensor, or the parameter itself; the site's name if there is neither. */
function modulePath({ stack, layer, sublayer, tensor }) {
  if (sublayer !== null) {
    const path = `${stack}.layers.${layer}.${sublayer}`;
    return ["sum", "stream"].includes(tensor) ? `${path}_norm` : path;
  }
  if (tensor === "logits") return "projection";
  const embedding = { token_embedding: "tokens", embedding: "tokens", positions: "positions", stream: "positions" };
  return `${stack}.${tensor in embedding ? `embedding.${embedding[tensor]}` : tensor}`;
}

/** The key of a block's words. */
function blockName({ stack, sublayer }, path) {
  if (sublayer !== null) {
    if (path.endsWith("_norm")) return "norm";
    return sublayer === "self_attention" ? `${stack}.self_attention` : sublayer;
  }
  const last = path.split(".").at(-1);
  return { tokens: `${stack}.embedding`, ids: `${stack}.ids` }[last] ?? last;
}

/** The links to tabs that explain a site's block, the best first, with what is selected there; a page may lack some. */
function tabLinks({ stack, layer, sublayer, tensor }) {
  if (tensor === "ids") return [];
  if (["logits", "probabilities"].includes(tensor)) return [{ tab: "predictions" }];
  if (sublayer === null) return [{ tab: "positions" }];
  if (sublayer === "feed_forward" || ["sum", "stream"].includes(tensor)) return [{ tab: "predictions", side: stack }];
  const selection = { kind: sublayer === "cross_attention" ? "cross" : stack, layer };
  const tabs = ["explore", "inside", ...(selection.kind === "decoder" ? ["masks"] : [])];
  return tabs.map((tab) => ({ tab, ...selection }));
}

/** Whether a site is part of a block; masks and the decoder's memory are only inputs of blocks. */
function isInBlock({ sublayer, tensor }) {
  return sublayer !== null || !["mask", "memory", "memory_mask"].includes(tensor);
}

/** The shapes of a run of steps by name: of inputs that it does not compute itself, its last result, and weights. */
function shapesOfRun(run) {
  const computed = new Set();
  const inputs = {};
  const outputs = {};
  for (const { tensor, before, after } of run) {
    for (const [name, shape] of Object.entries(before)) {
      if (!computed.has(name)) inputs[name] = shapeText(shape);
    }
    computed.add(tensor);
    if (tensor === "weights" || after === run.at(-1).after) outputs[tensor] = shapeText(after);
  }
  return { inputs, outputs, sizes: run.at(-1).after.sizes };
}

/**
 * The blocks of a pass in its order. `rows` are the indices of a block's steps: from, to (not included).
 *
 * @param {ReturnType<typeof stepsOf>} steps
 * @param {{ path: string, parameters: number, share: number, tied?: string }[]} parts the model's modules
 */
export function blocksOf(steps, parts) {
  const runs = [];
  steps.forEach((step, row) => {
    if (!isInBlock(step)) return;
    const path = modulePath(step);
    if (runs.at(-1)?.path === path) runs.at(-1).end = row + 1;
    else runs.push({ path, first: row, end: row + 1 });
  });
  return runs.map(({ path, first, end }) => {
    const run = steps.slice(first, end);
    const { parameters = 0, share = 0, tied = null } = parts.find((part) => part.path === path) ?? {};
    return {
      path,
      name: blockName(run[0], path),
      stack: run[0].stack,
      layer: run[0].layer,
      ...shapesOfRun(run),
      parameters,
      share,
      tied,
      links: tabLinks(run[0]),
      rows: [first, end],
    };
  });
}

/** Blocks and steps of a trace's pass for the tab, their shapes as text. */
export function shapesOf(tensors, trace, parts) {
  const steps = stepsOf(tensors, trace);
  const rows = steps.map(({ before, after, ...step }) => (
    { ...step, before: Object.values(before).map(shapeText), after: shapeText(after) }
  ));
  return { blocks: blocksOf(steps, parts), rows };
}
