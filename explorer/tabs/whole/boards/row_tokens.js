// The tokens of a board's rows and columns, each in its language: in sentences, and as names beside matrices.

import { axesOf, plainLabel } from "../../../derived/trace.js";
import { element } from "../../../ui/element.js";
import { plainPiece } from "../../../ui/text.js";
import { tokenNode } from "./board_text.js";

export class RowTokens {
  /**
   * @param {Trace} trace
   * @param {Kind} kind
   * @param {{ source: string, target: string }} codes of both languages
   */
  constructor(trace, kind, codes) {
    const { queries, keys } = axesOf(trace, kind);
    this.source = trace.source;
    /** @type {import("../../../derived/trace.js").Row[]} */
    this.queries = queries;
    /** @type {Piece[]} */
    this.keys = keys;
    this.codes = codes;
    this.queryCode = kind === "encoder" ? codes.source : codes.target;
    this.keyCode = kind === "decoder" ? codes.target : codes.source;
  }

  /** @param {number} row */
  query(row) {
    return tokenNode(this.queries[row].fed, this.queryCode);
  }

  /** What is shown of it, as plain text; "" beyond the last. @param {number} row */
  text(row) {
    return this.queries[row] ? plainPiece(this.queries[row].fed.text) : "";
  }

  /** @param {number} column */
  key(column) {
    return tokenNode(this.keys[column], this.keyCode);
  }

  /**
   * The token of the source at a row, which is its name by mistake; null if there is none.
   * @param {number} row
   */
  wrong(row) {
    return this.source[row] ? tokenNode(this.source[row], this.codes.source) : null;
  }

  queryNames() {
    return this.queries.map((query) => nameNode(query.fed, this.queryCode, plainLabel(query)));
  }

  keyNames() {
    return this.keys.map((key) => nameNode(key, this.keyCode, key.text));
  }

  wrongNames() {
    return this.queries.map((_, row) => (
      this.source[row] ? nameNode(this.source[row], this.codes.source, this.source[row].text) : element("span")));
  }
}

/**
 * @param {Piece} piece
 * @param {string} lang
 * @param {string} title
 */
function nameNode({ text, special }, lang, title) {
  return element("span", { title, ...(special ? {} : { lang, dir: "auto" }) }, plainPiece(text));
}
