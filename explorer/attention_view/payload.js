// Decodes the payload of a trace (explorer/recording/payload.py), and fetches lengths and weights that come separately.

import { fill } from "../ui/text.js";
import { AttentionMap } from "./attention.js";

const ERROR_PREFIX = '{"error"'; // the start of an error response

/**
 * Fetches the weights or lengths of a map, unless they are already loading; after a failure the next call tries again. The
 * node `message` shows the state while `isCurrent()`. Resolves to whether there is something new to draw.
 */
export async function fetchWeights(map, serve, { message, settings: { kinds, texts }, isCurrent }) {
  if (map.isLoading) return false;
  map.isLoading = true;
  const text = texts[map.measure], loading = fill(text.loading, { kind: kinds[map.kind] });
  message.textContent = loading;
  // The call rejects if the server is unreachable; a failing server responds with something other than weights.
  const answer = await serve().catch(() => null), error = answer?.startsWith?.(ERROR_PREFIX) ? JSON.parse(answer).error : null;
  map.encoded = error ? null : answer;
  map.isLoading = false;
  if (!isCurrent()) return false;
  const failure = error ?? fill(text.notLoaded, { kind: kinds[map.kind] });
  if (message.textContent === loading) message.textContent = map.ready ? "" : failure;
  return map.ready;
}

/** A trace, or an error response with its `error`; `submission` is the number of the request. */
export function decodeTrace(text, submission = 0) {
  const payload = { submission, ...JSON.parse(text) };
  return payload.error === undefined ? createTrace(payload) : payload;
}

/** A trace with an attention map for each kind of the payload. */
export function createTrace(payload) {
  const maps = Object.entries(payload.kinds).map(([kind, map]) => [kind, new AttentionMap(kind, map)]);
  const kinds = Object.fromEntries(maps);
  for (const map of Object.values(kinds)) map.kinds = kinds; // a rollout needs several maps
  return { ...payload, kinds };
}
