// The page of plain files: mounts the components, and answers their questions from files. What no file answers is refused
// in a sentence.

import { submit } from "../ui/translation_request.js";
import { currentQuery } from "../ui/address.js";
import { onView, emitTabOpened } from "../ui/page_events.js";
import { store } from "../ui/storage.js";
import { setRequestHandler, serverIn } from "../ui/server.js";

const CHOSEN = "language"; // the name under which the page's language is remembered (root.js)

/** The text of a file of JSON that was packed by site.py. */
async function unpacked(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).text();
}

/** `base` leads from the page to its files; `sentences` are those that there are answers to; `refusals` are words. */
class Answers {
  constructor({ base, language, sentences, refusals }) {
    Object.assign(this, { base, language, sentences, refusals });
  }

  /** The text of an answer about a sentence; a refusal where the sentence is another one. */
  async of(sentence, name) {
    const number = this.sentences.indexOf(sentence);
    return number < 0 ? this.refused("sentence") : unpacked(`${this.base}files/sentences/${number + 1}/${name}.bin`);
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

  /** A step's numbers; its figure of the stream is the decoder's, and of an encoder's piece it has a file of its own. */
  async prediction([sentence, step, side, piece]) {
    const text = await this.of(sentence, `step-${step + 1}.${this.language}`);
    if (side !== "encoder") return text;
    const answer = JSON.parse(text);
    if (answer.error) return text;
    const streams = JSON.parse(await this.of(sentence, `piece-${piece + 1}.${this.language}`));
    for (const [theme, residual] of Object.entries(streams)) answer.figures[theme].residual = residual;
    return JSON.stringify(answer);
  }

  /** What components are answered: whatever no file can is refused. */
  async answer(question, given) {
    const known = ["translate", "lengths", "shapes", "prediction"];
    return known.includes(question) ? this[question](given) : this.refused("server");
  }
}

/** Mounts components when the tab that holds them is first seen; `parts` are { module, settings } by id. */
class Components {
  constructor(modules, parts, language) {
    Object.assign(this, { modules, parts, server: serverIn(language), mounted: new Set() });
  }

  mount(root) {
    for (const node of root.querySelectorAll("[data-component]")) {
      const { id } = node.parentNode, part = this.parts[id];
      if (!part || this.mounted.has(id)) continue;
      this.mounted.add(id);
      this.modules[part.module].mount(node, part.settings, this.server);
    }
  }
}

/** `modules` are those of the bundle by name; `settings` as site.py writes them. */
export function begin(modules, settings) {
  const answers = new Answers(settings);
  const components = new Components(modules, settings.components, settings.language);
  setRequestHandler((question, given) => answers.answer(question, given));
  followTheme();
  switchLanguage(settings.languages);
  chooseSentence(settings.language);
  openTabs(components);
  components.mount(document.querySelector("#top"));
}

/** As the system has it, where nothing was chosen here (head_script.js obeys that). */
function followTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const obey = () => document.documentElement.dataset.theme || document.body.classList.toggle("dark", system.matches);
  system.addEventListener("change", obey);
  obey();
}

/** The toolbar's button asks a server for the other language; here that is a page of its own. */
function switchLanguage(pages) {
  document.addEventListener("click", (event) => {
    const code = event.target.closest("#toolbar button[lang]")?.lang;
    if (!code) return;
    event.stopPropagation();
    const address = new URL(pages[code], location.href);
    address.search = currentQuery({ lang: code });
    store(CHOSEN, code);
    location.assign(address);
  }, { capture: true });
}

/** The list of sentences; a link, or a tab, asks by the box and the button of Explore. */
function chooseSentence(language) {
  const list = document.querySelector("#chosen"), box = document.querySelector("#sentence input"), button = document.querySelector("#translate");
  list.addEventListener("change", () => {
    box.value = list.value;
    button.click();
  });
  button.addEventListener("click", () => submit(box.value, language));
  onView(({ trace }) => { list.value = trace.sentence; });
}

function openTabs(components) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const open = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", tab === chosen);
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
    components.mount(document.getElementById(chosen.getAttribute("aria-controls")));
  };
  for (const tab of tabs) {
    tab.addEventListener("click", () => {
      open(tab);
      emitTabOpened(tab.dataset.tab);
    });
  }
  open(tabs[0]);
}
