// Renders a part of the page as SVG: texts, backgrounds and borders at their positions in the browser's layout,
// canvases drawn again as vectors, figures copied. look.css hides interactive controls.

import { drawInto, pixelRatio } from "../../../ui/page.js";
import { renderBox } from "./boxes.js";
import { clipTo, formatCoordinate, Frame, rectangle, shape, stretchedImage } from "./shapes.js";
import { SvgContext } from "./svg_context.js";
import { copySvg } from "./svg_copy.js";
import { decorationsOf, renderText } from "./text.js";

/** @typedef {import("./shapes.js").Box} Box */
/** @typedef {import("./text.js").Decoration} Decoration */

const HIDDEN = "script, style, template, option, [hidden], .heard, .tip, .modebar-container, .hoverlayer";
const MATH_NAMESPACE = "http://www.w3.org/1998/Math/MathML";
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

export class SvgWalker {
  /** @type {Frame} */ frame;
  /** @type {string} The colour behind the picture. */ ground;
  /** @type {number} */ right = 0;
  /** @type {number} */ bottom = 0;

  /**
   * @param {{ left: number, top: number }} corner the upper left corner of the picture in the window
   * @param {string} ground the colour behind the picture
   */
  constructor(corner, ground) {
    this.frame = new Frame(corner);
    this.ground = ground;
  }

  /** @returns {Box} */
  boxOf(node) {
    return this.frame.boxOf(node.getBoundingClientRect());
  }

  /** Extends the size of the picture to a box. */
  extend({ x, y, width, height }) {
    this.right = Math.max(this.right, x + width);
    this.bottom = Math.max(this.bottom, y + height);
  }

  /**
   * A node and its descendants as SVG.
   *
   * @param {Node} node
   * @param {Decoration[]} [decorations] of its ancestors
   * @returns {SVGElement[]}
   */
  render(node, decorations = []) {
    if (node.nodeType === Node.TEXT_NODE) return this.renderText(node, decorations);
    if (!(node instanceof Element) || node.matches(HIDDEN)) return [];
    const style = getComputedStyle(node);
    if (style.display === "none" || Number(style.opacity) === 0 || style.clipPath.startsWith("inset(50%")) return [];
    if (style.transform !== "none" && node.namespaceURI !== SVG_NAMESPACE) {
      return this.renderTransformed(node, style, decorations);
    }
    const parts = this.renderElement(node, style, [...decorations, ...decorationsOf(style)]);
    return Number(style.opacity) < 1 && parts.length ? [shape("g", { opacity: style.opacity }, ...parts)] : parts;
  }

  renderText(node, decorations) {
    const style = getComputedStyle(node.parentElement);
    const isVisible = node.data.trim() && style.visibility === "visible";
    const lines = isVisible ? renderText(node, style, this.frame, decorations) : [];
    for (const line of lines) {
      const [x, width] = ["x", "textLength"].map((name) => Number(line.getAttribute(name)));
      this.extend({ x, y: 0, width, height: 0 });
    }
    return lines;
  }

  /** An element with a CSS transform: measured without it, and transformed in the SVG. */
  renderTransformed(node, { transform, transformOrigin }, decorations) {
    const matrix = transform.startsWith("matrix(") ? transform : ""; // none in three dimensions
    const transformBefore = node.style.transform;
    const extent = [this.right, this.bottom];
    node.style.setProperty("transform", "none", "important");
    const { x, y } = this.boxOf(node);
    const [across, down] = transformOrigin.split(" ").map(parseFloat);
    const parts = this.render(node, decorations);
    [this.right, this.bottom] = extent; // the transformed box below counts instead
    node.style.transform = transformBefore;
    this.extend(this.boxOf(node));
    if (!parts.length) return [];
    const to = [x + across, y + down].map(formatCoordinate).join(" ");
    const back = [-x - across, -y - down].map(formatCoordinate).join(" ");
    return [shape("g", { transform: `translate(${to}) ${matrix} translate(${back})` }, ...parts)];
  }

