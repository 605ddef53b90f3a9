// HTML with placeholders and escaped texts: explorer/handout/inline.py.

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
}

/** Replaces each comment <!--name--> with the part of that name, in one pass. */
export function fillPlaceholders(html, parts) {
  return html.replace(/<!--(\w+)-->/g, (_, name) => parts[name]);
}

/** The attributes of a text in a language of the model, "source" or "target". */
export function languageAttributes({ codes, directions }, side) {
  return ` lang="${escapeHtml(codes[side])}" dir="${directions[side]}"`;
}

/** HTML with gzip in base64, which explorer/handout/embedded_data.js reads by name. */
export function embed(name, base64) {
  return `<script type="text/plain" data-embedded="${name}">${base64}</script>\n`;
}
