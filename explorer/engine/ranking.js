// The importance of every head for one translation: its drop of log-probability when that head alone is off.
//
// It is explorer/experiments/forced.py and ranking.py. The translation is forced. Row r of a batch has head r off and
// no other, so that one pass serves many heads; row 0 is unchanged.

import { logSumExp } from "./decoding.js";
import { ablateHead, interventionProbe } from "./interventions.js";
import { ATTENTION, KINDS, NO_PROBE } from "./probe.js";
import { idTensor } from "./tensor.js";

const MAX_BATCH_POSITIONS = 2048; // of source and target, in all rows

/**
 * The log-probability of every piece of a forced translation, in nats, a row for each of `memoryOf`.
 *
 * Row r of the decoder reads row memoryOf[r] of the encoder; the probes intervene per row.
 */
export function logProbabilities(translator, src, tgtOut, memoryOf, { encoder = NO_PROBE, decoder = NO_PROBE } = {}) {
  const sources = new Array(Math.max(...memoryOf) + 1).fill(src), tgtIn = [translator.tokenizer.bosId, ...tgtOut.slice(0, -1)];
  const encoded = translator.model.encode(idTensor(sources), encoder).select(memoryOf);
  const { logits } = translator.model.decode(idTensor(memoryOf.map(() => tgtIn)), encoded, translator.newCache(), decoder);
  return memoryOf.map((_, row) => tgtOut.map((id, t) => {
    const allowed = translator.allowed(logits.at(row, t));
    return allowed[id] - logSumExp(allowed, translator.kernel);
  }));
}

/** The heads of all kinds: first the encoder's, then the decoder's, then those of cross-attention, by layer. */
export function allHeads({ config, ...model }) {
  const heads = [...new Array(config.n_heads).keys()];
  return KINDS.flatMap((kind) => model[ATTENTION[kind].stack].layers.flatMap((_, layer) => heads.map((head) => [kind, layer, head])));
}

/**
 * The drop of each target piece's log-probability, in nats, with a head off: [head step]. Only "mean" needs `means`.
 *
 * `heads` are consecutive ones of `allHeads`.
 */
export function headDrops(translator, src, tgtOut, { heads = allHeads(translator.model), by = "zero", means = null } = {}) {
  const drops = [];
  const size = Math.max(1, Math.floor(MAX_BATCH_POSITIONS / (src.length + tgtOut.length)));
  for (let start = 0; start < heads.length; start += size) {
    drops.push(...batchDrops(translator, src, tgtOut, heads.slice(start, start + size), { by, means }));
  }
  return drops;
}

/** The drops of consecutive heads of `allHeads`, in one batch. Decoder heads share the unchanged memory. */
function batchDrops(translator, src, tgtOut, heads, { by, means }) {
  const changes = heads.map((head, i) => ablateHead(head, by, means, i + 1));
  const own = heads.filter(([kind]) => kind === "encoder").length; // these come first
  const memoryOf = [0, ...heads.map((_, i) => (i < own ? i + 1 : 0))];
  const probes = { encoder: interventionProbe(changes.slice(0, own)), decoder: interventionProbe(changes.slice(own)) };
  const [unchanged, ...rows] = logProbabilities(translator, src, tgtOut, memoryOf, probes);
  return rows.map((row) => row.map((number, t) => unchanged[t] - number));
}
