// The architecture's figure as SVG; colours and states come from architecture.css.

import { svg } from "../../ui/element.js";
import { layoutFigure, middle, placeName } from "./map.js";
import { isEnter } from "../../ui/keys.js";
import { formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";

const TIP = "architecture-tip";
const SHARED_BLOCKS = ["norm", "encoder.ids", "decoder.ids", "probabilities"]; // by both stacks

/**
 * Makes a group a button for mouse and keyboard. `extraNodes` and the tooltip are its siblings, because the content of
 * a button is its accessible name.
 */
function makeButton(group, name, onClick, extraNodes) {
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", 0);
  group.setAttribute("aria-label", name);
  group.addEventListener("click", onClick);
  group.addEventListener("keydown", (event) => {
    if (!isEnter(event) && event.key !== " ") return;
    event.preventDefault();
    onClick();
  });
  return svg("g", {}, svg("title", {}, name), group, ...extraNodes);
}

function drawRect({ x, y, width, height }, rx) {
  return svg("rect", { x, y, width, height, rx });
}

/** The tip of every line, which the lines name by its id. */
function drawTip() {
  const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7 };
  const tip = svg("marker", { id: TIP, ...size, orient: "auto" }, svg("path", { d: "M0,1 L7,4 L0,7 z" }));
  return svg("defs", {}, tip);
}

function drawLine(points, name) {
  const path = points.map(({ x, y }) => `${x},${y}`).join(" ");
  return svg("polyline", { points: path, class: name, "marker-end": `url(#${TIP})` });
}

function drawArrow({ from, to }) {
  return drawLine([{ x: middle(from), y: from.y }, { x: middle(to), y: to.y + to.height + 1 }], "flow");
}

function drawResidual({ from, to }) {
  const side = from.x + from.width;
  const below = from.y + from.height + 5;
  const arrowY = to.y + to.height / 2;
  const start = { x: middle(from), y: below };
  const corners = [{ x: side + 14, y: below }, { x: side + 14, y: arrowY }];
  return drawLine([start, ...corners, { x: side + 1, y: arrowY }], "residual");
}

function drawLabel(box, text) {
  return svg("text", { x: box.x + 10, y: box.y + 16, class: "name" }, text);
}

function drawParameterCount(box, parameters) {
  const attributes = { x: box.x + box.width - 9, y: box.y + box.height - 8, class: "count", "text-anchor": "end" };
  return svg("text", attributes, formatInteger(parameters));
}

/** The sizes and the parameter count of a block. */
function drawBlockNumbers(box) {
  const { sizes, parameters } = box.block;
  const shape = svg("text", { x: box.x + 10, y: box.y + 27, class: "sizes" }, `[${sizes.join(", ")}]`);
  return parameters ? [shape, drawParameterCount(box, parameters)] : [shape];
}

/** The colour class of a block: "cross", "neutral" for blocks of both stacks, else its stack. */
function hueOf({ name, stack }) {
  if (name === "cross_attention") return "cross";
  return SHARED_BLOCKS.includes(name) ? "neutral" : stack;
}

export class Drawing {
  root;
  /** @type {string[]} The names of blocks that this checkpoint lacks. */ absent;
  text;
  /** @type {Record<string, [title: string, why: string]>} */ descriptions;
  /** @type {(block: Block) => void} */ onChoose;
  /** @type {(layer: number) => void} */ onUnfold;

  /** `onChoose(block)` and `onUnfold(layer)` are the click handlers. */
  constructor(root, { absent, text, blocks }, { onChoose, onUnfold }) {
    this.root = root;
    this.absent = absent;
    this.text = text;
    this.descriptions = blocks;
    this.onChoose = onChoose;
    this.onUnfold = onUnfold;
  }

  /**
   * Draws the blocks with layer `open` unfolded; `chosen` is the path of the marked block.
   *
   * @param {Block[]} blocks
   * @param {{ open: number, chosen: string | null, isStacked: boolean }} choice
   */
  draw(blocks, { open, chosen, isStacked }) {
    const { width, height, boxes, arrows, residuals, memory } = layoutFigure(blocks, open, isStacked);
    const boxesOfKind = (kind) => boxes.filter((box) => box.kind === kind);
    const attributes = { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": this.text.figure };
    const focusedKey = document.activeElement?.closest("[data-key]")?.getAttribute("data-key");
    this.root.replaceChildren(svg("svg", attributes,
      drawTip(),
      ...boxesOfKind("frame").map((box) => this.drawFrame(box)),
      ...arrows.map(drawArrow),
      ...residuals.map(drawResidual),
      ...memory.map((points) => drawLine(points, "memory")),
      ...boxesOfKind("bar").map((box) => this.drawBar(box)),
      ...boxesOfKind("block").map((box) => this.drawBlock(box, chosen)),
    ));
    this.root.style.setProperty("--width", width);
    if (focusedKey) this.root.querySelector(`[data-key="${focusedKey}"]`)?.focus();
  }

  drawFrame(box) {
    const label = drawLabel(box, placeName(this.text, box));
    return svg("g", { class: "frame", "data-hue": box.stack }, drawRect(box, 8), label);
  }

  drawBar(box) {
    const { text } = this;
    const { layer, stack } = box;
    const attributes = { class: "bar", "data-hue": stack, "data-key": `${stack}.${layer}`, "data-layer": layer };
    const label = drawLabel(box, fill(text.layer, { layer: layer + 1 }));
    const group = svg("g", attributes, drawRect(box, 6), label);
    const name = fill(text.layerBar, { stack: text[stack], layer: layer + 1 });
    return makeButton(group, name, () => this.onUnfold(layer), [drawParameterCount(box, box.parameters)]);
  }

  drawBlock(box, chosen) {
    const { block } = box;
    const { path } = block;
    const [title] = this.descriptions[block.name];
    const attributes = {
      class: this.absent.includes(block.name) ? "block absent" : "block",
      "data-hue": hueOf(block),
      "data-key": path,
      "data-block": path,
      "aria-pressed": path === chosen,
    };
    const label = svg("text", { x: box.x + 10, y: box.y + 14, class: "name" }, title);
    const group = svg("g", attributes, drawRect(box, 6), label);
    const name = fill(this.text.block, { title, place: placeName(this.text, block) });
    return makeButton(group, name, () => this.onChoose(block), drawBlockNumbers(box));
  }
}
