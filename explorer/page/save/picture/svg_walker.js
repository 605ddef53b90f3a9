// Renders a part of the page as SVG: texts, backgrounds and borders at their positions in the browser's layout, canvases
// drawn again as vectors, figures copied. look.css hides interactive controls.

import { svg } from "../../../ui/element.js";
import { zoom, pixelRatio, drawInto } from "../../../ui/page.js";
import { renderBox, copySvg } from "./boxes.js";
import { formatCoordinate } from "./colours.js";
import { SvgContext } from "./svg_context.js";
import { decorationsOf, renderText } from "./text.js";

const HIDDEN_NODES = "script, style, template, option, [hidden], .heard, .tip, .modebar-container, .hoverlayer";
const MATH_NAMESPACE = "http://www.w3.org/1998/Math/MathML", SVG_NAMESPACE = "http://www.w3.org/2000/svg";

let clipCount = 0;

export class SvgWalker {
  /** The first argument is the upper left corner of the picture in the window. */
  constructor({ left, top }, ground) {
    const zoomFactor = zoom();
    Object.assign(this, { times: zoomFactor, ground, right: 0, bottom: 0 });
    this.place = (x, y) => [(x - left) / zoomFactor, (y - top) / zoomFactor];
  }

  boxOf(node) {
    const rect = node.getBoundingClientRect(), [x, y] = this.place(rect.left, rect.top);
    return { x, y, width: rect.width / this.times, height: rect.height / this.times };
  }

  /** Extends the size of the picture to a box. */
  extend({ x, y, width, height }) {
    this.right = Math.max(this.right, x + width);
    this.bottom = Math.max(this.bottom, y + height);
  }

  /** A node and its descendants as SVG nodes. */
  render(node, decorated = []) {
    if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? this.text(node, decorated) : [];
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(HIDDEN_NODES)) return [];
    const style = getComputedStyle(node);
    if (style.display === "none" || Number(style.opacity) === 0 || style.clipPath.startsWith("inset(50%")) return [];
    if (style.transform !== "none" && node.namespaceURI !== SVG_NAMESPACE) return this.renderTransformed(node, style, decorated);
    const parts = this.renderContent(node, style, [...decorated, ...decorationsOf(style)]);
    if (Number(style.opacity) < 1 && parts.length) return [svg("g", { opacity: style.opacity }, ...parts)];
    return parts;
  }

  text(node, decorated) {
    const style = getComputedStyle(node.parentElement);
    return style.visibility === "visible" ? renderText(node, style, { ...this, decorated }) : [];
  }

  /** A node with a CSS transform: measured without it, and transformed in the SVG. */
  renderTransformed(node, style, decorated) {
    const { transform, transformOrigin } = style, transformBefore = node.style.transform;
    node.style.setProperty("transform", "none", "important");
    const { x, y } = this.boxOf(node), [across, down] = transformOrigin.split(" ").map(parseFloat);
    const [, parts] = transform.match(/^matrix\((.*)\)$/) ?? [null, "1,0,0,1,0,0"];
    const at = [x + across, y + down], extent = [this.right, this.bottom];
    const nodes = this.render(node, decorated);
    [this.right, this.bottom] = extent; // the transformed box below counts instead
    node.style.transform = transformBefore;
    this.extend(this.boxOf(node));
    return nodes.length ? [svg("g", { transform: `translate(${at.map(formatCoordinate).join(" ")}) matrix(${parts}) translate(${at.map((value) => formatCoordinate(-value)).join(" ")})` }, ...nodes)] : [];
  }

  renderContent(node, style, decorated) {
    const box = this.boxOf(node), isVisible = style.visibility === "visible";
    const boxNodes = isVisible && style.display !== "contents" ? renderBox(style, box) : [];
    if (boxNodes.length) this.extend(box);
    if (node.localName === "canvas") return isVisible ? [...boxNodes, ...this.canvas(node, style)] : [];
    if (node.namespaceURI === SVG_NAMESPACE) {
      this.extend(box);
      return isVisible ? copySvg(node, box) : [];
    }
    if (node.namespaceURI === MATH_NAMESPACE) boxNodes.push(...this.formula(node, style, box));
    const isFolded = node.localName === "details" && !node.open;
    const parts = [...node.childNodes].flatMap((child) => (isFolded && child.localName !== "summary" ? [] : this.render(child, decorated)));
    return [...boxNodes, ...(isClipped(node, style) ? this.clip(parts, box) : parts)];
  }

  /** Clips nodes to a box. */
  clip(parts, { x, y, width, height }) {
    if (!parts.length) return [];
    const id = `cut-${clipCount += 1}`;
    const hole = svg("rect", { x: formatCoordinate(x), y: formatCoordinate(y), width: formatCoordinate(width), height: formatCoordinate(height) });
    return [svg("clipPath", { id }, hole), svg("g", { "clip-path": `url(#${id})` }, ...parts)];
  }

  canvas(node, style) {
    const edge = (side) => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]);
    const { x, y, width, height } = this.boxOf(node);
    const [left, top] = [x + edge("Left"), y + edge("Top")], inner = { width: width - edge("Left") - edge("Right"), height: height - edge("Top") - edge("Bottom") };
    if (inner.width <= 0 || inner.height <= 0 || !node.width) return [];
    this.extend({ x, y, width, height });
    const group = svg("g"), scale = 1 / pixelRatio();
    if (!drawInto(node, new SvgContext(group, { canvas: node, scale, ground: this.ground }))) {
      return [svg("image", { x: formatCoordinate(left), y: formatCoordinate(top), width: formatCoordinate(inner.width), height: formatCoordinate(inner.height), href: node.toDataURL(), preserveAspectRatio: "none" })];
    }
    const [across, down] = [inner.width / (node.width * scale), inner.height / (node.height * scale)];
    const fits = Math.abs(across - 1) < 0.01 && Math.abs(down - 1) < 0.01 ? "" : ` scale(${across} ${down})`;
    group.setAttribute("transform", `translate(${formatCoordinate(left)} ${formatCoordinate(top)})${fits}`);
    return [group];
  }

  /** The lines of a formula: the bar of a fraction, and the sign of a root. */
  formula(node, { color }, { x, y, width, height }) {
    const line = (d) => [svg("path", { d, fill: "none", stroke: color, "stroke-width": 1 })];
    if (node.localName === "mfrac" && node.children.length === 2) {
      const [over, under] = [...node.children].map((child) => this.boxOf(child));
      return line(`M${formatCoordinate(x)},${formatCoordinate((over.y + over.height + under.y) / 2)}H${formatCoordinate(x + width)}`);
    }
    if (node.localName !== "msqrt" || !node.firstElementChild) return [];
    const radicandX = this.boxOf(node.firstElementChild).x, room = radicandX - x;
    const points = [[x + 0.15 * room, y + 0.6 * height], [x + 0.35 * room, y + 0.55 * height], [x + 0.6 * room, y + height - 1], [radicandX - 1, y + 1], [x + width, y + 1]];
    return line(`M${points.map((point) => point.map(formatCoordinate).join(",")).join("L")}`);
  }
}

function isClipped(node, { overflowX, overflowY, display }) {
  if (display.startsWith("inline") && display === "inline") return false;
  const across = overflowX !== "visible" && node.scrollWidth > node.clientWidth + 1, down = overflowY !== "visible" && node.scrollHeight > node.clientHeight + 1;
  return across || down;
}
