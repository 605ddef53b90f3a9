// Finds the head that aligns, on request: it asks for the attention and the leave-one-out effects of every example.

import { decodeFloats, Tensor } from "../../../ui/tensor.js";
import { median } from "../../../ui/numbers.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { fill, requireWords } from "../../../ui/text.js";
import { hits, ranking } from "./agreement.js";

const MIN_SHARE = 0.5; // of a head that aligns, as for the name "aligns" in explorer/experiments/catalogue.py

class Unanswered extends Error {}

export function mount(element, settings, server) {
  const { find, found } = nodesByAttribute(element.querySelector(".aligner"), "role"), text = requireWords(settings.text);
  const ask = questioner(server, text.noAnswer);
  find.addEventListener("click", async () => {
    find.disabled = true;
    const report = (done) => (found.textContent = fill(text.busy, { done, all: settings.sentences.length }));
    try {
      found.textContent = describe(await rankHeads(settings, ask, report), settings, text);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      found.textContent = error.message;
    } finally {
      find.disabled = false;
    }
  });
}

/** A function that asks the server; it throws Unanswered, with a sentence, for an error or if no response comes. */
function questioner(server, noAnswer) {
  return async (name, args) => {
    const answer = await server[name](args).catch(() => null), isError = answer?.startsWith('{"error"');
    if (typeof answer !== "string" || isError) throw new Unanswered(isError ? JSON.parse(answer).error : noAnswer);
    return answer;
  };
}

async function effectsOf(ask, sentence) {
  const columns = [];
  for (let part = 0, parts = 1; part < parts; part++) {
    const answer = JSON.parse(await ask("lab.omission", [sentence, part]));
    columns.push(...new Tensor(answer.effect).rows);
    parts = answer.parts;
  }
  return columns;
}

async function rankHeads({ sentences, ...sizes }, ask, report) {
  const translations = [];
  for (const [done, sentence] of sentences.entries()) {
    report(done + 1);
    const effects = await effectsOf(ask, sentence), weights = decodeFloats(await ask("lab.weights", [sentence, {}, "cross"]));
    translations.push(hits(weights, effects, sizes));
  }
  return ranking(translations);
}

/** What was found, in words: the best head, how good the others are, and where it may come from. */
export function describe({ count, ranked }, { sentences, layers, isImported }, text) {
  if (!count) return text.nothing;
  const percent = (share) => fill(text.percent, { percent: Math.round(100 * share) }), [best] = ranked;
  const guided = ranked.find(({ layer, head }) => layer === layers - 1 && head === 0);
  const bestRows = new Map([...ranked].reverse().map(({ layer, head, share }) => [`${layer}.${head}`, share])); // the last one stays
  const half = percent(median([...bestRows.values()].sort((a, b) => a - b)));
  const values = { layer: best.layer + 1, head: best.head + 1, row: text.rows[best.row], share: percent(best.share), count, sentences: sentences.length, half };
  if (best.share < MIN_SHARE) return fill(text.none, values);
  const origin = !isImported ? text.untaught : guided === best ? text.guided : fill(text.unguided, { share: percent(guided.share) });
  return `${fill(text.best, values)} ${origin}`;
}
