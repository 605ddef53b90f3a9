// The whole model in small, as the tab of the whole model has it: the encoder's lanes above the decoder's, a lane a
// token; ribbons are the means of the weights of each layer's heads; the memory falls from the encoder to the step.

const MARGIN = 3; // pixels
const RIVER = 0.14; // of the height, between the stacks
const LEFT = 0.04, RIGHT = 0.93; // where the layers begin and end, as shares of the width
// From where to where a block's ribbons go, as shares of a layer's width.
const BLOCKS = { encoder: { self: [0, 0.72] }, decoder: { self: [0, 0.36], cross: [0.42, 0.78] } };
const LEAST = 0.06, LIT = 0.12; // weights of a ribbon, and of a token whose way to the step is lit
const LANE_OPACITY = 0.16, DROP_OPACITY = 0.14;
const RESTING = 0.3; // of the opacity of ribbons from the start or the end of a sentence

/** @typedef {{ top: number, pitch: number, count: number }} Lanes */

/**
 * Draws the whole translation; the memory's way is that to the default step. Maps that are not loaded are left out.
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number }} size
 * @param {{ trace: Trace, colours: Record<string, string> }} scene
 */
export function drawModel(context, { width, height }, { trace, colours }) {
  const counts = { encoder: trace.source.length, decoder: trace.steps.length };
  const river = RIVER * height;
  const pitch = (height - 2 * MARGIN - river) / (counts.encoder + counts.decoder);
  const encoder = { top: MARGIN, pitch, count: counts.encoder };
  const decoder = { top: MARGIN + counts.encoder * pitch + river, pitch, count: counts.decoder };
  const bounds = { left: LEFT * width, right: RIGHT * width };
  context.clearRect(0, 0, width, height);
  for (const [kind, lanes] of /** @type {const} */ ([["encoder", encoder], ["decoder", decoder]])) {
    context.strokeStyle = colours[kind];
    drawLanes(context, lanes, width);
    drawRibbons(context, trace.kinds[kind], { lanes, bounds, block: BLOCKS[kind].self });
  }
  context.strokeStyle = colours.cross;
  drawMemory(context, trace, { encoder, decoder, bounds, river, end: width - MARGIN });
  context.globalAlpha = 1;
}

/** The middle of a lane. @param {Lanes} lanes @param {number} index */
function laneY({ top, pitch }, index) {
  return top + (index + 0.5) * pitch;
}

/** @param {CanvasRenderingContext2D} context @param {Lanes} lanes @param {number} width */
function drawLanes(context, lanes, width) {
  context.globalAlpha = LANE_OPACITY;
  context.lineWidth = Math.max(0.6, 0.4 * lanes.pitch);
  for (let i = 0; i < lanes.count; i++) {
    context.beginPath();
    context.moveTo(MARGIN, laneY(lanes, i));
    context.lineTo(RIGHT * width, laneY(lanes, i));
    context.stroke();
  }
}

/**
 * The left and the right of a block of each layer.
 * @param {{ layers: number }} map
 * @param {{ left: number, right: number }} bounds
 * @param {number[]} block
 */
function blocksOf({ layers }, { left, right }, [start, end]) {
  const width = (right - left) / layers;
  return Array.from({ length: layers }, (_, i) => [left + (i + start) * width, left + (i + end) * width]);
}

/** From each token to those that look at it, in every layer. */
function drawRibbons(context, map, { lanes, bounds, block }) {
  if (!map.ready) return;
  for (const [layer, [from, to]] of blocksOf(map, bounds, block).entries()) {
    map.meanRows(layer).forEach((row, query) => row.forEach((weight, key) => {
      if (weight < LEAST) return;
      context.globalAlpha = (0.15 + 0.6 * weight) * (map.special.keys.has(key) ? RESTING : 1);
      context.lineWidth = Math.max(0.4, 0.9 * weight * lanes.pitch);
      context.beginPath();
      const middle = (from + to) / 2;
      const y = laneY(lanes, key);
      const end = laneY(lanes, query);
      context.moveTo(from, y);
      context.bezierCurveTo(middle, y, middle, end, to, end);
      context.stroke();
    }));
  }
}

/** The encoder's lanes turn down, run back between the stacks, and fall to the step in every layer of the decoder. */
function drawMemory(context, trace, { encoder, decoder, bounds, river, end }) {
  const map = trace.kinds.cross, step = trace.defaultStep;
  if (!map.ready) return;
  for (const [layer, [from, to]] of blocksOf(map, bounds, BLOCKS.decoder.cross).entries()) {
    map.meanRows(layer)[step].forEach((weight, token) => {
      const share = (token + 0.5) / encoder.count;
      const bus = decoder.top - (0.15 + 0.7 * share) * river, turn = end - share * (end - bounds.right) * 0.8;
      const drop = from + share * (to - from) * 0.6;
      context.globalAlpha = weight < LIT ? DROP_OPACITY : 0.9;
      context.lineWidth = Math.max(0.5, weight < LIT ? 0 : weight * encoder.pitch);
      context.beginPath();
      context.moveTo(bounds.right, laneY(encoder, token));
      context.lineTo(turn, laneY(encoder, token));
      context.lineTo(turn, bus);
      context.lineTo(drop, bus);
      context.lineTo(drop, decoder.top);
      context.quadraticCurveTo(drop, laneY(decoder, step), to, laneY(decoder, step));
      context.stroke();
    });
  }
}
