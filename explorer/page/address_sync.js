// The page's own parts of the address: sentence, tab, view, language, lesson, and what an embedding link hides; and the
// buttons that open the same view in another language.

import { NAMES, decodeView, encodeView } from "../attention_view/address.js";
import {
  currentQuery,
  holdWritesUntilChange,
  holdWrites,
  readPart,
  registerPart,
  releaseWrites,
  notifyChange,
  reportInvalid,
} from "../ui/address.js";
import { button, element } from "../ui/element.js";
import { onView, onTabOpened, openTab, openTabId } from "../ui/page_events.js";
import { SESSION, store, readStored } from "../ui/storage.js";
import { onTranslationState, onTyped, translateSentence, typeText, typedText } from "../ui/translation_request.js";

const ALWAYS_PARTS = ["step", "level"]; // their initial values may change, but links must not
const PAGE_PARTS = ["hide", "embed", "lang", "lesson"]; // parts that do not describe the view
const DRAFT_KEY = "draft"; // session storage key of the typed text
const LANGUAGE_SWITCHED_KEY = "switched"; // session storage key, set while the language changes
const COOKIE_SECONDS = 31_536_000; // a year

/**
 * Keeps the address up to date as soon as Explore shows something. `settings` are those of the toolbar: `tabs` are
 * labels by id, Explore first; `hidden` are the parts that can be hidden; `languages` are those of the page. `lesson`
 * is the dock.
 */
export function keepPlace(settings, lesson) {
  let hasBegun = false; // restoring a view emits another event
  onView((explore) => {
    if (hasBegun) return;
    hasBegun = true;
    new Place(explore, lesson, settings);
  });
}

class Place {
  language = null;
  begun = false;
  awaiting = false;
  turn = 0;
  tab = null;
  wanted = {};

  constructor(explore, lesson, { tabs, hidden, languages }) {
    this.explore = explore;
    this.lesson = lesson;
    this.labels = tabs;
    this.hidden = hidden;
    this.languages = Object.keys(languages.names);
    this.first = { sentence: explore.trace.sentence, view: explore.first };
    this.tabs = [...Object.keys(tabs), "catalogue"]; // the table of heads has parts of its own
    this.names = [...NAMES, "sentence", "typed", "tab", "hide", "embed", "lang", "lesson"];
    /** @type {Promise<void>} */
    this.settled = new Promise((resolve) => { this.settle = resolve; });
    onTabOpened(notifyChange);
    registerPart("", this);
    this.begun = true;
    this.keepDraft();
  }

  write() {
    const { explore, tabs: [home] } = this;
    const tab = openTabId();
    const { hide = "", embed = "" } = document.body.dataset;
    return {
      sentence: explore.trace.sentence,
      typed: explore.trace.typed ?? null,
      tab: tab === home ? null : tab,
      ...encodeView(explore.view, explore.first, explore.trace, ALWAYS_PARTS),
      hide: hide.replaceAll(" ", ",") || null,
      embed: embed || null,
      lang: this.language,
      lesson: this.lesson.place,
    };
  }

  /** Shows what an address describes; returns the names of invalid parts. */
  restore(texts) {
    const {
      sentence = this.first.sentence,
      typed = null,
      tab = this.tabs[0],
      hide = "",
      embed = "",
      lang = null,
      lesson = null,
      ...viewTexts
    } = texts;
    const { explore, labels, hidden } = this;
    const { view, damaged } = decodeView(viewTexts, explore.first);
    const parts = hide.split(",").filter(Boolean);
    const validParts = parts.filter((part) => hidden.includes(part));
    Object.assign(document.body.dataset, { hide: validParts.join(" "), embed: embed === "1" ? "1" : "" });
    const isValid = {
      tab: Object.hasOwn(labels, tab),
      hide: validParts.length === parts.length,
      embed: ["", "1"].includes(embed),
      lang: lang === null || this.languages.includes(lang),
    };
    isValid.lesson = this.lesson.restore(lesson, Object.keys(texts).every((name) => PAGE_PARTS.includes(name)));
    this.language = isValid.lang ? lang : null; // only if the address has it
    if (isValid.tab && tab !== openTabId()) openTab(tab);
    this.turn += 1;
    this.wanted = Object.fromEntries(
      ["step", "layer", "head"].filter((name) => viewTexts[name] !== undefined).map((name) => [name, view[name]]),
    );
    if (typed !== null && texts.sentence !== undefined) this.wanted.sentence = sentence;
    if (sentence !== explore.trace.sentence || typed !== (explore.trace.typed ?? null)) {
      this.ask({ sentence, typed }, view, this.turn);
    } else if (this.begun || Object.keys(viewTexts).length) this.show(view);
    else {
      if (!Object.keys(texts).length && readPart("class") === null) explore.introduce();
      this.settle();
    }
    return [...damaged, ...Object.keys(isValid).filter((name) => !isValid[name])];
  }

