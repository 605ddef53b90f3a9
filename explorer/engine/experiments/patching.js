// Activation patching as a map, part by part: explorer/experiments/patching.py.

import { ATTENTION, KINDS, NO_PROBE, Probe, layerOutput, siteKey } from "../probe.js";
import { refuse } from "../refusals.js";
import { idTensor } from "../tensor.js";
import { groupBy } from "./groups.js";

/** @typedef {import("../decoding.js").Translator} Translator */
/** @typedef {import("../recordings.js").Recordings} Recordings */
/** @typedef {import("../trace.js").ComputedTrace} ComputedTrace */
/** @typedef {import("../transformer.js").Transformer} Transformer */
/** @typedef {ReturnType<typeof findDivergence>} Divergence */
/** @typedef {{ site: import("../probe.js").NamedSite, index: number }} PatchTarget `index` is in the tensor */
/** @typedef {"heads" | Stack} Grid */
/** @typedef {Map<string, import("../tensor.js").Tensor>} Activations of the donor's run, by siteKey */

/**
 * Where two translations differ first, with the ids of both sources. Throws a UserError if they do not differ.
 * @param {Recordings} recordings @param {ComputedTrace} donor @param {ComputedTrace} recipient
 */
function findDivergence({ translator, settings }, donor, recipient) {
  const ids = (/** @type {{ id: number }[]} */ pieces) => pieces.map(({ id }) => id);
  const [first, second] = [donor, recipient].map(({ steps }) => ids(steps));
  const step = first.findIndex((id, t) => t < second.length && id !== second[t]);
  if (step < 0) refuse(settings, "alike");
  return {
    donor: ids(donor.source),
    recipient: ids(recipient.source),
    tgtIn: [translator.tokenizer.bosId, ...first.slice(0, step)],
    donorPiece: first[step],
    recipientPiece: second[step],
  };
}

/**
 * The heads of all kinds: first the encoder's, then the decoder's, then those of cross-attention, by layer.
 * @param {Transformer} model
 * @returns {HeadAt[]}
 */
function allHeads(model) {
  const heads = [...new Array(model.config.n_heads).keys()];
  return KINDS.flatMap((kind) => {
    const layers = [...model[ATTENTION[kind].stack].layers.keys()];
    return layers.flatMap((layer) => heads.map((head) => /** @type {HeadAt} */ ([kind, layer, head])));
  });
}

/**
 * A head's output, at the positions that both runs have: where it is in the model, and its index in the tensor.
 * @param {HeadAt} head
 * @returns {PatchTarget}
 */
function headTarget([kind, layer, head]) {
  return { site: { ...ATTENTION[kind], layer, tensor: "heads" }, index: head };
}

/**
 * The stream at a position after a layer.
 * @param {Stack} stack @param {number} layer @param {number} position
 * @returns {PatchTarget}
 */
function cellTarget(stack, layer, position) {
  return { site: layerOutput(stack, layer), index: position };
}

/**
 * All targets of a grid: heads, or a stack's streams layer by layer, the embedding first.
 * @param {Transformer} model @param {Divergence} divergence @param {Grid} grid
 * @returns {PatchTarget[]}
 */
function gridTargets(model, { donor, recipient, tgtIn }, grid) {
  if (grid === "heads") return allHeads(model).map(headTarget);
  const count = grid === "encoder" ? Math.min(donor.length, recipient.length) : tgtIn.length;
  const positions = [...new Array(count).keys()];
  const layers = [-1, ...model[grid].layers.keys()];
  return layers.flatMap((layer) => positions.map((position) => cellTarget(grid, layer, position)));
}

/**
 * A probe that replaces targets[r] in row r of a batch by one of the donor's `activations`, as far as both have it.
 * @param {PatchTarget[]} targets @param {Activations} activations
 */
function patchingProbe(targets, activations) {
  const rowsAt = groupBy(targets.keys(), (row) => siteKey(targets[row].site));
  return new Probe((site, tensor) => {
    const rows = rowsAt.get(siteKey(site));
    if (!rows) return undefined;
    const patched = tensor.clone();
    const donor = activations.get(siteKey(site));
    for (const row of rows) {
      const part = patched.at(row, targets[row].index);
      part.set(donor.at(0, targets[row].index).subarray(0, part.length));
    }
    return patched;
  });
}

