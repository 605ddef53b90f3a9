// Signs of a text that a tokenizer replaces by others (NFKC), whose meaning depends on what they stand beside: "4²" is
// 42.

// Raised, lowered, enclosed and combined signs, in part by the blocks of Unicode that hold them.
const SIGN = new RegExp([
  String.raw`(?![\u0374\u037a\uff70\uff9e\uff9f])\p{Lm}|`, // the letters that are no plain ones in another width
  String.raw`[ªº²³¹¼½¾™℠\u2070-\u209f\u2150-\u218b\u2460-\u24ff\u3192-\u319f\u3200-\u33ff\u{1f100}-\u{1f2ff}]`,
].join(""), "gu");
const FRACTION_SLASH = "\u2044";

/** Whether a text has the fraction of a sign: "1/2" of "½". @param {string} sign @param {string} text */
function isSpelled(sign, text) {
  const plain = sign.normalize("NFKC");
  return plain.includes(FRACTION_SLASH) && text.includes(plain.replace(FRACTION_SLASH, "/"));
}

/**
 * The signs of a text that are others in what the model reads of it.
 * @param {string} text @param {string} read
 */
export function changedSigns(text, read) {
  /** @type {(sign: string) => boolean} */
  const isChanged = (sign) => sign.normalize("NFKC") !== sign && !read.includes(sign) && !isSpelled(sign, read);
  return [...new Set(text.match(SIGN) ?? [])].filter(isChanged);
}
