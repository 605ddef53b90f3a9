// The buttons beside the heading, which belong to the whole page. Each has a function here that makes it work.

import { tameFigures } from "../figures.js";
import { showsKeys } from "../keys.js";
import { Dock } from "../lesson/lesson.js";
import { keepPlace } from "../place.js";
import { printLight } from "../print.js";
import { followTabs, skipTo } from "../tabs.js";
import { Tour } from "../tour.js";
import { currentLink, onInvalidParts } from "../../ui/address.js";
import { element } from "../../ui/element.js";
import { offerLanguages } from "./languages.js";
import { projector } from "./projector.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { enableRovingTabindex } from "../../ui/roving.js";
import { requireWords, fill } from "../../ui/text.js";
import { switchTheme } from "./theme.js";

const GROUPS = "[data-rove], [role=tablist], #dataset .gallery"; // one tab stop each
const SHOWN = 4000; // milliseconds that a notice stays which nobody need read

export function mount(root, settings) {
  const tool = nodesByAttribute(root, "tool"), text = requireWords(settings.text);
  const notify = notices(tool.notice);
  onInvalidParts((names) => notify(fill(text.damaged, { parts: names.join(", ") })));
  const lesson = new Dock(root, { ...settings.lesson, tabs: settings.tabs, text: requireWords(settings.lesson.text) });
  keepPlace(settings, lesson);
  copyLink(tool, settings.base, text, notify);
  offerLanguages(tool.languages, settings.languages);
  switchTheme(tool.theme, text.themes);
  projector(tool.projector, text.projector);
  new Tour(tool.tour, { ...settings.tour, text: requireWords(settings.tour.text) });
  showsKeys(tool.keys, tool.sheet);
  skipTo(tool.skip);
  followTabs(settings.tabs);
  enableRovingTabindex(GROUPS);
  printLight();
  tameFigures({ language: settings.languages.current, names: settings.figures });
}

/** A way to say something that goes again with Esc or with a click elsewhere. */
function notices(node) {
  const clear = () => node.replaceChildren();
  document.addEventListener("keydown", ({ key }) => key === "Escape" && clear());
  document.addEventListener("pointerdown", ({ target }) => node.contains(target) || clear());
  return (...said) => node.replaceChildren(...said);
}

/** The link to what is shown, into the clipboard; a page without one, as in a class's network, shows it to be copied. */
function copyLink(tool, base, text, notify) {
  let fading = null;
  tool.copy.addEventListener("click", async () => {
    const found = currentLink(base ?? undefined);
    if (found === null) return notify(text.tooLong);
    if (!await copied(found)) return notify(text.copyByHand, byHand(found, text.link));
    notify(text.copied);
    clearTimeout(fading);
    fading = setTimeout(() => tool.notice.textContent === text.copied && notify(), SHOWN);
  });
}

/** Whether a text is in the clipboard; a page in a frame, or without encryption, may not put it there. */
async function copied(found) {
  const refused = (reason) => reason.name === "NotAllowedError";
  return navigator.clipboard?.writeText(found).then(() => true, (reason) => {
    if (refused(reason)) return false;
    throw reason;
  });
}

function byHand(value, label) {
  const field = element("input", { readonly: "", value, "aria-label": label });
  queueMicrotask(() => field.select());
  return field;
}
