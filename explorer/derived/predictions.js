// What follows from a step's readings: the layer that wins, and what each sub-layer adds to the residual streams.

import { Tensor, decodeTensors } from "../ui/tensor.js";
import { nameToken } from "./token_names.js";

/** The layer (0: the embedding) from which on the chosen piece stays the most probable; null if it never is. */
export function winningLayer(readings) {
  const first = readings.findLastIndex(({ rank }) => rank !== 1) + 1;
  return first < readings.length ? first : null;
}

/**
 * A side's residual stream: `norms` [stage piece] of the stream at the embedding and after each sub-layer, and `shares`
 * [sublayer piece], the norm of a sub-layer's output over that of the stream that it is added to.
 */
export function residualStream(norms, outputs) {
  return { norms, shares: new Tensor({ ...outputs, data: outputs.data.map((added, i) => added / norms.data[i]) }) };
}

/** A step for the tab, from the result of the model's call `lens`; its tokens are called by `names`. */
export function predictionOf(result, names) {
  const {
    layers, best, leaders, encoder_norms, encoder_outputs, decoder_norms, decoder_outputs, ...step
  } = decodeTensors(result);
  const named = (tokens) => tokens.map((token) => nameToken(token, names));
  return {
    ...step,
    best: named(best),
    leaders: leaders.map(({ piece, ...leader }) => ({ ...leader, piece: nameToken(piece, names) })),
    lens: layers.map(({ candidates, ...reading }) => ({ ...reading, candidates: named(candidates) })),
    wins: winningLayer(layers),
    streams: {
      encoder: residualStream(encoder_norms, encoder_outputs),
      decoder: residualStream(decoder_norms, decoder_outputs),
    },
  };
}
