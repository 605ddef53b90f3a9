// Converts a picture to greyscale for print: black on white in either theme, so that a strong colour is dark. The
// colour of negative numbers would become the same grey as that of positive ones, so it becomes stripes.

import { contextOf } from "../../../ui/canvas.js";
import { hex, parseColour } from "./colours.js";
import { rectangle, shape } from "./shapes.js";

/** @typedef {import("./colours.js").Colour} Colour */

const PAINTS = ["fill", "stroke", "stop-color"];
const WARM_DIFFERENCE = 60; // least difference, of 255, between red and blue of a warm or cool colour
const MIN_OPACITY = 0.05; // of a colour that counts as warm or cool
const STRIPE_WIDTH = 3; // pixels, half of it white

/** @param {Colour} colour */
const brightness = ([r, g, b]) => (0.299 * r + 0.587 * g + 0.114 * b) / 255;

/**
 * Maps `ground` to white, `ink` to black, and other colours to greys between them; `negative` colours become stripes.
 *
 * @param {SVGElement} picture
 * @param {{ ground: string, ink: string, negative: string[] }} colours in CSS
 */
export async function convertToGreyscale(picture, { ground, ink, negative }) {
  const [white, black] = [ground, ink].map((css) => brightness(parseColour(css)));
  const greyOf = (colour) => {
    const share = Math.max(0, Math.min(1, (brightness(colour) - black) / (white - black)));
    return Math.round(255 * share);
  };
  const toGrey = (css) => greyHex(greyOf(parseColour(css)));
  const negativeHexes = negative.map((css) => hex(parseColour(css)));
  const gradients = [...picture.querySelectorAll("linearGradient")];
  const striped = gradients.filter((gradient) => isNegativeScale(gradient, negativeHexes));
  addStripesToScales(picture, striped);
  const scales = gradients.filter((gradient) => !striped.includes(gradient));
  const converted = new Set([...scales, ...picture.querySelectorAll(".cells")].flatMap(convertDiverging));
  const patterns = addStripePatterns(picture, negativeHexes, toGrey);
  for (const node of picture.querySelectorAll("*")) {
    if (converted.has(node)) continue;
    for (const name of PAINTS) {
      const css = node.getAttribute(name);
      if (css && parseColour(css)) node.setAttribute(name, (name === "fill" && patterns.get(css)) || toGrey(css));
    }
  }
  await Promise.all([...picture.querySelectorAll("image")].map((image) => convertImage(image, greyOf)));
}

function greyHex(grey) {
  return hex([grey, grey, grey]);
}

/** Whether a colour scale begins with the colour of negative numbers. */
function isNegativeScale({ firstElementChild }, negativeHexes) {
  return negativeHexes.includes(firstElementChild?.getAttribute("stop-color"));
}

/** Adds stripes to the half of colour scales where numbers are negative: the lower one, or the left one. */
function addStripesToScales(picture, gradients) {
  for (const gradient of gradients) {
    const bar = picture.querySelector(`[fill="url(#${gradient.id})"]`);
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(bar.getAttribute(name)));
    const isLevel = gradient.getAttribute("x1") !== gradient.getAttribute("x2");
    const half = isLevel ? { x, y, width: width / 2, height } : { x, y: y + height / 2, width, height: height / 2 };
    bar.after(rectangle(half, { fill: "url(#gaps)" }));
  }
  if (gradients.length) picture.prepend(stripes("gaps", "#ffffff"));
}

/** Adds a stripe pattern for each negative colour that the picture has; returns references to them by colour. */
function addStripePatterns(picture, negativeHexes, toGrey) {
  const patterns = new Map();
  for (const colour of negativeHexes) {
    if (!picture.querySelector(`[fill="${colour}"]`)) continue;
    const id = `less-${patterns.size + 1}`;
    picture.prepend(stripes(id, toGrey(colour)));
    patterns.set(colour, `url(#${id})`);
  }
  return patterns;
}

/** The definition of a pattern; its colour is a style, which the conversion leaves alone. */
function stripes(id, colour) {
  const size = STRIPE_WIDTH;
  const turned = { width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const stripe = shape("rect", { width: size / 2, height: size, style: `fill: ${colour}` });
  return shape("defs", {}, shape("pattern", { id, ...turned }, stripe));
}

/**
 * Whether a colour scale diverges from a warm to a cool colour. Both ends would become the same grey, so such a scale
 * goes from white to black instead.
 *
 * @param {Colour[]} colours
 */
function isDiverging(colours) {
  const isTinted = ([r, , b, a]) => a > MIN_OPACITY && Math.abs(r - b) > WARM_DIFFERENCE;
  return new Set(colours.filter(isTinted).map(([r, , b]) => r > b)).size === 2;
}

/**
 * The grey of a colour on a diverging scale, from 0 to 255.
 *
 * @param {Colour} colour
 */
function divergingGrey([r, , b, a]) {
  return Math.round(127.5 * (1 + (r > b ? a : -a)));
}

/** Converts a diverging gradient, such as Plotly's colour bar, or a heatmap's cells; returns what it converts. */
function convertDiverging(scale) {
  const parts = [...scale.children];
  const name = scale.localName === "g" ? "fill" : "stop";
  const property = name === "stop" ? "stop-color" : name;
  /** @type {Colour[]} */
  const colours = parts.map((part) => {
    const [r, g, b] = parseColour(part.getAttribute(property));
    return [r, g, b, Number(part.getAttribute(`${name}-opacity`) ?? 1)];
  });
  if (!isDiverging(colours)) return [];
  parts.forEach((part, i) => {
    part.setAttribute(property, greyHex(divergingGrey(colours[i])));
    part.removeAttribute(`${name}-opacity`);
  });
  return parts;
}

/** Converts the pixels of an image; they keep their opacity, except on a diverging scale. */
async function convertImage(image, greyOf) {
  const bitmap = new Image();
  bitmap.src = image.getAttribute("href");
  await bitmap.decode();
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.naturalWidth;
  canvas.height = bitmap.naturalHeight;
  const context = contextOf(canvas);
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = pixels;
  /** @type {Colour[]} */
  const colours = Array.from({ length: data.length / 4 }, (_, pixel) => {
    const [r, g, b, a] = data.subarray(4 * pixel, 4 * pixel + 4);
    return [r, g, b, a / 255];
  });
  const isDivergingImage = isDiverging(colours);
  colours.forEach((colour, pixel) => {
    data.fill(isDivergingImage ? divergingGrey(colour) : greyOf(colour), 4 * pixel, 4 * pixel + 3);
    if (isDivergingImage) data[4 * pixel + 3] = 255;
  });
  context.putImageData(pixels, 0, 0);
  image.setAttribute("href", canvas.toDataURL());
}
