// A token's numbers after the activation as lines, as high as they are large, with the numbers of the largest ones.

import { svg } from "../../../ui/element.js";

const LABEL = 14; // pixels above the highest line
const LABEL_GAP = 44; // pixels between labels
const HALF_LABEL = 18; // pixels of a label beside its middle
const LEAST = 0.3; // pixels of a line that is drawn
const STROKE = { least: 1.5, most: 8 }; // pixels

/** @typedef {import("./matrix.js").Box} Box */

/**
 * The lines, and the ground on which they stand.
 * @param {Float32Array} hidden [d_ff]
 * @param {Box} box
 */
export function spikePaths(hidden, { left, top, width, height }) {
  const most = hidden.reduce((a, b) => Math.max(a, b), 1e-9);
  const bottom = top + height;
  const lines = Array.from(hidden, (value, i) => (
    { x: left + ((i + 0.5) / hidden.length) * width, tall: (value / most) * (height - LABEL) }));
  const d = lines.filter(({ tall }) => tall > LEAST).map(({ x, tall }) => `M${x.toFixed(1)},${bottom}v${-tall}`);
  const stroke = Math.max(STROKE.least, Math.min(STROKE.most, width / hidden.length - 1));
  return [
    svg("path", { class: "spikes", d: d.join(""), "stroke-width": stroke }),
    svg("path", { class: "spike-ground", d: `M${left},${bottom}h${width}` }),
  ];
}

/**
 * The numbers of the strongest neurons above their lines, as far as there is room, as texts of MatrixSheet.
 * @param {Float32Array} hidden [d_ff]
 * @param {import("./neurons.js").Neuron[]} strongest the largest first
 * @param {Box} box
 */
export function spikeLabels(hidden, strongest, { left, top, width, height }) {
  /** @type {number[]} */
  const taken = [];
  return strongest.flatMap(({ neuron, value }) => {
    const line = left + ((neuron + 0.5) / hidden.length) * width;
    const x = Math.max(left + HALF_LABEL, Math.min(line, left + width - HALF_LABEL)); // the board's edge would cut it
    if (taken.some((other) => Math.abs(other - x) < LABEL_GAP)) return [];
    taken.push(x);
    const y = top + height - (value / strongest[0].value) * (height - LABEL) - LABEL / 2;
    return [{ name: "spike-label", x, y, text: [`${neuron + 1}`] }];
  });
}
