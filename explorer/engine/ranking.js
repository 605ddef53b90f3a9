// The importance of every head for one translation: its drop of log-probability when that head alone is off.
//
// It is explorer/experiments/ranking.py. Heads of one layer are rows of one batch; row r has head r off and no other.

import { ablateHead, interventionProbe } from "./interventions.js";
import { ATTENTION, KINDS } from "./probe.js";

/** The heads of all kinds: first the encoder's, then the decoder's, then those of cross-attention, by layer. */
export function allHeads({ config, ...model }) {
  const heads = [...new Array(config.n_heads).keys()];
  return KINDS.flatMap((kind) => model[ATTENTION[kind].stack].layers.flatMap((_, layer) => heads.map((head) => [kind, layer, head])));
}

/** The heads of each kind and layer, in their order. */
function byLayer(heads) {
  const groups = new Map();
  for (const head of heads) {
    const key = head.slice(0, 2).join();
    groups.set(key, [...(groups.get(key) ?? []), head]);
  }
  return [...groups.values()];
}

/**
 * The drop of each piece's log-probability, in nats, with a head off: [head step]. Only "mean" needs `means`.
 *
 * `forced` is the unchanged ForcedTranslation, `heads` are consecutive ones of `allHeads`.
 */
export function headDrops(forced, { heads = allHeads(forced.model), by = "zero", means = null } = {}) {
  return byLayer(heads).flatMap((group) => {
    const [[kind, layer]] = group, probe = interventionProbe(group.map((head, row) => ablateHead(head, by, means, row)));
    const isEncoder = ATTENTION[kind].stack === "encoder";
    const rows = isEncoder ? forced.changeEncoder(group.length, { layer, probe }) : forced.changeDecoder(group.length, { layer, probe });
    return rows.map((row) => row.map((number, t) => forced.logProbabilities[t] - number));
  });
}