  /** Shows a view of the present trace; ignores the response to an earlier request. */
  show(view) {
    const { explore, awaiting } = this;
    if (awaiting) {
      explore.ignorePendingAnswers();
      typeText(explore.trace.typed ?? explore.trace.sentence);
    }
    explore.show(view);
    this.arrive();
  }

  /**
   * Requests a translation and shows it in a view; holds writes of the address until then. What was `typed` is read
   * again, so that no link says anything false of it.
   */
  ask({ sentence, typed }, view, turn) {
    holdWrites();
    this.awaiting = true;
    const beforeSubmit = () => {
      const { explore } = this;
      const isLatest = turn === this.turn; // otherwise a newer address was opened
      if (isLatest) {
        explore.showNextAnswerIn(view, {
          done: () => this.arrive(),
          failed: () => this.end(holdWritesUntilChange),
        });
      }
      return isLatest;
    };
    translateSentence(typed ?? sentence, { isTyped: typed !== null, beforeSubmit });
  }

  /**
   * The view of an address is shown; what it cannot show is named: indices beyond the trace, another reading of what
   * was typed.
   */
  arrive() {
    const { explore: { view, trace: { sentence } }, wanted } = this;
    const shown = { ...view, sentence };
    const isChecked = (name) => name === "sentence" || typeof wanted[name] === "number";
    reportInvalid(Object.keys(wanted).filter((name) => isChecked(name) && shown[name] !== wanted[name]));
    this.end(releaseWrites);
  }

  end(endHold) {
    this.awaiting = false;
    endHold();
    this.settle();
  }

  /** Stores the typed text, and restores it after a reload or a change of language. */
  async keepDraft() {
    const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    const draft = readStored(DRAFT_KEY, SESSION);
    const hasSwitchedLanguage = readStored(LANGUAGE_SWITCHED_KEY, SESSION) === "1";
    store(LANGUAGE_SWITCHED_KEY, "", SESSION);
    await this.settled;
    if (draft !== null && (navigation.type === "reload" || hasSwitchedLanguage)) await typeText(draft);
    const storeDraft = () => store(DRAFT_KEY, typedText() ?? "", SESSION);
    onTyped(storeDraft);
    onTranslationState(storeDraft); // a chosen example causes no input event
  }
}

/**
 * `names` are names of languages by code, `current` is the code of this page, `short` and `hint` are what buttons and
 * their tooltips say, by code.
 */
export function addLanguageButtons(place, { names, current, short, hint }) {
  const others = Object.entries(names).filter(([code]) => code !== current);
  place.replaceWith(...others.map(([code, name]) => {
    const visible = element("span", { class: "code", "aria-hidden": "true" }, short[code]);
    return button(
      () => openLanguage(code, current, Object.keys(names)[0]),
      { lang: code, title: hint[code] },
      visible,
      element("span", { class: "label" }, name),
    );
  }));
}

/** Opens the page in a language: the first language is at the root, the others at paths below it. */
function openLanguage(code, current, first) {
  const root = new URL(current === first ? location.pathname : "./", location.href).pathname;
  document.cookie = `language=${code}; path=${root}; max-age=${COOKIE_SECONDS}; samesite=lax`;
  store(LANGUAGE_SWITCHED_KEY, "1", SESSION);
  const address = new URL(root, location.origin);
  address.search = currentQuery({ lang: code });
  location.assign(address);
}
