// The buttons beside the heading, which belong to the whole page. Each has a function here that makes it work.

import { named } from "../../shared/room.js";
import { checked } from "../../shared/text.js";

export function mount(element, settings) {
  const toolbar = { tool: named(element, "tool"), text: checked(settings.text) };
  copyLink(toolbar);
}

/** The address of what is shown, into the clipboard. */
function copyLink({ tool }) {
  tool.copy.addEventListener("click", () => navigator.clipboard.writeText(location.href));
}
