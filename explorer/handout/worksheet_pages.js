// The three pages of a worksheet as HTML: two to work on, and the answers. Pictures are SVG in millimetres.

import { worksheetOf } from "../derived/worksheet.js";
import { formatDecimal } from "../ui/numbers.js";
import { isolate } from "../ui/scripts.js";
import { fill, shorten } from "../ui/text.js";
import { UserError } from "../ui/user_error.js";
import { escapeHtml, fillPlaceholders } from "./html.js";

const WIDTH_MM = 180; // between the margins of A4
const MAX_HEATMAP_HEIGHT_MM = 102;
const MAX_CELL_MM = 10;
const FONT_SIZE_MM = 3.3;
const LETTER_WIDTH_MM = 2; // about
const SLANT = 0.87; // height of a slanted label per length
const SHADES = 10; // of grey: weights are shown to one decimal
const SHADE_MM = { width: 6, height: 5 }; // of the scale
const LINE_MM = 7; // preferred distance between words in the drawing
const DRAWING_WIDTH_MM = 66;
const MAX_DRAWING_HEIGHT_MM = 150; // on the first page
const MAX_KEY_DRAWING_HEIGHT_MM = 92; // among the answers
const MAX_LABEL_LETTERS = 20;

/**
 * The HTML of all three pages of a trace's worksheet; `settings` are those of worksheet.py. Throws a UserError if a
 * page has no room for its words.
 */
export function sheetsHtml(trace, settings) {
  const sheet = worksheetOf(trace);
  const words = Math.max(sheet.columns.length, sheet.rows.length);
  const { maxWords: limit, text } = settings;
  if (words > limit) throw new UserError(fill(text.tooLong, { words, limit }));
  return drawSheets(sheet, settings);
}

/** The same of any worksheet. */
export function drawSheets(sheet, settings) {
  return fillPlaceholders(settings.template, new Sheets(sheet, settings).parts());
}

/** The title of a worksheet as HTML. */
export function titleHtml({ sentence }, { text }) {
  return escapeHtml(`${text.title} ${sentence}`);
}

/** Draws what differs on every worksheet. */
class Sheets {
  /** @param {import("../derived/worksheet.js").Worksheet} sheet */
  constructor(sheet, { text, languages }) {
    this.sheet = sheet;
    this.text = text;
    this.languages = languages;
  }

  /** HTML by the names of the template's placeholders. */
  parts() {
    const { sheet, text } = this;
    return {
      sentence: escapeHtml(sheet.sentence),
      translation: escapeHtml(sheet.translation),
      guesses: this.guesses(),
      drawing: this.drawing(),
      heatmap: this.heatmap(),
      weights: this.weights(),
      guesses_answers: this.guesses({ withAnswers: true }),
      drawing_answers: this.drawing({ withAnswers: true }),
      weights_answers: this.weights({ withAnswers: true }),
      crossings: escapeHtml(fill(text.crossings, { count: sheet.crossings })),
    };
  }

  /** The lang attribute of a text in a language of the model, "source" or "target". */
  lang(side) {
    return ` lang="${escapeHtml(this.languages.codes[side])}"`;
  }

  /** The same with its direction; in SVG `dir` would flip a text around its anchor. */
  language(side) {
    return `${this.lang(side)} dir="${this.languages.directions[side]}"`;
  }

  rowHeader(row) {
    return `<th scope="row"${this.language("target")}>${escapeHtml(this.sheet.rows[row])}</th>`;
  }

  /** A table of the rows to guess; with answers, the strongest word of each and its weight. */
  guesses({ withAnswers = false } = {}) {
    const { sheet: { columns, rowsToGuess, strongest, weights }, text } = this;
    const rows = rowsToGuess.map((row) => {
      const column = strongest[row];
      const answer = withAnswers ? escapeHtml(`${column + 1}  ${columns[column]}`) : "";
      const weight = withAnswers ? formatDecimal(weights[row][column], 1) : "";
      return `<tr>${this.rowHeader(row)}<td${this.language("source")}>${answer}</td><td>${weight}</td></tr>`;
    });
    return withAnswers ? table("guesses answers", text.keyHeader, rows) : table("guesses", text.guessHeader, rows);
  }

  /** A table of the rows to read: blanks for the weights, or the weights. */
  weights({ withAnswers = false } = {}) {
    const { columns, rowsToRead, weights } = this.sheet;
    const rows = rowsToRead.map((row) => {
      const cells = weights[row].map((weight) => `<td>${withAnswers ? formatDecimal(weight, 1) : ""}</td>`);
      return `<tr>${this.rowHeader(row)}${cells.join("")}</tr>`;
    });
    return table("weights", ["", ...columns.map((_, i) => `${i + 1}`)], rows);
  }

