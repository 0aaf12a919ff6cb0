// A timed run for people: one row of numbers for each launch, then what its warps waited for, in Nsight Compute's words.
// Three tables, because one that holds all does not fit a terminal of 80 columns.

import type { TimingResult } from "../timing/result.js";
import { plainStyler, type Styler } from "./style.js";
import { renderTable, type Column, type Row } from "./table.js";

export interface TimedLaunch {
  readonly kernel: string;
  readonly timing: TimingResult;
}

const columns: readonly Column[] = [
  { title: "kernel", role: "name", shrinks: true },
  { title: "cycles", align: "right" },
  { title: "µs", align: "right" },
  { title: "IPC", align: "right" },
  { title: "occupancy", align: "right" },
  { title: "L1 hits", align: "right" },
  { title: "L2 hits", align: "right" },
  { title: "DRAM", align: "right" },
];

const limits: readonly Column[] = [
  { title: "kernel", role: "name", shrinks: true },
  { title: "bound by" },
  { title: "warps" },
  { title: "sectors/load", align: "right" },
  { title: "/store", align: "right" },
  { title: "banks", align: "right" },
];

const waits: readonly Column[] = [
  { title: "kernel", role: "name", shrinks: true },
  { title: "warps waited for", shrinks: true },
];

/** Reasons that are named in a row; the shares of the others are small. */
const mostReasons = 3;

export function timingText(
  launches: readonly TimedLaunch[],
  width?: number,
  style: Styler = plainStyler,
): readonly string[] {
  const rows: readonly Row[] = launches.map(({ kernel, timing }) => [
    kernel,
    String(timing.cycles),
    timing.microseconds.toFixed(1),
    timing.ipc.toFixed(3),
    percent(timing.occupancy.achieved),
    percent(timing.memory.l1HitRate),
    percent(timing.memory.l2HitRate),
    `${((timing.memory.dramReadBytes + timing.memory.dramWriteBytes) / 1024).toFixed(1)} KiB`,
  ]);
  const options = { width, style, indent: 2 };
  const limited = launches.map(({ kernel, timing: { limitedBy, occupancy, memory } }) => [
    kernel,
    limitedBy,
    `${percent(occupancy.theoretical)} by ${occupancy.limitedBy}`,
    memory.sectorsPerLoad.toFixed(1),
    memory.sectorsPerStore.toFixed(1),
    memory.sharedCyclesPerAccess.toFixed(1),
  ]);
  const waited = launches.map(({ kernel, timing }) => [kernel, reasons(timing)]);
  return [
    ...renderTable(columns, rows, options),
    "",
    ...renderTable(limits, limited, options),
    "",
    ...renderTable(waits, waited, options),
  ];
}

function reasons({ stalls }: TimingResult): string {
  return Object.entries(stalls)
    .filter(([name, share]) => name !== "selected" && share >= 0.01)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostReasons)
    .map(([name, share]) => `${name} ${percent(share)}`)
    .join(", ");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)} %`;
}
