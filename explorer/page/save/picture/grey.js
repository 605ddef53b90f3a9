// A picture for print: black on white whatever the page's colours are, so that a strong colour is dark. A second colour, which
// numbers below zero have, would be the same grey as the first: it becomes stripes.

import { svg } from "../../../shared/element.js";
import { hex, parsed, short } from "./colours.js";

const INKS = ["fill", "stroke", "stop-color"];
const STRIPE = 3; // pixels, half of it white

const brightness = ([r, g, b]) => (0.299 * r + 0.587 * g + 0.114 * b) / 255;

/** `ground` and `ink` become white and black, and what lies between a grey; `negative` are colours that become stripes. */
export async function grey(picture, { ground, ink, negative }) {
  const [white, black] = [ground, ink].map((css) => brightness(parsed(css)));
  const toned = (css) => {
    const share = Math.max(0, Math.min(1, (brightness(parsed(css)) - black) / (white - black)));
    return hex([255 * share, 255 * share, 255 * share]);
  };
  scales(picture, new Set(negative.map((css) => hex(parsed(css)))));
  const striped = stripes(picture, new Map(negative.map((css) => [hex(parsed(css)), toned(css)])));
  for (const node of picture.querySelectorAll("*")) {
    for (const name of INKS) {
      const css = node.getAttribute(name);
      if (css && parsed(css)) node.setAttribute(name, (name === "fill" && striped.get(css)) || toned(css));
    }
  }
  await Promise.all([...picture.querySelectorAll("image")].map((image) => greyImage(image, toned)));
}

/** Where a colour scale begins with a colour that becomes stripes, its lower half has gaps as wide. */
function scales(picture, colours) {
  for (const shade of picture.querySelectorAll("linearGradient")) {
    if (!colours.has(shade.firstElementChild?.getAttribute("stop-color"))) continue;
    const bar = picture.querySelector(`[fill="url(#${shade.id})"]`), [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(bar.getAttribute(name)));
    bar.after(svg("rect", { x, y: short(y + height / 2), width, height: short(height / 2), fill: "url(#gaps)" }));
    picture.prepend(svg("defs", {}, pattern("gaps", "#ffffff")));
  }
}

function pattern(id, colour) {
  const size = short(STRIPE), turned = { id, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return svg("pattern", turned, svg("rect", { width: short(STRIPE / 2), height: size, style: `fill: ${colour}` }));
}

/** Patterns of stripes by the colours that they stand for, each put into the picture where it has that colour. */
function stripes(picture, tones) {
  const found = new Map();
  for (const [css, tone] of tones) {
    if (!picture.querySelector(`[fill="${css}"]`)) continue;
    const id = `less-${found.size + 1}`;
    picture.prepend(svg("defs", {}, pattern(id, tone)));
    found.set(css, `url(#${id})`);
  }
  return found;
}

/** The pixels of an image keep how opaque they are. */
async function greyImage(image, toned) {
  const bitmap = Object.assign(new Image(), { src: image.getAttribute("href") });
  await bitmap.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.naturalWidth, height: bitmap.naturalHeight });
  const context = canvas.getContext("2d"), known = new Map();
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height), { data } = pixels;
  for (let i = 0; i < data.length; i += 4) {
    const key = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    if (!known.has(key)) known.set(key, parsed(toned(hex(data.subarray(i, i + 3))))[0]);
    data.fill(known.get(key), i, i + 3);
  }
  context.putImageData(pixels, 0, 0);
  image.setAttribute("href", canvas.toDataURL());
}
