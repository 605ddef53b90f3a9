// Weights as ribbons: query pieces on the left, key pieces on the right, with a width in proportion to the weight.

import { pixelRatio } from "../ui/page.js";

const ROW_HEIGHT = 17, LABEL_SHARE = 0.36, MAX_RIBBON_WIDTH = 14, MIN_LIT_WEIGHT = 0.005, MIN_FAINT_WEIGHT = 0.04;

/** The positions of pieces; the shorter side spreads over the height of the longer. */
function layout(canvas, content) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const left = Math.min(190, width * LABEL_SHARE), right = width - Math.min(150, width * 0.3);
  const middle = (index, count) => ((index + 0.5) * height) / count;
  return {
    left, right, width,
    queryY: (index) => middle(index, content.queries.length),
    keyY: (index) => middle(index, content.keys.length),
  };
}

/** Draws the ribbons of the first `known` rows; those of `lit`, a query or key, stand out. */
export function drawRibbons(canvas, content, { known, lit, pin, colour, text, font, room: [width, height] }) {
  const ratio = pixelRatio();
  const fullHeight = Math.max(height - 2, ROW_HEIGHT * Math.max(content.queries.length, content.keys.length));
  Object.assign(canvas.style, { width: `${width}px`, height: `${fullHeight}px` });
  canvas.width = width * ratio;
  canvas.height = fullHeight * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  const place = layout(canvas, content);
  context.strokeStyle = colour;
  for (let query = 0; query < known; query++) {
    content.rows[query].forEach((number, column) => {
      const weight = number / content.ceiling;
      const isLit = lit.axis === "query" ? lit.index === query : lit.index === content.keys[column];
      if (weight < (isLit ? MIN_LIT_WEIGHT : MIN_FAINT_WEIGHT)) return;
      context.globalAlpha = isLit ? 0.75 : lit.index === null ? 0.3 : 0.08;
      drawRibbon(context, place, query, column, Math.max(0.5, weight * MAX_RIBBON_WIDTH));
    });
  }
  context.globalAlpha = 1;
  drawLabels(context, place, content, { known, lit, pin, colour, text, font });
}

function drawRibbon(context, { left, right, queryY, keyY }, query, column, width) {
  const middle = (left + right) / 2;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(left, queryY(query));
  context.bezierCurveTo(middle, queryY(query), middle, keyY(column), right, keyY(column));
  context.stroke();
}

function drawLabels(context, { left, right, queryY, keyY }, content, { known, lit, pin, colour, text, font }) {
  const { queries, keys, special } = content;
  const write = (label, mark, x, y) => {
    const isLit = [lit, pin].some((other) => other?.axis === mark.axis && other.index === mark.index);
    const fontStyle = special[mark.axis === "query" ? "queries" : "keys"].has(mark.index) ? "italic " : "";
    context.font = `${fontStyle}${isLit ? "bold " : ""}12px ${font}`;
    context.fillStyle = isLit ? colour : text;
    context.fillText(label, x, y, context.textAlign === "right" ? left - 8 : undefined);
  };
  context.textBaseline = "middle";
  context.textAlign = "right";
  queries.slice(0, known).forEach((label, query) => {
    write(label, { axis: "query", index: query }, left - 6, queryY(query));
  });
  context.textAlign = "left";
  const reach = content.reach[known - 1];
  content.labels.slice(0, reach).forEach((label, column) => {
    write(label, { axis: "key", index: keys[column] }, right + 6, keyY(column));
  });
}

/** The row or column whose label is at a point, as { axis, index }; null between the two sides. */
export function labelAt(canvas, content, { x, y }) {
  const { left, right } = layout(canvas, content);
  const at = (count) => Math.min(count - 1, Math.floor((y * count) / canvas.clientHeight));
  if (x < left) return { axis: "query", index: at(content.queries.length) };
  if (x > right && content.keys.length) return { axis: "key", index: at(content.keys.length) };
  return null;
}
