// The masks of a batch of sentences, and their effect on a head's softmax: explorer/tabs/masks/tab.py.

import { Tensor } from "../engine/tensor.js";
import { headOf } from "./head.js";
import { tensorJson } from "./payload.js";
import { isolatedTexts } from "./pieces.js";
import { formatText, strip } from "./python_text.js";
import { Refusal } from "./refusal.js";
import { queryLabel } from "./trace.js";

/** The weights under another mask: a softmax over each row; NaN in rows that contain only -Infinity. */
function maskedWeights({ scores }, isAllowed, fill = -Infinity) {
  const [queries, keys] = scores.shape, weights = new Tensor(scores.shape);
  for (let query = 0; query < queries; query++) {
    const row = Float64Array.from(scores.at(query), (score, key) => (isAllowed(query, key) ? score : fill)), largest = Math.max(...row);
    const powers = row.map((score) => Math.exp(score - largest)), sum = powers.reduce((total, power) => total + power, 0);
    for (let key = 0; key < keys; key++) weights.at(query)[key] = powers[key] / sum;
  }
  return weights;
}

/** Where something holds of a query and a key, as a tensor of ones and zeros. */
function truth([queries, keys], holds) {
  return new Tensor([queries, keys]).map((_, place) => Number(holds(Math.floor(place / keys), place % keys)));
}

/** Which positions are not padding; a padding piece that starts the decoding does not count as padding. */
function isPiece({ model: { config } }, ids, isTarget) {
  return Array.from(ids, (id, place) => id !== config.pad_id || (isTarget && config.start === "pad" && place === 0));
}

/** One sentence's masks and weights. Throws a Refusal if the model has no such layer or head. */
function sentenceMasks(pass, kind, layer, head, sentence, { fill, refusals }) {
  const headPass = headOf(pass, kind, layer, head, { sentence, refusals }), { shape } = headPass.scores;
  const ids = (kind === "decoder" ? pass.tgtIn : pass.src).at(sentence), queryIds = (kind === "encoder" ? pass.src : pass.tgtIn).at(sentence);
  const padding = isPiece(pass, ids, kind === "decoder"), queryPadding = isPiece(pass, queryIds, kind !== "encoder");
  const isCausal = (query, key) => kind !== "decoder" || key <= query, onQueries = (query, key) => queryPadding[query] && isCausal(query, key);
  const tensors = {
    padding: new Tensor([padding.length], padding),
    query_padding: new Tensor([queryPadding.length], queryPadding),
    causal: truth(shape, isCausal),
    combined: headPass.mask,
    on_queries: truth(shape, onQueries),
    scores: headPass.scores,
    weights: headPass.weights,
    unmasked: maskedWeights(headPass, () => true),
    mistaken: maskedWeights(headPass, onQueries),
    mistaken_finite: maskedWeights(headPass, onQueries, fill),
  };
  const encoded = Object.entries(tensors).map(([name, tensor]) => [name, tensorJson(tensor)]);
  return { ids: [...ids], query_ids: [...queryIds], ...Object.fromEntries(encoded) };
}

/** The labels of the axes, padded as the batch is. */
function labels(trace, kind, [nQueries, nKeys], padding) {
  const padded = (texts, count) => [...texts, ...new Array(count - texts.length).fill(padding)];
  return {
    queries: padded(trace[kind].queries.map(queryLabel), nQueries),
    keys: padded(isolatedTexts(trace[kind].keys), nKeys),
    asking: padded(isolatedTexts(kind === "encoder" ? trace.source : trace.target), nQueries), // the pieces of the queries
  };
}

/** The masks of the sentences as one batch. Throws a Refusal; `data` are texts and FINITE_FILL (explorer/answers/data.py). */
export function masksJson(recordings, texts, kind, layer, head) {
  const { translator: { tokenizer }, data } = recordings, { masks: { REFUSED, BATCH_SIZE, FINITE_FILL }, language } = data;
  const sentences = texts.map(strip).filter(Boolean);
  if (sentences.length < 2 || sentences.length > 3) throw new Refusal(BATCH_SIZE);
  texts.forEach((text, i) => strip(text) && requireTrace(recordings, text, (reason) => formatText(REFUSED, { number: i + 1, reason }, language)));
  const pass = recordings.forwardPass(...sentences), [padding] = tokenizer.pieces([tokenizer.padId]);
  const options = { fill: FINITE_FILL, refusals: recordings.refusals };
  return pass.traces.map((trace, i) => {
    const masks = sentenceMasks(pass, kind, layer, head, i, options);
    return { sentence: trace.sentence, ...labels(trace, kind, masks.scores.shape, padding), ...masks };
  });
}

/** Throws a Refusal that names the text box, if its text is refused. */
function requireTrace(recordings, text, explain) {
  try {
    recordings.trace(text);
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(explain(error.message)) : error;
  }
}
