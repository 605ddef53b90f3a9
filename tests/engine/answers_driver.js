// Asks the answers in a test's page: as the worker does, with a checkpoint and the data of a page's language.

import modules from "../answers.js";

const {
  "answers/answers.js": { Answers },
  "answers/what_if/experiment.js": { shuffleWords },
  "answers/what_if/omission.js": { rankCorrelation },
  "engine/checkpoint.js": { loadCheckpoint },
} = modules;

const translators = new Map(), pages = new Map();

async function fetchBytes(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function load(name) {
  const listed = (await (await fetch(`./checkpoints/${name}/`)).text()).match(/(?<=href=")[^"]+/g);
  const names = listed.filter((file) => /\.(json|model|spm|safetensors)$/.test(file));
  const files = await Promise.all(names.map(async (file) => [file, await fetchBytes(`./checkpoints/${name}/${file}`)]));
  return loadCheckpoint(Object.fromEntries(files), await fetchBytes("./engine/kernel.wasm"));
}

/** Opens a checkpoint for a page, under a name for `answer`; what only reports need lies in a folder of that name. */
export async function open(page, name, data) {
  if (!translators.has(name)) translators.set(name, await load(name));
  pages.set(page, new Answers(translators.get(name), data, (file) => fetch(`./checkpoints/${page}/${file}.bin`)));
}

/** The answers' texts to questions, pairs of a name and arguments, one after another. */
export async function answer(page, questions) {
  const found = [], options = { signal: new AbortController().signal, report: () => {} };
  for (const [name, args] of questions) found.push(await pages.get(page).answer(name, args, options));
  return found;
}

/** An answer, or the name of the error that ended it, and what it reported; it is stopped after so many reports. */
export async function followedAnswer(page, name, args, stopAfter = Infinity) {
  const controller = new AbortController(), statuses = [];
  const report = (status) => {
    statuses.push(status);
    if (statuses.length === stopAfter) controller.abort();
  };
  const answered = pages.get(page).answer(name, args, { signal: controller.signal, report });
  return [await answered.catch((error) => error.name), statuses];
}

export function rankCorrelations(pairs) {
  return pairs.map((pair) => rankCorrelation(...pair));
}

export function shuffledWords(cases) {
  return cases.map(([text, seed]) => shuffleWords(text, seed));
}
