// A trace as it comes from Python (explorer/recording/payload.py), made ready for drawing.

import { AttentionMap } from "./attention.js";

/** The payload's text to a trace, or to a refusal with its `error`; `submission` numbers what it answers. */
export function decode(text, submission = 0) {
  const payload = { submission, ...JSON.parse(text) };
  return payload.error === undefined ? traceOf(payload) : payload;
}

/** Makes maps of what was sent of each kind. */
export function traceOf(payload) {
  const maps = Object.entries(payload.kinds).map(([kind, map]) => [kind, new AttentionMap(kind, map)]);
  const kinds = Object.fromEntries(maps);
  for (const map of Object.values(kinds)) map.kinds = kinds; // a rollout needs those of several
  return { ...payload, kinds };
}
