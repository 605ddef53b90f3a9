// The model as the page asks it: its calls (explorer/engine/calls.py), which a server or a worker of this page answers.

import { BACKGROUND_VISITOR, sendRequest } from "./server.js";
import { UserError } from "./user_error.js";

/** No result came: the server is unreachable, or the request was cancelled (`isAborted`). */
export class NoAnswer extends Error {
  constructor(cause) {
    super(cause.message, { cause });
    this.isAborted = cause.name === "AbortError";
  }
}

/**
 * Each call promises the parsed result. It rejects with a UserError for what is refused, and with NoAnswer if none
 * came. Tensors are { shape, data }, their data base64 (explorer/ui/tensor.js). Indices count from zero.
 */
export class Model {
  /**
   * @param {string} language of the page, and of refusals
   * @param {About} about what the page knows of the model and its languages (explorer/derived/about.py)
   * @param {string} [visitor] whose turn the requests wait for
   */
  constructor(language, about, visitor) {
    this.language = language;
    this.about = about;
    this.visitor = visitor;
  }

  /** The same model, whose requests come after those of all visitors. */
  inBackground() {
    return new Model(this.language, this.about, BACKGROUND_VISITOR);
  }

  async call(name, args) {
    const { language, visitor } = this;
    const result = await sendRequest(name, args, { language, visitor }).then(JSON.parse).catch((error) => {
      throw new NoAnswer(error); // of a server that cannot be reached, or of something else in its place
    });
    if (result.error !== undefined) throw new UserError(result.error);
    return result;
  }

  /** The trace of a sentence's greedy translation. */
  translate(sentence) {
    return this.call("translate", [sentence]);
  }

  /** The trace of the translation under an experiment; {} changes nothing. */
  run(sentence, experiment) {
    return this.call("run", [sentence, experiment]);
  }

  /** All attention weights of a kind, where the trace was too large to hold them: { weights }. */
  weights(sentence, experiment, kind) {
    return this.call("weights", [sentence, experiment, kind]);
  }

  /**
   * The source's pieces, and the encoder's output with positions and without: { source, memory, without_positions }.
   */
  encode(sentence) {
    return this.call("encode", [sentence]);
  }

  /**
   * Every token's vector wherever it is changed, as a few numbers: { strips }, in the order of computation.
   * @returns {Promise<{ strips: Strip[] }>}
   */
  overview(sentence, experiment) {
    return this.call("overview", [sentence, experiment]);
  }

  /**
   * The weight and bias of one output, `row`, of a linear layer, or of a whole LayerNorm (row null): { weight, bias };
   * bias is null where there is none. Modules are called as in PyTorch, "decoder.layers.3.feed_forward.w_1".
   */
  parameter(module, row) {
    return this.call("parameter", [module, row]);
  }

  /**
   * What a neuron reads and writes by its weights: { reads, reads_against, writes, writes_against }, each of tokens
   * { id, text, cosine }, and { neighbours }, of { neuron, cosine }.
   */
  directions(stack, layer, neuron) {
    return this.call("directions", [stack, layer, neuron]);
  }

  /**
   * Every tensor of the pass: { tensors: [{ stack, layer, sublayer, tensor, shape, rms }] }; with `data` those of
   * `sites`, [stack, layer, sublayer, tensor].
   */
  tensors(sentence, sites, experiment = {}) {
    return this.call("tensors", [sentence, sites, experiment]);
  }

  /** The mask and all tensors of one head, and the parameters of its projections, by name. */
  head(sentence, kind, layer, head, experiment = {}) {
    return this.call("head", [sentence, kind, layer, head, experiment]);
  }

  /** A step's state and logits, what each layer would predict, and the lengths in both residual streams. */
  lens(sentence, step, experiment = {}) {
    return this.call("lens", [sentence, step, experiment]);
  }

  /** ||v W_O|| of every layer, head and key: { norms }. */
  norms(sentence, kind) {
    return this.call("norms", [sentence, kind]);
  }

  /** The share of each source piece in every prediction: { source }, [step src]. */
  contributions(sentence) {
    return this.call("contributions", [sentence]);
  }

  /**
   * The changes [row step] of the log-probabilities: { changes }; one row for each head off, then for each piece
   * hidden, then for each neuron held.
   */
  scores(sentence, heads, by, hidden, neurons = []) {
    return this.call("scores", [sentence, heads, by, hidden, neurons]);
  }

  /** By how much each neuron moves the stream after its layer at most: { encoder, decoder }, [layer d_ff]. */
  neurons(sentence) {
    return this.call("neurons", [sentence]);
  }

  /** Activation patching at some sites of a grid, from the one numbered `start` on. */
  patching(sentence, donor, grid, start) {
    return this.call("patching", [sentence, donor, grid, start]);
  }

  /** A beam search as a tree. */
  beam(sentence, width) {
    return this.call("beam", [sentence, width]);
  }

  /** Sampled translations with consecutive seeds; `sampling` is { temperature, top_k, top_p }. */
  sample(sentence, sampling, seed) {
    return this.call("sample", [sentence, sampling, seed]);
  }

  /** The ids of a text in the target language, and the id of the end: { ids, end }. */
  tokenize(text) {
    return this.call("tokenize", [text]);
  }
}
