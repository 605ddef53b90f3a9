// The buttons beside the heading, which belong to the whole page. Each has a function here that makes it work.

import { showsKeys } from "../keys.js";
import { followTabs, skipTo } from "../tabs.js";
import { named } from "../../shared/room.js";
import { rove } from "../../shared/roving.js";
import { checked } from "../../shared/text.js";

const GROUPS = "[data-rove], [role=tablist], #dataset .gallery"; // one tab stop each

export function mount(element, settings) {
  const toolbar = { tool: named(element, "tool"), text: checked(settings.text) };
  copyLink(toolbar);
  showsKeys(toolbar.tool.keys, toolbar.tool.sheet);
  skipTo(toolbar.tool.skip);
  followTabs();
  rove(GROUPS);
}

/** The address of what is shown, into the clipboard. */
function copyLink({ tool }) {
  tool.copy.addEventListener("click", () => navigator.clipboard.writeText(location.href));
}
