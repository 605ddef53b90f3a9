// A part of the page as SVG: its texts, grounds and borders where the browser has laid them out, canvases drawn once more into
// lines, figures copied. One way for every tab; what only a mouse can use is left out (picture.css).

import { svg } from "../../../ui/element.js";
import { zoom, pixelRatio } from "../../../ui/page.js";
import { drawInto } from "../../../ui/svg_replay.js";
import { boxOf } from "./boxes.js";
import { short } from "./colours.js";
import { inlined } from "./inline.js";
import { Recorder } from "./recorder.js";
import { decorations, textOf } from "./text.js";

const NOT_SEEN = "script, style, template, option, [hidden], .heard, .tip, .modebar-container, .hoverlayer";
const MATH = "http://www.w3.org/1998/Math/MathML", SVG = "http://www.w3.org/2000/svg";

let clips = 0;

export class Walk {
  /** `origin` is the point of the window that is the picture's upper left corner. */
  constructor({ left, top }, ground) {
    const times = zoom();
    Object.assign(this, { times, ground, right: 0, bottom: 0 });
    this.place = (x, y) => [(x - left) / times, (y - top) / times];
  }

  boxOf(node) {
    const rect = node.getBoundingClientRect(), [x, y] = this.place(rect.left, rect.top);
    return { x, y, width: rect.width / this.times, height: rect.height / this.times };
  }

  /** Takes note of how far the picture reaches. */
  reach({ x, y, width, height }) {
    this.right = Math.max(this.right, x + width);
    this.bottom = Math.max(this.bottom, y + height);
  }

  /** A node and all within as nodes of SVG. */
  drawn(node, decorated = []) {
    if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? this.text(node, decorated) : [];
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(NOT_SEEN)) return [];
    const style = getComputedStyle(node);
    if (style.display === "none" || Number(style.opacity) === 0 || style.clipPath.startsWith("inset(50%")) return [];
    if (style.transform !== "none" && node.namespaceURI !== SVG) return this.turned(node, style, decorated);
    const parts = this.within(node, style, [...decorated, ...decorations(style)]);
    if (Number(style.opacity) < 1 && parts.length) return [svg("g", { opacity: style.opacity }, ...parts)];
    return parts;
  }

  text(node, decorated) {
    const style = getComputedStyle(node.parentElement);
    return style.visibility === "visible" ? textOf(node, style, { ...this, decorated }) : [];
  }

  /** What CSS turns is laid out unturned, and turned in the picture. */
  turned(node, style, decorated) {
    const { transform, transformOrigin } = style, before = node.style.transform;
    node.style.setProperty("transform", "none", "important");
    const { x, y } = this.boxOf(node), [across, down] = transformOrigin.split(" ").map(parseFloat);
    const [, parts] = transform.match(/^matrix\((.*)\)$/) ?? [null, "1,0,0,1,0,0"];
    const at = [x + across, y + down], reached = [this.right, this.bottom];
    const drawn = this.drawn(node, decorated);
    [this.right, this.bottom] = reached; // it may reach elsewhere now
    node.style.transform = before;
    this.reach(this.boxOf(node));
    return drawn.length ? [svg("g", { transform: `translate(${at.map(short).join(" ")}) matrix(${parts}) translate(${at.map((value) => short(-value)).join(" ")})` }, ...drawn)] : [];
  }

  within(node, style, decorated) {
    const box = this.boxOf(node), seen = style.visibility === "visible";
    const own = seen && style.display !== "contents" ? boxOf(style, box) : [];
    if (own.length) this.reach(box);
    if (node.localName === "canvas") return seen ? [...own, ...this.canvas(node, style)] : [];
    if (node.namespaceURI === SVG) {
      this.reach(box);
      return seen ? inlined(node, box) : [];
    }
    if (node.namespaceURI === MATH) own.push(...this.formula(node, style, box));
    const folded = node.localName === "details" && !node.open;
    const parts = [...node.childNodes].flatMap((child) => (folded && child.localName !== "summary" ? [] : this.drawn(child, decorated)));
    return [...own, ...(cutOff(node, style) ? this.cut(parts, box) : parts)];
  }

  /** What reaches out of its box and is not seen there. */
  cut(parts, { x, y, width, height }) {
    if (!parts.length) return [];
    const id = `cut-${clips += 1}`;
    const hole = svg("rect", { x: short(x), y: short(y), width: short(width), height: short(height) });
    return [svg("clipPath", { id }, hole), svg("g", { "clip-path": `url(#${id})` }, ...parts)];
  }

  canvas(node, style) {
    const edge = (side) => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]);
    const { x, y, width, height } = this.boxOf(node);
    const [left, top] = [x + edge("Left"), y + edge("Top")], inner = { width: width - edge("Left") - edge("Right"), height: height - edge("Top") - edge("Bottom") };
    if (inner.width <= 0 || inner.height <= 0 || !node.width) return [];
    this.reach({ x, y, width, height });
    const group = svg("g"), scale = 1 / pixelRatio();
    if (!drawInto(node, new Recorder(group, { canvas: node, scale, ground: this.ground }))) {
      return [svg("image", { x: short(left), y: short(top), width: short(inner.width), height: short(inner.height), href: node.toDataURL(), preserveAspectRatio: "none" })];
    }
    const [across, down] = [inner.width / (node.width * scale), inner.height / (node.height * scale)];
    const fits = Math.abs(across - 1) < 0.01 && Math.abs(down - 1) < 0.01 ? "" : ` scale(${across} ${down})`;
    group.setAttribute("transform", `translate(${short(left)} ${short(top)})${fits}`);
    return [group];
  }

  /** What of a formula is no letter: the line of a fraction, and the sign of a root. */
  formula(node, { color }, { x, y, width, height }) {
    const line = (d) => [svg("path", { d, fill: "none", stroke: color, "stroke-width": 1 })];
    if (node.localName === "mfrac" && node.children.length === 2) {
      const [over, under] = [...node.children].map((child) => this.boxOf(child));
      return line(`M${short(x)},${short((over.y + over.height + under.y) / 2)}H${short(x + width)}`);
    }
    if (node.localName !== "msqrt" || !node.firstElementChild) return [];
    const begins = this.boxOf(node.firstElementChild).x, room = begins - x;
    const points = [[x + 0.15 * room, y + 0.6 * height], [x + 0.35 * room, y + 0.55 * height], [x + 0.6 * room, y + height - 1], [begins - 1, y + 1], [x + width, y + 1]];
    return line(`M${points.map((point) => point.map(short).join(",")).join("L")}`);
  }
}

function cutOff(node, { overflowX, overflowY, display }) {
  if (display.startsWith("inline") && display === "inline") return false;
  const across = overflowX !== "visible" && node.scrollWidth > node.clientWidth + 1, down = overflowY !== "visible" && node.scrollHeight > node.clientHeight + 1;
  return across || down;
}
