// The static site: serves the requests of the components from files. Other requests get an error message.

import { element } from "../ui/element.js";
import { connectBox, translateSentence } from "../ui/sentence_box.js";
import { submit } from "../ui/translation_request.js";
import { currentQuery } from "../ui/address.js";
import { startPage as startPlainPage } from "../page/plain_page.js";
import { onView } from "../ui/page_events.js";
import { store } from "../ui/storage.js";
import { setRequestHandler } from "../ui/server.js";

const LANGUAGE_KEY = "language"; // storage key of the page's language (root.js)

/** The text of a JSON file that site.py compressed. */
async function fetchCompressed(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).text();
}

/** `base` is the path from the page to its files; `sentences` are those with files; `refusals` are error messages. */
class StaticResponses {
  constructor({ base, language, sentences, refusals }) {
    Object.assign(this, { base, language, sentences, refusals });
  }

  /** The text of a response about a sentence; an error response if there are no files for it. */
  async of(sentence, name) {
    const number = this.sentences.indexOf(sentence);
    return number < 0 ? this.refused("sentence") : fetchCompressed(`${this.base}files/sentences/${number + 1}/${name}.bin`);
  }

  refused(why) {
    return JSON.stringify({ error: this.refusals[why] });
  }

  translate([sentence]) {
    return this.of(sentence, `trace.${this.language}`);
  }

  lengths([sentence, kind]) {
    return this.of(sentence, `lengths-${kind}`);
  }

  shapes([sentence]) {
    return this.of(sentence, `shapes.${this.language}`);
  }

  prediction([sentence, step]) {
    return this.of(sentence, `step-${step + 1}.${this.language}`);
  }

  /** The response to a request; an error response if there is no file for it. */
  async answer(name, args) {
    const supported = ["translate", "lengths", "shapes", "prediction"];
    return supported.includes(name) ? this[name](args) : this.refused("server");
  }
}

/** Starts the site; `modules` are those of the bundle by name, `settings` come from site.py. */
export function startPage(modules, settings) {
  const responses = new StaticResponses(settings);
  setRequestHandler((name, args) => responses.answer(name, args));
  enableLanguageButtons(settings.languages);
  enableSentenceList(settings.language);
  startPlainPage(modules, settings);
}

/** Opens the page of a language, where the toolbar's button would ask a server. */
function enableLanguageButtons(pages) {
  document.addEventListener("click", (event) => {
    const code = event.target.closest("#toolbar button[lang]")?.lang;
    if (!code) return;
    event.stopPropagation();
    const address = new URL(pages[code], location.href);
    address.search = currentQuery({ lang: code });
    store(LANGUAGE_KEY, code);
    location.assign(address);
  }, { capture: true });
}

/** Makes the list of sentences the text box of Explore; a link may lead to a sentence that is not in the list. */
function enableSentenceList(language) {
  const list = document.querySelector("#chosen"), box = element("input");
  connectBox(box, () => submit(box.value, language));
  list.addEventListener("change", () => translateSentence(list.value));
  onView(({ trace }) => { list.value = trace.sentence; });
}
