// Weights that are too many to come with their trace, and lengths, which come when they are first looked at.

import { fill } from "../shared/text.js";

/**
 * Fetches what a map shows, and says whether it came; what failed is asked for again when it is next looked at. `shown` says
 * whether the trace of this `sentence` is still the one on the page, whose `message` tells of the loading.
 */
export async function loaded(map, { sentence, server, message, settings, shown }) {
  if (map.asked) return false;
  map.asked = true;
  const { loading, notLoaded } = settings.texts[map.measure], kind = settings.kinds[map.kind];
  const told = fill(loading, { kind });
  message.textContent = told;
  const ask = map.measure === "length" ? server.lengths : server.weights;
  // A server that is gone makes the call fail; one that fails itself answers with something else than weights.
  map.packed = await ask([sentence, map.kind]).catch(() => null);
  map.asked = false;
  if (!shown()) return false;
  if (message.textContent === told) message.textContent = map.ready ? "" : fill(notLoaded, { kind });
  return map.ready;
}
