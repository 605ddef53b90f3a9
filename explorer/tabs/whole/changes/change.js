// What is changed in the picture's model: heads that are off, source tokens that are hidden, stacks without positions.
// It is an experiment as in What if, here with a text in the address and as a list of single changes. Pure.

import { decodeExperiment, encodeExperiment } from "../../../ui/experiment_parts.js";

const NAMES = ["off", "hidden", "encoder", "decoder"]; // of the parts of an experiment that the picture can change
const BETWEEN = "_"; // two parts of a text

/**
 * One change, and the experiment that remains `without` it. "head" has a head, "block" are all of a block.
 * @typedef {object} Change
 * @property {"head" | "block" | "token" | "positions"} name
 * @property {Experiment} without
 * @property {Kind} [kind]
 * @property {number} [layer]
 * @property {number} [head]
 * @property {number} [token]
 * @property {Stack} [stack]
 */

/** The text of an experiment, such as "hidden.12_off.cross.4.8_encoder.off"; "" if it changes nothing. */
export function formatChange(experiment) {
  const parts = Object.entries(encodeExperiment(experiment)).filter(([, text]) => text !== null);
  return parts.map(([name, text]) => `${name}.${text}`).join(BETWEEN);
}

/**
 * The experiment of a text; null if there is none in a model and a sentence of these sizes.
 * @param {string} text
 * @param {import("../place.js").Sizes} sizes
 * @returns {Experiment | null}
 */
export function parseChange(text, sizes) {
  if (text === "") return {};
  const parts = text.split(BETWEEN).map((part) => part.split(/\.(.*)/));
  /** @type {{ experiment: Experiment, damaged: string[] }} */
  const { experiment, damaged } = decodeExperiment(Object.fromEntries(parts));
  const isKnown = parts.every(([name, value]) => NAMES.includes(name) && value) && !damaged.length;
  return isKnown && isInside(experiment, sizes) ? tidy(experiment) : null;
}

/**
 * Whether everything that is changed exists, and positions are off.
 * @param {Experiment} experiment
 * @param {import("../place.js").Sizes} sizes
 */
function isInside({ off = [], hidden = [], encoder_positions: encoder, decoder_positions: decoder }, sizes) {
  const { layers, heads, src } = sizes;
  return off.every(([kind, layer, head]) => layer < layers[stackOf(kind)] && head < heads)
    && hidden.every((token) => token < src)
    && [encoder, decoder].every((change) => change === undefined || change === "off");
}

/** The stack whose layers have a kind of attention. @returns {Stack} */
function stackOf(kind) {
  return kind === "encoder" ? "encoder" : "decoder";
}

/**
 * An experiment without empty lists, each list in one order and without doubles.
 * @param {Experiment} experiment
 * @returns {Experiment}
 */
function tidy({ off = [], hidden = [], ...positions }) {
  const heads = [...new Map(off.map((head) => [head.join(), head])).entries()].sort(([one], [other]) => (
    one.localeCompare(other, "en", { numeric: true })));
  const tokens = [...new Set(hidden)].sort((one, other) => one - other);
  const kept = Object.entries(positions).filter(([, change]) => change);
  return {
    ...(heads.length ? { off: heads.map(([, head]) => head) } : {}),
    ...(tokens.length ? { hidden: tokens } : {}),
    ...Object.fromEntries(kept),
  };
}

/** Whether an experiment changes nothing. */
export function isUnchanged(experiment) {
  return Object.keys(tidy(experiment)).length === 0;
}

/** An experiment with more heads off, [kind, layer, head] each. */
export function withHeadsOff(experiment, heads) {
  return tidy({ ...experiment, off: [...(experiment.off ?? []), ...heads] });
}

/** An experiment with a source token hidden. */
export function withTokenHidden(experiment, token) {
  return tidy({ ...experiment, hidden: [...(experiment.hidden ?? []), token] });
}

/** An experiment in which a source token is seen again. @returns {Experiment} */
export function withTokenShown(experiment, token) {
  return tidy({ ...experiment, hidden: (experiment.hidden ?? []).filter((other) => other !== token) });
}

/** An experiment with the positions of a stack off. */
export function withPositionsOff(experiment, stack) {
  return tidy({ ...experiment, [`${stack}_positions`]: "off" });
}

/** What remains of an experiment for another sentence, whose tokens are others. */
export function withoutTokens(experiment) {
  return tidy({ ...experiment, hidden: [] });
}

/**
 * The single changes of an experiment: where all heads of a block are off, one for the block.
 * @param {Experiment} experiment
 * @param {number} heads of a block
 * @returns {Change[]}
 */
export function changesOf(experiment, heads) {
  const { off = [], hidden = [] } = experiment;
  const blocks = new Map();
  for (const [kind, layer, head] of off) {
    const key = `${kind} ${layer}`;
    blocks.set(key, { kind, layer, off: [...(blocks.get(key)?.off ?? []), head] });
  }
  const withoutHeads = (isGone) => tidy({ ...experiment, off: off.filter((head) => !isGone(head)) });
  const ofHeads = [...blocks.values()].flatMap(({ kind, layer, off: ofBlock }) => {
    const isHere = ([otherKind, otherLayer]) => otherKind === kind && otherLayer === layer;
    if (ofBlock.length === heads) return [{ name: "block", kind, layer, without: withoutHeads(isHere) }];
    return ofBlock.map((head) => (
      { name: "head", kind, layer, head, without: withoutHeads((one) => isHere(one) && one[2] === head) }));
  });
  const ofTokens = hidden.map((token) => (
    { name: "token", token, without: withTokenShown(experiment, token) }));
  const stacks = /** @type {Stack[]} */ (["encoder", "decoder"]).filter((stack) => experiment[`${stack}_positions`]);
  const ofPositions = stacks.map((stack) => (
    { name: "positions", stack, without: tidy({ ...experiment, [`${stack}_positions`]: undefined }) }));
  return /** @type {Change[]} */ ([...ofHeads, ...ofTokens, ...ofPositions]);
}

/** The panel of What if that shows such an experiment. @param {Experiment} experiment */
export function panelOf({ off, hidden }) {
  if (off) return "heads";
  return hidden ? "hide" : "positions";
}
