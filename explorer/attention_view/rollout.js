// Attention across layers: the same numbers as explorer/recording/rollout.py, where they are defined, out of the weights that
// are here. Matrices are arrays of rows.

const MEAN = "mean";

export const ROLLOUT = "rollout"; // one more choice of layer, beside "mean" and "max"

/** The maps that a rollout of a kind is computed from. */
export function needed({ kind, kinds }) {
  return kind === "cross" ? [kinds.encoder, kinds.decoder, kinds.cross] : [kinds[kind]];
}

/** A map whose weights a view's picture lacks, because they have not been sent yet; undefined where it has them all. */
export function lacking({ layer, second }, map) {
  const maps = [layer, second?.layer].includes(ROLLOUT) ? needed(map) : [map];
  return maps.find(({ ready }) => !ready);
}

/** Rows that sum to 1. */
export function rollout({ kind, kinds }) {
  if (kind !== "cross") return product(kinds[kind]);
  const { encoder, decoder, cross } = kinds, source = arrived(decoder, cross, product(encoder));
  for (const row of source) {
    const sum = row.reduce((total, share) => total + share, 0) || 1; // 0 where a row of weights is no distribution
    for (let key = 0; key < row.length; key++) row[key] /= sum;
  }
  return source;
}

/** What part of a decoder row arrives at the source, whatever the weights are. */
export function sourceShare(layers) {
  return 1 - 0.5 ** layers;
}

/** What of each decoder row comes from each source piece: half of it is replaced at every cross-attention. */
function arrived(decoder, cross, encoder) {
  let source = cross.queries.map(() => new Float64Array(cross.keys.length));
  for (let layer = 0; layer < cross.layers; layer++) {
    const found = times(cross.matrix(layer, MEAN), encoder);
    source = halved(decoder.matrix(layer, MEAN), source);
    source.forEach((row, query) => row.forEach((share, key) => { row[key] = (share + found[query][key]) / 2; }));
  }
  return source;
}

/** The product of all layers of self-attention. */
function product(map) {
  const count = map.keys.length;
  let result = map.queries.map((_, query) => Float64Array.from({ length: count }, (_, key) => (key === query ? 1 : 0)));
  for (let layer = 0; layer < map.layers; layer++) result = halved(map.matrix(layer, MEAN), result);
  return result;
}

/** A layer's mean over heads and, for the residual connection, the rows as they were: half of each. */
function halved(weights, rows) {
  const mixed = times(weights, rows);
  mixed.forEach((row, query) => row.forEach((share, key) => { row[key] = (share + rows[query][key]) / 2; }));
  return mixed;
}

function times(weights, rows) {
  return weights.map((row) => {
    const sum = new Float64Array(rows[0].length);
    row.forEach((weight, i) => {
      if (weight) for (let key = 0; key < sum.length; key++) sum[key] += weight * rows[i][key];
    });
    return sum;
  });
}
