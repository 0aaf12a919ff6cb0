// The course of a launch over time: a few hundred samples, whose width doubles when the launch turns out longer.

/** Averages over each sample; the first starts at cycle 0. */
export interface Timeline {
  readonly cyclesPerSample: number;
  /** Machine instructions per cycle and SM. */
  readonly ipc: readonly number[];
  /** Resident warps, as a share of the GPU's capacity. */
  readonly occupancy: readonly number[];
  /** Bytes per cycle, whole GPU. */
  readonly dramBytesPerCycle: readonly number[];
  readonly l2BytesPerCycle: readonly number[];
}

/** Sums of samples, of all SMs. */
export interface TimelineSums {
  /** SCALE. The host compiles constants into its code until they change for the first time, but not elements of arrays. */
  readonly scale: Float64Array;
  readonly instructions: Float64Array;
  readonly warpCycles: Float64Array;
  readonly dramBytes: Float64Array;
  readonly l2Bytes: Float64Array;
}

/** The cycle at which the last sample ends; and samples in a cycle, a power of two. */
const SCALE = { limit: 0, rate: 1 } as const;
const SAMPLES = 256;
const FIRST_WIDTH = 16;

export const createTimeline = (): TimelineSums => ({
  scale: Float64Array.of(SAMPLES * FIRST_WIDTH, 1 / FIRST_WIDTH),
  instructions: new Float64Array(SAMPLES),
  warpCycles: new Float64Array(SAMPLES),
  dramBytes: new Float64Array(SAMPLES),
  l2Bytes: new Float64Array(SAMPLES),
});

/** Makes room for cycle `at`. */
function reach({ scale, instructions, warpCycles, dramBytes, l2Bytes }: TimelineSums, at: number): void {
  while (at >= scale[SCALE.limit]!) {
    for (const values of [instructions, warpCycles, dramBytes, l2Bytes]) {
      for (let i = 0; i < SAMPLES / 2; i++) values[i] = values[2 * i]! + values[2 * i + 1]!;
      values.fill(0, SAMPLES / 2);
    }
    scale[SCALE.limit]! *= 2;
    scale[SCALE.rate]! /= 2;
  }
}

/** Adds to one of the timeline's series. */
export function addTo(timeline: TimelineSums, series: Float64Array, at: number, amount: number): void {
  const { scale } = timeline;
  if (at >= scale[SCALE.limit]!) reach(timeline, at);
  series[Math.floor(at * scale[SCALE.rate]!)]! += amount;
}

/** Adds 1 for each cycle from `from` to `to`. */
export function addSpan(timeline: TimelineSums, series: Float64Array, from: number, to: number): void {
  if (to >= timeline.scale[SCALE.limit]!) reach(timeline, to);
  const width = 1 / timeline.scale[SCALE.rate]!;
  for (let at = from; at < to;) {
    const i = Math.floor(at / width);
    const end = Math.min(to, (i + 1) * width);
    series[i]! += end - at;
    at = end;
  }
}

/** Samples of a launch of so many cycles, on so many SMs that hold so many warps each. */
export function samplesOf(
  { scale, instructions, warpCycles, dramBytes, l2Bytes }: TimelineSums,
  cycles: number,
  { sms, warps }: { readonly sms: number; readonly warps: number },
): Timeline {
  const width = 1 / scale[SCALE.rate]!;
  const samples = Math.min(SAMPLES, Math.max(1, Math.ceil(cycles / width)));
  const rates = (series: Float64Array, per: number): readonly number[] =>
    Array.from(series.subarray(0, samples), (sum, i) => {
      const covered = Math.min(width, cycles - i * width);
      return Number((sum / Math.max(1, covered) / per).toPrecision(5));
    });
  return {
    cyclesPerSample: width,
    ipc: rates(instructions, sms),
    occupancy: rates(warpCycles, sms * warps),
    dramBytesPerCycle: rates(dramBytes, 1),
    l2BytesPerCycle: rates(l2Bytes, 1),
  };
}
