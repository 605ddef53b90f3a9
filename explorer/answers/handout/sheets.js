// The pages of a worksheet as HTML: explorer/handout/sheets.py, with its template and sizes.

import { isolate } from "../../ui/scripts.js";
import { lengthOf } from "../../engine/python_text.js";
import { formatText } from "../../ui/format_text.js";
import { shorten } from "../../ui/text.js";

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

/** Draws what differs on every worksheet; `data` are those of explorer/answers/data.py. */
class Sheets {
  constructor(sheet, { handout, language }) {
    Object.assign(this, { ...sheet, handout, language, texts: handout.texts });
  }

  format(text, values) {
    return formatText(text, values, this.language);
  }

  parts() {
    return {
      sentence: escapeHtml(this.sentence),
      translation: escapeHtml(this.translation),
      guesses: this.guesses(false),
      drawing: this.drawing(false),
      heatmap: this.heatmap(),
      weights: this.weightsTable(false),
      guesses_answers: this.guesses(true),
      drawing_answers: this.drawing(true),
      weights_answers: this.weightsTable(true),
      crossings: escapeHtml(this.format(this.texts.CROSSINGS, { count: this.crossings })),
    };
  }

  rowHeader(row) {
    return `<th scope="row"${languageAttributes(this.handout.languages, "target")}>${escapeHtml(this.rows[row])}</th>`;
  }

  weightText(weight) {
    return this.format("{weight:.1f}", { weight });
  }

  /** A table of the rows to guess; with answers, the strongest word of each and its weight. */
  guesses(withAnswers) {
    const { KEY_HEADER, GUESS_HEADER } = this.texts, attributes = languageAttributes(this.handout.languages, "source");
    const rows = this.rowsToGuess.map((row) => {
      const column = this.strongest[row], answer = withAnswers ? escapeHtml(`${column + 1}  ${this.columns[column]}`) : "";
      return `<tr>${this.rowHeader(row)}<td${attributes}>${answer}</td><td>${withAnswers ? this.weightText(this.weights[row][column]) : ""}</td></tr>`;
    });
    return table(withAnswers ? "guesses answers" : "guesses", withAnswers ? KEY_HEADER : GUESS_HEADER, rows);
  }

  /** A table of the rows to read: blanks for the weights, or the weights. */
  weightsTable(withAnswers) {
    const rows = this.rowsToRead.map((row) => {
      const cells = this.weights[row].map((weight) => `<td>${withAnswers ? this.weightText(weight) : ""}</td>`);
      return `<tr>${this.rowHeader(row)}${cells.join("")}</tr>`;
    });
    return table("weights", ["", ...this.columns.map((_, i) => `${i + 1}`)], rows);
  }

  /** The heatmap in eleven greys, with its scale. */
  heatmap() {
    const { LETTER_WIDTH_MM, SLANT, MAX_CELL_MM, WIDTH_MM, MAX_HEATMAP_HEIGHT_MM, FONT_SIZE_MM, SHADES } = this.handout;
    const { rows, weights, columns: { length: width } } = this, numbered = this.columns.map((text, i) => `${i + 1} ${isolate(text)}`);
    const left = Math.min(40, LETTER_WIDTH_MM * Math.max(...rows.map(lengthOf)) + 3);
    const top = Math.min(34, SLANT * LETTER_WIDTH_MM * Math.max(...numbered.map(lengthOf)) + 4);
    const cell = Math.min(MAX_CELL_MM, (WIDTH_MM - left - 26) / width, (MAX_HEATMAP_HEIGHT_MM - top) / rows.length);
    const size = Math.min(FONT_SIZE_MM, 0.8 * cell), height = top + Math.max(rows.length * cell, 5 * (SHADES + 1)) + 1;
    const cells = weights.flatMap((row, i) => row.map((weight, key) => this.rect(left + key * cell, top + i * cell, [cell, cell], weight)));
    const rowLabels = rows.map((text, i) => this.label(left - 1.5, top + (i + 0.5) * cell + 1, text, { side: "target", anchor: "end", size }));
    const columnLabels = numbered.map((text, i) => {
      const x = left + (i + 0.6) * cell, y = top - 1.5;
      return this.label(x, y, text, { side: "source", transform: `rotate(-60 ${x.toFixed(2)} ${y.toFixed(2)})`, size });
    });
    const parts = [...cells, ...rowLabels, ...columnLabels, ...this.scale(left + width * cell + 8, top)];
    return svg("heatmap", WIDTH_MM, height, parts, this.format(this.texts.PICTURE, { rows: rows.length, columns: width }));
  }

