// Keeps the page and its own parts of the address in step (page_parts.js says what these are): sentence, tab, view,
// language, lesson, and what an embedding link hides.

import { introduce } from "../attention_view/introduction.js";
import {
  holdWrites,
  holdWritesUntilChange,
  notifyChange,
  readPart,
  registerPart,
  releaseWrites,
  reportInvalid,
} from "../ui/address.js";
import { drawerPanel, onDrawer, onView, onTabOpened, openDrawer, openTab, openTabId } from "../ui/page_events.js";
import { translateSentence, typeText } from "../ui/translation_request.js";
import { NAMES, hasOnlyPageParts, hasView, namedValues, parsePage, writePage } from "./page_parts.js";
import { keepUnsentText } from "./unsent_text.js";

/**
 * Keeps the address up to date as soon as the attention view shows something. `settings` are those of the toolbar:
 * `tabs` are labels by id, pictures and heads first; `hidden` are the parts that can be hidden; `languages` are those
 * of the page. `lesson` is the dock. Returns a function to call when it is known what the class of the address shows,
 * if anything.
 */
export function keepAddress({ tabs, hidden, languages }, lesson) {
  /** @type {AddressSync | null} */ let sync = null; // restoring a view emits another event
  let awaitsClass = readPart("class") !== null;
  onView((viewer) => {
    if (sync) return;
    const first = { sentence: viewer.source.sentence, view: viewer.first };
    const choices = { tabs: Object.keys(tabs), hidden, languages: Object.keys(languages.names), first };
    sync = new AddressSync(viewer, lesson, choices);
    sync.awaitsClass = awaitsClass;
    if (awaitsClass) viewer.setAwaiting(true);
    onTabOpened(notifyChange);
    onDrawer(notifyChange);
    registerPart("", sync);
    sync.isFirst = false;
    queueMicrotask(() => { sync.isStarting = false; }); // after that of a lesson, which leads to its own sentence
    keepUnsentText(sync.settled);
  });
  return () => {
    awaitsClass = false;
    if (sync) sync.awaitsClass = false;
    sync?.endAwaiting();
  };
}

/** The owner of the page's own parts. */
class AddressSync {
  names = NAMES;
  /** @type {string | null} */
  language = null; // of the address, if it has one
  isFirst = true; // the address is the one that the page was opened at
  isStarting = true; // nobody has seen the page yet
  isAwaiting = false; // the translation of an address
  awaitsClass = false; // what the class of the address shows
  addressNumber = 0; // a newer address overtakes the translation of an older one
  /** @type {Record<string, number | string>} */
  named = {}; // by the address, to be found in what is shown
  /** @type {() => void} */
  settle = () => {};

  /**
   * @param {import("./page_parts.js").Choices} choices
   */
  constructor(viewer, lesson, choices) {
    this.viewer = viewer;
    this.lesson = lesson;
    this.choices = choices;
    this.tabs = [...choices.tabs, "drawer", "catalogue"]; // the drawer and its table of heads have parts of their own
    /** @type {Promise<void>} */
    this.settled = new Promise((resolve) => { this.settle = resolve; });
  }

  write() {
    const { source, trace, view, change } = this.viewer;
    const { hide = "", embed = "" } = document.body.dataset;
    const state = {
      sentence: source.sentence,
      typed: source.typed ?? null,
      change: change.text,
      isHeldBack: change.isHeldBack,
      tab: openTabId(),
      view,
      hide: hide.split(" ").filter(Boolean),
      embed: embed === "1",
      lang: this.language,
      lesson: this.lesson.addressPart,
    };
    return writePage(state, trace, this.choices);
  }

  /** Shows what an address describes; returns the names of invalid parts. */
  restore(texts) {
    const { damaged, ...state } = parsePage(texts, this.choices);
    document.body.dataset.hide = state.hide.join(" ");
    document.body.dataset.embed = state.embed ? "1" : "";
    this.language = state.lang;
    const isLesson = this.lesson.restore(state.lesson, hasOnlyPageParts(texts));
    const { source } = this.viewer;
    const isOther = state.sentence !== source.sentence || state.typed !== (source.typed ?? null);
    if (isOther && this.isStarting) this.viewer.setAwaiting(true);
    if (state.tab !== null && state.tab !== openTabId()) openTab(state.tab);
    this.openDrawer();
    this.addressNumber += 1;
    this.named = namedValues(texts, state);
    if (isOther) this.translate(state);
    else if (!this.isFirst || hasView(texts) || state.change) this.show(state);
    else {
      if (!Object.keys(texts).length && readPart("class") === null) introduce(this.viewer);
      this.settle();
    }
    return isLesson ? damaged : [...damaged, "lesson"];
  }

  /** Opens the drawer where the address has a panel of it; the drawer restores its own parts once it is there. */
  openDrawer() {
    const panel = readPart("drawer.panel");
    if (panel !== drawerPanel()) openDrawer(panel);
  }

  /** Shows a view of the present sentence; ignores the response to an earlier request. */
  show(state) {
    const { viewer } = this;
    if (this.isAwaiting) {
      viewer.answers.ignorePending();
      typeText(viewer.source.typed ?? viewer.source.sentence);
    }
    if (state.change === viewer.change.text) {
      viewer.change.holdBack(state.isHeldBack);
      viewer.show(state.view);
      return this.finish();
    }
    holdWrites();
    this.run(state);
  }

  /**
   * Requests a translation and shows it in a view; holds writes of the address until then. What was `typed` is read
   * again, so that no link says anything false of it.
   */
  translate(state) {
    const { sentence, typed, view } = state;
    const number = this.addressNumber;
    holdWrites();
    this.isAwaiting = true;
    const beforeSubmit = () => {
      if (number !== this.addressNumber) return false;
      this.viewer.answers.showNextIn(view, {
        experiment: {},
        done: () => this.run(state),
        failed: () => this.end(holdWritesUntilChange),
      });
      return true;
    };
    translateSentence(typed ?? sentence, { isTyped: typed !== null, beforeSubmit });
  }

  /** Shows the present sentence under the change of an address, in its view. */
  async run({ change: text, isHeldBack, view }) {
    const { viewer: { change }, addressNumber } = this;
    if (!change.read(text, view)) {
      reportInvalid(["change"]);
      change.read("", view);
    }
    await change.settled;
    if (addressNumber !== this.addressNumber) return;
    change.holdBack(isHeldBack);
    if (change.isPending) return this.end(holdWritesUntilChange);
    this.finish();
  }

  /**
   * The view of an address is shown; what it cannot show is named: indices beyond the trace, another reading of what
   * was typed.
   */
  finish() {
    const { view, source } = this.viewer;
    const shown = { ...view, sentence: source.sentence };
    reportInvalid(Object.keys(this.named).filter((name) => shown[name] !== this.named[name]));
    this.end(releaseWrites);
  }

  end(endHold) {
    this.isAwaiting = false;
    endHold();
    this.settle();
    this.endAwaiting();
  }

  /** Shows what is there, if nothing has come in its place. */
  endAwaiting() {
    if (this.isAwaiting || this.awaitsClass || !this.viewer.isAwaiting) return;
    this.viewer.setAwaiting(false);
    this.viewer.render();
  }
}
