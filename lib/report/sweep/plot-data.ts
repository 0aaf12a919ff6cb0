// Computes the data of a sweep's plots from its results.

import type { PlotData, PlotMetric } from "./sweep-plot.js";
import type { LaunchColumn } from "./sweep-columns.js";
import type { SweepResult, SweepRow } from "./sweep-rows.js";
import type { SweepSpec } from "./sweep-spec.js";

interface Metric extends PlotMetric {
  readonly column: LaunchColumn;
  /** Factor of the column's value. */
  readonly scale: number;
}

/** The first metric orders runs. */
const metrics: readonly Metric[] = [
  { column: "microseconds", title: "Time", unit: "µs", scale: 1 },
  { column: "cycles", title: "Time", unit: "cycles", scale: 1 },
  { column: "compute", title: "Compute", unit: "% of the peak", scale: 100 },
  { column: "memory", title: "Memory", unit: "% of the peak", scale: 100 },
  { column: "occupancy", title: "Occupancy", unit: "% of the warps", scale: 100 },
  { column: "ipc", title: "IPC", unit: "instructions per cycle", scale: 1 },
  { column: "registers", title: "Registers", unit: "per thread", scale: 1 },
];

/** The order determines colours and marks. */
const bounds = ["compute", "memory", "latency", "occupancy", "launch"];

export function plotData({ gpus, parameters }: SweepSpec, results: readonly SweepResult[]): PlotData {
  const rows = results.flatMap(({ rows }) => rows);
  const names = [...new Set(rows.map(launchName))];
  const several = new Set(rows.map(({ launch }) => launch)).size > 1;
  const found = results.flatMap(({ point, rows }) =>
    rows.map((row) => ({
      gpu: gpus.indexOf(point.gpu),
      launch: names.indexOf(launchName(row)),
      bound: bounds.indexOf(String(row["limitedBy"])),
      at: Object.values(point.parameters),
      metrics: metrics.map(({ column, scale }) => Number((Number(row[column]) * scale).toPrecision(6))),
    })),
  );
  return {
    gpus,
    launches: several ? names : names.map((name) => name.replace(/^\d+: /, "")),
    bounds,
    parameters: [...parameters].map(([name, values]) => ({
      name,
      values: [...new Set(values)].sort((a, b) => a - b),
    })),
    metrics: metrics.map(({ title, unit }) => ({ title, unit })),
    rows: found,
  };
}

/** The name of a launch in a run: "2: kernel" for the second. */
const launchName = ({ launch, kernel }: SweepRow): string => `${launch}: ${kernel}`;
