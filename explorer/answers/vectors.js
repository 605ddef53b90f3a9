// Lengths of vectors in loops: Math.hypot of so many numbers takes ten times as long.

export function norm(vector) {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i] * vector[i];
  return Math.sqrt(sum);
}

/** The Euclidean distance of two vectors. */
export function euclideanDistance(first, second) {
  let sum = 0;
  for (let i = 0; i < first.length; i++) sum += (first[i] - second[i]) ** 2;
  return Math.sqrt(sum);
}