  /** The greys and their weights, largest first. */
  scale(x, y) {
    const { SHADES } = this.handout, weights = Array.from({ length: SHADES + 1 }, (_, i) => (SHADES - i) / SHADES);
    return weights.map((weight, i) => this.rect(x, y + 5 * i, [6, 5], weight) + this.label(x + 8, y + 5 * i + 3.6, this.weightText(weight)));
  }

  /** Source and target words with dots to connect; with answers, connected to the strongest word. */
  drawing(withAnswers) {
    const { DRAWING_WIDTH_MM: width, LINE_MM, MAX_KEY_DRAWING_HEIGHT_MM, MAX_DRAWING_HEIGHT_MM } = this.handout, { columns, rowsToGuess } = this;
    const height = Math.min(withAnswers ? MAX_KEY_DRAWING_HEIGHT_MM : MAX_DRAWING_HEIGHT_MM, LINE_MM * Math.max(columns.length, rowsToGuess.length));
    const left = 0.37 * width, right = 0.7 * width, spacing = [height / columns.length, height / Math.max(1, rowsToGuess.length)];
    const sources = columns.map((text, i) => {
      const y = (i + 0.5) * spacing[0];
      return this.label(left - 2, y + 1, `${i + 1} ${isolate(text)}`, { side: "source", anchor: "end" }) + dot(left, y);
    });
    const targets = rowsToGuess.map((row, i) => {
      const y = (i + 0.5) * spacing[1], end = (this.strongest[row] + 0.5) * spacing[0];
      const line = `<path d="M${left.toFixed(2)} ${end.toFixed(2)}L${right.toFixed(2)} ${y.toFixed(2)}" stroke="#000" stroke-width="0.4"/>`;
      return this.label(right + 2, y + 1, this.rows[row], { side: "target" }) + dot(right, y) + (withAnswers ? line : "");
    });
    return svg("drawing", width, height, [...sources, ...targets], this.texts.DRAWING);
  }

  rect(x, y, [width, height], weight) {
    const shade = Math.round(this.handout.SHADES * weight) / this.handout.SHADES, [left, top, wide, high] = [x, y, width, height].map((mm) => mm.toFixed(2));
    return `<rect x="${left}" y="${top}" width="${wide}" height="${high}" fill="#000" fill-opacity="${shade.toFixed(1)}" stroke="#999" stroke-width="0.15"/>`;
  }

  /** An SVG text, in the language of a side if one is given; in SVG, `dir` would flip it around its anchor. */
  label(x, y, text, { side, anchor = "start", transform, size = this.handout.FONT_SIZE_MM } = {}) {
    const lang = side ? ` lang="${escapeHtml(this.handout.languages.codes[side])}"` : "", turned = transform ? ` transform="${transform}"` : "";
    const attributes = `x="${x.toFixed(2)}" y="${y.toFixed(2)}" font-size="${size.toFixed(2)}" text-anchor="${anchor}"${turned}`;
    return `<text${lang} ${attributes}>${escapeHtml(shorten(text, this.handout.MAX_LABEL_LETTERS))}</text>`;
  }
}

function table(name, header, rows) {
  const cells = header.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join("");
  return `<table class="${name}"><thead><tr>${cells}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** An SVG; width and height are in millimetres, and screen readers read the description. */
function svg(name, width, height, parts, description) {
  const [wide, high] = [width, height].map((mm) => mm.toFixed(1));
  const size = `width="${wide}mm" height="${high}mm" viewBox="0 0 ${wide} ${high}"`;
  return `<svg class="${name}" ${size} role="img" aria-label="${escapeHtml(description)}">${parts.join("")}</svg>`;
}

function dot(x, y) {
  return `<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="0.7"/>`;
}

/** The HTML of all three pages: the template of the sheets with what belongs to a worksheet (worksheet.js). */
export function sheetsHtml(template, sheet, data) {
  return fillPlaceholders(template, new Sheets(sheet, data).parts());
}
