// Decodes the payload of a trace (explorer/recording/payload.py).

import { AttentionMap } from "./attention.js";

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
