// The toolbar beside the heading, with the buttons of the whole page: also projector mode (only the open tab, as wide
// as the screen and readable from the last row), and printing in colours for white paper, with the folds of the tab
// open.

import { currentLink, onInvalidParts } from "../../ui/address.js";
import { onRefusedContext } from "../../ui/canvas.js";
import { isVisible } from "../../ui/element.js";
import { onException } from "../../ui/exceptions.js";
import { areLetterKeysOn, enableRovingTabindex, hasModifier, isEscape, isTaken, setLetterKeys } from "../../ui/keys.js";
import { dropPointerFocus, onThemeChange, theme, whenDrawn } from "../../ui/page.js";
import { onNotice, onTabOpened, openTab, openTabId, requestTab } from "../../ui/page_events.js";
import { readStored, store } from "../../ui/storage.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords, fill } from "../../ui/text.js";
import { keepAwake } from "../../ui/wake_lock.js";
import { windowHeight } from "../../ui/window.js";
import { Classroom } from "../classroom/classroom.js";
import { configureFigures } from "../figures.js";
import { addLanguageButtons } from "../language_buttons.js";
import { LessonDock } from "../lesson/lesson.js";
import { keepAddress } from "../address_sync.js";
import { enableSkipLink } from "../tabs.js";

const ROVING_GROUPS = "[data-rove], [role=tablist]"; // one tab stop each
const TOUR_KEY = "tour"; // storage key
const NOTICE_MS = 4000; // how long an unimportant notice stays
const MIN_SCREEN = { width: 1280, height: 720 }; // pixels of a screen with the least zoom factor
const MIN_ZOOM = 1.65, MAX_WIDTH = 2560; // enlarges 11 pixels, the smallest font size, to 18
const WHOLE_SHARE = 0.72; // of that for the whole model, which needs the room of a laptop's screen
const LEAST_PRINTED_WIDTH = 1340; // pixels: the page is laid out so on paper, also where the window is narrower

export function mount(root, settings) {
  const tool = nodesByAttribute(root, "tool");
  const text = requireWords(settings.text);
  const notify = createNotifier(tool.notice);
  onInvalidParts((names) => notify(fill(text.damaged, { parts: names.join(", ") })));
  onRefusedContext(() => {
    document.querySelector(".page main").prepend(tool.undrawn);
    tool.undrawn.hidden = false;
  });
  onException(() => { tool.broke.hidden = false; }, tool.broke.textContent);
  const lesson = new LessonDock(root, {
    ...settings.lesson,
    tabs: settings.tabs,
    text: requireWords(settings.lesson.text),
  });
  const classIsKnown = keepAddress(settings, lesson);
  if (settings.classroom) {
    new Classroom(root, tool.class, {
      ...settings.classroom,
      language: settings.languages.current,
      lesson,
      known: classIsKnown,
      text: requireWords(settings.classroom.text),
    });
  }
  onNotice(createBriefNotifier(tool.notice, notify));
  for (const event of ["pointerenter", "focus", "click"]) {
    tool.whole.addEventListener(event, () => { tool.whole.href = wholePage(settings.base); });
  }
  addLanguageButtons(tool.languages, settings.languages);
  enableThemeButton(tool.theme, text.themes);
  enableProjector(tool.projector, text.projector);
  enableTour(tool.tour, text.invitation);
  enableKeysDialog(tool.keys, tool.sheet);
  dropPointerFocus(root);
  enableSkipLink(tool.skip);
  enableRovingTabindex(ROVING_GROUPS);
  enableFoldPrinting();
  enableSizedPrinting();
  enableLightPrinting();
  enableApiLink();
  configureFigures({ language: settings.languages.current, names: settings.figures });
}

/** Returns a function that shows a notice; Esc or a click elsewhere removes it. */
function createNotifier(node) {
  const clear = () => node.replaceChildren();
  document.addEventListener("keydown", ({ key }) => key === "Escape" && clear());
  document.addEventListener("pointerdown", ({ target }) => node.contains(target) || clear());
  return (sentence = "") => { node.textContent = sentence; };
}

/** Returns a function that shows a sentence for a moment. */
function createBriefNotifier(node, notify) {
  let timer = null;
  return (sentence) => {
    notify(sentence);
    clearTimeout(timer);
    timer = setTimeout(() => node.textContent === sentence && notify(), NOTICE_MS);
  };
}

/** The tour is the guided flight of the tab of the whole model; its button invites until it is first pressed. */
function enableTour(button, invitation) {
  const name = button.textContent;
  const updateLabel = () => {
    const isNew = readStored(TOUR_KEY) === null;
    button.textContent = isNew ? invitation : name;
    button.classList.toggle("inviting", isNew);
  };
  button.addEventListener("click", () => {
    store(TOUR_KEY, "taken");
    updateLabel();
    openTab("whole");
    requestTab("whole", "tour");
  });
  updateLabel();
}

