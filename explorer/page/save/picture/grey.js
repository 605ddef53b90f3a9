// A picture for print: black on white whatever the page's colours are, so that a strong colour is dark. A second colour, which
// numbers below zero have, would be the same grey as the first: it becomes stripes.

import { svg } from "../../../ui/element.js";
import { hex, parsed, short } from "./colours.js";

const INKS = ["fill", "stroke", "stop-color"];
const WARM = 60; // of 255, by which a warm colour has more red than blue, and a cool one less
const STRIPE = 3; // pixels, half of it white

const brightness = ([r, g, b]) => (0.299 * r + 0.587 * g + 0.114 * b) / 255;

/** `ground` and `ink` become white and black, and what lies between a grey; `negative` are colours that become stripes. */
export async function grey(picture, { ground, ink, negative }) {
  const [white, black] = [ground, ink].map((css) => brightness(parsed(css)));
  const toned = (css) => {
    const share = Math.max(0, Math.min(1, (brightness(parsed(css)) - black) / (white - black)));
    return hex([255 * share, 255 * share, 255 * share]);
  };
  const halved = scales(picture, new Set(negative.map((css) => hex(parsed(css)))));
  const done = twoSidedScales([...picture.querySelectorAll("linearGradient")].filter((shade) => !halved.includes(shade)));
  const striped = stripes(picture, new Map(negative.map((css) => [hex(parsed(css)), toned(css)])));
  for (const node of picture.querySelectorAll("*")) {
    for (const name of INKS) {
      const css = node.getAttribute(name);
      if (css && !done.has(node) && parsed(css)) node.setAttribute(name, (name === "fill" && striped.get(css)) || toned(css));
    }
  }
  await Promise.all([...picture.querySelectorAll("image")].map((image) => greyImage(image, toned)));
}

/** Where a colour scale begins with a colour that becomes stripes, its lower half has gaps as wide; these gradients. */
function scales(picture, colours) {
  const found = [...picture.querySelectorAll("linearGradient")].filter(({ firstElementChild: first }) => colours.has(first?.getAttribute("stop-color")));
  for (const shade of found) {
    const bar = picture.querySelector(`[fill="url(#${shade.id})"]`), [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(bar.getAttribute(name)));
    bar.after(svg("rect", { x, y: short(y + height / 2), width, height: short(height / 2), fill: "url(#gaps)" }));
  }
  if (found.length) picture.prepend(svg("defs", {}, pattern("gaps", "#ffffff")));
  return found;
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

/**
 * A scale from a warm colour over nothing to a cool one would have two ends of the same grey: it goes from white over grey to
 * black instead. `colours` are [red, green, blue, opacity], of which the last is how strong one is.
 */
function twoSided(colours) {
  const sides = new Set(colours.filter(([r, , b, a]) => a > 0.05 && Math.abs(r - b) > WARM).map(([r, , b]) => r > b));
  return sides.size === 2;
}

/** The grey of a colour on such a scale, from 0 to 255. */
const between = ([r, , b, a]) => Math.round(127.5 * (1 + (r > b ? a : -a)));

/** Makes grey those gradients that are such scales, as Plotly has them beside its images; their stops. */
function twoSidedScales(gradients) {
  const done = new Set();
  for (const shade of gradients) {
    const stops = [...shade.querySelectorAll("stop")];
    const colours = stops.map((stop) => [...parsed(stop.getAttribute("stop-color")).slice(0, 3), Number(stop.getAttribute("stop-opacity") ?? 1)]);
    if (!twoSided(colours)) continue;
    stops.forEach((stop, i) => {
      const share = between(colours[i]);
      stop.setAttribute("stop-color", hex([share, share, share]));
      stop.removeAttribute("stop-opacity");
      done.add(stop);
    });
  }
  return done;
}

/** The pixels of an image keep how opaque they are, but for a scale with two sides. */
async function greyImage(image, toned) {
  const bitmap = Object.assign(new Image(), { src: image.getAttribute("href") });
  await bitmap.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.naturalWidth, height: bitmap.naturalHeight });
  const context = canvas.getContext("2d"), known = new Map();
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height), { data } = pixels;
  const at = (i) => [data[i], data[i + 1], data[i + 2], data[i + 3] / 255];
  const places = Array.from({ length: data.length / 4 }, (_, pixel) => 4 * pixel);
  if (twoSided(places.map(at))) for (const i of places) data.fill(between(at(i)), i, i + 3).fill(255, i + 3, i + 4);
  else for (let i = 0; i < data.length; i += 4) {
    const key = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    if (!known.has(key)) known.set(key, parsed(toned(hex(data.subarray(i, i + 3))))[0]);
    data.fill(known.get(key), i, i + 3);
  }
  context.putImageData(pixels, 0, 0);
  image.setAttribute("href", canvas.toDataURL());
}
