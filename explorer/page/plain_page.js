// A page without Gradio (plain_page.py): mounts the components, and opens the tabs.

import { emitTabOpened } from "../ui/page_events.js";
import { serverIn } from "../ui/server.js";

/** Mounts components when their tab is first opened; `parts` are { module, settings } by id. */
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

/** Starts the page; `modules` are those of the bundle by name, `settings` come from plain_page.py. */
export function startPage(modules, settings) {
  const components = new Components(modules, settings.components, settings.language);
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

function enableTabs(components) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const open = (selected) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", tab === selected);
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== selected;
    }
    components.mount(document.getElementById(selected.getAttribute("aria-controls")));
  };
  for (const tab of tabs) {
    tab.addEventListener("click", () => {
      open(tab);
      emitTabOpened(tab.dataset.tab);
    });
  }
  open(tabs[0]);
}
