// A picture of the open tab or of one of its parts, as a standalone SVG or as PNG.

import { svg } from "../../../ui/element.js";
import { theme } from "../../../ui/page.js";
import { SaveError, slug, viewName } from "../snapshot.js";
import { renderCaption, captionLines } from "./caption.js";
import { paintAttributes } from "./colours.js";
import { convertToGreyscale } from "./greyscale.js";
import { SvgWalker } from "./svg_walker.js";

const MARGIN = 16, MIN_CAPTION_WIDTH = 420; // pixels
const PNG_SCALE = 2, MAX_PNG_SIDE = 16_000; // pixels of PNG per CSS pixel, and pixels of a side
const VIEW_PARTS = { explore: ["picture", "overview", "all"], lab: ["picture", "overview"], inside: ["picture", "all"] }; // parts that are named after the view

/** By tab: selectors by name of a part, the default first, and `each`, a selector of parts that are named by their headings. */
const PARTS = {
  explore: { picture: "#viewer .plain, #viewer .views", overview: "#viewer .heads", all: "#viewer .viewer" },
  lab: { picture: "#lab .views", panel: "#lab .panel:not([hidden])", outcome: "#lab .outcome", overview: "#lab .heads", table: "#catalogue .meaning, #catalogue .wide", all: "#lab .lab" },
  inside: { all: "#inside .inside", picture: "#inside .account" },
  masks: { picture: "#masks .account", all: "#masks .masks" },
  predictions: { all: "#predictions .predictions", each: "#predictions .part" },
  positions: { each: "#positions .part", all: "#positions .positions" },
  architecture: { picture: "#architecture .figure", each: "#architecture .part", all: "#architecture .architecture" },
  training: { curves: "#training .opening .figure", picture: "#training .views", pace: "#training .pace", all: "#training .training" },
};
const HEADINGS = "h2, h3";

const isVisible = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().height > 0;

/** The visible parts as { name, label, nodes }; `words` are the labels of parts without a heading. */
export function partsOf(tab, words) {
  const { each = null, ...parts } = PARTS[tab] ?? { all: `#${tab}-tab` };
  const namedParts = Object.entries(parts).map(([name, selector]) => (
    { name, label: words[name], nodes: [...document.querySelectorAll(selector)].filter(isVisible) }
  ));
  const headedNodes = each ? [...document.querySelectorAll(each)].filter(isVisible) : [];
  const wholeTab = namedParts.filter(({ name }) => name === "all"), otherParts = namedParts.filter(({ name }) => name !== "all");
  const headedParts = headedNodes.flatMap((node, number) => {
    const label = node.querySelector(HEADINGS)?.textContent.trim();
    return label ? [{ name: `part${number + 1}`, label, headed: true, nodes: [node] }] : [];
  });
  const [first] = Object.keys({ ...PARTS[tab] });
  return (first === "all" ? [...wholeTab, ...otherParts, ...headedParts] : [...otherParts, ...headedParts, ...wholeTab]).filter(({ nodes }) => nodes.length);
}

/** The chosen part of the open tab, or its first part. */
function chosenPart({ tab, what }, words) {
  const parts = partsOf(tab, words), part = parts.find(({ name }) => name === what) ?? parts[0];
  if (!part) throw new SaveError(words.none);
  return part;
}

/** The part as SVG nodes, and its size; changes the page's styles meanwhile, without a repaint. */
function capture(nodes, ground, caption) {
  const root = document.documentElement, positions = scrollPositions(nodes);
  root.classList.add("saving");
  root.classList.toggle("captioned", caption);
  try {
    const boxes = nodes.map((node) => node.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
    const walker = new SvgWalker({ left, top }, ground);
    const parts = nodes.flatMap((node) => walker.render(node));
    for (const node of nodes) walker.extend(walker.boxOf(node));
    return { parts, width: walker.right, height: walker.bottom };
  } finally {
    root.classList.remove("saving", "captioned");
    for (const [node, left, top] of positions) node.scrollTo({ left, top, behavior: "instant" });
  }
}

/** The scroll positions of nodes, to restore them after a capture without scrolling. */
function scrollPositions(nodes) {
  const all = nodes.flatMap((node) => [node, ...node.querySelectorAll("*")]);
  return all.filter(({ scrollLeft, scrollTop }) => scrollLeft || scrollTop).map((node) => [node, node.scrollLeft, node.scrollTop]);
}

/** The lines of the caption of a part. */
function describePart(look, { name, label, headed }, { text, tabs, model, base }) {
  const own = headed ? label : look.panelName; // appended to the tab's name
  const part = own ? `${tabs[look.tab]} · ${own}` : tabs[look.tab];
  return captionLines(look, { words: text.caption, model, base, part, ofAView: VIEW_PARTS[look.tab]?.includes(name) ?? false });
}

/** Resolves to { picture, width, height }: the SVG, with its caption if the visitor wants one. */
export async function createPicture(look, settings) {
  const { [theme()]: colours } = settings.colours, part = chosenPart(look, settings.text.parts), lines = describePart(look, part, settings);
  const ground = getComputedStyle(document.body).backgroundColor, { parts, ...size } = capture(part.nodes, ground, look.caption);
  const width = Math.ceil(Math.max(size.width, look.caption ? MIN_CAPTION_WIDTH : 0) + 2 * MARGIN), above = size.height + 2 * MARGIN;
  const place = { x: MARGIN, y: above - MARGIN, width: width - 2 * MARGIN, colours };
  const caption = look.caption ? renderCaption(lines, place) : { group: "", height: 0 };
  const height = Math.ceil(above + caption.height), [title] = lines;
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" },
    svg("title", {}, title), svg("rect", { x: 0, y: 0, width, height, ...paintAttributes("fill", ground) }),
    svg("g", { transform: `translate(${MARGIN} ${MARGIN})` }, ...parts), caption.group);
  const negative = Object.keys(colours).filter((name) => name.endsWith("_negative")).map((name) => colours[name]);
  if (look.grey) await convertToGreyscale(picture, { ground, ink: colours.ink, negative });
  return { picture, width, height };
}

export function fileText(picture) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`;
}

function fileName(look, settings, kind) {
  const { tab, panel, grey: isGrey } = look, { name, label, headed } = chosenPart(look, settings.text.parts);
  const partName = { picture: "", overview: "overview", panel, all: "all" }[name] ?? (headed ? slug(label) : name);
  const views = VIEW_PARTS[tab]?.includes(name) ? viewName(look) : slug(tab);
  return `${[views, partName, isGrey && "grey"].filter(Boolean).join("-")}.${kind}`;
}

export async function createSvg({ look, settings }) {
  const { picture } = await createPicture(look, settings);
  return { name: fileName(look, settings, "svg"), type: "image/svg+xml", data: fileText(picture) };
}

/** Encodes a canvas as PNG; throws a SaveError if it is too large for the browser. */
export async function encodePng(canvas, { tooLarge }) {
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  if (!blob) throw new SaveError(tooLarge);
  return blob;
}

export async function createPng({ look, settings }) {
  const { picture, width, height } = await createPicture(look, settings);
  const url = URL.createObjectURL(new Blob([fileText(picture)], { type: "image/svg+xml" }));
  try {
    const image = Object.assign(new Image(), { src: url });
    await image.decode();
    const scale = Math.min(PNG_SCALE * Math.max(1, devicePixelRatio / PNG_SCALE), MAX_PNG_SIDE / Math.max(width, height));
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return { name: fileName(look, settings, "png"), type: "image/png", data: await encodePng(canvas, settings.text) };
  } finally {
    URL.revokeObjectURL(url);
  }
}
