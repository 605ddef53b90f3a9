// Drives the engine in a test's page: functions that take and return plain values, tensors as { shape, data }.

import { loadCheckpoint } from "../engine/checkpoint.js";

const NAMES = ["config.json", "training.json", "tokenizer.model", "model.safetensors.index.json", "model.safetensors"];
const translators = new Map();

async function fetchBytes(address) {
  const response = await fetch(address);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
}

async function fetchCheckpoint(name) {
  const files = {};
  const add = async (file) => {
    const bytes = await fetchBytes(`./checkpoints/${name}/${file}`);
    if (bytes) files[file] = bytes;
  };
  await Promise.all(NAMES.map(add));
  const index = files["model.safetensors.index.json"];
  if (index) await Promise.all([...new Set(Object.values(JSON.parse(new TextDecoder().decode(index)).weight_map))].map(add));
  return files;
}

async function open(name) {
  if (!translators.has(name)) {
    translators.set(name, loadCheckpoint(await fetchCheckpoint(name), await fetchBytes("./engine/kernel.wasm")));
  }
  return translators.get(name);
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

/** A greedy translation with all that it records. */
export async function record(name, sentence) {
  const translator = await open(name), src = translator.sourceIds(sentence), encoded = translator.encode(src);
  const steps = [...translator.steps(encoded)];
  return {
    src,
    translation: translator.tokenizer.decode(translator.clean(steps.map(({ id }) => id))),
    encoder: encoded.attention.map(plain),
    steps: steps.map(plainStep),
  };
}
