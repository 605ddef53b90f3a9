// The choice of a common mistake on a head's board, and what the mistake does in this sentence.

import { element, fillNodes } from "../../../ui/element.js";
import { formatPercent, localNumber } from "../../../ui/numbers.js";
import { updateOptions } from "../../../ui/tab.js";
import { sum } from "../../../ui/tensor.js";
import { strongestKey } from "../../../derived/head_looks.js";
import { MISTAKES, changeOf, forbiddenShare, mistakesOf } from "./equation.js";

const VISIBLE_CHANGE = 0.005; // of a weight with two decimals

/**
 * What a sentence about a mistake is made from; `query` is the chosen row, `known` how many rows are shown.
 * @typedef {{ head: import("./equation.js").HeadTensors, equation: import("./equation.js").Equation, query: number,
 *   known: number, tokens: import("./row_tokens.js").RowTokens }} Given
 */

export class HeadMistakes {
  /** @type {HTMLSelectElement} */ select = element("select");
  words = element("p", { class: "mistake-words", "aria-live": "polite" });
  /** @type {string[]} */ offered = [];
  /** The mistake of an address, for the head that is on its way. @type {string | null} */ asked = null;

  /**
   * @param {any} text the words BOARDS
   * @param {{ dropout: number, onChange: () => void }} options
   */
  constructor(text, { dropout, onChange }) {
    this.text = text;
    this.dropout = dropout;
    this.onChange = onChange;
    this.select.setAttribute("aria-label", text.mistake);
    this.select.addEventListener("change", onChange);
  }

  /** The mistake that is shown, or null. */
  get chosen() {
    return this.select.value || null;
  }

  /**
   * Shows the mistake of an address, "" for none: at once if its head is there, else with the next head. Returns
   * whether there is such a mistake.
   * @param {string} name
   * @param {boolean} isThere
   */
  ask(name, isThere) {
    if (name && !Object.hasOwn(MISTAKES, name)) return false;
    this.asked = isThere ? null : name;
    if (isThere && name !== this.select.value) {
      this.select.value = this.offered.includes(name) ? name : "";
      this.onChange();
    }
    return true;
  }

  /**
   * What a part of the board says under the mistake; undefined if it says the same as without.
   * @param {string} id
   */
  wordsOf(id) {
    return this.chosen === null ? undefined : this.text.mistakes[this.chosen][id];
  }

  /**
   * Offers what changes something in a head, but nothing in one that is off; `isSame` says whether it is that of
   * before.
   * @param {Given["head"]} head
   * @param {{ kind: Kind, isOff: boolean, isSame: boolean }} options
   */
  offer(head, { kind, isOff, isSame }) {
    const { select, text, dropout } = this;
    const wanted = this.asked ?? (isSame ? select.value : "");
    this.asked = null;
    this.offered = isOff ? [] : mistakesOf(head, { kind, dropout });
    const options = this.offered.map((name) => [name, text.mistakes[name].title]);
    updateOptions(select, [["", text.mistake], ...options], this.offered.includes(wanted) ? wanted : "");
    select.hidden = isOff;
  }

  /** @param {Given} given */
  draw(given) {
    const stamp = element("b", { class: "stamp" }, this.text.stamp);
    this.words.replaceChildren(...(this.chosen ? [stamp, " ", ...this.nodes(given)] : []));
  }

  /**
   * What it does to the chosen row, or, where that hardly changes, to the one that changes most.
   * @param {Given} given
   */
  nodes(given) {
    const { text } = this;
    const { head, equation: { weights }, query, known, tokens } = given;
    if (this.chosen === "mislabelled") return this.mislabelledNodes(given);
    const changes = weights.slice(0, known).map((row, i) => changeOf(row, head.weights.row(i)));
    if (changes[query] >= VISIBLE_CHANGE) return this.changeNodes(given, query);
    const most = changes.indexOf(Math.max(...changes));
    const unchanged = fillNodes(text.unchanged, { query: tokens.query(query) });
    return changes[most] < VISIBLE_CHANGE ? unchanged : [...unchanged, " ", ...this.changeNodes(given, most)];
  }

  /** @param {Given} given */
  mislabelledNodes({ query, tokens }) {
    const { words, beyond } = this.text.mistakes.mislabelled;
    const wrong = tokens.wrong(query);
    return fillNodes(wrong ? words : beyond, { query: tokens.query(query), wrong: wrong ?? "" });
  }

  /**
   * @param {Given} given
   * @param {number} query
   */
  changeNodes({ head, equation: { weights }, tokens }, query) {
    const { text, chosen, dropout } = this;
    const right = head.weights.row(query);
    const allowed = head.mask.row(query);
    const key = strongestKey(right, allowed);
    return fillNodes(text.mistakes[chosen].words, {
      query: tokens.query(query), key: tokens.key(key), root: head.q.shape[1],
      before: formatPercent(right[key]), after: formatPercent(weights[query][key]),
      forbidden: formatPercent(forbiddenShare(weights[query], allowed)),
      sum: formatPercent(sum(weights[query])),
      p: localNumber(`${dropout}`),
    });
  }
}
