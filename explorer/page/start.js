// Starts a page (page.py): builds it, mounts its components, and opens its tabs.

import { element } from "../ui/element.js";
import { Model } from "../ui/model.js";
import { followWindow } from "../ui/window.js";
import { enableTabs, openPanels } from "./tabs.js";

let page = null; // is built once

/**
 * Shows the page in a node, which may be another one than before. `modules` are those of the bundle by name; `content`
 * comes from page.py.
 */
export function openPage(parent, modules, { title, language, about, style, body, components }) {
  if (page === null) {
    document.head.append(element("style", {}, style));
    page = element("div", { class: "page" });
    page.innerHTML = body;
    parent.prepend(page);
    followSystemTheme();
    followWindow();
    const mountIn = mounter(modules, components, new Model(language, about));
    enableTabs(page, (panel) => fillPanel(panel, mountIn));
    for (const panel of openPanels()) fillPanel(panel, mountIn);
    mountIn(page.querySelector("#top"));
  } else if (!parent.contains(page)) {
    moveTo(parent);
  }
  document.title = title; // Gradio's is that of the first language
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

/** Puts the contents of a panel into the page when it is first opened. */
function fillPanel(panel, mountIn) {
  const contents = panel.querySelector("template");
  if (!contents) return;
  contents.replaceWith(contents.content);
  mountIn(panel);
}

/** Moves the page to a node with its state, as far as the browser can: older ones lose scroll positions inside it. */
function moveTo(parent) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
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
