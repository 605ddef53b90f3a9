// The caption of a saved picture: its content, sentence, translation, model and link.

import { isLocal } from "../../passing_on.js";
import { shownView } from "../snapshot.js";
import { translationUntil } from "../../../derived/written.js";
import { describeExperiment } from "../../../handout/changes.js";
import { currentLink } from "../../../ui/address.js";
import { pageFont } from "../../../ui/page.js";
import { breakLine, fill, headsName } from "../../../ui/text.js";
import { paintAttributes, familyOf, fontMetrics } from "./colours.js";
import { shape } from "./shapes.js";

/** @typedef {ReturnType<typeof import("../snapshot.js").takeSnapshot>} Snapshot */

const FONT_SIZE = 13; // pixels, as the next two
const LINE_HEIGHT = 19;
const GAP = 10;
const STEP_TABS = ["explore", "whole"];

/** The names of the shown kind and heads. */
export function describeHeads(snapshot, words) {
  const { settings, map } = snapshot.viewer;
  const { kind, layer, head, second } = shownView(snapshot);
  const heads = [{ layer, head }, ...(second ? [second] : [])].map((one) => headsName(settings.heads, one)).join(" / ");
  return [settings.kinds[kind], heads, ...(map.measure === "length" ? [words.lengths] : [])];
}

function describeView(snapshot, words) {
  const { viewer } = snapshot;
  const { kind, pin, whole, specials } = shownView(snapshot);
  const parts = describeHeads(snapshot, words);
  if (kind !== "encoder") parts.push(whole ? words.whole : describeStep(viewer, words));
  if (pin) {
    const { queries, keys } = viewer.trace.kinds[kind];
    parts.push(fill(words.pinned, { label: (pin.axis === "query" ? queries : keys)[pin.index] }));
  }
  if (!specials) parts.push(words.specials);
  return parts.join(" · ");
}

function describeStep({ view: { step }, trace: { steps } }, words) {
  return fill(words.step, { step: step + 1, steps: steps.length });
}

/** The link to what is shown, if it leads others there. */
export function publicLink(base) {
  const link = currentLink(base);
  return link && !isLocal(link) ? link : null;
}

/** The sentence and its translation, as far as the view shows it. */
function describeSentence({ viewer }, words, isPartial) {
  const { trace, source, view } = viewer;
  const text = translationUntil(isPartial ? view.step : trace.steps.length - 1, trace);
  const template = trace.run ? words.changed : isPartial ? words.target : words.translation;
  return [
    fill(words.source, { text: trace.sentence }),
    ...(trace.run ? [fill(words.unchanged, { text: source.translation })] : []),
    fill(template, { text: isPartial ? `${text} …` : text }),
  ];
}

/**
 * The lines of a caption.
 *
 * @param {Snapshot} snapshot
 * @param {object} options
 * @param {Record<string, string>} options.words CAPTION of the words
 * @param {{ texts: any, kindNames: any }} options.changes the words of describeExperiment
 * @param {Record<string, any>} options.unchanged the experiment that changes nothing
 * @param {string | null} options.model describes the model, if the part is of the page's
 * @param {string | null} options.base the address of the page
 * @param {string} options.part names the content if that is not a view
 * @param {boolean} options.ofAView
 * @returns {string[]}
 */
export function captionLines(snapshot, { words, changes, unchanged, model, base, part, ofAView }) {
  const { tab, viewer } = snapshot;
  const { trace: { run }, view: { step } } = viewer;
  const hasStep = STEP_TABS.includes(tab) && ofAView;
  const { kind, whole } = shownView(snapshot);
  const showsAll = whole || (ofAView && kind === "encoder");
  const isPartial = hasStep && !showsAll && step < viewer.trace.steps.length - 1;
  const address = publicLink(base);
  return [
    ofAView ? describeView(snapshot, words) : snapshot.title ?? part,
    // The plain picture has no axis titles of its own.
    ...(ofAView && viewer.view.level === "picture" ? [viewer.panes[0].axes()] : []),
    ...(STEP_TABS.includes(tab) ? describeSentence(snapshot, words, isPartial) : []),
    ...(run ? describeExperiment({ ...unchanged, ...run.experiment }, viewer.trace, changes) : []),
    ...(viewer.remarks?.fontless ?? []),
    ...(model ? [fill(words.model, { model })] : []),
    ...(address ? [address] : []),
  ];
}

/**
 * SVG of a caption with a width, and its height.
 *
 * @param {string[]} lines
 * @param {{ x: number, y: number, width: number, colours: { ink: string, text: string } }} area
 */
export function renderCaption(lines, { x, y, width, colours: { ink, text } }) {
  const family = pageFont();
  const group = shape("g");
  let baseline = y + GAP;
  for (const [number, line] of lines.entries()) {
    const isTitle = number === 0;
    const attributes = {
      "font-family": familyOf(family),
      "font-size": FONT_SIZE,
      "font-weight": isTitle ? 600 : undefined,
      ...paintAttributes("fill", isTitle ? ink : text),
    };
    const font = `${isTitle ? "600 " : ""}${FONT_SIZE}px ${family}`;
    for (const part of breakLine(line, width, (some) => fontMetrics(font, some).width)) {
      baseline += LINE_HEIGHT;
      group.append(shape("text", { x, y: baseline, ...attributes }, part));
    }
  }
  return { group, height: baseline - y + GAP };
}
