// One layer or head, or the mean or the maximum over all of them: explorer/recording/trace.py.

import { Tensor, sizeOf } from "../engine/tensor.js";

const REDUCTIONS = {
  mean: (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length,
  max: (numbers) => Math.max(...numbers),
};

/** One index of an axis, its maximum, or its mean in double precision; removes the axis. */
function reduceAxis({ shape, data }, choice, axis) {
  const inner = sizeOf(shape.slice(axis + 1)), rest = shape.toSpliced(axis, 1), Numbers = choice === "mean" ? Float64Array : data.constructor;
  const along = (place) => {
    const start = Math.floor(place / inner) * shape[axis] * inner + (place % inner);
    return Array.from({ length: shape[axis] }, (_, i) => data[start + i * inner]);
  };
  const reduce = REDUCTIONS[choice] ?? ((numbers) => numbers[choice]);
  return new Tensor(rest, Numbers.from({ length: sizeOf(rest) }, (_, place) => reduce(along(place))));
}

/** The rows [query key] of one head, or of a mean or maximum over heads, layers or both: heads first. */
export function matrixOf(tensor, layer, head) {
  const matrix = reduceAxis(reduceAxis(tensor, head, 1), layer, 0);
  return Array.from({ length: matrix.shape[0] }, (_, query) => matrix.at(query));
}
