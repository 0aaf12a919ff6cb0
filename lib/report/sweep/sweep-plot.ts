// The contents of a sweep's plots: for each value of a parameter the fastest run on each GPU, over all values of the parameters
// that are not fixed. The page's tables and its script (cli/viewer) use it. It has no imports, because the script is compiled for
// browsers.

export interface PlotParameter {
  readonly name: string;
  /** Ascending. */
  readonly values: readonly number[];
}

export interface PlotMetric {
  readonly title: string;
  readonly unit: string;
}

/** A launch of a run. */
export interface PlotRow {
  /** Indices into the lists of names. */
  readonly gpu: number;
  readonly launch: number;
  readonly bound: number;
  /** Values of the parameters, in the order of `parameters`. */
  readonly at: readonly number[];
  /** Values of the metrics, in the order of `metrics`. The first is the time. */
  readonly metrics: readonly number[];
}

export interface PlotData {
  readonly gpus: readonly string[];
  readonly launches: readonly string[];
  /** Names of what limits a launch. */
  readonly bounds: readonly string[];
  readonly parameters: readonly PlotParameter[];
  readonly metrics: readonly PlotMetric[];
  readonly rows: readonly PlotRow[];
}

export interface PlotSelection {
  readonly launch: number;
  /** The values of fixed parameters, by their index. */
  readonly fixed: ReadonlyMap<number, number>;
}

const faster = (a: PlotRow | undefined, b: PlotRow): PlotRow =>
  a === undefined || b.metrics[0]! < a.metrics[0]! ? b : a;

/**
 * The fastest of the selected rows at each value of a parameter, for each GPU, in the order of the values. The parameter must not
 * be fixed.
 */
export function fastestOver(
  { gpus, parameters, rows }: PlotData,
  parameter: number,
  { launch, fixed }: PlotSelection,
): readonly (readonly PlotRow[])[] {
  const found = gpus.map(() => new Map<number, PlotRow>());
  for (const row of rows) {
    if (row.launch !== launch) continue;
    if (![...fixed].every(([index, value]) => index === parameter || row.at[index] === value)) continue;
    const of = found[row.gpu]!;
    const value = row.at[parameter]!;
    of.set(value, faster(of.get(value), row));
  }
  const { values } = parameters[parameter]!;
  return found.map((of) => values.flatMap((value) => of.get(value) ?? []));
}

/** The fastest of the selected rows on each GPU. */
export function fastestOnGpus(
  { gpus, rows }: PlotData,
  { launch, fixed }: PlotSelection,
): readonly (PlotRow | undefined)[] {
  const found: (PlotRow | undefined)[] = gpus.map(() => undefined);
  for (const row of rows)
    if (row.launch === launch && [...fixed].every(([index, value]) => row.at[index] === value))
      found[row.gpu] = faster(found[row.gpu], row);
  return found;
}

/** An axis is logarithmic if the largest value is at least this multiple of the smallest. */
const WIDE_RANGE = 16;

/** Whether a linear axis would crowd most values at one end. */
export function isLogarithmic(values: readonly number[]): boolean {
  const sorted = [...values].sort((a, b) => a - b);
  const [least = 0] = sorted;
  const most = sorted.at(-1) ?? 0;
  return least > 0 && most / least >= WIDE_RANGE && sorted[sorted.length >> 1]! < (least + most) / 2;
}

/** 2 if all values are power-of-two multiples of the first one, otherwise 10. */
export function logBase(values: readonly number[]): 2 | 10 {
  const [first = 1] = values;
  return values.every((value) => Number.isInteger(Math.log2(value / first))) ? 2 : 10;
}
