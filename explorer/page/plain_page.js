// A page without Gradio (plain_page.py): mounts the components, and opens the tabs.

import { emitTabOpened } from "../ui/page_events.js";
import { Model } from "../ui/model.js";
import { serverIn } from "../ui/server.js";

/** Mounts components when their tab is first opened; `parts` are { module, settings } by id. */
class Components {
  constructor(modules, { components: parts, language, about }) {
    Object.assign(this, { modules, parts, server: serverIn(language), model: new Model(language, about), mounted: new Set() });
  }

  mount(root) {
    for (const node of root.querySelectorAll("[data-component]")) {
      const { id } = node.parentNode, part = this.parts[id];
      if (!part || this.mounted.has(id)) continue;
      this.mounted.add(id);
      this.modules[part.module].mount(node, part.settings, this.server, this.model);
    }
  }
}

/** Starts the page; `modules` are those of the bundle by name, `settings` come from plain_page.py. */
export function startPage(modules, settings) {
  const components = new Components(modules, settings);
  followSystemTheme();
  enableTabs(components);
  components.mount(document.querySelector("#top"));
}

/** Follows the system's theme unless the visitor has chosen one, which head_script.js applies. */
function followSystemTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const applyTheme = () => document.documentElement.dataset.theme || document.body.classList.toggle("dark", system.matches);
  system.addEventListener("change", applyTheme);
  applyTheme();
}

/** Opens tabs by their buttons; those of a group are in a line of their own inside the group's panel. */
function enableTabs(components) {
  const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  const open = (selected) => {
    for (const tab of selected.parentNode.children) {
      tab.setAttribute("aria-selected", tab === selected);
      panelOf(tab).hidden = tab !== selected;
    }
    const inner = panelOf(selected).querySelector("[role=tab][aria-selected=true]") ?? panelOf(selected).querySelector("[role=tab]");
    if (inner) return open(inner);
    components.mount(panelOf(selected));
    return selected.dataset.tab;
  };
  for (const tab of document.querySelectorAll("[role=tab]")) tab.addEventListener("click", () => emitTabOpened([open(tab)]));
  open(document.querySelector("[role=tab]"));
}
