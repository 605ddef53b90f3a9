// Starts a page (page.py): builds it, mounts its components, and opens its tabs.

import { element } from "../ui/element.js";
import { Model } from "../ui/model.js";
import { isDrawerFolded, onDrawer } from "../ui/page_events.js";
import { atWork, whenAtRest } from "../ui/rest.js";
import { followWindow } from "../ui/window.js";
import { Bundles, importFile } from "./bundles.js";
import { Panels } from "./panels.js";
import { enableTabs, openPanels } from "./tabs.js";

let page = null; // is built once
/** @type {Panels | null} */ let panels = null;

/**
 * Shows the page in a node, which may be another one than before. `modules` are those of the first bundle by name;
 * `content` comes from page.py. `importBundle(url)` promises what another bundle exports.
 * @param {Record<string, any>} modules
 * @param {Record<string, any>} content
 */
export function openPage(parent, modules, content, importBundle = importFile) {
  if (document.documentElement.dataset.closed !== undefined) return; // head_script.js says why
  const { title, language, about, style, body, components, notLoaded } = content;
  if (page === null) {
    document.head.append(element("style", {}, style));
    page = element("div", { class: "page" });
    page.innerHTML = body;
    parent.prepend(page);
    followSystemTheme();
    followWindow();
    const mountIn = mounter(modules, components, new Model(language, about));
    panels = new Panels({ bundles: new Bundles(modules, importBundle), components, mountIn, notLoaded });
    enableTabs(page, { fill: (panel) => panels.fill(panel), prepare: (panel) => panels.prepare(panel) });
    mountIn(page.querySelector("#bar"));
    for (const panel of openPanels()) panels.fill(panel);
    enableDrawer(page.querySelector("#drawer-panel"));
    mountIn(page.querySelector("#top"));
    Object.assign(globalThis, { atWork, whenAtRest }); // for programs that drive the page
  } else if (!parent.contains(page)) {
    moveTo(parent);
  }
  document.title = title; // Gradio's is that of the first language
}

/** Fills the drawer when it is first opened. */
function enableDrawer(drawer) {
  onDrawer((panel) => {
    drawer.hidden = panel === null;
    page.toggleAttribute("data-drawer", panel !== null && !isDrawerFolded());
    if (panel !== null) panels.fill(drawer);
  });
}

/** Loads the modules of all tabs, so that they open without a connection. */
export function loadTabs() {
  panels.prepareAll();
}

/** Returns a function that mounts the components in a node; `components` are { module, settings } by id. */
function mounter(modules, components, model) {
  return (root) => {
    for (const node of root.querySelectorAll("[data-component]")) {
      const component = components[node.id];
      if (component) modules[component.module].mount(node.firstElementChild, component.settings, model);
    }
  };
}

/** Moves the page to a node with its state, as far as the browser can: older ones lose scroll positions inside it. */
function moveTo(parent) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  // eslint-disable-next-line no-restricted-syntax -- where the browser has it
  if (parent.moveBefore && parent.isConnected) parent.moveBefore(page, null);
  else parent.append(page);
  if (page.contains(focused)) focused.focus({ preventScroll: true });
}

/** Follows the system's theme unless the visitor has chosen one, which head_script.js applies. */
function followSystemTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const applyTheme = () => {
    if (!document.documentElement.dataset.theme) document.body.classList.toggle("dark", system.matches);
  };
  system.addEventListener("change", applyTheme);
  applyTheme();
}
