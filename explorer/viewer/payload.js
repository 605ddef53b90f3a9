// A trace as it comes from Python (explorer/payload.py), made ready for drawing.

import { AttentionMap } from "./attention.js";

/** The payload's text to a trace, or to a refusal with its `error`. */
export function decode(text) {
  const payload = JSON.parse(text);
  for (const [kind, map] of Object.entries(payload.kinds ?? {})) payload.kinds[kind] = new AttentionMap(kind, map);
  return payload;
}
