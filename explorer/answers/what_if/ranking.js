// The ranking of all heads, part by part: explorer/tabs/what_if/heads/panel.py.

import { allHeads, headDrops } from "../../engine/ranking.js";
import { Refusal } from "../refusal.js";

/** The drops, in nats, of heads `start` to `stop` of `allHeads`, each ablated alone. Throws a Refusal for another range. */
export function* rankingJson(laboratory, sentence, by, start, stop) {
  const { translator, recordings, data: { ranking: { noPart, MAX_HEADS_PER_PART } } } = laboratory, heads = allHeads(translator.model);
  if (!(start >= 0 && start < stop && stop <= Math.min(heads.length, start + MAX_HEADS_PER_PART))) throw new Refusal(noPart);
  const forced = laboratory.forced(recordings.trace(sentence)), part = heads.slice(start, stop);
  const means = by === "mean" ? yield* laboratory.headMeans() : null;
  yield { done: start, total: heads.length };
  const drops = headDrops(forced, { heads: part, by, means });
  return { heads: part, drops: drops.map((row) => row.reduce((sum, drop) => sum + drop, 0)) };
}
