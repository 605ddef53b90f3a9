// The room that a heatmap leaves for its labels: how large these are, the margins that they need, and the least picture
// in which all of them stand.

import { LIMITS, ROOM, truncate } from "./heatmap.js";
import { isProjector, pageFont, textMeasurer } from "../ui/page.js";
import { breakLine, longestPart } from "../ui/text.js";

const LABEL_HEIGHT = 1.03; // from one row's label to the next, by their size; slanted ones of columns need only that
const ROOMY_HEIGHT = 1.25; // the same of labels larger than need be, which take room from the cells
// Pixels of labels, the largest first; a projector enlarges all of the picture, and a phone has no room.
const LABEL_SIZES = { usual: [14, 13, 12, 11], plain: [14, 12, 11], least: [11] };
const MEASURED = { usual: LABEL_SIZES.least[0], plain: 10 }; // pixels of labels as they are measured
const NARROW_LETTERS = 16;
const SLANT = { up: Math.sin(Math.PI / 3), right: Math.cos(Math.PI / 3) }; // of the labels of columns
const TITLE_LINE = 18.2; // pixels
const CORNER = 84; // pixels, the least width of the title of the rows, or of the buttons in its place
const SCALE = 74;

/**
 * Functions that measure texts in pixels: usual and plain labels, of the sizes MEASURED, and titles.
 * @param {(text: string) => number} usual
 */
export function measurersOf(usual) {
  return {
    usual,
    plain: textMeasurer(() => `bold ${MEASURED.plain}px ${pageFont()}`),
    title: textMeasurer(() => `${ROOM.titleSize}px ${pageFont()}`),
  };
}

export class LabelRoom {
  /**
   * `title` is that of the rows; `isNarrow` says whether labels need the space of the colour bar and of the titles,
   * `isPlain` whether the picture has neither anyway, and labels in the page's font.
   * @param {{ content: Record<string, any>, isTransposed: boolean, title: string, isNarrow: boolean, isPlain: boolean,
   *   measurers: ReturnType<typeof measurersOf> }} options
   */
  constructor({ content, isTransposed, title, isNarrow, isPlain, measurers }) {
    this.content = content;
    this.isTransposed = isTransposed;
    this.title = title;
    this.isNarrow = isNarrow;
    this.isPlain = isPlain;
    this.measurers = measurers;
  }

  /** Whether no title of the rows stands in the corner, and no colour bar at the right. */
  get isBare() {
    return this.isNarrow || this.isPlain;
  }

  /** How many rows and columns are drawn. */
  get counts() {
    const { content: { keys, queries }, isTransposed } = this;
    return isTransposed ? [keys.length, queries.length] : [queries.length, keys.length];
  }

  /** Pixels that a label may have, the largest first. */
  get sizes() {
    if (isProjector() || (this.isNarrow && !this.isPlain)) return LABEL_SIZES.least;
    return this.isPlain ? LABEL_SIZES.plain : LABEL_SIZES.usual;
  }

  /** Pixels of the labels in a picture of so many: as many as let all of them stand. */
  sizeIn(width, height) {
    const hasRoom = (size) => {
      const least = this.leastPicture(size, this.isPlain ? LABEL_HEIGHT : ROOMY_HEIGHT);
      return least.width <= width && least.height <= height;
    };
    return this.sizes.find(hasRoom) ?? this.sizes.at(-1);
  }

  /** The least picture in which every row and column has its label beside it. */
  leastPicture(size = this.sizes.at(-1), labelHeight = LABEL_HEIGHT) {
    const [rows, columns] = this.counts;
    const { l, r, t, b } = this.margin(size);
    return { width: Math.ceil(l + r + columns * size), height: Math.ceil(t + b + rows * labelHeight * size) };
  }

  /** How many letters labels have at most. */
  get letters() {
    return this.isNarrow ? { ...LIMITS, rowLetters: NARROW_LETTERS } : LIMITS;
  }

  /** The labels of the rows and of the columns, as they are written. */
  get labels() {
    const { rowLetters, columnLetters } = this.letters;
    const { queries, labels } = this.content.full ?? this.content;
    const [rows, columns] = this.isTransposed ? [labels, queries] : [queries, labels];
    const shorten = (texts, letters) => texts.map((text) => truncate(text, letters));
    return { rows: shorten(rows, rowLetters), columns: shorten(columns, columnLetters) };
  }

  labelWidth(text, size) {
    const font = this.isPlain ? "plain" : "usual";
    return (this.measurers[font](text) * size) / MEASURED[font];
  }

  /** How far the slanted labels of the first columns may reach over the right edge of the last of these. */
  overhang(count, size) {
    const reaches = this.labels.columns.slice(0, count).map((text, i) => (
      SLANT.right * this.labelWidth(text, size) + ROOM.gap / 2 - (count - 1 - i) * size));
    return Math.max(0, ...reaches);
  }

  /** Margins for the longest labels of a size. Plotly's automargin would draw everything twice. */
  margin(size) {
    const { labels: { rows, columns }, isBare, content, title, measurers } = this;
    const longest = (texts) => Math.max(0, ...texts.map((text) => this.labelWidth(text, size)));
    const across = longest(rows);
    const down = longest(columns) * SLANT.up + ROOM.gap * 2;
    const over = Math.max(ROOM.gap * 2, this.overhang(columns.length, size));
    if (isBare) return { l: Math.max(across, CORNER) + ROOM.gap, r: over, t: down, b: ROOM.gap };
    const left = Math.max(across, longestPart(title, measurers.title), CORNER);
    const corner = this.cornerLines(left).length * TITLE_LINE;
    return {
      l: left + ROOM.gap,
      r: SCALE + (content.signed ? ROOM.gap : 0), // for the sign
      t: Math.max(down, corner + ROOM.gap) + ROOM.title,
      b: ROOM.gap,
    };
  }

  /** The lines of the title of the rows, above their labels. */
  cornerLines(width) {
    return breakLine(this.title, width, this.measurers.title);
  }
}
