// The architecture's figure as SVG; colours and states come from architecture.css.

import { svg } from "../../ui/element.js";
import { layoutFigure, middle } from "./map.js";
import { formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";

/**
 * Makes a group a button for mouse and keyboard. `extraNodes` and the tooltip are its siblings, because the content of a
 * button is its accessible name.
 */
function makeButton(group, name, onClick, extraNodes) {
  for (const [key, value] of Object.entries({ role: "button", tabindex: 0, "aria-label": name })) group.setAttribute(key, value);
  group.addEventListener("click", onClick);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onClick();
  });
  return svg("g", {}, svg("title", {}, name), group, ...extraNodes);
}

const rect = ({ x, y, width, height }, rx) => svg("rect", { x, y, width, height, rx });
const drawLine = (points, name) =>
  svg("polyline", { points: points.map(({ x, y }) => `${x},${y}`).join(" "), class: name, "marker-end": "url(#architecture-tip)" });

/** The colour class of a block: "cross" for cross-attention, "neutral" for blocks shared by both stacks, else its stack. */
function hueOf({ name, stack }) {
  if (name === "cross_attention") return "cross";
  return ["norm", "encoder.ids", "decoder.ids", "probabilities"].includes(name) ? "neutral" : stack;
}

export class Drawing {
  /** `onChoose(block)` and `onUnfold(layer)` are the click handlers. */
  constructor(root, { absent, text, blocks }, { onChoose, onUnfold }) {
    Object.assign(this, { root, absent, text, descriptions: blocks, onChoose, onUnfold });
  }

  /** Draws the blocks with layer `open` unfolded; `chosen` is the path of the marked block. */
  draw(blocks, { open, chosen, isStacked }) {
    const { width, height, boxes, arrows, residuals, memory } = layoutFigure(blocks, open, isStacked);
    const focusedKey = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    this.root.replaceChildren(
      svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": this.text.figure },
        svg("defs", {}, svg("marker", { id: "architecture-tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
          svg("path", { d: "M0,1 L7,4 L0,7 z" }))),
        ...boxes.filter(({ kind }) => kind === "frame").map((box) => this.frame(box)),
        ...arrows.map(({ from, to }) => drawLine([{ x: middle(from), y: from.y }, { x: middle(to), y: to.y + to.height + 1 }], "flow")),
        ...residuals.map((residual) => this.residual(residual)),
        ...memory.map((points) => drawLine(points, "memory")),
        ...boxes.filter(({ kind }) => kind === "bar").map((box) => this.bar(box)),
        ...boxes.filter(({ kind }) => kind === "block").map((box) => this.block(box, chosen)),
      ),
    );
    this.root.style.setProperty("--width", width);
    if (focusedKey) this.root.querySelector(`[data-key="${focusedKey}"]`)?.focus();
  }

  residual({ from, to }) {
    const side = from.x + from.width;
    const below = from.y + from.height + 5;
    const arrowY = to.y + to.height / 2;
    const points = [{ x: middle(from), y: below }, { x: side + 14, y: below }, { x: side + 14, y: arrowY }, { x: side + 1, y: arrowY }];
    return drawLine(points, "residual");
  }

  label(box, text) {
    return svg("text", { x: box.x + 10, y: box.y + 16, class: "name" }, text);
  }

  frame(box) {
    const name = fill(this.text.place, { stack: this.text[box.stack], layer: box.layer + 1 });
    return svg("g", { class: "frame", "data-hue": box.stack }, rect(box, 8), this.label(box, name));
  }

  bar(box) {
    const { text } = this;
    const { layer, stack } = box;
    const group = svg("g", { class: "bar", "data-hue": stack, "data-key": `${stack}.${layer}`, "data-layer": layer },
      rect(box, 6), this.label(box, fill(text.layer, { layer: layer + 1 })));
    const name = fill(text.layerBar, { stack: text[stack], layer: layer + 1 });
    return makeButton(group, name, () => this.onUnfold(layer), [this.parameterCount(box)]);
  }

  parameterCount(box, parameters = box.parameters) {
    const attributes = { x: box.x + box.width - 9, y: box.y + box.height - 8, class: "count", "text-anchor": "end" };
    return svg("text", attributes, formatInteger(parameters));
  }

  /** The sizes and the parameter count of a block. */
  blockNumbers(box) {
    const { sizes, parameters } = box.block;
    const shape = svg("text", { x: box.x + 10, y: box.y + 27, class: "sizes" }, `[${sizes.join(", ")}]`);
    return parameters ? [shape, this.parameterCount(box, parameters)] : [shape];
  }

  block(box, chosen) {
    const { block } = box;
    const [title] = this.descriptions[block.name];
    const group = svg("g", { class: this.absent.includes(block.name) ? "block absent" : "block", "data-hue": hueOf(block), "data-key": block.path, "data-block": block.path },
      rect(box, 6),
      svg("text", { x: box.x + 10, y: box.y + 14, class: "name" }, title));
    group.setAttribute("aria-pressed", block.path === chosen);
    const place = block.layer === null ? this.text[block.stack] : fill(this.text.place, { stack: this.text[block.stack], layer: block.layer + 1 });
    return makeButton(group, fill(this.text.block, { title, place }), () => this.onChoose(block), this.blockNumbers(box));
  }
}
