// Drives the engine in a test's page: functions that take and return plain values, tensors as
// { shape, data }. A checkpoint has the name of its folder.

import modules from "../engine.js";

const {
  "engine/calls.js": { CALLS, EngineCalls },
  "engine/checkpoint.js": { loadCheckpoint },
  "engine/decoding.js": { distribution },
  "engine/experiments/experiment.js": { shuffleWords },
  "engine/probe.js": { Probe },
  "engine/random.js": { shuffled },
  "engine/tensor.js": { idTensor },
  "engine/tidying.js": { RULES },
  "engine/worker.js": { Answers },
} = modules;

const READ = /\.(json|model|spm|safetensors)$/;
const translators = new Map(), pages = new Map();

async function fetchBytes(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function load(name) {
  const listed = (await (await fetch(`./checkpoints/${name}/`)).text()).match(/(?<=href=")[^"]+/g);
  const names = listed.filter((file) => READ.test(file));
  const files = await Promise.all(names.map(async (file) => [file, await fetchBytes(`./checkpoints/${name}/${file}`)]));
  return loadCheckpoint(Object.fromEntries(files), await fetchBytes("./engine/kernel.wasm"));
}

async function translatorOf(name) {
  if (!translators.has(name)) translators.set(name, await load(name));
  return translators.get(name);
}

/** Why a checkpoint is refused. */
export async function refusal(name) {
  return load(name).then(() => null, (error) => error.message);
}

function plain({ shape, data }) {
  const bytes = new Uint8Array(Float32Array.from(data).buffer);
  let text = "";
  for (let start = 0; start < bytes.length; start += 32768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32768));
  }
  return { shape, data: btoa(text) };
}

/** A translation with all that it records. */
export async function record(name, sentence) {
  const translator = await translatorOf(name);
  const src = translator.sourceIds(sentence);
  const encoded = translator.encode(src);
  const steps = [...translator.steps(encoded)];
  return {
    src,
    translation: translator.tokenizer.decode(translator.clean(steps.map(({ id }) => id))),
    encoder: encoded.attention.map(plain),
    steps: steps.map((step) => ({
      ...step, selfAttention: plain(step.selfAttention), crossAttention: plain(step.crossAttention),
    })),
  };
}

/** Every tensor of a pass over padded rows of ids, in the order of computation, with its site. */
export async function pass(name, src, tgtIn) {
  const { model } = await translatorOf(name);
  const found = [];
  const probe = new Probe((site, tensor) => void found.push([site, plain(tensor)]));
  distribution(model.forward(idTensor(src), idTensor(tgtIn), probe).logits, probe);
  return found;
}

/** A pass in which no tensor holds a number. */
export async function passWithoutNumbers(name, src, tgtIn) {
  const visit = ({ tensor: site }, tensor) => (site === "stream" ? tensor.map(() => NaN) : undefined);
  (await translatorOf(name)).model.forward(idTensor([src]), idTensor([tgtIn]), new Probe(visit));
}

/** A row of the first matrix of the encoder's first feed-forward layer, and whether its numbers take 16 bits. */
export async function hiddenWeights(name, row) {
  const { weight } = (await translatorOf(name)).model.encoder.layers[0].feed_forward.w_1;
  return { isNarrow: weight.isNarrow, row: [...weight.row(row)] };
}

export async function encodeLines(name, lines) {
  const { tokenizer } = await translatorOf(name);
  return lines.map((line) => [tokenizer.encode(line), tokenizer.surfaces(line)]);
}

export async function decodeIds(name, rows) {
  const { tokenizer } = await translatorOf(name);
  return rows.map((ids) => [tokenizer.decode(ids), tokenizer.pieces(ids)]);
}

export function tidyLines(rules, lines) {
  return lines.map(RULES[rules]);
}

export function shuffledLists(lengths, seeds) {
  return lengths.flatMap((length) => seeds.map((seed) => shuffled([...new Array(length).keys()], seed)));
}

/** How many arguments each call of the model takes. */
export function calls() {
  return Object.fromEntries(CALLS.map((name) => [name, EngineCalls.prototype[name].length]));
}

/** Opens a checkpoint for a page, under a name for `answer`. */
export async function openPage(page, name, settings) {
  pages.set(page, new Answers(await translatorOf(name), settings));
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

export function shuffledWords(cases) {
  return cases.map(([text, seed]) => shuffleWords(text, seed));
}
