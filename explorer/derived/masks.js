// The masks of a batch of sentences, and what they do to one head's softmax.

import { Tensor, decodeTensors } from "../ui/tensor.js";
import { axesOf, isolatedTexts, queryLabel, targetOf } from "./trace.js";

const FINITE_FILL = -1e9; // much published code uses it for masked scores instead of minus infinity

/** The weights under another mask: a softmax over each row; NaN in rows that contain only -Infinity. */
function maskedWeights(scores, isAllowed, fill = -Infinity) {
  const [queries, keys] = scores.shape;
  const weights = new Float32Array(queries * keys);
  for (let query = 0; query < queries; query++) {
    const row = Float64Array.from(scores.row(query), (score, key) => (isAllowed(query, key) ? score : fill));
    const largest = Math.max(...row);
    const powers = row.map((score) => Math.exp(score - largest));
    const sum = powers.reduce((total, power) => total + power, 0);
    weights.set(powers.map((power) => power / sum), query * keys);
  }
  return new Tensor({ shape: scores.shape, data: weights });
}

/** Where something holds of a query and a key, as a tensor of ones and zeros. */
function truth([queries, keys], holds) {
  const data = Float32Array.from({ length: queries * keys }, (_, i) => Number(holds(Math.floor(i / keys), i % keys)));
  return new Tensor({ shape: [queries, keys], data });
}

/** Which positions are not padding; a padding piece that starts the decoding does not count as padding. */
function isPiece(ids, isTarget, { padId, start }) {
  const data = Float32Array.from(ids, (id, i) => Number(id !== padId || (isTarget && start === "pad" && i === 0)));
  return new Tensor({ shape: [ids.length], data });
}

/**
 * One sentence's masks, 1 where a query may attend, and the head's weights under each, with labels padded as the batch
 * is.
 *
 * `trace` is the sentence's, `head` what the call `head` gave for it. `on_queries` is a mistake: the padding is masked
 * on queries instead of keys; `mistaken` and `mistaken_finite` are the weights under it. `options` are { padId,
 * padding, start }: id and label of padding, and how decoding starts.
 */
export function masksOf(trace, kind, head, options) {
  const { src, tgt_in: tgtIn, scores, weights, mask } = decodeTensors(head);
  const ids = kind === "decoder" ? tgtIn : src;
  const queryIds = kind === "encoder" ? src : tgtIn;
  const padding = isPiece(ids, kind === "decoder", options);
  const queryPadding = isPiece(queryIds, kind !== "encoder", options);
  const isCausal = (query, key) => kind !== "decoder" || key <= query;
  const isOnQueries = (query, key) => Boolean(queryPadding.data[query]) && isCausal(query, key);
  const padded = (texts, count) => [...texts, ...new Array(count - texts.length).fill(options.padding)];
  const { queries, keys } = axesOf(trace, kind);
  const asking = kind === "encoder" ? trace.source : targetOf(trace); // the queries' pieces
  return {
    sentence: trace.sentence,
    queries: padded(queries.map(queryLabel), queryIds.length),
    keys: padded(isolatedTexts(keys), ids.length),
    asking: padded(isolatedTexts(asking), queryIds.length),
    ids,
    query_ids: queryIds,
    padding,
    query_padding: queryPadding,
    causal: truth(scores.shape, isCausal),
    combined: mask,
    on_queries: truth(scores.shape, isOnQueries),
    scores,
    weights,
    unmasked: maskedWeights(scores, () => true),
    mistaken: maskedWeights(scores, isOnQueries),
    mistaken_finite: maskedWeights(scores, isOnQueries, FINITE_FILL),
  };
}
