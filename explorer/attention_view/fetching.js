// Weights that did not come with their trace, because they are too much for one answer, and lengths.

import { fill } from "../ui/text.js";

const REFUSED = '{"error"'; // how an answer begins that says why there is none

/**
 * Fetches the weights or lengths of a map, once; what failed is asked for again when it is next looked at. The node
 * `message` says what is going on as long as the trace is `wanted`. Promises whether there is something to draw now.
 */
export async function fetchWeights(map, serve, { message, settings: { kinds, texts }, wanted }) {
  if (map.asked) return false;
  map.asked = true;
  const text = texts[map.measure], loading = fill(text.loading, { kind: kinds[map.kind] });
  message.textContent = loading;
  // A server that is gone makes the call fail; one that fails itself answers with something else than weights.
  const answer = await serve().catch(() => null), refusal = answer?.startsWith?.(REFUSED) ? JSON.parse(answer).error : null;
  map.encoded = refusal ? null : answer;
  map.asked = false;
  if (!wanted()) return false;
  const failed = refusal ?? fill(text.notLoaded, { kind: kinds[map.kind] });
  if (message.textContent === loading) message.textContent = map.ready ? "" : failed;
  return map.ready;
}
