// Finds the head that aligns, on request: it asks for the attention and the leave-one-out effects of every example, and
// counts how often each head of the cross-attention points to the piece that a piece of the translation needs most.
//
// The needed piece is the one without which the piece loses most log-probability (leave-one-out:
// explorer/experiments/omission.py). This takes no training pairs and no alignments, so it works for any model. A head
// may point to it in the row that predicts the piece, or a step later, in the row that is fed with it (Chen et al.
// 2020, arXiv:2004.14837).

import { piecesToHide } from "../../derived/leave_one_out.js";
import { NoAnswer } from "../../ui/model.js";
import { decodeFloats, sum, Tensor } from "../../ui/tensor.js";
import { formatPercent, median } from "../../ui/numbers.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { fill, requireWords } from "../../ui/text.js";
import { UserError } from "../../ui/user_error.js";

const MIN_SHARE = 0.5; // of a head that aligns, as for the name "aligns" in explorer/experiments/head_measurements.py

const ROWS = ["predicts", "fed"];
const MIN_LOSS_NATS = 1; // a piece that loses less needs no piece in particular

/**
 * The needed source place of each step; null for the end, and where nothing is needed. `effects` are [place][step].
 * The first `tags` places name the target language, and the last is the end: neither is a word.
 */
export function neededPlaces(effects, tags = 0) {
  const words = effects.slice(tags, -1);
  const nSteps = effects[0].length;
  return Array.from({ length: nSteps }, (_, step) => {
    const losses = words.map((changes) => -changes[step]);
    const most = Math.max(...losses);
    return step < nSteps - 1 && most >= MIN_LOSS_NATS ? tags + losses.indexOf(most) : null;
  });
}

/**
 * What each head does about the needed places, by "layer.head.row": whether its largest weight is there, and the weight
 * there. `weights` are [layer head step place] in order.
 */
export function hits(weights, effects, { layers, heads, tags }) {
  const needed = neededPlaces(effects, tags);
  const nPlaces = effects.length;
  const found = {};
  const hit = (layer, head, step, place) => {
    const start = ((layer * heads + head) * needed.length + step) * nPlaces;
    const row = weights.subarray(start, start + nPlaces);
    return { isLargest: row[place] === Math.max(...row), weight: row[place] };
  };
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      for (const [later, row] of ROWS.entries()) {
        const hitsOf = (place, step) => (place === null ? [] : [hit(layer, head, step + later, place)]);
        found[[layer, head, row].join(".")] = needed.flatMap(hitsOf);
      }
    }
  }
  return found;
}

/**
 * All heads and rows by their share of hits in several translations, the best first, then by their mean weight on the
 * needed places; and the count of these.
 */
export function ranking(translations) {
  const [first] = translations;
  const count = first ? sum(translations.map((found) => Object.values(found)[0].length)) : 0;
  if (!count) return { count, ranked: [] };
  const ranked = Object.keys(first).map((key) => {
    const [layer, head, row] = key.split(".");
    const all = translations.flatMap((found) => found[key]);
    const share = all.filter(({ isLargest }) => isLargest).length / count;
    const weight = sum(all.map((one) => one.weight)) / count;
    return { layer: Number(layer), head: Number(head), row, share, weight };
  });
  return { count, ranked: ranked.sort((one, other) => other.share - one.share || other.weight - one.weight) };
}

export function mount(element, settings, model) {
  const { find, found } = nodesByAttribute(element.querySelector(".aligner"), "role");
  const text = requireWords(settings.text);
  find.addEventListener("click", async () => {
    find.disabled = true;
    const report = (done) => (found.textContent = fill(text.busy, { done, all: settings.sentences.length }));
    try {
      found.textContent = describe(await rankHeads(settings, model, report), settings, text);
    } catch (error) {
      found.textContent = error instanceof UserError ? error.message : text.noAnswer;
      if (!(error instanceof UserError || error instanceof NoAnswer)) throw error;
    } finally {
      find.disabled = false;
    }
  });
}

/** The changes of leave-one-out of a translation, [piece step]. Rejects with a UserError or NoAnswer. */
async function effectsOf(model, trace) {
  const rows = [];
  while (rows.length < trace.source.length) {
    const { changes } = await model.scores(trace.sentence, [], "zero", piecesToHide(trace, rows.length));
    rows.push(...new Tensor(changes).rows);
  }
  return rows;
}

async function rankHeads(settings, model, report) {
  const translations = [];
  for (const [done, sentence] of settings.sentences.entries()) {
    report(done + 1);
    const trace = await model.translate(sentence);
    const effects = await effectsOf(model, trace);
    const weights = trace.kinds.cross.weights ?? (await model.weights(sentence, {}, "cross")).weights;
    translations.push(hits(decodeFloats(weights), effects, settings));
  }
  return ranking(translations);
}

/** What was found, in words: the best head, how good the others are, and where it may come from. */
export function describe({ count, ranked }, { sentences, layers, isImported }, text) {
  if (!count) return text.nothing;
  const percent = (share) => fill(text.percent, { percent: formatPercent(share) });
  const [best] = ranked;
  const guided = ranked.find(({ layer, head }) => layer === layers - 1 && head === 0);
  // Of a head's two rows the better one comes last here, and stays.
  const bestRows = new Map([...ranked].reverse().map(({ layer, head, share }) => [`${layer}.${head}`, share]));
  const values = {
    layer: best.layer + 1,
    head: best.head + 1,
    row: text.rows[best.row],
    share: percent(best.share),
    count,
    sentences: sentences.length,
    half: percent(median([...bestRows.values()].sort((a, b) => a - b))),
  };
  if (best.share < MIN_SHARE) return fill(text.none, values);
  if (!isImported) return `${fill(text.best, values)} ${text.untaught}`;
  const origin = guided === best ? text.guided : fill(text.unguided, { share: percent(guided.share) });
  return `${fill(text.best, values)} ${origin}`;
}
