// A report or a worksheet as one HTML file: explorer/handout/report.py, with its templates.

import { pairPieces } from "../../derived/differences.js";
import { KINDS } from "../../engine/probe.js";
import { isolate } from "../../ui/scripts.js";
import { joinList } from "../../ui/text.js";
import { valueNorms } from "../lengths.js";
import { encodeBytes, tensorJson } from "../payload.js";
import { piecesOf } from "../pieces.js";
import { lengthOf } from "../../engine/python_text.js";
import { formatText } from "../../ui/format_text.js";
import { UserError } from "../../ui/user_error.js";
import { logProbability } from "../trace.js";
import { embed, escapeHtml, fillPlaceholders, languageAttributes, sheetsHtml } from "./sheets.js";
import { worksheetOf } from "./worksheet.js";

/** An experiment in words (describe_experiment of report.py): one sentence for each change of an experiment with all its fields; `changed` is its trace. */
function describeExperiment(experiment, changed, { translator, data: { handout, language } }) {
  const { EXPERIMENT: texts } = handout.texts, { source, word_order: order, hidden, beginning, off, off_by: how, seed, shift, patch } = experiment;
  const format = (text, values) => formatText(text, values, language);
  const heads = (list) => list.map(([kind, layer, head]) => `${handout.kindNames[kind]} ${layer + 1}.${head + 1}`);
  const cells = (list) => list.map(([stack, layer, position]) => format(texts.cell, { stack: texts.stacks[stack], layer: layer + 1, position: position + 1 }));
  const positions = ["encoder", "decoder"].filter((stack) => experiment[`${stack}_positions`]).map((stack) => (
    format(texts[stack], { how: format(texts.positions[experiment[`${stack}_positions`]], { seed, shift }) })
  ));
  const begun = piecesOf(translator, beginning).map(({ text }) => text).join(" ");
  const patched = patch && { sentence: isolate(patch.sentence), what: joinList([...heads(patch.heads), ...cells(patch.cells)], language) };
  return [
    ...(source === null ? [] : [format(texts.source, { text: isolate(source) })]),
    ...(order === null ? [] : [format(texts.word_order, { text: isolate(changed.sentence) })]),
    ...(hidden.length ? [format(texts.hidden, { pieces: joinList(hidden.map((place) => isolate(changed.source[place].text)), language) })] : []),
    ...(beginning.length ? [format(texts.beginning, { pieces: isolate(begun) })] : []),
    ...(off.length ? [format(texts.off, { heads: joinList(heads(off), language), how: texts.off_by[how] })] : []),
    ...positions,
    ...(patch ? [format(texts.patch, patched)] : []),
  ].map((line) => line.trim());
}

/** Gzip of a text in base64. */
async function compress(text) {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return encodeBytes(new Uint8Array(await new Response(compressed).arrayBuffer()));
}

/** HTML of the translation; with an experiment, of both translations and their log-probabilities. */
function translationsHtml(trace, changed, { handout: { texts, languages }, language }) {
  const attributes = languageAttributes(languages, "target");
  if (!changed) return `<dt>${escapeHtml(texts.TARGET)}</dt><dd${attributes}>${escapeHtml(trace.translation)}</dd>`;
  return Object.entries({ unchanged: trace, changed }).map(([name, { translation, steps }]) => {
    const worth = formatText(texts.WORTH, { total: logProbability(steps) }, language);
    return `<dt>${escapeHtml(texts.TEXT[name])}</dt><dd><span${attributes}>${escapeHtml(translation)}</span> <small>(${escapeHtml(worth)})</small></dd>`;
  }).join("");
}

function changesHtml(lines, title) {
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("");
  return `<div class="changes"><strong>${escapeHtml(title)}</strong><ul>${items}</ul></div>`;
}

/** The worksheet of a trace, or null if a page has no room for its words. */
function worksheetIfShort(trace, data) {
  try {
    return worksheetOf(trace, data);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return null;
  }
}

