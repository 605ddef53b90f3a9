// A context that draws for paper: strips of numbers are paths, however narrow, and nothing is aligned to pixels.

import { contextOf } from "../../../ui/canvas.js";
import { hex } from "../picture/colours.js";
import { formatCoordinate, setAttributes, shape } from "../picture/shapes.js";
import { SvgContext } from "../picture/svg_context.js";

const LEVELS = 14; // of opacity, hardly told apart
const SAME = 48; // sum of the differences in red, green and blue of what is one colour, which faint pixels round
const SIDE = 1; // of the canvas that an SvgContext is given: none is drawn on

/**
 * A bitmap whose rows are drawn one after the other, and the paths of its shades.
 * @typedef {{ image: any, group: SVGElement, pixels: Uint8ClampedArray, colours: Uint8ClampedArray[],
 *   paths: Map<string, { node: SVGElement, d: string }> }} Strip
 */

function isSame(one, other) {
  return [0, 1, 2].reduce((sum, i) => sum + Math.abs(one[i] - other[i]), 0) <= SAME;
}

/** The colours of pixels, those of the strongest first, which are exact. */
function coloursOf(pixels) {
  const colours = [];
  const all = Array.from({ length: pixels.length / 4 }, (_, i) => pixels.subarray(4 * i, 4 * i + 4));
  for (const pixel of all.filter(([, , , alpha]) => alpha).sort((one, other) => other[3] - one[3])) {
    if (!colours.some((colour) => isSame(colour, pixel))) colours.push(pixel);
  }
  return colours;
}

export class PaperContext extends SvgContext {
  /** @type {Strip | null} */ strip = null;

  /**
   * @param {SVGElement} group receives the SVG
   * @param {{ scale: number, ground: string }} options `scale` is the size of a pixel of the drawing on the paper
   */
  constructor(group, { scale, ground }) {
    const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
    super(group, { canvas, pixel: scale, ground });
  }

  /** Draws one row of an image, as all strips are. Neighbours of the same shade are one rectangle. */
  drawImage(image, left, top, columns, rows, x, y, width, height) {
    if (rows !== 1) throw new Error("A drawing for paper has rows of numbers only.");
    const { pixels } = this.stripOf(image);
    const box = this.boxOf(x, y, width, height);
    const across = box.width / columns;
    const shadeAt = (column) => this.shadeOf(pixels.subarray(4 * (top * image.width + left + column)));
    for (let from = 0, to = 1; from < columns; from = to, to++) {
      const shade = shadeAt(from);
      while (to < columns && shadeAt(to) === shade) to += 1;
      if (shade) this.addRun(shade, { ...box, x: box.x + from * across, width: (to - from) * across });
    }
  }

  /** The strip of an image; rows of an image that follow one another do not overlap, and share its paths. */
  stripOf(image) {
    if (this.strip?.image !== image || this.strip.group !== this.group) {
      const { data } = contextOf(image).getImageData(0, 0, image.width, image.height);
      this.strip = { image, group: this.group, pixels: data, colours: coloursOf(data), paths: new Map() };
    }
    return this.strip;
  }

  /** A pixel's colour and level of opacity; "" where nothing is to be seen. */
  shadeOf(pixel) {
    const { strip: { colours }, probe: { globalAlpha } } = this;
    const level = Math.round((LEVELS * pixel[3] * globalAlpha) / 255);
    return level ? `${hex(colours.find((colour) => isSame(colour, pixel)))} ${level}` : "";
  }

  addRun(shade, { x, y, width, height }) {
    const { group, paths } = this.strip;
    const path = paths.get(shade) ?? { node: shape("path"), d: "" };
    if (!path.d) {
      const [fill, level] = shade.split(" ");
      setAttributes(path.node, { fill, "fill-opacity": Number(level) / LEVELS });
      paths.set(shade, path);
    }
    const [left, top, across, down] = [x, y, width, height].map(formatCoordinate);
    path.d += `M${left},${top}h${across}v${down}h-${across}z`;
    path.node.setAttribute("d", path.d);
    group.append(path.node); // above the ground of its latest row
  }
}
