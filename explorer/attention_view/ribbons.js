// Weights as ribbons, with a width in proportion to the weight: between query pieces on the left and key pieces on the
// right, and between the words of the two sentences.

import { contextOf } from "../ui/canvas.js";
import { svg } from "../ui/element.js";
import { glides, MOVE_MS, zoom, pixelRatio } from "../ui/page.js";
import { registerWork } from "../ui/rest.js";

const ROW_HEIGHT = 17;
const LABEL_SHARE = 0.36;
const MAX_RIBBON_WIDTH = 14;
const MIN_LIT_WEIGHT = 0.005;
const MIN_FAINT_WEIGHT = 0.04;
const MAX_WIDTH = 16;
const MIN_WEIGHT = 0.02;
const ARC = 26; // pixels that an arc within one sentence leaves its line
const LOOP = 8; // half the width of an arc from a word to itself

/** The positions of pieces; the shorter side spreads over the height of the longer. */
function layout(canvas, content) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const left = Math.min(190, width * LABEL_SHARE);
  const right = width - Math.min(150, width * 0.3);
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
  const context = contextOf(canvas);
  context.scale(ratio, ratio);
  const geometry = layout(canvas, content);
  context.strokeStyle = colour;
  for (let query = 0; query < known; query++) {
    content.rows[query].forEach((number, column) => {
      const weight = number / content.ceiling;
      const isLit = lit.axis === "query" ? lit.index === query : lit.index === content.keys[column];
      if (weight < (isLit ? MIN_LIT_WEIGHT : MIN_FAINT_WEIGHT)) return;
      context.globalAlpha = isLit ? 0.75 : lit.index === null ? 0.3 : 0.08;
      drawRibbon(context, geometry, query, column, Math.max(0.5, weight * MAX_RIBBON_WIDTH));
    });
  }
  context.globalAlpha = 1;
  drawLabels(context, geometry, content, { known, lit, pin, colour, text, font });
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

/** Ribbons between the words of the two sentences, which glide from step to step. */
export class WordRibbons {
  ribbons = [];
  shown = [];
  key = "";
  frame = null;

  /** `area` holds both sentences; the ribbons lie behind its words. */
  constructor(area) {
    this.layer = svg("svg", { class: "word-ribbons", "aria-hidden": "true" });
    this.area = area;
    area.prepend(this.layer);
    registerWork("ribbons", () => this.frame !== null);
  }

  /**
   * `ribbons` are { from, to, weight, isSame, isUpper }: nodes of words, whether both are in the same sentence, and
   * whether `from` is in the upper one. Ribbons with the same `key` and index in the list glide into one another.
   */
  draw(ribbons, key) {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.ribbons = ribbons;
    const area = ribbons.length ? this.area.getBoundingClientRect() : null;
    const scale = zoom();
    const goal = ribbons.map((ribbon) => curveOf(ribbon, area, scale));
    while (this.layer.children.length < goal.length) this.layer.append(svg("path"));
    while (this.layer.children.length > goal.length) this.layer.lastChild.remove();
    const isSame = key === this.key && this.shown.length === goal.length && goal.length > 0;
    this.key = key;
    if (isSame && glides(this.area)) this.glide(this.shown, goal);
    else this.move(goal);
  }

  glide(from, to) {
    const start = performance.now();
    const tick = (now) => {
      const time = Math.min(1, Math.max(0, (now - start) / MOVE_MS));
      const share = 1 - (1 - time) ** 3;
      this.move(to.map((goal, i) => between(from[i], goal, share)));
      this.frame = time < 1 ? requestAnimationFrame(tick) : null;
    };
    tick(start);
  }

  move(curves) {
    this.shown = curves;
    curves.forEach(({ x0, y0, bend0, x1, y1, bend1, width }, i) => {
      const path = this.layer.children[i];
      path.style.display = width < MIN_WEIGHT * MAX_WIDTH ? "none" : "";
      path.setAttribute("d", `M${x0} ${y0}C${x0} ${bend0} ${x1} ${bend1} ${x1} ${y1}`);
      path.setAttribute("stroke-width", width);
    });
  }
}

function between(from, to, share) {
  return Object.fromEntries(Object.keys(to).map((name) => [name, from[name] + share * (to[name] - from[name])]));
}

/**
 * Where a ribbon begins, ends and bends, in pixels of the area. One within a sentence is an arc in the space between
 * both.
 */
function curveOf({ from, to, weight, isSame, isUpper }, area, scale) {
  const end = (node, isBelow) => {
    const { left, width, top, bottom } = node.getBoundingClientRect();
    return [(left + width / 2 - area.left) / scale, ((isBelow ? bottom : top) - area.top) / scale];
  };
  const endsBelow = isSame ? isUpper : !isUpper;
  const loop = from === to ? LOOP : 0;
  const [x0, y0] = end(from, isUpper);
  const [x1, y1] = end(to, endsBelow);
  const depth = isSame ? ARC : Math.abs(y1 - y0) / 2;
  const bend = (y, isBelow) => (isBelow ? y + depth : y - depth);
  return {
    x0: x0 - loop,
    y0,
    bend0: bend(y0, isUpper),
    x1: x1 + loop,
    y1,
    bend1: bend(y1, endsBelow),
    width: Math.max(0, weight) * MAX_WIDTH,
  };
}