  renderElement(node, style, decorations) {
    const box = this.boxOf(node);
    if (node.namespaceURI === SVG_NAMESPACE) {
      this.extend(box);
      return style.visibility === "visible" ? [...this.renderBox(style, box), ...copySvg(node, box)] : [];
    }
    if (node.localName === "canvas") {
      return style.visibility === "visible" ? [...this.renderBox(style, box), ...this.renderCanvas(node, style)] : [];
    }
    const isFolded = node.localName === "details" && !node.open;
    const children = [...node.childNodes].filter(({ localName }) => !isFolded || localName === "summary");
    const lines = node.namespaceURI === MATH_NAMESPACE ? this.renderMathLines(node, style, box) : [];
    const drawn = [...this.renderBox(style, box), ...lines];
    const parts = children.flatMap((child) => this.render(child, decorations));
    return [...drawn, ...(parts.length && isClipped(node, style) ? clipTo(rectangle(box), ...parts) : parts)];
  }

  renderBox(style, box) {
    if (style.visibility !== "visible" || style.display === "contents") return [];
    const parts = renderBox(style, box);
    if (parts.length) this.extend(box);
    return parts;
  }

  /** Draws a canvas again as vectors; one that cannot draw itself again becomes an image. */
  renderCanvas(canvas, style) {
    const box = this.boxOf(canvas);
    const inner = contentBox(box, style);
    if (inner.width <= 0 || inner.height <= 0 || !canvas.width) return [];
    this.extend(box);
    const pixel = 1 / pixelRatio();
    const group = shape("g");
    const context = new SvgContext(group, { canvas, pixel, ground: this.ground });
    const isCrisp = style.imageRendering === "pixelated";
    context.probe.imageSmoothingEnabled = !isCrisp;
    if (!drawInto(canvas, context)) return [stretchedImage(canvas, inner, isCrisp)];
    const across = inner.width / (canvas.width * pixel);
    const down = inner.height / (canvas.height * pixel);
    const isToScale = Math.abs(across - 1) < 0.01 && Math.abs(down - 1) < 0.01;
    const corner = `translate(${formatCoordinate(inner.x)} ${formatCoordinate(inner.y)})`;
    group.setAttribute("transform", isToScale ? corner : `${corner} scale(${across} ${down})`);
    return [group];
  }

  /** The lines of a formula: the bar of a fraction, and the sign of a root. */
  renderMathLines(node, { color }, { x, y, width, height }) {
    if (!node.firstElementChild) return [];
    const first = this.boxOf(node.firstElementChild);
    if (node.localName === "mfrac" && node.children.length === 2) {
      const middle = (first.y + first.height + this.boxOf(node.lastElementChild).y) / 2;
      return [polyline([[x, middle], [x + width, middle]], color)];
    }
    if (node.localName !== "msqrt") return [];
    const signWidth = first.x - x;
    const points = [
      [x + 0.15 * signWidth, y + 0.6 * height],
      [x + 0.35 * signWidth, y + 0.55 * height],
      [x + 0.6 * signWidth, y + height - 1],
      [first.x - 1, y + 1],
      [x + width, y + 1],
    ];
    return [polyline(points, color)];
  }
}

function polyline(points, colour) {
  const d = `M${points.map((point) => point.map(formatCoordinate).join(",")).join("L")}`;
  return shape("path", { d, fill: "none", stroke: colour, "stroke-width": 1 });
}

/** The box inside the borders and the padding of an element. */
function contentBox({ x, y, width, height }, style) {
  const [left, right, top, bottom] = ["Left", "Right", "Top", "Bottom"].map(
    (side) => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]),
  );
  return { x: x + left, y: y + top, width: width - left - right, height: height - top - bottom };
}

/** Whether an element hides a part of its content; an inline one never does. */
function isClipped({ scrollWidth, clientWidth, scrollHeight, clientHeight }, { overflowX, overflowY, display }) {
  if (display === "inline") return false;
  const isClippedAcross = overflowX !== "visible" && scrollWidth > clientWidth + 1;
  return isClippedAcross || (overflowY !== "visible" && scrollHeight > clientHeight + 1);
}
