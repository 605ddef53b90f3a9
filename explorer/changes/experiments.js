// What an experiment changes, as a list of single changes, and experiments with one change more or less. Pure.

import { HEADS_BY_KIND, formatExperiment } from "./experiment_text.js";

/**
 * One change, and the experiment that remains `without` it. "head" has a head, "block" are all of a block, "way" is
 * what takes the place of what is off. A neuron is held at a value, at 0 it is off, "At" one position or everywhere.
 * @typedef {object} SingleChange
 * @property {"head" | "block" | "way" | "neuron" | "token" | "positions" | "beginning" | "order" | "source"
 *   | "patch"} name
 * @property {Experiment} without
 * @property {Kind} [kind]
 * @property {number} [layer]
 * @property {number} [head]
 * @property {string} [way]
 * @property {number} [token]
 * @property {Stack} [stack]
 * @property {number} [neuron]
 * @property {number} [value]
 * @property {number | null} [position]
 * @property {"off" | "shuffled" | "shifted" | "held" | "offAt" | "heldAt"} [how] positions are changed, or a neuron is
 */

const STACKS = /** @type {Stack[]} */ (["encoder", "decoder"]);

/**
 * The same experiment in one form: without what changes nothing, each list in one order and without doubles.
 * @param {Experiment} experiment
 * @returns {Experiment}
 */
export function tidy(experiment) {
  const {
    off = [], off_by: way, neurons = [], hidden = [], beginning = [], patch, seed, shift, ...others
  } = experiment;
  const heads = [...new Map(off.map((head) => [head.join(), head])).values()].sort(inOrderOfHeads);
  const held = [...new Map(neurons.map((neuron) => [placeOf(neuron), neuron])).values()].sort(inOrderOfNeurons);
  const tokens = [...new Set(hidden)].sort((one, other) => one - other);
  const positions = STACKS.map((stack) => experiment[`${stack}_positions`]);
  const isPatched = patch?.heads?.length || patch?.cells?.length;
  const kept = {
    ...others,
    hidden: tokens.length ? tokens : null,
    beginning: beginning.length ? beginning : null,
    off: heads.length ? heads : null,
    off_by: heads.length && way !== "zero" ? way : null,
    neurons: held.length ? held : null,
    seed: positions.includes("shuffled") ? seed : null,
    shift: positions.includes("shifted") ? shift : null,
    patch: isPatched ? patch : null,
  };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null && value !== undefined));
}

function inOrderOfHeads([kind, layer, head], [otherKind, otherLayer, otherHead]) {
  return HEADS_BY_KIND.indexOf(kind) - HEADS_BY_KIND.indexOf(otherKind) || layer - otherLayer || head - otherHead;
}

/** Where a neuron is held, as a text. */
function placeOf([stack, layer, neuron, , position]) {
  return [stack, layer, neuron, position].join();
}

function inOrderOfNeurons([stack, layer, neuron, , position], [otherStack, otherLayer, otherNeuron, , otherPosition]) {
  return STACKS.indexOf(stack) - STACKS.indexOf(otherStack) || layer - otherLayer || neuron - otherNeuron
    || (position ?? -1) - (otherPosition ?? -1);
}

/** Whether an experiment changes nothing. */
export function isUnchanged(experiment) {
  return Object.keys(tidy(experiment)).length === 0;
}

/**
 * Whether an experiment changes all that another one changes, and more.
 * @param {Experiment} experiment
 * @param {Experiment} other
 */
export function isBeyond(experiment, other) {
  const off = [...(experiment.off ?? []), ...(other.off ?? [])];
  const hidden = [...(experiment.hidden ?? []), ...(other.hidden ?? [])];
  const neurons = [...(experiment.neurons ?? []), ...(other.neurons ?? [])];
  const [whole, both, least] = [experiment, { ...experiment, ...other, off, hidden, neurons }, other].map(
    (each) => formatExperiment(tidy(each)));
  return whole === both && whole !== least;
}

/** Whether a head is among others, [kind, layer, head] each. */
export function isAmong(heads, head) {
  return heads.some((other) => `${other}` === `${head}`);
}

/** An experiment after some heads are switched off, or on if all of them are off. @returns {Experiment} */
export function withHeadsSwitched(experiment, heads) {
  const off = experiment.off ?? [];
  const rest = off.filter((head) => !isAmong(heads, head));
  return tidy({ ...experiment, off: heads.every((head) => isAmong(off, head)) ? rest : [...rest, ...heads] });
}

/** An experiment after each of some heads is switched. @returns {Experiment} */
export function withEachSwitched(experiment, heads) {
  const off = experiment.off ?? [];
  const rest = off.filter((head) => !isAmong(heads, head));
  return tidy({ ...experiment, off: [...rest, ...heads.filter((head) => !isAmong(off, head))] });
}

