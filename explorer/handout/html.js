// HTML as text, for files that the page makes; what stands on the page itself is made of elements.

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
}

/** Replaces each comment <!--name--> with the part of that name, in one pass. */
export function fillPlaceholders(html, parts) {
  // The start of a comment may not stand in an inline script as it is.
  return html.replace(/<!-{2}(\w+)-->/g, (_, name) => parts[name]);
}
