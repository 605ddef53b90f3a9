// The records that cross borders between the page's modules. Nothing imports this file: its names are known everywhere.
// Indices count from zero. Base64 is that of little-endian 32-bit floats.

/** The encoder's and the decoder's self-attention, and the cross-attention from the decoder to the encoder. */
type Kind = "encoder" | "decoder" | "cross";
type Stack = "encoder" | "decoder";
type Axis = "query" | "key";
type Side = "source" | "target";

/** Numbers of 32 bits, as the model has them, or of 64, as sums and means need them. */
type Numbers = Float32Array | Float64Array;

/** One layer or head, or what becomes of several. */
type HeadChoice = number | "mean" | "max";
type LayerChoice = HeadChoice | "rollout";
interface Heads { layer: LayerChoice; head: HeadChoice }

interface Piece {
  text: string; // with a raised dot before a word
  raw?: string; // the text in the vocabulary, where the page calls it by a name (token_names.js)
  id: number;
  special: boolean; // start or end of the sentence
  starts_word: boolean;
  unknown?: boolean;
  mark?: "start" | "end"; // in the level "picture"
}

/** A word of a sentence. */
type Word = import("../derived/splitting.js").Word;

interface Candidate { text: string; id: number; probability: number; raw?: string }

/** One decoding step: `fed` is the query of the decoder's row, `predicted` what it chose. */
interface Step {
  fed: Piece;
  predicted: Piece;
  probability: number;
  entropy: number; // in bits
  candidates: Candidate[]; // the most probable first
  excluded: Candidate | null; // what the model wanted most, if no translation may contain it
  log_probability?: number; // of `predicted`, in nats; a training's story has none, and no rank
  rank?: number; // of `predicted`: 1 is the most probable
}

/** A tensor of a response, its numbers in base64. */
interface TensorPayload { shape: number[]; data: string }

/** One kind's attention as a response holds it. */
interface AttentionPayload {
  shape: [layer: number, head: number, query: number, key: number];
  weights: string | null; // base64 of all unmasked weights [layer head query key]; null: one more request
}

/** The same with the labels of both axes, and the indices of special pieces. */
interface LabelledAttention extends AttentionPayload {
  queries: string[];
  keys: string[];
  special: { queries: Iterable<number>; keys: Iterable<number> };
}

interface TracePayload {
  sentence: string; // as the model read it
  isAllGerman?: boolean; // the server has found each word of its translation in the list of German words
  typed?: string | null; // as the visitor wrote it, where that differs
  translation: string;
  notes?: string[];
  source: Piece[];
  steps: Step[];
  kinds: Record<Kind, AttentionPayload>;
  vocabulary?: number; // the number of pieces
  stopped_at_limit?: boolean; // before the end
  isModelsChoice?: boolean; // the model chose it, without changes
  defaultStep?: number;
  defaultPiece?: number; // of the source
  warnings?: TranslationWarning[];
  senses?: import("../derived/senses.js").SenseChoice[];
  likelihood?: Likelihood | null;
}

interface TranslationWarning {
  kind: string; // a name in the words
  text: string;
  reason: string; // in a word's tooltip
  pieces: number[]; // of the source
  steps: number[];
  sentences: string[]; // of a text of several; or the text without HTML
}

/** How likely the translation is good. */
interface Likelihood { word: string; probability: number; reason: TranslationWarning | null }

/** How the measures of a trace become a likelihood: the logistic regression of training.json. */
interface LikelihoodFit {
  measures: string[];
  coefficients: number[];
  means: number[];
  scales: number[];
  intercept: number;
  right: number; // from this probability on a translation is likely right
  wrong: number; // below this one it is likely wrong
}

/** What the page knows of the model and its languages, in its own language (explorer/derived/about.py). */
interface About {
  code: string; // of the language that the model reads
  codes: Record<Side, string>;
  tokenNames: import("../derived/token_names.js").TokenNames;
  isMended: boolean; // texts that visitors type (derived/reading.js)
  fit: LikelihoodFit | null;
  germanWords: string | Uint8Array | null; // the address of the filter, or its bits
  notes: { texts: Record<string, string>; directions: string[]; sidesWithoutBlanks: Side[] };
  subjects?: Record<string, string>; // what the examples are about, by sentence
  warnings: {
    texts: Record<string, Record<string, string>>; // by kind and variant, the most serious kind first
    reasons: Record<string, string>; // by kind
    words: Record<string, string[]>; // "common" only where there is a list of the language's words
    senses: string[]; // lines of assets/senses.tsv
    distinctive: Record<string, string[]>; // by the code of a language
    languageNames: Record<string, string>; // by their codes
  };
}

/** An attention map as the view reads it: the class of derived/attention_map.js. */
type AttentionMap = import("../derived/attention_map.js").AttentionMap;

/** Everything recorded about one translation. `submission` identifies one that the page shows. */
type Trace = Omit<TracePayload, "kinds"> & {
  kinds: Record<Kind, AttentionMap>;
  submission?: number | string;
  run?: Run; // of what is changed; the unchanged translation has none
};

