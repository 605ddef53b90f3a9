// The recorded training of the page's own model: an attention view that shows one of its traces after another.

import { carryView } from "../../attention_view/state.js";
import { NAMES, decodeView, encodeView } from "../../attention_view/view_parts.js";
import { createViewer } from "../../attention_view/viewer.js";
import { StoryFault, fetchStory, hasEnd } from "../../derived/story.js";
import { notifyChange, reportInvalid } from "../../ui/address.js";
import { nameInAddress } from "../../ui/address_parts.js";
import { button } from "../../ui/element.js";
import { formatDecimal, formatInteger } from "../../ui/numbers.js";
import { FileError } from "../../ui/packed_files.js";
import { wantsStillness } from "../../ui/page.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { fill, joinList, requireWords } from "../../ui/text.js";
import { Transport } from "../../ui/transport.js";

const MOMENTS_PER_SECOND = 1;
const UNUSED_NAMES = ["level", "measure"]; // a story has one level, and weights

/**
 * @typedef {import("../../derived/story.js").Choice} Choice
 * @typedef {import("../../derived/story.js").Story} Story
 */

export class Replay {
  names = [...NAMES.filter((name) => !UNUSED_NAMES.includes(name)), "example", "moment", "fed"];
  root;
  settings;
  text;
  part;
  /** @type {Record<string, string>} What the address asked for last. */ asked = {};
  /** @type {Story | null} Null before it is loaded. */ story = null;
  /** @type {ReturnType<typeof createViewer>} */ viewer;
  /** @type {Transport} */ transport;
  /** @type {Choice} */ choice;
  playsByItself = false; // since it came into view
  /** @type {HTMLElement[]} The buttons that choose what the model is fed. */ fed;
  /** @type {HTMLElement[]} The buttons that choose a sentence. */ sentences;

  /** `settings` are those of the view, and `text`, `labels` and `tokenNames` of the story. */
  constructor(root, settings) {
    this.root = root;
    this.settings = settings;
    this.text = requireWords(settings.story.text);
    this.part = nodesByAttribute(root, "replay");
  }

  /** Loads the story and plays it once, as soon as it is in view, unless an address asks for a moment of it. */
  async load({ url, labels, tokenNames }) {
    const { part, text } = this;
    part.message.textContent = text.loading;
    let story;
    try {
      story = await fetchStory(url, { stopped: text.stopped, labels, tokenNames });
    } catch (error) {
      if (!(error instanceof StoryFault || error instanceof FileError)) throw error;
      part.message.textContent = failureText(error, text);
      return;
    }
    part.message.textContent = "";
    this.begin(story);
    reportInvalid(this.restore(this.asked).map((name) => nameInAddress("train", name)));
    if (!wantsStillness()) this.playInView();
  }

  begin(story) {
    const { root, part, settings } = this;
    this.story = story;
    this.choice = { sentence: 0, moment: this.last, forced: true }; // what it came to
    part.chosen.hidden = false;
    part.moments.hidden = false;
    this.viewer = createViewer(root, settings);
    this.fed = [...root.querySelectorAll("[data-fed]")];
    this.addSentences();
    this.listen();
  }

  get last() {
    return this.story.moments.length - 1;
  }

  /** Whether it plays without a visitor's wish: no address says how far it is, and none begins again. */
  get isFilm() {
    return this.playsByItself && this.transport.playing;
  }

  /** Plays once, when the controls are in view. */
  playInView() {
    const observer = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      observer.disconnect();
      if (this.choice.moment !== this.last || this.asked.moment !== undefined) return;
      this.playsByItself = true;
      this.transport.play({ ended: () => { this.playsByItself = false; } });
    }, { threshold: 1 });
    observer.observe(this.part.moments);
  }

  /** Sentence, moment and view as texts of the address. */
  write() {
    if (!this.story) return this.asked;
    const { choice: { sentence, moment, forced }, viewer } = this;
    return {
      ...encodeView(viewer.view, viewer.first, viewer.trace),
      example: sentence ? `${sentence + 1}` : null,
      moment: moment === this.last || this.isFilm ? null : `${moment + 1}`,
      fed: forced ? null : "own",
    };
  }

  /** @param {Record<string, string>} texts */
  restore(texts) {
    this.asked = texts;
    if (!this.story) return [];
    const { story, viewer } = this;
    if (texts.moment !== undefined) this.transport.pause();
    const usual = { example: "1", moment: `${(this.isFilm ? this.choice.moment : this.last) + 1}`, fed: "final" };
    const { example, moment, fed, ...viewTexts } = { ...usual, ...texts };
    const { view, damaged } = decodeView(viewTexts, viewer.first);
    const choice = { sentence: Number(example) - 1, moment: Number(moment) - 1, forced: fed === "final" };
    const isInvalid = {
      example: story.sentences[choice.sentence] === undefined,
      moment: story.moments[choice.moment] === undefined,
      fed: !["final", "own"].includes(fed),
    };
    const invalidNames = Object.keys(isInvalid).filter((name) => isInvalid[name]);
    if (!invalidNames.length) this.choice = choice;
    this.render();
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
    const { part } = this;
    const slider = part.moments.querySelector("input");
    slider.max = `${this.last + 1}`;
    slider.addEventListener("input", () => this.set({ moment: Number(slider.value) - 1 }));
    for (const node of this.fed) {
      node.addEventListener("click", () => this.set({ forced: node.dataset.fed === "final" }));
    }
    this.transport = new Transport(part.moments, {
      readPosition: () => ({ step: this.choice.moment, last: this.last, speed: MOMENTS_PER_SECOND }),
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
    const { story, choice, viewer, part, sentences, fed } = this;
    const trace = story.trace(choice);
    if (!viewer.trace) viewer.showTrace(trace, viewer.view);
    else if (trace !== viewer.trace) viewer.showTrace(trace, carryView(viewer.view, viewer.trace, trace));
    part.own.textContent = this.translationText(story.trace({ ...choice, forced: false }));
    part.final.textContent = story.sentences[choice.sentence].translation;
    this.renderMoment();
    sentences.forEach((node, index) => setPressed(node, index === choice.sentence));
    for (const node of fed) setPressed(node, (node.dataset.fed === "final") === choice.forced);
    this.root.dataset.moment = choice.moment + 1;
  }

  renderMoment() {
    const { part, choice } = this;
    const slider = part.moments.querySelector("input");
    const description = this.momentDescription();
    slider.value = `${choice.moment + 1}`;
    slider.setAttribute("aria-valuetext", description);
    part.moments.querySelector("output").textContent = description;
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