  /** The heatmap in eleven greys, with its scale. */
  heatmap() {
    const { columns, rows, weights } = this.sheet;
    const numbered = numberWords(columns);
    const left = Math.min(40, LETTER_WIDTH_MM * longest(rows) + 3);
    const top = Math.min(34, SLANT * LETTER_WIDTH_MM * longest(numbered) + 4);
    const widthLeft = WIDTH_MM - left - 26;
    const cell = Math.min(MAX_CELL_MM, widthLeft / columns.length, (MAX_HEATMAP_HEIGHT_MM - top) / rows.length);
    const size = Math.min(FONT_SIZE_MM, 0.8 * cell);
    const cells = weights.flatMap((row, i) => row.map((weight, key) => (
      rect(left + key * cell, top + i * cell, { width: cell, height: cell }, weight))));
    const rowLabels = rows.map((word, i) => (
      this.label(left - 1.5, top + (i + 0.5) * cell + 1, word, { side: "target", anchor: "end", size })));
    const columnLabels = numbered.map((word, i) => {
      const x = left + (i + 0.6) * cell;
      const y = top - 1.5;
      return this.label(x, y, word, { side: "source", transform: `rotate(-60 ${mm(x)} ${mm(y)})`, size });
    });
    const scale = this.scale(left + columns.length * cell + 8, top);
    const height = top + Math.max(rows.length * cell, SHADE_MM.height * (SHADES + 1)) + 1;
    const description = fill(this.text.picture, { rows: rows.length, columns: columns.length });
    return svg("heatmap", WIDTH_MM, height, [...cells, ...rowLabels, ...columnLabels, ...scale], description);
  }

  /** The greys and their weights, largest first. */
  scale(x, y) {
    return Array.from({ length: SHADES + 1 }, (_, i) => {
      const weight = (SHADES - i) / SHADES;
      const top = y + SHADE_MM.height * i;
      return rect(x, top, SHADE_MM, weight) + this.label(x + 8, top + 3.6, formatDecimal(weight, 1));
    });
  }

  /** Source and target words with dots to connect; with answers, connected to the strongest word. */
  drawing({ withAnswers = false } = {}) {
    const { sheet: { columns, rows, rowsToGuess, strongest }, text } = this;
    const maxHeight = withAnswers ? MAX_KEY_DRAWING_HEIGHT_MM : MAX_DRAWING_HEIGHT_MM;
    const height = Math.min(maxHeight, LINE_MM * Math.max(columns.length, rowsToGuess.length));
    const left = 0.37 * DRAWING_WIDTH_MM;
    const right = 0.7 * DRAWING_WIDTH_MM;
    const sourceY = (i) => (i + 0.5) * (height / columns.length);
    const targetY = (i) => (i + 0.5) * (height / Math.max(1, rowsToGuess.length));
    const sources = numberWords(columns).map((word, i) => (
      this.label(left - 2, sourceY(i) + 1, word, { side: "source", anchor: "end" }) + dot(left, sourceY(i))));
    const targets = rowsToGuess.map((row, i) => {
      const y = targetY(i);
      const line = `M${mm(left)} ${mm(sourceY(strongest[row]))}L${mm(right)} ${mm(y)}`;
      return this.label(right + 2, y + 1, rows[row], { side: "target" }) + dot(right, y)
        + (withAnswers ? `<path d="${line}" stroke="#000" stroke-width="0.4"/>` : "");
    });
    return svg("drawing", DRAWING_WIDTH_MM, height, [...sources, ...targets], text.drawing);
  }

  /**
   * An SVG text, in the language of a side if one is given.
   *
   * @param {number} x
   * @param {number} y
   * @param {string} word
   * @param {{ side?: string, anchor?: string, transform?: string, size?: number }} [options]
   */
  label(x, y, word, { side, anchor = "start", transform, size = FONT_SIZE_MM } = {}) {
    const turned = transform ? ` transform="${transform}"` : "";
    const attributes = `x="${mm(x)}" y="${mm(y)}" font-size="${mm(size)}" text-anchor="${anchor}"${turned}`;
    return `<text${side ? this.lang(side) : ""} ${attributes}>${escapeHtml(shorten(word, MAX_LABEL_LETTERS))}</text>`;
  }
}

/** A length in millimetres as SVG has it. */
function mm(length) {
  return length.toFixed(2);
}

/** The letters of the longest word. */
function longest(words) {
  return Math.max(...words.map((word) => [...word].length));
}

function numberWords(words) {
  return words.map((word, i) => `${i + 1} ${isolate(word)}`);
}

function table(name, header, rows) {
  const cells = header.map((word) => `<th scope="col">${escapeHtml(word)}</th>`).join("");
  return `<table class="${name}"><thead><tr>${cells}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function rect(x, y, { width, height }, weight) {
  const shade = Math.round(SHADES * weight) / SHADES;
  const attributes = `x="${mm(x)}" y="${mm(y)}" width="${mm(width)}" height="${mm(height)}"`;
  return `<rect ${attributes} fill="#000" fill-opacity="${shade.toFixed(1)}" stroke="#999" stroke-width="0.15"/>`;
}

function dot(x, y) {
  return `<circle cx="${mm(x)}" cy="${mm(y)}" r="0.7"/>`;
}

/** An SVG; screen readers read the description. */
function svg(name, width, height, parts, description) {
  const [wide, high] = [width, height].map((length) => length.toFixed(1));
  const size = `width="${wide}mm" height="${high}mm" viewBox="0 0 ${wide} ${high}"`;
  return `<svg class="${name}" ${size} role="img" aria-label="${escapeHtml(description)}">${parts.join("")}</svg>`;
}
