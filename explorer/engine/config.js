// The sizes and options of a Transformer: model/config.py. What is said here is what the engine can hold.

const DEFAULTS = {
  src_vocab_size: 16000, tgt_vocab_size: 16000, n_layers: 4, n_decoder_layers: 0, n_heads: 8, d_model: 256, d_ff: 1024,
  d_head: 0, d_value: 0, max_len: 512, dropout: 0.1, activation: "relu", positions: "sinusoidal", attention_bias: true,
  shared_vocabulary: true, tying: "all", start: "bos", pad_id: 0,
};
const CHOICES = {
  activation: ["relu", "gelu", "silu"],
  positions: ["sinusoidal", "sinusoidal halves", "learned", "none"],
  tying: ["none", "output", "all"],
  start: ["bos", "pad"],
};
const OPTIONAL = ["n_decoder_layers", "d_head", "d_value", "pad_id"]; // 0 has a meaning

function verifyField(name, value) {
  if (!(name in DEFAULTS)) throw new Error(`config.json: the engine does not know the option "${name}".`);
  const expected = CHOICES[name];
  if (expected && !expected.includes(value)) {
    throw new Error(`config.json: ${name} must be one of ${expected.join(", ")}, not ${JSON.stringify(value)}.`);
  }
  if (typeof value !== typeof DEFAULTS[name]) throw new Error(`config.json: ${name} cannot be ${JSON.stringify(value)}.`);
  const least = OPTIONAL.includes(name) ? 0 : 1;
  if (typeof value === "number" && name !== "dropout" && !(Number.isInteger(value) && value >= least)) {
    throw new Error(`config.json: ${name} must be a whole number from ${least} on, not ${value}.`);
  }
}

/** The configuration in the object of a config.json, complete. */
export function modelConfig(fields) {
  for (const [name, value] of Object.entries(fields)) verifyField(name, value);
  const config = { ...DEFAULTS, ...fields };
  const { d_model, n_heads, tying, shared_vocabulary, src_vocab_size, tgt_vocab_size } = config;
  if (d_model % 2) throw new Error(`config.json: d_model must be even, not ${d_model}.`);
  if (!config.d_head && d_model % n_heads) throw new Error(`config.json: d_model ${d_model} is not divisible by n_heads ${n_heads}.`);
  if (shared_vocabulary && src_vocab_size !== tgt_vocab_size) throw new Error("config.json: a shared vocabulary has one size.");
  if (tying === "all" && !shared_vocabulary) throw new Error("config.json: tying \"all\" needs a shared vocabulary.");
  config.n_decoder_layers ||= config.n_layers;
  config.d_head ||= d_model / n_heads;
  config.d_value ||= config.d_head;
  return config;
}
