// Drives the engine and the answers in a test's page: functions that take and return plain values, tensors as { shape, data }.

import modules from "../answers.js";

const {
  "answers/answers.js": { Answers },
  "answers/what_if/experiment.js": { shuffleWords },
  "answers/what_if/omission.js": { rankCorrelation },
  "engine/beam.js": { beamTree },
  "engine/checkpoint.js": { loadCheckpoint },
  "engine/decoding.js": { distribution },
  "engine/forced.js": { ForcedTranslation, allHeads, headDrops },
  "engine/interventions.js": { experimentChanges, headMeans, interventionProbe },
  "engine/probe.js": { KINDS, NO_PROBE, Probe, siteKey },
  "engine/random.js": { shuffled },
  "engine/tensor.js": { Tensor, idTensor },
  "engine/tidying.js": { RULES },
  "engine/transformer.js": { attentionAt },
} = modules;

const READ = /^(config\.json|training\.json|tokenizer\.model|.*\.safetensors(\.index\.json)?|.*\.spm|vocab\.json|target_tag\.json)$/;
const translators = new Map(), pages = new Map();

async function fetchBytes(address) {
  const response = await fetch(address);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
}

async function load(name) {
  const listed = (await (await fetch(`./checkpoints/${name}/`)).text()).match(/(?<=href=")[^"]+/g).filter((file) => READ.test(file));
  const files = await Promise.all(listed.map(async (file) => [file, await fetchBytes(`./checkpoints/${name}/${file}`)]));
  return loadCheckpoint(Object.fromEntries(files), await fetchBytes("./engine/kernel.wasm"));
}

async function open(name) {
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
  for (let start = 0; start < bytes.length; start += 32768) text += String.fromCharCode(...bytes.subarray(start, start + 32768));
  return { shape, data: btoa(text) };
}

function plainStep({ selfAttention, crossAttention, ...step }) {
  return { ...step, selfAttention: plain(selfAttention), crossAttention: plain(crossAttention) };
}

/** Every tensor of a pass, by site. */
function tensorsOf({ model }, src, tgtIn) {
  const tensors = new Map();
  model.forward(idTensor([src]), idTensor([tgtIn]), new Probe((site, tensor) => void tensors.set(siteKey(site), tensor)));
  return tensors;
}

/** A translation with all that it records, under an experiment; `donor` and `examples` are pairs of ids. */
export async function record(name, sentence, { experiment = {}, donor, examples, nShuffled = 0 } = {}) {
  const translator = await open(name), src = translator.sourceIds(sentence), { beginning = [] } = experiment;
  const changes = experimentChanges(experiment, translator, {
    lengths: { encoder: src.length, decoder: nShuffled },
    means: examples && headMeans(translator, examples),
    donor: donor && tensorsOf(translator, ...donor),
  });
  const probe = changes.length ? interventionProbe(changes) : NO_PROBE, encoded = translator.encode(src, probe);
  const steps = beginning.at(-1) === translator.tokenizer.eosId
    ? translator.forcedSteps(encoded, beginning, probe)
    : [...translator.steps(encoded, { beginning, probe })];
  return {
    src,
    translation: translator.tokenizer.decode(translator.clean(steps.map(({ id }) => id))),
    encoder: encoded.attention.map(plain),
    steps: steps.map(plainStep),
  };
}

/** Every tensor of a pass over padded rows of ids, in the order of computation, with its site. */
export async function pass(name, src, tgtIn) {
  const { model } = await open(name), found = [], probe = new Probe((site, tensor) => void found.push([site, plain(tensor)]));
  distribution(model.forward(idTensor(src), idTensor(tgtIn), probe).logits, probe);
  return found;
}

/** A pass in which no tensor holds a number. */
export async function passWithoutNumbers(name, src, tgtIn) {
  const visit = ({ tensor: site }, tensor) => (site === "stream" ? tensor.map(() => NaN) : undefined);
  (await open(name)).model.forward(idTensor([src]), idTensor([tgtIn]), new Probe(visit));
}

export async function addedPerWeight(name, kind, layer, v) {
  const { model } = await open(name);
  return plain(attentionAt(model, kind, layer).addedPerWeight(new Tensor(v.shape, Float32Array.from(v.data))));
}

/** A row of the first matrix of the encoder's first feed-forward layer, and whether its numbers take 16 bits. */
export async function hiddenWeights(name, row) {
  const { weight } = (await open(name)).model.encoder.layers[0].feed_forward.w_1;
  return { isNarrow: weight.isNarrow, row: [...weight.row(row)] };
}

export async function beam(name, src, size) {
  const tree = beamTree(await open(name), src, size);
  return { levels: tree.levels, greedy: tree.greedy, best: tree.best, answer: tree.answer, greedyPlaces: tree.greedyPlaces };
}

export async function ranking(name, src, tgtOut, by, examples) {
  const translator = await open(name), means = by === "mean" ? headMeans(translator, examples) : null;
  return { heads: allHeads(translator.model), drops: headDrops(new ForcedTranslation(translator, src, tgtOut), { by, means }) };
}

export async function means(name, examples) {
  const found = headMeans(await open(name), examples);
  return KINDS.map((kind) => plain(found[kind]));
}

export async function encodeLines(name, lines) {
  const { tokenizer } = await open(name);
  return lines.map((line) => [tokenizer.encode(line), tokenizer.surfaces(line)]);
}

export async function decodeIds(name, rows) {
  const { tokenizer } = await open(name);
  return rows.map((ids) => [tokenizer.decode(ids), tokenizer.pieces(ids)]);
}

export function tidyLines(rules, lines) {
  return lines.map(RULES[rules]);
}

export function shuffledLists(lengths, seeds) {
  return lengths.flatMap((length) => seeds.map((seed) => shuffled([...new Array(length).keys()], seed)));
}

/** Opens a checkpoint for a page, under a name for `answer`; what only reports need lies in a folder of that name. */
export async function openPage(page, name, data) {
  pages.set(page, new Answers(await open(name), data, (file) => fetch(`./checkpoints/${page}/${file}.bin`)));
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
