// The shape trace and the map of a pass: explorer/tabs/architecture/blocks.py.
//
// Which steps and blocks there are depends on the model only and comes as data; what depends on the sentence is filled in.

/** A tensor's axes and their sizes as text: "[batch, src] = [1, 9]". */
function shapeText({ axes, sizes }) {
  return `[${axes.join(", ")}] = [${sizes.join(", ")}]`;
}

/** The root mean square of the finite numbers; null for ids and masks. */
function rootMeanSquare({ data }) {
  if (!(data instanceof Float32Array)) return null;
  let sum = 0, count = 0;
  for (const number of data) {
    if (!Number.isFinite(number)) continue;
    sum += number * number;
    count += 1;
  }
  return Math.sqrt(sum / count);
}

/** The steps of a pass, in the order of computation, each with the shapes of its inputs by name and of its result. */
function stepsOf(pass, rows) {
  const [{ sentence, steps }] = pass.traces;
  const latest = {
    sentence: { axes: ["character"], sizes: [[...sentence].length] },
    steps: { axes: ["step"], sizes: [steps.length] },
  };
  return rows.map(({ site, key, takes, axes }) => {
    const tensor = pass.at(site), before = takes.map((name) => [name, latest[name]]), after = { axes, sizes: tensor.shape };
    latest[site.tensor] = after;
    return { site, key, before, after, size: rootMeanSquare(tensor) };
  });
}

/** A block with its inputs, which its own steps do not compute, and its outputs: the last result, and weights of attention. */
function blockJson({ rows: [first, end], ...block }, steps) {
  const run = steps.slice(first, end), computed = new Set(), inputs = {}, outputs = {};
  for (const { site: { tensor }, before, after } of run) {
    for (const [name, shape] of before) if (!computed.has(name)) inputs[name] = shapeText(shape);
    computed.add(tensor);
    if (tensor === "weights" || after === run.at(-1).after) outputs[tensor] = shapeText(after);
  }
  return { ...block, rows: [first, end], inputs, outputs, sizes: run.at(-1).after.sizes };
}

/** Blocks and steps of a pass; `data` are those of the model (explorer/answers/data.py). */
export function shapesJson(pass, { rows, blocks }) {
  const steps = stepsOf(pass, rows);
  return {
    blocks: blocks.map((block) => blockJson(block, steps)),
    rows: steps.map(({ site, key, before, after, size }) => (
      { ...site, key, before: before.map(([, shape]) => shapeText(shape)), after: shapeText(after), size }
    )),
  };
}