/** An experiment with a neuron held at a value, whatever it was held at before. @returns {Experiment} */
export function withNeuron(experiment, neuron) {
  return tidy({ ...experiment, neurons: [...(experiment.neurons ?? []), neuron] });
}

/** An experiment that holds a neuron no longer at its position, or everywhere. @returns {Experiment} */
export function withoutNeuron(experiment, neuron) {
  const neurons = (experiment.neurons ?? []).filter((other) => placeOf(other) !== placeOf(neuron));
  return tidy({ ...experiment, neurons });
}

/**
 * How an experiment holds a neuron, the column of a place: at its row, else everywhere, else at another row; null if it
 * does not.
 * @param {Experiment} experiment
 * @param {{ stack: string, layer: number, row: number, column: number }} place
 */
export function holdOf({ neurons = [] }, { stack, layer, row, column }) {
  const own = neurons.filter((one) => `${one.slice(0, 3)}` === `${[stack, layer, column]}`);
  const at = (wanted) => own.find(([, , , , position]) => position === wanted);
  const [, , , value, position] = at(row) ?? at(null) ?? own[0] ?? [];
  return value === undefined ? null : { value, position };
}

/** The value at which it is held at the row of the place; null if it is not held there. */
export function heldValue(experiment, place) {
  const hold = holdOf(experiment, place);
  return hold && (hold.position === null || hold.position === place.row) ? hold.value : null;
}

/** An experiment after a token of the source is hidden, or seen again. @returns {Experiment} */
export function withTokenSwitched(experiment, token) {
  const hidden = experiment.hidden ?? [];
  const others = hidden.filter((other) => other !== token);
  return tidy({ ...experiment, hidden: others.length < hidden.length ? others : [...hidden, token] });
}

/**
 * What remains of an experiment for another sentence, whose tokens and positions are others.
 * @param {Experiment} experiment
 */
export function forOtherSentence(experiment) {
  const neurons = (experiment.neurons ?? []).filter(([, , , , position]) => position === null);
  return tidy({ ...experiment, source: null, hidden: [], beginning: [], neurons, patch: null });
}

/**
 * The single changes of an experiment: where all heads of a block are off, one for the block.
 * @param {Experiment} experiment
 * @param {number} heads of a block
 * @returns {SingleChange[]}
 */
export function changesOf(experiment, heads) {
  const without = (...names) => tidy({ ...experiment, ...Object.fromEntries(names.map((name) => [name, undefined])) });
  const positions = STACKS.filter((stack) => experiment[`${stack}_positions`]).map((stack) => (
    { name: "positions", stack, how: experiment[`${stack}_positions`], without: without(`${stack}_positions`) }));
  const hidden = (experiment.hidden ?? []).map((token) => (
    { name: "token", token, without: withTokenSwitched(experiment, token) }));
  const texts = Object.entries({ source: "source", word_order: "order", beginning: "beginning" })
    .filter(([field]) => experiment[field] !== undefined && experiment[field] !== null)
    .map(([field, name]) => ({ name, without: without(field) }));
  const patch = experiment.patch ? [{ name: "patch", without: without("patch") }] : [];
  return /** @type {SingleChange[]} */ (
    [...texts, ...headChanges(experiment, heads), ...neuronChanges(experiment), ...hidden, ...positions, ...patch]);
}

function neuronChanges(experiment) {
  return (experiment.neurons ?? []).map((held) => {
    const [stack, layer, neuron, value, position] = held;
    const how = `${value === 0 ? "off" : "held"}${position === null ? "" : "At"}`;
    return { name: "neuron", stack, layer, neuron, value, position, how, without: withoutNeuron(experiment, held) };
  });
}

/** The changes of heads: blocks, single heads, and what replaces them if not zeros. */
function headChanges(experiment, heads) {
  const { off = [], off_by: way } = experiment;
  const blocks = new Map();
  for (const [kind, layer, head] of off) {
    const key = `${kind} ${layer}`;
    blocks.set(key, { kind, layer, off: [...(blocks.get(key)?.off ?? []), head] });
  }
  const withHeadsOn = (places) => withHeadsSwitched(experiment, places);
  const ofHeads = [...blocks.values()].flatMap(({ kind, layer, off: ofBlock }) => {
    const places = ofBlock.map((head) => [kind, layer, head]);
    if (ofBlock.length === heads) return [{ name: "block", kind, layer, without: withHeadsOn(places) }];
    return places.map(([, , head], i) => ({ name: "head", kind, layer, head, without: withHeadsOn([places[i]]) }));
  });
  const isOtherWay = off.length > 0 && way !== undefined && way !== "zero";
  return [...ofHeads, ...(isOtherWay ? [{ name: "way", way, without: tidy({ ...experiment, off_by: "zero" }) }] : [])];
}
