// The parameters behind one number, of a linear layer or a layer normalisation: explorer/recording/parameter.py.

import { Linear } from "./kernel.js";
import { LayerNorm } from "./layers.js";
import { tensorJson } from "./payload.js";
import { refuse, requireIndex } from "./refusals.js";

/**
 * Weight and bias of a module, called as PyTorch does; of a linear layer those of one output number, `row`.
 * @param {import("./transformer.js").Transformer} model
 * @param {string} module
 * @param {number | null} row null for a normalisation
 * @param {EngineSettings} settings
 */
export function parameterJson(model, module, row, settings) {
  const part = moduleAt(model, module);
  if (part instanceof Linear && row !== null) {
    requireIndex("row", row, part.weight.outputs, settings);
    const bias = part.hasBias ? vectorJson(part.bias.subarray(row, row + 1)) : null;
    return { weight: vectorJson(part.weight.row(row)), bias };
  }
  if (part instanceof LayerNorm && row === null) {
    return { weight: vectorJson(part.weight), bias: vectorJson(part.bias) };
  }
  return refuse(settings, "no_answer", { fault: `“${module}”.` });
}

/** @typedef {{ [name: string]: Parts }} Parts */

/**
 * The part of the model that a path such as "decoder.layers.3.feed_forward.w_1" leads to, if any.
 * @param {import("./transformer.js").Transformer} model @param {string} path
 */
function moduleAt(model, path) {
  /** @type {(whole: Parts | undefined, name: string) => Parts | undefined} */
  const partOf = (whole, name) => (whole && Object.hasOwn(whole, name) ? whole[name] : undefined);
  return path.split(".").reduce(partOf, /** @type {Parts} */ (/** @type {unknown} */ (model)));
}

/** @param {Float32Array} numbers */
function vectorJson(numbers) {
  return tensorJson({ shape: [numbers.length], data: numbers });
}
