// How well predictions agree with measurements. By the mean of relative errors alone a prediction of nothing is at most 100 %
// off, so errors as ratios stand beside it.

export interface Pair {
  readonly predicted: number;
  readonly measured: number;
}

export interface Agreement {
  /** Mean and median of |predicted - measured| / measured. */
  readonly meanError: number;
  readonly medianError: number;
  /** exp(mean |log ratio|) - 1. */
  readonly geometricError: number;
  /** exp(mean log ratio). */
  readonly bias: number;
  /** Share of predictions that are off by at most a fifth. */
  readonly withinFifth: number;
  /** Of logarithms (Pearson), and of ranks (Spearman). */
  readonly correlation: number;
  readonly rankCorrelation: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export function agreementOf(pairs: readonly Pair[]): Agreement {
  const errors = pairs.map(({ predicted, measured }) => Math.abs(predicted - measured) / measured);
  const ratios = pairs.map(({ predicted, measured }) => Math.log(predicted / measured));
  const predicted = pairs.map((pair) => Math.log(pair.predicted));
  const measured = pairs.map((pair) => Math.log(pair.measured));
  return {
    meanError: mean(errors),
    medianError: errors.toSorted((a, b) => a - b)[errors.length >> 1] ?? NaN,
    geometricError: Math.exp(mean(ratios.map(Math.abs))) - 1,
    bias: Math.exp(mean(ratios)),
    withinFifth: errors.filter((error) => error <= 0.2).length / errors.length,
    correlation: pearson(predicted, measured),
    rankCorrelation: pearson(ranks(predicted), ranks(measured)),
  };
}

export function pearson(x: readonly number[], y: readonly number[]): number {
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  x.forEach((value, i) => {
    const [dx, dy] = [value - meanX, y[i]! - meanY];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  });
  return xy / Math.sqrt(xx * yy);
}

function ranks(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2);
}
