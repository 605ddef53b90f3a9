// Where a visitor is: sentence, tab and view, kept in the address of the page; and what a link hides for a slide.

import { NAMES, decodeView, encodeView } from "../attention_view/address.js";
import { holdWritesUntilChange, holdWrites, registerPart, releaseWrites, notifyChange } from "../ui/address.js";
import { onTranslationState } from "../ui/translation_request.js";
import { onView, onTabOpened, openTab, openTabId } from "../ui/page_events.js";
import { SWITCHED } from "./toolbar/languages.js";
import { SESSION, store, readStored } from "../ui/storage.js";
import { onTyped, translateSentence, typeText, typedText } from "../ui/sentence_box.js";

const ALWAYS = ["step", "level"]; // where a visit begins may change, and a link must not
const BESIDE = ["hide", "embed", "lang", "lesson"]; // parts that name nothing of what is looked at
const DRAFT = "draft"; // what is typed, as long as this tab of the browser lives

/**
 * Begins as soon as Explore shows something. `settings` are those of the toolbar: `tabs` are labels by id, the
 * first of them Explore; `hidden` can be hidden; `languages` are those of the page. `lesson` is the one that stands on it.
 */
export function keepPlace(settings, lesson) {
  let begun = false; // to restore a view is a change, too
  onView((explore) => {
    if (begun) return;
    begun = true;
    new Place(explore, lesson, settings);
  });
}

class Place {
  constructor(explore, lesson, { tabs, hidden, languages }) {
    Object.assign(this, { explore, lesson, labels: tabs, hidden, languages: Object.keys(languages.names), language: null, begun: false, awaiting: false, turn: 0, tab: null });
    this.first = { sentence: explore.trace.sentence, view: explore.first };
    this.tabs = Object.keys(tabs);
    this.names = [...NAMES, "sentence", "tab", "hide", "embed", "lang", "lesson"];
    this.settled = new Promise((settle) => { this.settle = settle; });
    onTabOpened((id) => {
      if (id === this.tab) this.tab = null; // Gradio may still tell of the tab that it begins with
      notifyChange();
    });
    registerPart("", this);
    this.begun = true;
    this.keepDraft();
  }

  write() {
    const { explore, tabs: [home] } = this, tab = this.tab ?? openTabId(); // asked for, or open
    const { hide = "", embed = "" } = document.body.dataset;
    return {
      sentence: explore.trace.sentence,
      tab: tab === null || tab === home ? null : tab,
      ...encodeView(explore.view, explore.first, explore.trace, ALWAYS),
      hide: hide.replaceAll(" ", ",") || null,
      embed: embed || null,
      lang: this.language,
      lesson: this.lesson.place,
    };
  }

  /** Shows what an address asks for; the names of what it cannot show. */
  restore(asked) {
    const { sentence = this.first.sentence, tab = this.tabs[0], hide = "", embed = "", lang = null, lesson = null, ...given } = asked;
    const { explore, labels, hidden } = this, { view, damaged } = decodeView(given, explore.first);
    const parts = hide.split(",").filter(Boolean), hides = parts.filter((part) => hidden.includes(part));
    Object.assign(document.body.dataset, { hide: hides.join(" "), embed: embed === "1" ? "1" : "" });
    const known = { tab: Object.hasOwn(labels, tab), hide: hides.length === parts.length, embed: ["", "1"].includes(embed), lang: lang === null || this.languages.includes(lang) };
    known.lesson = this.lesson.restore(lesson, Object.keys(asked).every((name) => BESIDE.includes(name)));
    this.language = known.lang ? lang : null; // where the address says it
    if (known.tab && tab !== (openTabId() ?? this.tabs[0])) {
      this.tab = tab;
      openTab(labels[tab]);
    }
    this.turn += 1;
    if (sentence !== explore.trace.sentence) this.ask(sentence, view, this.turn);
    else if (this.begun || Object.keys(given).length) this.show(view);
    else this.settle();
    return [...damaged, ...Object.keys(known).filter((name) => !known[name])];
  }

  /** What is there already; whatever else was asked for comes too late. */
  show(view) {
    const { explore, awaiting } = this;
    if (awaiting) {
      explore.ignore();
      typeText(explore.trace.sentence);
    }
    explore.show(view);
    this.end(releaseWrites);
  }

  /** Has a sentence translated as the visitor would, and shows it in a view; the address is left alone until then. */
  ask(sentence, view, turn) {
    holdWrites();
    this.awaiting = true;
    const begin = () => {
      const { explore } = this, latest = turn === this.turn; // else the visitor went on meanwhile
      if (latest) explore.expect(view, { done: () => this.end(releaseWrites), failed: () => this.end(holdWritesUntilChange) });
      return latest;
    };
    translateSentence(sentence, begin);
  }

  end(leave) {
    this.awaiting = false;
    leave();
    this.settle();
  }

  /** After a reload, which Gradio makes when a lost connection is back, or in another language, the text in the box is there again. */
  async keepDraft() {
    const [{ type: how }] = performance.getEntriesByType("navigation"), draft = readStored(DRAFT, SESSION);
    const switched = readStored(SWITCHED, SESSION) === "1";
    store(SWITCHED, "", SESSION);
    await this.settled;
    if (draft !== null && (how === "reload" || switched)) await typeText(draft);
    const note = () => store(DRAFT, typedText() ?? "", SESSION);
    onTyped(note);
    onTranslationState(note); // an example is not typed
  }
}