/**
 * A piece's logit at the last position of each row.
 * @param {import("../kernel.js").Linear} linear @param {import("../tensor.js").Tensor} states @param {number} id
 */
function lastLogits({ weight, bias }, states, id) {
  const row = weight.row(id);
  const last = (/** @type {number} */ i) => states.at(i, states.shape[1] - 1);
  const logit = (/** @type {number} */ i) => last(i).reduce((sum, number, j) => sum + number * row[j], bias[id]);
  return Array.from({ length: states.shape[0] }, (_, i) => logit(i));
}

/**
 * The log-probability of the donor's piece minus that of the recipient's, in nats, for every row: the softmax's
 * denominator cancels.
 * @param {Translator} translator @param {Divergence} divergence @param {import("../transformer.js").Encoded} encoded
 * @param {import("../probe.js").Probe} probe
 */
function preferences({ model }, { tgtIn, donorPiece, recipientPiece }, encoded, probe) {
  const rows = new Array(encoded.memory.shape[0]).fill(tgtIn);
  const { states } = model.decoder.forward(idTensor(rows), encoded, undefined, probe);
  const [first, second] = [donorPiece, recipientPiece].map((id) => lastLogits(model.projection, states, id));
  return first.map((logit, row) => logit - second[row]);
}

/**
 * The preference with each of some targets of one stack patched; patches in the decoder share one encoding.
 * @param {Translator} translator @param {Divergence} divergence @param {PatchTarget[]} targets
 * @param {Activations} activations
 */
function patchedPreferences(translator, divergence, targets, activations) {
  const probe = patchingProbe(targets, activations);
  const { recipient } = divergence;
  if (targets[0].site.stack === "encoder") {
    const encoded = translator.model.encode(idTensor(targets.map(() => recipient)), probe);
    return preferences(translator, divergence, encoded, NO_PROBE);
  }
  return preferences(translator, divergence, translator.encode(recipient).select(targets.map(() => 0)), probe);
}

/**
 * The preferences with each of some targets patched, in batches of at most `size` in one stack.
 * @param {Translator} translator @param {Divergence} divergence @param {PatchTarget[]} targets
 * @param {{ activations: Activations, size: number }} options
 */
function allPreferences(translator, divergence, targets, { activations, size }) {
  /** @type {number[]} */
  const found = [];
  for (let start = 0, end = 0; start < targets.length; start = end) {
    const isSameStack = (/** @type {PatchTarget} */ { site }) => site.stack === targets[start].site.stack;
    while (end < targets.length && end < start + size && isSameStack(targets[end])) end += 1;
    found.push(...patchedPreferences(translator, divergence, targets.slice(start, end), activations));
  }
  return found;
}

/**
 * The preferences with each of some targets of a grid patched, from number `start` on; see calls.py.
 * @param {Recordings} recordings
 * @param {{ donor: ComputedTrace, recipient: ComputedTrace, grid: Grid, start: number }} part
 */
export function patchingResult(recordings, { donor, recipient, grid, start }) {
  const { translator, settings: { limits: { MIN_SITES_PER_PART, ROWS_PER_PART, MAX_BATCH_ROWS } } } = recordings;
  const divergence = findDivergence(recordings, donor, recipient);
  const targets = gridTargets(translator.model, divergence, grid);
  const rows = divergence.recipient.length + divergence.tgtIn.length;
  const size = Math.max(MIN_SITES_PER_PART, Math.floor(ROWS_PER_PART / rows));
  /** @type {Activations} */
  const activations = new Map();
  const probe = new Probe((site, tensor) => void activations.set(siteKey(site), tensor));
  const [ofDonor] = preferences(translator, divergence, translator.encode(divergence.donor, probe), probe);
  const [ofRecipient] = preferences(translator, divergence, translator.encode(divergence.recipient), NO_PROBE);
  const part = targets.slice(start, start + size);
  return {
    step: divergence.tgtIn.length - 1,
    sites: targets.length,
    donor_preference: ofDonor,
    recipient_preference: ofRecipient,
    preferences: allPreferences(translator, divergence, part, { activations, size: MAX_BATCH_ROWS }),
  };
}
