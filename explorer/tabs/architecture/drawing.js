// The architecture's figure as SVG; colours and states come from architecture.css.

import { svg } from "../../ui/element.js";
import { figure, middle } from "./map.js";
import { formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";

/**
 * Makes a group a button for mouse and keyboard. What else is seen on it, and the tip, stand beside it: a button is
 * named by what is written in it.
 */
function button(group, name, act, beside) {
  for (const [key, value] of Object.entries({ role: "button", tabindex: 0, "aria-label": name })) group.setAttribute(key, value);
  group.addEventListener("click", act);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
  return svg("g", {}, svg("title", {}, name), group, ...beside);
}

const rect = ({ x, y, width, height }, rx) => svg("rect", { x, y, width, height, rx });
const line = (points, name) =>
  svg("polyline", { points: points.map(({ x, y }) => `${x},${y}`).join(" "), class: name, "marker-end": "url(#architecture-tip)" });

/** What colours a block: the kind of an attention, else its stack; what has no parameters of its own kind is neutral. */
function hue({ name, stack }) {
  if (name === "cross_attention") return "cross";
  return ["norm", "encoder.ids", "decoder.ids", "probabilities"].includes(name) ? "neutral" : stack;
}

export class Drawing {
  /** `choose(block)` and `unfold(layer)` are called for what a visitor clicks. */
  constructor(root, { absent, text, blocks }, { choose, unfold }) {
    Object.assign(this, { root, absent, text, words: blocks, choose, unfold });
  }

  /** Draws the blocks with layer `open` unfolded and `chosen`, the path of a block, marked. */
  draw(blocks, { open, chosen, stacked }) {
    const { width, height, boxes, arrows, residuals, memory } = figure(blocks, open, stacked);
    const kept = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    this.root.replaceChildren(
      svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": this.text.figure },
        svg("defs", {}, svg("marker", { id: "architecture-tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
          svg("path", { d: "M0,1 L7,4 L0,7 z" }))),
        ...boxes.filter(({ kind }) => kind === "frame").map((box) => this.frame(box)),
        ...arrows.map(({ from, to }) => line([{ x: middle(from), y: from.y }, { x: middle(to), y: to.y + to.height + 1 }], "flow")),
        ...residuals.map((way) => this.residual(way)),
        ...memory.map((points) => line(points, "memory")),
        ...boxes.filter(({ kind }) => kind === "bar").map((box) => this.bar(box)),
        ...boxes.filter(({ kind }) => kind === "block").map((box) => this.block(box, chosen)),
      ),
    );
    this.root.style.setProperty("--width", width);
    if (kept) this.root.querySelector(`[data-key="${kept}"]`)?.focus();
  }

  residual({ from, to }) {
    const side = from.x + from.width;
    const below = from.y + from.height + 5;
    const beside = to.y + to.height / 2;
    const points = [{ x: middle(from), y: below }, { x: side + 14, y: below }, { x: side + 14, y: beside }, { x: side + 1, y: beside }];
    return line(points, "residual");
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
    return button(group, name, () => this.unfold(layer), [this.count(box)]);
  }

  count(box, parameters = box.parameters) {
    const across = { x: box.x + box.width - 9, y: box.y + box.height - 8, class: "count", "text-anchor": "end" };
    return svg("text", across, formatInteger(parameters));
  }

  /** What is seen in a block beside its name. */
  numbers(box) {
    const { sizes, parameters } = box.block;
    const shape = svg("text", { x: box.x + 10, y: box.y + 27, class: "sizes" }, `[${sizes.join(", ")}]`);
    return parameters ? [shape, this.count(box, parameters)] : [shape];
  }

  block(box, chosen) {
    const { block } = box;
    const [title] = this.words[block.name];
    const group = svg("g", { class: this.absent.includes(block.name) ? "block absent" : "block", "data-hue": hue(block), "data-key": block.path, "data-block": block.path },
      rect(box, 6),
      svg("text", { x: box.x + 10, y: box.y + 14, class: "name" }, title));
    group.setAttribute("aria-pressed", block.path === chosen);
    const place = block.layer === null ? this.text[block.stack] : fill(this.text.place, { stack: this.text[block.stack], layer: block.layer + 1 });
    return button(group, fill(this.text.block, { title, place }), () => this.choose(block), this.numbers(box));
  }
}
