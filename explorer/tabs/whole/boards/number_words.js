// The sentences of a blackboard with their values: how numbers, tokens and counts are written in the page's language.

import { element } from "../../../ui/element.js";
import { formulaNodes } from "../../../ui/formula.js";
import { formatInteger, formatPercent } from "../../../ui/numbers.js";
import { fill, fillParts } from "../../../ui/text.js";
import { shownNumber } from "./board_text.js";

/** @typedef {import("./arithmetic.js").Value} Value */
/** @typedef {import("./arithmetic.js").Sentence} Sentence */
/** @typedef {import("./arithmetic.js").Board["result"]["form"]} Form */

export class NumberWords {
  /**
   * @param {Record<string, any>} words NUMBERS
   * @param {Record<"source" | "target", string>} codes of the languages
   */
  constructor(words, codes) {
    this.words = words;
    this.codes = codes;
  }

  /**
   * The text at a path of the words, such as "titles.q".
   * @param {string} path
   */
  at(path) {
    /** @type {(words: Record<string, any>, name: string) => any} */
    const at = (words, name) => words[name];
    return path.split(".").reduce(at, this.words);
  }

  /** @param {Sentence} sentence */
  sentence({ name, values }) {
    return this.fill(this.at(name), values);
  }

  /**
   * The nodes of a sentence with its values, some of which are nodes already.
   * @param {string} template
   * @param {Record<string, Value | (Node | string)[]>} values
   */
  fill(template, values) {
    return fillParts(template, values).flatMap((part, i) => {
      if (i % 2 === 0) return formulaNodes(part);
      if (Array.isArray(part)) return part;
      const node = this.valueNode(part);
      return typeof node === "string" ? formulaNodes(node) : [node];
    });
  }

  /** @param {Value} value */
  valueNode(value) {
    if (typeof value !== "object") return typeof value === "number" ? shownNumber(value) : value;
    if ("token" in value) {
      if (value.lang === null) return element("span", {}, value.token);
      return element("span", { lang: this.codes[value.lang], dir: "auto" }, value.token);
    }
    if ("count" in value) return formatInteger(value.count);
    if ("id" in value) return fill(this.at("token"), value);
    if ("share" in value) return this.shareText(value.share);
    if ("head" in value) return fill(this.at(value.ordinal === undefined ? "head" : "headDimension"), {
      head: value.head + 1, number: (value.ordinal ?? 0) + 1,
    });
    return formatInteger(value.ordinal + 1);
  }

  /** @param {number} share */
  shareText(share) {
    return fill(this.at("percent"), { percent: formatPercent(share) });
  }

  /**
   * @param {number} number
   * @param {Form} [form]
   */
  numberText(number, form) {
    return form === "share" ? this.shareText(number) : shownNumber(number);
  }
}
