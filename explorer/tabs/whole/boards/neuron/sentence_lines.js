// Both sentences of an atlas's example as lines of tokens, some of which are marked.

import { nameToken } from "../../../../derived/token_names.js";
import { element } from "../../../../ui/element.js";
import { innerPiece, plainPiece } from "../../../../ui/text.js";

/** @typedef {import("../../../../atlas/corpus.js").Corpus} Corpus */

/** Classes of tokens by their indices, which count the start of a target. @typedef {Record<number, string>} Marks */

export class SentenceLines {
  /** @param {{ source: string, target: string }} codes @param {any} tokenNames */
  constructor(codes, tokenNames) {
    this.codes = codes;
    this.tokenNames = tokenNames;
  }

  /**
   * The lines of source and target; start and end are shown only where they are marked.
   * @param {Corpus} corpus
   * @param {number} sentence
   * @param {{ source?: Marks, target?: Marks }} marks
   */
  nodes(corpus, sentence, { source = {}, target = {} }) {
    return [
      this.line(corpus, corpus.source[sentence], source, this.codes.source),
      this.line(corpus, [corpus.fed[sentence][0], ...corpus.written[sentence]], target, this.codes.target),
    ];
  }

  /** @param {Corpus} corpus @param {number[]} ids @param {Marks} marks @param {string} lang */
  line(corpus, ids, marks, lang) {
    const nodes = ids.flatMap((id, i) => {
      const token = corpus.token(id);
      if (token.special && !marks[i]) return [];
      const { text } = nameToken(token, this.tokenNames);
      const begins = token.special || text.startsWith("·");
      const kind = `${token.special ? "special " : ""}${marks[i] ?? ""}`;
      if (text === "·" && !marks[i]) return [" "];
      return [begins && i ? " " : "", element("span", { class: kind }, i ? innerPiece(text) : plainPiece(text))];
    });
    return element("span", { lang, dir: "auto", class: Object.keys(marks).length ? "marked" : "other" }, ...nodes);
  }
}
