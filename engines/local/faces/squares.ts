/** Weighted least squares. */

/** Returns the factors of the inputs whose sum comes nearest to the outputs, regularized towards 0. */
export function leastSquares(
  inputs: readonly (readonly number[])[],
  outputs: readonly number[],
  weights: readonly number[],
): number[] {
  const size = inputs[0]?.length ?? 0;
  const rows = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (const [n, input] of inputs.entries()) {
    for (const [i, row] of rows.entries()) {
      const scaled = weights[n]! * input[i]!;
      for (let j = 0; j < size; j++) row[j]! += scaled * input[j]!;
      row[size]! += scaled * outputs[n]!;
    }
  }
  for (let i = 1; i < size; i++) rows[i]![i]! += 1e-3 * inputs.length;
  for (const [i, pivot] of rows.entries()) {
    for (const [k, row] of rows.entries()) {
      if (k === i) continue;
      const factor = row[i]! / (pivot[i]! || 1e-12);
      for (let j = i; j <= size; j++) row[j]! -= factor * pivot[j]!;
    }
  }
  return rows.map((row, i) => row[size]! / (row[i]! || 1e-12));
}
