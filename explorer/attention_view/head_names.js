// What single heads are called by what was measured of them (explorer/experiments/head_measurements.py).

import { fill } from "../ui/text.js";

/**
 * `share` is the percents with a sign, or empty; `full` has them too.
 * @typedef {{ key: string, short: string, share: string, full: string, hint?: string }} MeasuredName
 */

/**
 * The name of a head, short for its thumbnail and in full with the share that it rests on; null if it has none.
 * `named` are { names, heads } of `named_heads` there, null if the heads were not measured.
 * @returns {MeasuredName | null}
 */
export function headName({ named, text }, kind, { layer, head }) {
  const [key, percent] = named?.heads[kind][`${layer}.${head}`] ?? [];
  if (!key) return null;
  const { short, full } = named.names[key];
  if (percent === null) return { key, short, share: "", full };
  const [share, whole] = ["", full].map((name) => fill(text.named, { name, percent }).trim());
  return { key, short, share, full: whole, hint: text.averaged };
}
