// The data of the page's charts. This file has no imports, because viewer/ is compiled for browsers and this library is not.

export interface ChartData {
  /** Identifier of the launch's section. */
  readonly id: string;
  readonly run: string;
  readonly kernel: string;
  readonly gpu: string;
  readonly cycles: number;
  readonly microseconds: number;
  /** As shares of the peak. */
  readonly throughput: { readonly issue: number; readonly l1: number; readonly l2: number; readonly dram: number };
  readonly pipes: Readonly<Record<string, number>>;
  readonly stalls: Readonly<Record<string, number>>;
  /** Floating-point operations of the launch, the GPU's operations per second, and bytes of DRAM traffic. */
  readonly work: Readonly<Record<string, number>>;
  readonly peak: Readonly<Record<string, number>>;
  readonly dramBytes: number;
  readonly timeline: {
    readonly cyclesPerSample: number;
    readonly ipc: readonly number[];
    readonly occupancy: readonly number[];
    readonly dramBytesPerCycle: readonly number[];
  };
}
