// The name of a neuron in words, as nodes with its tokens in their language.

import { tokenName } from "../derived/token_names.js";
import { element, fillNodes } from "../ui/element.js";
import { plainPiece } from "../ui/text.js";

/**
 * What an atlas calls a neuron: "writes “Sie”, “Er”", "perhaps ...", or that it has no simple name.
 * @param {import("./layer.js").NeuronRecord} record
 * @param {any} words ATLAS
 * @param {string} code of the language of the stack's tokens
 */
export function nameNodes({ count, name }, words, code) {
  if (!name) return [count ? words.none : words.never];
  const { relation, tokens, standing } = name;
  const list = tokens.flatMap(({ text }, i) => [i ? words.separator : "", ...fillNodes(words.token, {
    token: element("b", { lang: code, dir: "auto", class: "token" }, plainPiece(tokenName(text, words.tokenNames))),
  })]);
  const sentence = words[standing === "holds" ? "fires" : "perhaps"][relation];
  return fillNodes(sentence, { tokens: element("span", {}, ...list) });
}
