// The training tab: the curves of the run and, where the checkpoint has one, its story.

import { NAMES, decodeView, encodeView } from "../../attention_view/view_parts.js";
import { hasEnd, fetchStory, StoryFault } from "../../derived/story.js";
import { carryView } from "../../attention_view/state.js";
import { createViewer } from "../../attention_view/viewer.js";
import { notifyChange, registerPart } from "../../ui/address.js";
import { button } from "../../ui/element.js";
import { formatDecimal, formatInteger } from "../../ui/numbers.js";
import { dropPointerFocus } from "../../ui/page.js";
import { FileError } from "../../ui/packed_files.js";
import { fill, joinList, requireWords } from "../../ui/text.js";
import { Transport } from "../../ui/transport.js";
import { Curves } from "./curves.js";

const MOMENTS_PER_SECOND = 1;
const UNUSED_NAMES = ["level", "measure"]; // a story has one level, and weights
const URL_PARTS = [...NAMES.filter((name) => !UNUSED_NAMES.includes(name)), "example", "moment", "fed"];

/**
 * @typedef {import("../../derived/story.js").Choice} Choice
 * @typedef {import("../../derived/story.js").Story} Story
 */

/** Plays the story: the attention view shows one of its traces after another. */
class Player {
  root;
  /** @type {Story} */ story;
  /** @type {ReturnType<typeof createViewer>} */ viewer;
  /** @type {Curves | null} */ curves;
  text;
  /** @type {Choice} */ choice;
  part;
  /** @type {HTMLElement[]} The buttons that choose what the model is fed. */ fed;
  /** @type {HTMLElement[]} The buttons that choose a sentence. */ sentences;

  /** `viewer` shows the traces, `curves` (or null) the moment; `text` holds the labels. */
  constructor(root, story, { viewer, curves, text }) {
    this.root = root;
    this.story = story;
    this.viewer = viewer;
    this.curves = curves;
    this.text = text;
    this.choice = { sentence: 0, moment: story.moments.length - 1, forced: true }; // what it came to
    const parts = [...root.querySelectorAll("[data-story] [data-role]")];
    this.part = Object.fromEntries(parts.map((node) => [node.dataset.role, node]));
    this.fed = [...root.querySelectorAll("[data-fed]")];
    this.addSentences();
    this.listen();
    this.render();
    registerPart("training", {
      names: URL_PARTS,
      write: () => this.encodeState(),
      restore: (texts) => this.restore(texts),
    });
  }

  /** Sentence, moment and view as URL parameters. */
  encodeState() {
    const { choice: { sentence, moment, forced }, viewer } = this;
    return {
      ...encodeView(viewer.view, viewer.first, viewer.trace),
      example: sentence ? `${sentence + 1}` : null,
      moment: moment === this.story.moments.length - 1 ? null : `${moment + 1}`,
      fed: forced ? null : "own",
    };
  }

  /** @param {Record<string, string>} texts */
  restore({ example = "1", moment = `${this.story.moments.length}`, fed = "final", ...texts }) {
    const { story, viewer } = this;
    const { view, damaged } = decodeView(texts, viewer.first);
    const choice = { sentence: Number(example) - 1, moment: Number(moment) - 1, forced: fed === "final" };
    const isInvalid = {
      example: story.sentences[choice.sentence] === undefined,
      moment: story.moments[choice.moment] === undefined,
      fed: !["final", "own"].includes(fed),
    };
    const invalidNames = Object.keys(isInvalid).filter((name) => isInvalid[name]);
    if (!invalidNames.length) this.set(choice);
    viewer.show(view);
    return [...damaged, ...invalidNames];
  }

  addSentences() {
    this.sentences = this.story.sentences.map(({ shows, sentence: title }, sentence) => (
      button(() => this.set({ sentence }), { title }, shows)
    ));
    this.part.sentences.append(...this.sentences);
  }

  listen() {
    const { part, story } = this;
    part.moment.max = story.moments.length;
    part.moment.addEventListener("input", () => this.set({ moment: Number(part.moment.value) - 1 }));
    for (const button of this.fed) {
      button.addEventListener("click", () => this.set({ forced: button.dataset.fed === "final" }));
    }
    const last = story.moments.length - 1;
    new Transport(this.root.querySelector(".moments"), {
      readPosition: () => ({ step: this.choice.moment, last, speed: MOMENTS_PER_SECOND }),
      goTo: (moment) => this.set({ moment }),
    });
  }

  /**
   * Applies a user's choice; nothing else changes the state.
   *
   * @param {Partial<Choice>} change
   */
  set(change) {
    this.choice = this.story.applyChange(this.choice, change);
    notifyChange();
    this.render();
  }

  render() {
    const { story, choice, viewer, part } = this;
    const trace = story.trace(choice);
    if (!viewer.trace) viewer.showTrace(trace, viewer.view);
    else if (trace !== viewer.trace) viewer.showTrace(trace, carryView(viewer.view, viewer.trace, trace));
    this.curves?.mark(story.moments[choice.moment].step);
    part.own.textContent = this.translationText(story.trace({ ...choice, forced: false }));
    part.final.textContent = story.sentences[choice.sentence].translation;
    part.moment.value = choice.moment + 1;
    const description = this.momentDescription();
    part.where.textContent = description;
    part.moment.setAttribute("aria-valuetext", description);
    this.sentences.forEach((node, index) => setPressed(node, index === choice.sentence));
    for (const node of this.fed) setPressed(node, (node.dataset.fed === "final") === choice.forced);
    this.root.dataset.moment = choice.moment + 1;
  }

  /** The text of a translation, which may be empty or unfinished. */
  translationText(trace) {
    const { text } = this;
    return hasEnd(trace) ? trace.translation || text.nothing : fill(text.unended, trace);
  }

  /** The number, step and losses of the current moment in words. */
  momentDescription() {
    const { story, choice, text } = this;
    const { step, loss, dev_loss } = story.moments[choice.moment];
    const details = [
      fill(text.moment, { number: choice.moment + 1, count: story.moments.length, step: formatInteger(step) }),
      loss === null ? null : fill(text.loss, { loss: formatDecimal(loss, 2) }),
      dev_loss === null ? null : fill(text.dev_loss, { loss: formatDecimal(dev_loss, 2) }),
    ];
    return joinList(details.filter((part) => part !== null));
  }
}

function setPressed(node, isPressed) {
  node.setAttribute("aria-pressed", `${isPressed}`);
}

/** Why a story is not shown. */
function failureText(error, text) {
  if (error instanceof StoryFault) return fill(text.faulty, { field: error.field || "{}" });
  return fill(text.notLoaded, { file: error.file });
}

export async function mount(element, settings) {
  const root = element.querySelector(".training");
  dropPointerFocus(root);
  const curves = settings.curves && new Curves(root, settings.curves, settings);
  root.classList.toggle("without-story", !settings.story);
  if (!settings.story) return;
  const message = root.querySelector("[data-role=message]");
  const text = requireWords(settings.story.text);
  message.textContent = text.loading;
  let story;
  try {
    const { url, labels, tokenNames } = settings.story;
    story = await fetchStory(url, { stopped: text.stopped, labels, tokenNames });
  } catch (error) {
    message.textContent = "";
    if (!(error instanceof StoryFault || error instanceof FileError)) throw error;
    message.textContent = failureText(error, text);
    return;
  }
  message.textContent = "";
  for (const node of root.querySelectorAll("[data-story]")) node.hidden = false;
  if (curves) curves.steps = [...curves.steps, ...story.moments.map(({ step }) => step)];
  const viewer = createViewer(element, settings);
  new Player(root, story, { viewer, curves, text });
}
