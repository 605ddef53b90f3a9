// Where a visitor is: sentence, tab and view, kept in the address of the page; and what a link hides for a slide.

import { NAMES, read, written } from "../attention_view/address.js";
import { hold, keep, release, touch } from "../shared/address.js";
import { onChange, onTab, openTab, shownTab } from "../shared/desk.js";
import { drawn } from "../shared/page.js";

const ALWAYS = ["step", "level"]; // where a visit begins may change, and a link must not
const BOX = "#sentence :is(input, textarea)";
const DRAFT = "attention-explorer:draft"; // what was typed and not yet translated, as long as this tab of the browser lives

/** Begins as soon as Explore shows something. `tabs` are labels by id, the first of them Explore; `hidden` can be hidden. */
export function keepPlace({ tabs, hidden }) {
  let begun = false; // to restore a view is a change, too
  onChange((explore) => {
    if (begun) return;
    begun = true;
    new Place(explore, tabs, hidden);
  });
  onTab(touch);
}

class Place {
  constructor(explore, tabs, hidden) {
    Object.assign(this, { explore, tabs, hidden, begun: false });
    this.first = { sentence: explore.trace.sentence, view: explore.first };
    this.rooms = Object.keys(tabs);
    this.names = [...NAMES, "sentence", "tab", "hide", "embed"];
    this.settled = new Promise((settle) => { this.settle = settle; });
    keep("", this);
    this.begun = true;
    this.keepDraft();
  }

  write() {
    const { explore, tabs } = this, [home] = Object.keys(tabs), tab = shownTab();
    const { hide = "", embed = "" } = document.body.dataset;
    return {
      sentence: explore.trace.sentence,
      tab: tab === null || tab === home ? null : tab,
      ...written(explore.view, explore.first, explore.trace, ALWAYS),
      hide: hide.replaceAll(" ", ",") || null,
      embed: embed || null,
    };
  }

  /** Shows what an address asks for; the names of what it cannot show. */
  restore({ sentence = this.first.sentence, tab = Object.keys(this.tabs)[0], hide = "", embed = "", ...given }) {
    const { explore, tabs, hidden } = this, { view, damaged } = read(given, explore.first);
    const parts = hide.split(",").filter(Boolean), unknown = parts.filter((part) => !hidden.includes(part));
    document.body.dataset.hide = parts.filter((part) => hidden.includes(part)).join(" ");
    document.body.dataset.embed = embed === "1" ? "1" : "";
    if (tab in tabs && tab !== (shownTab() ?? Object.keys(tabs)[0])) openTab(tabs[tab]);
    if (sentence !== explore.trace.sentence) this.ask(sentence, view);
    else {
      if (this.begun || Object.keys(given).length) explore.show(view);
      this.settle();
    }
    return [...damaged, ...(unknown.length ? ["hide"] : []), ...(tab in tabs ? [] : ["tab"]), ...(["", "1"].includes(embed) ? [] : ["embed"])];
  }

  /** Has a sentence translated as the visitor would, and shows it in a view; the address is left alone until then. */
  async ask(sentence, view) {
    hold();
    await this.type(sentence);
    const translate = await drawn("#translate");
    this.explore.expect(view, () => {
      release();
      this.settle();
    });
    translate.click();
  }

  /** Writes into the sentence box; Gradio hears of it by the event. */
  async type(text) {
    const box = await drawn(BOX);
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** After a reload, which Gradio makes when a lost connection is back, the text in the box is there again. */
  async keepDraft() {
    const [{ type }] = performance.getEntriesByType("navigation"), draft = sessionStorage.getItem(DRAFT);
    const box = await drawn(BOX);
    await this.settled;
    if (draft !== null && type === "reload") await this.type(draft);
    box.addEventListener("input", () => sessionStorage.setItem(DRAFT, box.value));
  }
}
