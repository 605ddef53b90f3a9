// All layers (rows) and heads (columns) of one kind as thumbnails on one canvas.

import { matrix, rowsShown } from "./payload.js";

const LABEL = 22;
const GAP = 3;

/** Where each thumbnail lies, in CSS pixels; thumbnails are square. */
function layout(map, width) {
  const [layers, heads] = map.shape;
  const size = (width - LABEL) / heads;
  return { layers, heads, size, height: LABEL + layers * size };
}

/** Draws the overview; `choice` is outlined (a whole row when the mean of heads is chosen). */
export function drawOverview(canvas, kind, map, step, colour, choice) {
  const width = canvas.clientWidth || 260;
  const { layers, heads, size, height } = layout(map, width);
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = "#808080";
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let head = 0; head < heads; head++) context.fillText(`H${head + 1}`, LABEL + (head + 0.5) * size, LABEL / 2);
  for (let layer = 0; layer < layers; layer++) {
    context.fillStyle = "#808080";
    context.fillText(`L${layer + 1}`, LABEL / 2, LABEL + (layer + 0.5) * size);
    for (let head = 0; head < heads; head++) {
      const left = LABEL + head * size, top = LABEL + layer * size;
      drawThumbnail(context, rowsShown(kind, matrix(map, layer, head), step), map.shape, left, top, size - GAP, colour);
    }
  }
  outline(context, choice, heads, size, colour);
}

function drawThumbnail(context, rows, shape, left, top, size, colour) {
  const [, , queries, keys] = shape;
  context.fillStyle = "rgba(128, 128, 128, 0.10)";
  context.fillRect(left, top, size, size);
  context.fillStyle = colour;
  const width = size / keys, height = size / queries;
  rows.forEach((row, query) => row.forEach((weight, key) => {
    if (weight < 0.02) return;
    context.globalAlpha = weight;
    context.fillRect(left + key * width, top + query * height, Math.max(width, 0.6), Math.max(height, 0.6));
  }));
  context.globalAlpha = 1;
}

function outline(context, { layer, head }, heads, size, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  const top = LABEL + layer * size - 1;
  if (head < 0) context.strokeRect(LABEL - 1, top, heads * size - GAP + 2, size - GAP + 2);
  else context.strokeRect(LABEL + head * size - 1, top, size - GAP + 2, size - GAP + 2);
}

/** The layer and head under a point of the canvas, or null. */
export function pick(canvas, map, x, y) {
  const { layers, heads, size } = layout(map, canvas.clientWidth);
  const layer = Math.floor((y - LABEL) / size), head = Math.floor((x - LABEL) / size);
  return layer >= 0 && layer < layers && head >= 0 && head < heads ? { layer, head } : null;
}
