// The caption of a saved picture: its content, sentence, translation, model and link.

import { shownView } from "../snapshot.js";
import { currentLink } from "../../../ui/address.js";
import { svg } from "../../../ui/element.js";
import { pageFont } from "../../../ui/page.js";
import { joinPieces } from "../../../ui/scripts.js";
import { fill, headsName, joinList } from "../../../ui/text.js";
import { paintAttributes, formatCoordinate, familyOf, fontMetrics } from "./colours.js";

const BREAKS = /(?<=[ &+]|[\p{scx=Han}，：；）”](?![，。：；、）”]))/u; // Chinese breaks between any two letters
const FONT_SIZE = 13, LINE_HEIGHT = 19, GAP = 10; // pixels
const STEP_TABS = ["explore", "lab", "inside", "predictions"], SENTENCE_TABS = [...STEP_TABS, "architecture"];

/** The translation up to a step, as plain text. */
function translationUntil(step, { steps }) {
  const pieces = steps.slice(0, step + 1).map(({ predicted }) => predicted).filter(({ special }) => !special);
  return joinPieces(pieces.map(({ text, starts_word: starts }) => (starts ? text.replace(/^·/, " ") : text))).trim();
}

/** The names of the shown kind and heads. */
export function describeHeads(look, words) {
  const { settings, map } = look.viewer, { kind, layer, head, second } = shownView(look);
  const heads = [{ layer, head }, ...(second ? [second] : [])].map((one) => headsName(settings.heads, one)).join(" / ");
  return [settings.kinds[kind], heads, ...(map.measure === "length" ? [words.lengths] : [])];
}

function describeView(look, words) {
  const { viewer } = look, { trace } = viewer, view = shownView(look), { kind, pin, whole } = view, parts = describeHeads(look, words);
  if (kind !== "encoder") parts.push(whole ? words.whole : describeStep(viewer, words));
  if (pin) parts.push(fill(words.pinned, { label: trace.kinds[kind][pin.axis === "query" ? "queries" : "keys"][pin.index] }));
  if (!view.specials) parts.push(words.specials);
  return parts.join(" · ");
}

function describeStep({ view: { step }, trace: { steps } }, words) {
  return fill(words.step, { step: step + 1, steps: steps.length });
}

/**
 * The lines of a caption; `part` names the content if that is not a view (`ofAView`); `words` are CAPTION of the words,
 * `model` describes the model, `base` is the address of the page.
 */
export function captionLines(look, { words, model, base, part, ofAView }) {
  const { tab, viewer, changes } = look, lines = [];
  const { trace, view } = viewer, unchanged = viewer.compared.run?.trace;
  if (ofAView) lines.push(describeView(look, words));
  else lines.push(tab === "predictions" ? `${part} · ${describeStep(viewer, words)}` : part);
  if (SENTENCE_TABS.includes(tab)) {
    const all = trace.steps.length - 1, hasStep = STEP_TABS.includes(tab) && (ofAView || tab === "predictions");
    const last = hasStep && !shownView(look).whole ? view.step : all, isPartial = last < all, text = translationUntil(last, trace);
    lines.push(fill(words.source, { text: trace.sentence }));
    if (unchanged) lines.push(fill(words.unchanged, { text: unchanged.translation }));
    const template = unchanged ? words.changed : isPartial ? words.target : words.translation;
    lines.push(fill(template, { text: isPartial ? `${text} …` : text }));
  }
  if (changes.length) lines.push(fill(words.changes, { changes: joinList(changes) }));
  const address = currentLink(base ?? undefined);
  const modelLine = tab === "train" ? [] : [fill(words.model, { model })]; // there it is another model that is shown
  return [...lines, ...(viewer.fontless ?? []), ...modelLine, ...(address ? [address] : [])];
}

/** SVG of a caption with a width, and its height. */
export function renderCaption(lines, { x, y, width, colours: { ink, text } }) {
  const family = pageFont(), group = svg("g");
  let base = y + GAP;
  lines.forEach((line, number) => {
    const font = `${number ? "" : "600 "}${FONT_SIZE}px ${family}`;
    for (const part of breakLine(line, font, width)) {
      base += LINE_HEIGHT;
      const look = { "font-family": familyOf(family), "font-size": FONT_SIZE, ...(!number && { "font-weight": 600 }), ...paintAttributes("fill", number ? text : ink) };
      group.append(svg("text", { x: formatCoordinate(x), y: formatCoordinate(base), ...look }, part));
    }
  });
  return { group, height: base - y + GAP };
}

/** Breaks a line into parts that fit, between words, or anywhere in a long word such as an address. */
export function breakLine(line, font, width, widthOf = (text) => fontMetrics(font, text).width) {
  const parts = [""];
  for (const word of line.split(BREAKS)) {
    if (parts.at(-1) && widthOf(parts.at(-1) + word.trimEnd()) > width) parts.push("");
    let rest = word;
    while (widthOf(rest.trimEnd()) > width && rest.length > 1) {
      let count = Math.max(1, Math.floor((rest.length * width) / widthOf(rest)));
      while (count > 1 && widthOf(rest.slice(0, count)) > width) count -= 1;
      parts[parts.length - 1] += rest.slice(0, count);
      parts.push("");
      rest = rest.slice(count);
    }
    parts[parts.length - 1] += rest;
  }
  return parts.map((part) => part.trimEnd()).filter(Boolean);
}
