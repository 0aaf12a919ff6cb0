// How a launch went over time: a few hundred samples, whose width doubles when the launch turns out longer.

/** Sums of a sample; all SMs. */
export type TimelineSeries = "instructions" | "warpCycles" | "dramBytes" | "l2Bytes";

/** Averages over each sample, whose first begins at cycle 0. */
export interface Timeline {
  readonly cyclesPerSample: number;
  /** Machine instructions per cycle and SM. */
  readonly ipc: readonly number[];
  /** Resident warps, as a share of those that the GPU can hold. */
  readonly occupancy: readonly number[];
  /** Bytes per cycle, whole GPU. */
  readonly dramBytesPerCycle: readonly number[];
  readonly l2BytesPerCycle: readonly number[];
}

export interface TimelineCounter {
  readonly add: (series: TimelineSeries, at: number, amount: number) => void;
  /** Adds 1 for each cycle from `from` to `to`. */
  readonly addSpan: (series: TimelineSeries, from: number, to: number) => void;
  readonly finish: (cycles: number, gpu: { readonly sms: number; readonly warps: number }) => Timeline;
}

const SAMPLES = 256;
const FIRST_WIDTH = 16;

export function createTimeline(): TimelineCounter {
  const series: Readonly<Record<TimelineSeries, Float64Array>> = {
    instructions: new Float64Array(SAMPLES),
    warpCycles: new Float64Array(SAMPLES),
    dramBytes: new Float64Array(SAMPLES),
    l2Bytes: new Float64Array(SAMPLES),
  };
  let width = FIRST_WIDTH;
  let limit = SAMPLES * FIRST_WIDTH;

  /** Makes room for cycle `at`. */
  function reach(at: number): void {
    while (at >= limit) {
      for (const values of Object.values(series)) {
        for (let i = 0; i < SAMPLES / 2; i++) values[i] = values[2 * i]! + values[2 * i + 1]!;
        values.fill(0, SAMPLES / 2);
      }
      width *= 2;
      limit *= 2;
    }
  }

  return {
    add: (name, at, amount) => {
      if (at >= limit) reach(at);
      series[name][Math.floor(at / width)]! += amount;
    },
    addSpan: (name, from, to) => {
      if (to >= limit) reach(to);
      const values = series[name];
      for (let at = from; at < to;) {
        const i = Math.floor(at / width);
        const end = Math.min(to, (i + 1) * width);
        values[i]! += end - at;
        at = end;
      }
    },
    finish: (cycles, { sms, warps }) => {
      const samples = Math.min(SAMPLES, Math.max(1, Math.ceil(cycles / width)));
      const rates = (name: TimelineSeries, per: number): readonly number[] =>
        Array.from(series[name].subarray(0, samples), (sum, i) => {
          const covered = Math.min(width, cycles - i * width);
          return Number((sum / Math.max(1, covered) / per).toPrecision(5));
        });
      return {
        cyclesPerSample: width,
        ipc: rates("instructions", sms),
        occupancy: rates("warpCycles", sms * warps),
        dramBytesPerCycle: rates("dramBytes", 1),
        l2BytesPerCycle: rates("l2Bytes", 1),
      };
    },
  };
}
