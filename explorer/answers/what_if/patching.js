// Activation patching as a map, part by part: explorer/experiments/patching.py.

import { ATTENTION, NO_PROBE, Probe, siteKey } from "../../engine/probe.js";
import { allHeads } from "../../engine/forced.js";
import { idTensor } from "../../engine/tensor.js";
import { layerOutput } from "../head.js";

/** Two sentences, and the first step at which their translations differ. Throws a UserError if they do not differ. */
function parting(laboratory, takenFrom, putInto) {
  const ids = (pieces) => pieces.map(({ id }) => id), [first, second] = [takenFrom, putInto].map(({ steps }) => ids(steps));
  const common = first.findIndex((id, t) => t < second.length && id !== second[t]);
  if (common < 0) laboratory.refuse("alike");
  return {
    takenFrom: ids(takenFrom.source),
    putInto: ids(putInto.source),
    tgtIn: [laboratory.translator.tokenizer.bosId, ...first.slice(0, common)],
    toward: first[common],
    away: second[common],
  };
}

/** A head's output, at the positions that both runs have: where it is in the model, and its index in the tensor. */
function headPlace([kind, layer, head]) {
  return { site: { ...ATTENTION[kind], layer, tensor: "heads" }, index: head };
}

/** The stream at a position after a layer. */
function cellPlace(stack, layer, position) {
  return { site: layerOutput(stack, layer), index: position };
}

/** All places of a grid: heads, or a stack's streams layer by layer, the embedding first. Throws a UserError. */
function gridPlaces(laboratory, { takenFrom, putInto, tgtIn }, grid) {
  const { translator: { model } } = laboratory;
  if (grid === "heads") return allHeads(model).map(headPlace);
  const count = grid === "encoder" ? Math.min(takenFrom.length, putInto.length) : tgtIn.length;
  const positions = [...new Array(count).keys()], layers = [-1, ...model[grid].layers.keys()];
  return layers.flatMap((layer) => positions.map((position) => cellPlace(grid, layer, position)));
}

/** A probe that replaces places[r] in row r of a batch by the donor's activation, as far as both have it. */
function patchingProbe(places, donor) {
  const rowsAt = Map.groupBy(places.keys(), (row) => siteKey(places[row].site));
  return new Probe((site, tensor) => {
    const rows = rowsAt.get(siteKey(site));
    if (!rows) return undefined;
    const patched = tensor.clone(), own = donor.get(siteKey(site));
    for (const row of rows) {
      const target = patched.at(row, places[row].index), activation = own.at(0, places[row].index);
      target.set(activation.subarray(0, target.length));
    }
    return patched;
  });
}

/** A piece's logit at the last position of each row. */
function lastLogits({ weight, bias }, states, id) {
  const row = weight.row(id), last = (i) => states.at(i, states.shape[1] - 1);
  return Array.from({ length: states.shape[0] }, (_, i) => last(i).reduce((sum, number, j) => sum + number * row[j], bias[id]));
}

/** The log-probability of `toward` minus that of `away`, in nats, for every row: the softmax's denominator cancels. */
function preferences({ model }, { tgtIn, toward, away }, encoded, probe) {
  const rows = new Array(encoded.memory.shape[0]).fill(tgtIn);
  const { states } = model.decoder.forward(idTensor(rows), encoded, undefined, probe), [first, second] = [toward, away].map((id) => (
    lastLogits(model.projection, states, id)
  ));
  return first.map((logit, row) => logit - second[row]);
}

/** The preference with each of some places of one stack patched; patches in the decoder share one encoding. */
function patchedPreferences(translator, prefixes, places, donor) {
  const probe = patchingProbe(places, donor), { putInto } = prefixes, isEncoder = places[0].site.stack === "encoder";
  const encoded = isEncoder
    ? translator.model.encode(idTensor(places.map(() => putInto)), probe)
    : translator.encode(putInto).select(places.map(() => 0));
  return preferences(translator, prefixes, encoded, isEncoder ? NO_PROBE : probe);
}

/** The preferences with each of some places patched, in batches of one stack. */
function allPreferences(translator, prefixes, places, { donor, MAX_BATCH_ROWS }) {
  const found = [];
  for (let start = 0, end = 0; start < places.length; start = end) {
    const isSameStack = ({ site }) => site.stack === places[start].site.stack;
    while (end < places.length && end < start + MAX_BATCH_ROWS && isSameStack(places[end])) end += 1;
    found.push(...patchedPreferences(translator, prefixes, places.slice(start, end), donor));
  }
  return found;
}

/** The preferences of the unpatched runs, and the activations of the first. */
function unpatchedRuns(translator, prefixes) {
  const donor = new Map(), probe = new Probe((site, tensor) => void donor.set(siteKey(site), tensor));
  const [toward] = preferences(translator, prefixes, translator.encode(prefixes.takenFrom, probe), probe);
  const [away] = preferences(translator, prefixes, translator.encode(prefixes.putInto), NO_PROBE);
  return { toward, away, donor };
}

/** The preferences with each of some places of a grid patched, from the place `start` on; see calls.py. */
export function patchingResult(laboratory, { donor: first, recipient: second, grid, start }) {
  const { translator, data: { patching } } = laboratory;
  const prefixes = parting(laboratory, first, second), places = gridPlaces(laboratory, prefixes, grid);
  const size = Math.floor(patching.ROWS_PER_PART / (prefixes.putInto.length + prefixes.tgtIn.length));
  const part = places.slice(start, start + Math.max(patching.MIN_SITES_PER_PART, size));
  const { toward, away, donor } = unpatchedRuns(translator, prefixes);
  return {
    step: prefixes.tgtIn.length - 1,
    sites: places.length,
    donor_preference: toward,
    own_preference: away,
    preferences: allPreferences(translator, prefixes, part, { donor, MAX_BATCH_ROWS: patching.MAX_BATCH_ROWS }),
  };
}