/** The view that a report opens in. */
function openingView(view, { view: first }) {
  const known = Object.entries(view).filter(([name]) => Object.hasOwn(first, name));
  return { ...first, ...Object.fromEntries(known), level: first.level };
}

/** Everything that is embedded, as JSON by name, without what every report embeds. */
function embeddedData({ recordings, translationJson }, trace, changed, view) {
  const payload = (each) => translationJson(each, Infinity);
  const experiment = changed ? { trace: payload(changed), pairs: pairPieces(trace, changed) } : null;
  const pass = changed ? null : recordings.forwardPass(trace.sentence);
  const lengths = pass ? KINDS.map((kind) => [`norms-${kind}`, { norms: tensorJson(valueNorms(pass, kind)) }]) : [];
  return { report: { view, trace: payload(trace), experiment }, ...Object.fromEntries(lengths) };
}

/** `translationJson(trace, options)` is a translation as the page shows it, `fetchFile(name)` promises the bytes of a gzip file and its text. */
export class Handouts {
  constructor(laboratory, translationJson, fetchFile) {
    Object.assign(this, { laboratory, recordings: laboratory.recordings, data: laboratory.recordings.data, translationJson, fetchFile });
  }

  /** What `handout_templates` of explorer/answers/data.py wrote. */
  async templates() {
    return JSON.parse((await this.fetchFile("handout")).text);
  }

  /** A report as JSON, with an experiment's changed translation if there are changes. Throws a UserError. */
  *report(sentence, changes, notes, view) {
    const { laboratory, recordings, data, data: { handout, handout: { refusals, texts, MAX_NOTES_CHARACTERS }, language } } = this;
    if (typeof notes !== "string" || lengthOf(notes) > MAX_NOTES_CHARACTERS) throw new UserError(formatText(refusals.notes, { limit: MAX_NOTES_CHARACTERS }, language));
    const opening = openingView(view, handout), trace = recordings.trace(sentence), isChanged = laboratory.isChange(changes);
    const changed = isChanged ? yield* laboratory.trace(sentence, changes) : null;
    const lines = isChanged ? describeExperiment(laboratory.complete(changes), changed, recordings) : [];
    const sheet = worksheetIfShort(trace, data);
    const parts = {
      title: escapeHtml(formatText(texts.REPORT_TITLE, { sentence: trace.sentence }, language)),
      sentence: escapeHtml(trace.sentence),
      translations: translationsHtml(trace, changed, data),
      experiment: isChanged ? changesHtml(lines, texts.CHANGES) : "",
      notes: escapeHtml(notes),
      printing: escapeHtml(sheet ? texts.PRINTING : texts.LONG),
    };
    return this.reportHtml(parts, sheet, embeddedData(this, trace, changed, opening)).then((text) => ({ text }));
  }

  async reportHtml(parts, sheet, { report, ...lengths }) {
    const { report: template, sheets, settings } = await this.templates();
    const plotly = (await this.fetchFile("plotly")).bytes;
    const embedded = [["report", await compress(JSON.stringify({ ...settings, ...report }))], ["plotly", encodeBytes(plotly)]];
    for (const [name, value] of Object.entries(lengths)) embedded.push([name, await compress(JSON.stringify(value))]);
    return fillPlaceholders(template, {
      ...parts,
      sheets: sheet ? sheetsHtml(sheets, sheet, this.data) : "",
      embedded: embedded.map(([name, base64]) => embed(name, base64)).join(""),
    });
  }

  /** A worksheet as JSON. Throws a UserError. */
  async worksheet(sentence) {
    const { data } = this, sheet = worksheetOf(this.recordings.trace(sentence), data);
    const { worksheet, sheets } = await this.templates();
    const title = escapeHtml(`${data.handout.texts.SHEET_TITLE} ${sheet.sentence}`);
    return { text: fillPlaceholders(worksheet, { title, sheets: sheetsHtml(sheets, sheet, data) }) };
  }
}
