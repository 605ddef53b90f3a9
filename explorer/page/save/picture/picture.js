// A picture of what is in front of the visitor, as SVG that needs nothing beside it, or as PNG.

import { svg } from "../../../ui/element.js";
import { theme } from "../../../ui/page.js";
import { Refused } from "../file.js";
import { slug, viewName } from "../names.js";
import { captionBlock, captionOf } from "./caption.js";
import { inked } from "./colours.js";
import { grey } from "./grey.js";
import { partsOf } from "./parts.js";
import { Walk } from "./walk.js";

const EDGE = 16, LEAST = 420; // pixels around a picture, and of the width that a caption has at least
const SHARP = 2, MOST = 16_000; // pixels of PNG for one of the screen, and the most of a side
const VIEWED = { explore: ["picture", "overview", "all"], lab: ["picture", "overview"], inside: ["picture", "all"] }; // parts called by what they show

/** The chosen part of the tab in front, or else its first one. */
export function partOf({ tab, what }, words) {
  const parts = partsOf(tab, words), found = parts.find(({ name }) => name === what) ?? parts[0];
  if (!found) throw new Refused(words.none);
  return found;
}

/** The drawn part and how large it is; nobody sees the page as it is meanwhile. */
function captured(nodes, ground, caption) {
  const root = document.documentElement, scrolled = scrolledIn(nodes);
  root.classList.add("saving");
  root.classList.toggle("captioned", caption);
  try {
    const boxes = nodes.map((node) => node.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
    const walk = new Walk({ left, top }, ground);
    const parts = nodes.flatMap((node) => walk.drawn(node));
    for (const node of nodes) walk.reach(walk.boxOf(node));
    return { parts, width: walk.right, height: walk.bottom };
  } finally {
    root.classList.remove("saving", "captioned");
    for (const [node, left, top] of scrolled) node.scrollTo({ left, top, behavior: "instant" });
  }
}

/** What has been scrolled, which is forgotten while all of it is seen. */
function scrolledIn(nodes) {
  const all = nodes.flatMap((node) => [node, ...node.querySelectorAll("*")]);
  return all.filter(({ scrollLeft, scrollTop }) => scrollLeft || scrollTop).map((node) => [node, node.scrollLeft, node.scrollTop]);
}

/** What is said of a part, beginning with what it shows. */
function linesOf(look, { name, label, headed }, { text, tabs, model, base }) {
  const own = headed ? label : look.panelName; // beside the tab's name
  const part = own ? `${tabs[look.tab]} · ${own}` : tabs[look.tab];
  return captionOf(look, { words: text.caption, model, base, part, ofAView: VIEWED[look.tab]?.includes(name) ?? false });
}

/** Promises { picture, width, height }: a picture of SVG, with its caption where one is wanted. */
export async function pictured(look, settings) {
  const { [theme()]: colours } = settings.colours, part = partOf(look, settings.text.parts), lines = linesOf(look, part, settings);
  const ground = getComputedStyle(document.body).backgroundColor, { parts, ...size } = captured(part.nodes, ground, look.caption);
  const width = Math.ceil(Math.max(size.width, look.caption ? LEAST : 0) + 2 * EDGE), above = size.height + 2 * EDGE;
  const place = { x: EDGE, y: above - EDGE, width: width - 2 * EDGE, colours };
  const caption = look.caption ? captionBlock(lines, place) : { group: "", height: 0 };
  const height = Math.ceil(above + caption.height), [title] = lines;
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" },
    svg("title", {}, title), svg("rect", { x: 0, y: 0, width, height, ...inked("fill", ground) }),
    svg("g", { transform: `translate(${EDGE} ${EDGE})` }, ...parts), caption.group);
  const negative = Object.keys(colours).filter((name) => name.endsWith("_negative")).map((name) => colours[name]);
  if (look.grey) await grey(picture, { ground, ink: colours.ink, negative });
  return { picture, width, height };
}

export function fileText(picture) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`;
}

function named(look, settings, kind) {
  const { tab, panel, grey } = look, { name, label, headed } = partOf(look, settings.text.parts);
  const called = { picture: "", overview: "overview", panel, all: "all" }[name] ?? (headed ? slug(label) : name);
  const views = VIEWED[tab]?.includes(name) ? viewName(look) : slug(tab);
  return `${[views, called, grey && "grey"].filter(Boolean).join("-")}.${kind}`;
}

export async function svgFile({ look, settings }) {
  const { picture } = await pictured(look, settings);
  return { name: named(look, settings, "svg"), type: "image/svg+xml", data: fileText(picture) };
}

/** Promises the PNG of a canvas, which a browser does not make of one that is too large for it. */
export async function pngOf(canvas, { tooLarge }) {
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  if (!blob) throw new Refused(tooLarge);
  return blob;
}

export async function pngFile({ look, settings }) {
  const { picture, width, height } = await pictured(look, settings);
  const url = URL.createObjectURL(new Blob([fileText(picture)], { type: "image/svg+xml" }));
  try {
    const image = Object.assign(new Image(), { src: url });
    await image.decode();
    const times = Math.min(SHARP * Math.max(1, devicePixelRatio / SHARP), MOST / Math.max(width, height));
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * times), height: Math.round(height * times) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return { name: named(look, settings, "png"), type: "image/png", data: await pngOf(canvas, settings.text) };
  } finally {
    URL.revokeObjectURL(url);
  }
}