/** Of what a changed translation is: the sentence that was asked for, and the partners of its pieces in the unchanged. */
interface Run { sentence: string; experiment: Experiment; pairs: Pairs }
/** For every piece and step of a run the index of its partner in another, or null. */
interface Pairs { source: (number | null)[]; steps: (number | null)[] }

interface ErrorResponse { error: string; submission?: number }

/** What the attention view shows; View of explorer/attention_view/component.py has the defaults. */
interface View extends Heads {
  level: "picture" | "heads" | null;
  kind: Kind;
  measure: "weight" | "length";
  step: number | null; // null: the default step
  pin: Pin | null;
  cell: Cell | null; // the one that a blackboard of the whole model explains
  look: "heatmap" | "ribbon" | "table";
  whole: boolean; // all decoding steps, not only those up to the current one
  scale: "fixed" | "row" | "auto"; // colours: 0 to 1, each row's maximum, or the map's
  specials: boolean; // false: start and end are hidden as keys
  transposed: boolean;
  words: boolean; // words instead of pieces
  speed: number; // steps a second
  compared: "one" | "beside" | "difference"; // of two runs
  piece?: number; // the source piece that the encoder's picture shows where none is pinned
  parted?: boolean; // the current step has no partner in the other run
}

/** A row or column; one that `ends` a film is released by the next step. */
interface Pin { axis: Axis; index: number; ends?: boolean }
interface Cell { query: number; key: number }

/** The numbers of one picture: a row for each query, a column for each shown key. */
interface Content {
  kind: Kind;
  rows: Numbers[]; // [query][column]
  sums: Float64Array; // of the rows
  reach: number[]; // how many columns each row may attend to
  queries: string[]; // labels
  labels: string[]; // of the columns
  keys: number[]; // the index of each column's key, or of its first
  special: { queries: Set<number>; keys: Set<number> };
  ceiling: number; // the number with the full colour
  top?: number; // the largest number at any step
  signed?: boolean; // differences of two runs
  changed?: Content; // the run whose weights count as positive
  unchanged?: Content;
  members?: { query: number[][]; key: number[][] }; // in words: the pieces of each row and column
  pieces?: Content; // in words: the content they were made from
  full?: { queries: string[]; labels: string[] }; // in words: the labels after the last step
}

/** An axis in words: the pieces of each word, and the label of a word or of its known part. */
interface WordAxis { groups: number[][]; name: (group: number[], number: number) => string }
interface WordAxes { queries: WordAxis; keys: WordAxis }

type HeadAt = [kind: Kind, layer: number, head: number];
type CellAt = [stack: Stack, layer: number, position: number];
/** A neuron held at a value: everywhere, or at one position of its stack. */
type NeuronAt = [stack: Stack, layer: number, index: number, value: number, position: number | null];

/** A tensor that a pass computes, as the call `tensors` describes it. */
interface Site {
  stack: Stack;
  layer: number | null; // null: of no layer
  sublayer: string | null;
  tensor: string;
  shape: number[];
  rms: number | null; // root mean square of the finite numbers; null for ids and masks
  data?: string; // base64, if the numbers were asked for
}

/** What is changed in a run; a field left out changes nothing (explorer/experiments/experiment.py). */
interface Experiment {
  source?: string | null; // replaces the sentence
  word_order?: number | null; // seed
  hidden?: number[]; // source pieces that nothing may attend to
  beginning?: number[]; // ids that the translation begins with
  off?: HeadAt[];
  off_by?: "zero" | "uniform" | "mean" | "special";
  neurons?: NeuronAt[];
  encoder_positions?: "off" | "shuffled" | "shifted" | null;
  decoder_positions?: "off" | "shuffled" | "shifted" | null;
  seed?: number;
  shift?: number;
  patch?: { sentence: string; heads?: HeadAt[]; cells?: CellAt[] } | null;
}

/** What the picture of the whole model shows of one tensor (explorer/recording/overview.py). */
interface Strip {
  stack: Stack;
  layer: number | null;
  sublayer: "self_attention" | "cross_attention" | "feed_forward" | null;
  tensor: "embedding" | "positions" | "output" | "hidden" | "stream";
  shape: [number, number]; // position, column
  scale: number; // the largest absolute number
  data: string; // base64 of signed bytes, 127 for `scale`
}

/** What the engine's calls need besides the checkpoint, in a page's language (explorer/engine/settings.py). */
interface EngineSettings {
  language: string;
  refusals: Record<string, string>;
  limits: Record<string, number>; // the constants of Python, by their names
  tags: string[]; // pieces that choose the target language
  unchanged: Experiment; // with all its fields
  examples: string[]; // the sentences over which the heads' means are taken
}

/** What a tab's module gets from its tab.py: words, colours and options, each tab its own. */
type Settings = Record<string, any>;

/** A page's client: each question takes its arguments as a list and promises the text of a response. */
type Server = Record<string, (args: any[]) => Promise<string>>;

// Scripts that bring their own names: the library, and what Python writes into head_script.js, root.js and loader.js.
declare var Plotly: any;
declare var LANGUAGE: string;
declare var SANDBOXED: string;
declare var PAGES: { pages: Record<string, string>; here: string; first: string };
declare var OLD: string;
declare var NEEDED: string[];
declare var FAULTS: Record<string, string>;
declare function START(modules: Record<string, any>, settings: Settings): void;