/** The link to the present state of an embedded page, with all that it hides. */
function wholePage(base) {
  return currentLink(base, { embed: null, hide: null }) ?? "./";
}

/**
 * Opens Gradio's description of the API from the footer, by Gradio's own button, which is hidden, as soon as it is
 * there.
 */
function enableApiLink() {
  document
    .querySelector("[data-footer=api]")
    ?.addEventListener("click", async () => (await whenDrawn(".show-api")).click());
}

function enableKeysDialog(button, dialog) {
  const open = () => dialog.showModal();
  const letters = dialog.querySelector("[data-tool=letters]");
  letters.checked = areLetterKeysOn();
  letters.addEventListener("change", () => setLetterKeys(letters.checked));
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

function enableThemeButton(button, words) {
  const updateLabel = () => { button.querySelector(".label").textContent = words[OTHER[theme()]]; };
  button.addEventListener("click", () => {
    const other = OTHER[theme()];
    store("theme", other);
    document.documentElement.dataset.theme = other;
  });
  onThemeChange(updateLabel);
  updateLabel();
}

/** The zoom factor for a screen and a tab. */
function zoomFor(width, height, tab) {
  const least = tab === "whole" ? WHOLE_SHARE * MIN_ZOOM : MIN_ZOOM;
  return least * Math.max(1, Math.min(Math.min(width, MAX_WIDTH) / MIN_SCREEN.width, height / MIN_SCREEN.height));
}

/** Toggles projector mode with the button and the key "p"; Esc leaves it where nothing in the page takes it. */
function enableProjector(button, { show, leave }) {
  const root = document.documentElement;
  const isOn = () => root.classList.contains("projector");
  const updateZoom = () => root.style.setProperty("--zoom", `${zoomFor(innerWidth, windowHeight(), openTabId())}`);
  const setProjector = (isWanted) => {
    root.classList.toggle("projector", isWanted);
    keepAwake("projector", isWanted);
    if (isWanted) updateZoom();
    else root.style.removeProperty("--zoom");
    button.querySelector(".label").textContent = isWanted ? leave : show;
    button.setAttribute("aria-pressed", isWanted);
    scrollTo(0, 0);
  };
  button.addEventListener("click", () => setProjector(!isOn()));
  window.addEventListener("resize", () => isOn() && updateZoom());
  onTabOpened(() => isOn() && updateZoom());
  window.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "p" || isTaken(event) || hasModifier(event)) return;
    event.stopPropagation();
    event.preventDefault();
    setProjector(!isOn());
  }, { capture: true });
  // After what is open in the page, which Esc closes, and the whole model, where it leads out; before the pins, which
  // are kept: those listen to the document.
  root.addEventListener("keydown", (event) => {
    if (!isOn() || !isEscape(event)) return;
    event.preventDefault();
    setProjector(false);
  });
}

/** Opens the closed folds of the visible tab before printing, and closes them afterwards. */
function enableFoldPrinting() {
  let folds = [];
  const setOpen = (isOpen) => {
    for (const fold of folds) fold.open = isOpen;
  };
  addEventListener("beforeprint", () => {
    folds = [...document.querySelectorAll(".fold:not([open])")].filter(isVisible);
    setOpen(true);
  });
  addEventListener("afterprint", () => setOpen(false));
}

/** Prints figures as large as they are drawn on the screen: the page is scaled to the paper instead (look.css). */
function enableSizedPrinting() {
  const page = /** @type {HTMLElement} */ (document.querySelector(".page"));
  /** @type {HTMLElement[]} */
  let figures = [];
  addEventListener("beforeprint", () => {
    page.style.setProperty("--printed-width", `${Math.max(LEAST_PRINTED_WIDTH, page.offsetWidth)}`);
    const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".heatmap, .stage"));
    figures = [...all].filter(isVisible);
    const heights = figures.map((figure) => figure.offsetHeight);
    figures.forEach((figure, i) => { figure.style.height = `${heights[i]}px`; });
  });
  addEventListener("afterprint", () => {
    page.style.removeProperty("--printed-width");
    for (const figure of figures) figure.style.height = "";
  });
}

/** Switches to the light theme before printing, and restores the theme afterwards. */
function enableLightPrinting() {
  const root = document.documentElement, { body } = document;
  let saved = null;
  addEventListener("beforeprint", () => {
    saved = { theme: root.dataset.theme, dark: body.classList.contains("dark") };
    root.dataset.theme = "light"; // head_script.js applies it
    body.classList.remove("dark");
  });
  addEventListener("afterprint", () => {
    if (saved === null) return;
    if (saved.theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = saved.theme;
    body.classList.toggle("dark", saved.dark);
    saved = null;
  });
}
