// The toolbar beside the heading, with the buttons of the whole page.

import { Classroom } from "../classroom/classroom.js";
import { configureFigures } from "../figures.js";
import { LessonDock } from "../lesson/lesson.js";
import { keepPlace } from "../place.js";
import { enableFoldPrinting, enableLightPrinting } from "../print.js";
import { enhanceTabs, enableSkipLink } from "../tabs.js";
import { Tour } from "../tour.js";
import { currentLink, onInvalidParts } from "../../ui/address.js";
import { element } from "../../ui/element.js";
import { setTabs } from "../../ui/page_events.js";
import { addLanguageButtons } from "./languages.js";
import { enableProjector } from "./projector.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { enableRovingTabindex } from "../../ui/roving.js";
import { requireWords, fill } from "../../ui/text.js";
import { isTaken, hasModifier } from "../../ui/keys.js";
import { onThemeChange, theme } from "../../ui/page.js";
import { store } from "../../ui/storage.js";

const ROVING_GROUPS = "[data-rove], [role=tablist], #dataset .gallery"; // one tab stop each
const NOTICE_MS = 4000; // how long an unimportant notice stays

export function mount(root, settings) {
  const tool = nodesByAttribute(root, "tool"), text = requireWords(settings.text);
  const notify = createNotifier(tool.notice);
  onInvalidParts((names) => notify(fill(text.damaged, { parts: names.join(", ") })));
  const lesson = new LessonDock(root, { ...settings.lesson, tabs: settings.tabs, text: requireWords(settings.lesson.text) });
  document.title = settings.title; // Gradio's is that of the first language
  setTabs(settings.tabs, settings.groups);
  keepPlace(settings, lesson);
  if (settings.classroom) new Classroom(root, tool.class, { ...settings.classroom, language: settings.languages.current, lesson, text: requireWords(settings.classroom.text) });
  enableCopyLink(tool, settings.base, text, notify);
  for (const event of ["pointerenter", "focus", "click"]) {
    tool.whole.addEventListener(event, () => { tool.whole.href = wholePage(settings.base); });
  }
  addLanguageButtons(tool.languages, settings.languages);
  enableThemeButton(tool.theme, text.themes);
  enableProjector(tool.projector, text.projector);
  new Tour(tool.tour, { ...settings.tour, text: requireWords(settings.tour.text) });
  enableKeysDialog(tool.keys, tool.sheet);
  enableSkipLink(tool.skip);
  enhanceTabs({ ...settings.tabs, ...settings.groupLabels });
  enableRovingTabindex(ROVING_GROUPS);
  enableFoldPrinting();
  enableLightPrinting();
  configureFigures({ language: settings.languages.current, names: settings.figures });
}

/** Returns a function that shows a notice; Esc or a click elsewhere removes it. */
function createNotifier(node) {
  const clear = () => node.replaceChildren();
  document.addEventListener("keydown", ({ key }) => key === "Escape" && clear());
  document.addEventListener("pointerdown", ({ target }) => node.contains(target) || clear());
  return (...content) => node.replaceChildren(...content);
}

/** Copies the link to the present state; if the clipboard is not available, shows it in a text field. */
function enableCopyLink(tool, base, text, notify) {
  let timer = null;
  tool.copy.addEventListener("click", async () => {
    const link = currentLink(base ?? undefined);
    if (link === null) return notify(text.tooLong);
    if (!await copyToClipboard(link)) return notify(text.copyByHand, linkField(link, text.link));
    notify(text.copied);
    clearTimeout(timer);
    timer = setTimeout(() => tool.notice.textContent === text.copied && notify(), NOTICE_MS);
  });
}

/** Copies a text to the clipboard; resolves to false if the page is in a frame or not served over HTTPS. */
async function copyToClipboard(link) {
  const isRefused = (reason) => reason.name === "NotAllowedError";
  return navigator.clipboard?.writeText(link).then(() => true, (reason) => {
    if (isRefused(reason)) return false;
    throw reason;
  });
}

/** The link to the present state of an embedded page, with all that it hides. */
function wholePage(base) {
  const url = new URL(currentLink(base ?? undefined) ?? "./", location.href);
  for (const name of ["embed", "hide"]) url.searchParams.delete(name);
  return url.href;
}

function linkField(value, label) {
  const field = element("input", { readonly: "", value, "aria-label": label });
  queueMicrotask(() => field.select());
  return field;
}

export function enableKeysDialog(button, dialog) {
  const open = () => dialog.showModal();
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || isTaken(event) || hasModifier(event)) return;
    event.preventDefault();
    open();
  });
  // A click on the backdrop closes the dialog; its target is the dialog itself.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

const OTHER = { light: "dark", dark: "light" };

export function enableThemeButton(button, words) {
  const updateLabel = () => { button.querySelector(".label").textContent = words[OTHER[theme()]]; };
  button.addEventListener("click", () => {
    const other = OTHER[theme()];
    store("theme", other);
    document.documentElement.dataset.theme = other;
  });
  onThemeChange(updateLabel);
  updateLabel();
}
