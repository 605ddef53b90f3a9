// The static site: answers the requests of the components from files, or by the model in a worker.

import { currentQuery } from "../ui/address.js";
import { startPage as startPlainPage } from "../page/plain_page.js";
import { fetchCompressed } from "../ui/libraries.js";
import { store } from "../ui/storage.js";
import { setRequestHandler } from "../ui/server.js";
import { fill } from "../ui/text.js";
import { EngineClient, EngineError } from "./engine_client.js";

const LANGUAGE_KEY = "language"; // storage key of the page's language (root.js)

/**
 * The responses: the traces of the `sentences` that were recorded from files, all else from the model in the worker.
 * `refusals` are the sentences for a model that cannot be asked.
 */
class Responses {
  constructor({ base, sentences, refusals, engine }) {
    Object.assign(this, { base, sentences, refusals, engine: new EngineClient(base, engine) });
  }

  async answer(name, args, options) {
    const number = name === "translate" ? this.sentences.indexOf(args[0].trim()) : -1;
    return number < 0 ? this.compute(name, args, options) : fetchCompressed(`${this.base}files/sentences/${number + 1}.${options.language}.bin`);
  }

  async compute(name, args, options) {
    try {
      return await this.engine.ask(name, args, options);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const refusal = this.refusals[error.reason] ?? this.refusals.error;
      return JSON.stringify({ error: fill(refusal, { message: error.message }) });
    }
  }
}

/** Starts the site; `modules` are those of the bundle by name, `settings` come from site.py. */
export function startPage(modules, settings) {
  const responses = new Responses(settings);
  setRequestHandler((name, args, options) => responses.answer(name, args, options));
  enableLanguageButtons(settings.languages);
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
