// HTML in a text that was pasted: its tags and character references, and the text without them.
//
// Only names that people paste are known: "a <b and c> d" and "Q&A; more" have none.
// "[!]" because the module is also part of a page as text, which a "<!" with two hyphens would end.

const BLOCKS = "address|article|aside|blockquote|body|br|center|dd|div|dl|dt|footer|form|h[1-6]|head|header|hr|html|"
  + "img|input|li|main|nav|ol|option|p|pre|section|select|table|tbody|td|tfoot|th|thead|title|tr|ul";
const INLINES = "a|abbr|b|big|cite|code|del|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|"
  + "u|var|wbr";
const ATTRIBUTES = String.raw`(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))*\s*/?`;
const TAG = new RegExp(String.raw`<(/?)(?:(${BLOCKS})|(${INLINES}))${ATTRIBUTES}>|<[!]--.*?-->`, "gisu");
/** @type {Record<string, string>} */
const CHARACTERS = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", shy: "", ndash: "–", mdash: "—", hellip: "…",
  lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„", laquo: "«", raquo: "»", euro: "€", pound: "£",
  cent: "¢", yen: "¥", copy: "©", reg: "®", trade: "™", deg: "°", times: "×", middot: "·", bull: "•", frac12: "½",
  auml: "ä", ouml: "ö", uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è", agrave: "à",
  ccedil: "ç", ntilde: "ñ",
};
const REFERENCE = new RegExp(`&(?:(${Object.keys(CHARACTERS).join("|")})|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));`, "g");
/** @type {Record<string, string>} of tags */
const SIGNS = { sup: "^", sub: "_" };
const LAST_CHARACTER = 0x10ffff;
const REPLACEMENT = "\ufffd"; // of a number that no character has

/**
 * The text without HTML, so that its words and powers stay apart; the text itself if it has none.
 * @param {string} text
 */
export function withoutMarkup(text) {
  const plain = text.replace(TAG, replaceTag).replace(REFERENCE, replaceReference);
  return plain === text ? text : plain.replace(/\s+/g, " ").trim();
}

/** @param {string} _ @param {string} isEnd @param {string | undefined} block @param {string | undefined} inline */
function replaceTag(_, isEnd, block, inline) {
  if (!inline) return block ? " " : "";
  return isEnd ? "" : SIGNS[inline.toLowerCase()] ?? "";
}

/**
 * @param {string} _ @param {string | undefined} name @param {string | undefined} decimal @param {string} hexadecimal
 */
function replaceReference(_, name, decimal, hexadecimal) {
  if (name) return CHARACTERS[name];
  const code = decimal ? parseInt(decimal, 10) : parseInt(hexadecimal, 16);
  return code > LAST_CHARACTER || (code >= 0xd800 && code < 0xe000) ? REPLACEMENT : String.fromCodePoint(code);
}
