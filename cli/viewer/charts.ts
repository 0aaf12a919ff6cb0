// The charts of the page, as options of ECharts.

import type { EChartsCoreOption } from "echarts/core";
import type { ChartData } from "../../lib/report/page/chart-data.js";
import type { Colours } from "./colours.js";

const percent = (share: number): number => Number((100 * share).toPrecision(3));

export const common = ({ ink, quiet, line, panel, series }: Colours): EChartsCoreOption => ({
  animation: false,
  color: [...series],
  textStyle: { color: ink, fontFamily: "system-ui, sans-serif" },
  grid: { left: 8, right: 24, top: 34, bottom: 28, containLabel: true },
  tooltip: { trigger: "axis", backgroundColor: panel, borderColor: line, textStyle: { color: ink } },
  legend: { textStyle: { color: quiet }, top: 0 },
});

export const axis = ({ quiet, line }: Colours, more: object): object => ({
  axisLabel: { color: quiet },
  nameTextStyle: { color: quiet },
  axisLine: { lineStyle: { color: line } },
  splitLine: { lineStyle: { color: line } },
  ...more,
});

/** Bars of shares, the largest on top. */
function shareBars(shares: Readonly<Record<string, number>>, colours: Colours): EChartsCoreOption {
  const rows = Object.entries(shares)
    .filter(([, share]) => share >= 0.0005)
    .sort(([, a], [, b]) => a - b);
  return {
    ...common(colours),
    legend: { show: false },
    grid: { left: 8, right: 48, top: 8, bottom: 24, containLabel: true },
    tooltip: { trigger: "item", valueFormatter: (value: unknown) => `${String(value)} %` },
    xAxis: axis(colours, { type: "value", axisLabel: { color: colours.quiet, formatter: "{value} %" } }),
    yAxis: axis(colours, { type: "category", data: rows.map(([name]) => name) }),
    series: [
      {
        type: "bar",
        data: rows.map(([, share]) => percent(share)),
        label: { show: true, position: "right", color: colours.ink, formatter: "{c} %" },
      },
    ],
  };
}

function throughput({ throughput: { l1, l2, dram, issue }, pipes }: ChartData, colours: Colours): EChartsCoreOption {
  const arithmetic = Object.fromEntries(Object.entries(pipes).filter(([name]) => name !== "lsu"));
  return shareBars({ ...arithmetic, "issue slots": issue, "L1 and shared": l1, L2: l2, DRAM: dram }, colours);
}

const stalls = (data: ChartData, colours: Colours): EChartsCoreOption => shareBars(data.stalls, colours);

const precisions = ["f16", "f32", "f64", "tensor"] as const;

/** Roofs of all precisions that the launch used (f32 where it used none), and its points. */
function roofline({ work, peak, dramBytes, microseconds }: ChartData, colours: Colours): EChartsCoreOption {
  const seconds = microseconds / 1e6;
  const done = (name: string): number => work[name] ?? 0;
  const used = precisions.filter((name) => done(name) > 0);
  const shown = used.length === 0 ? (["f32"] as const) : used;
  const intensity = (name: string): number => done(name) / Math.max(1, dramBytes);
  const values = used.map(intensity);
  const bandwidth = peak["dramBytes"] ?? 0;
  const from = 10 ** Math.floor(Math.log10(Math.min(0.1, ...values)));
  const to = 10 ** Math.ceil(Math.log10(Math.max(1000, ...values)));
  const steps = Array.from({ length: 65 }, (_, i) => from * (to / from) ** (i / 64));
  return {
    ...common(colours),
    tooltip: {
      trigger: "item",
      formatter: ({ seriesName, value }: { seriesName: string; value: readonly number[] }) =>
        `${seriesName}: ${value[1]!.toPrecision(3)} operations/s at ${value[0]!.toPrecision(3)} per byte`,
    },
    xAxis: axis(colours, {
      type: "log",
      min: from,
      max: to,
      name: "operations per byte of DRAM",
      nameLocation: "middle",
      nameGap: 26,
    }),
    yAxis: axis(colours, {
      type: "log",
      name: "TFLOPS",
      axisLabel: { color: colours.quiet, formatter: (value: number) => String(value / 1e12) },
    }),
    series: [
      ...shown.map((name) => ({
        name: `${name} roof`,
        type: "line",
        showSymbol: false,
        data: steps.map((x) => [x, Math.min(peak[name] ?? 0, x * bandwidth)]),
      })),
      ...used.map((name) => ({
        name,
        type: "scatter",
        symbolSize: 14,
        data: [[Math.max(from, intensity(name)), done(name) / seconds]],
      })),
    ],
  };
}

function timeline({ timeline: line, peak, cycles, microseconds }: ChartData, colours: Colours): EChartsCoreOption {
  const at = (values: readonly number[]): readonly (readonly number[])[] =>
    values.map((value, i) => [i * line.cyclesPerSample, value]);
  const peakPerCycle = ((peak["dramBytes"] ?? 0) * (microseconds / 1e6)) / cycles;
  const curve = (name: string, values: readonly number[], yAxisIndex: number): object => ({
    name,
    type: "line",
    step: "end",
    showSymbol: false,
    yAxisIndex,
    data: at(values),
  });
  return {
    ...common(colours),
    xAxis: axis(colours, { type: "value", max: cycles, name: "cycles", nameLocation: "middle", nameGap: 24 }),
    yAxis: [
      axis(colours, { type: "value", min: 0, max: 100, axisLabel: { color: colours.quiet, formatter: "{value} %" } }),
      axis(colours, { type: "value", min: 0, name: "IPC", splitLine: { show: false } }),
    ],
    series: [
      curve("occupancy %", line.occupancy.map(percent), 0),
      curve(
        "DRAM % of the peak",
        line.dramBytesPerCycle.map((bytes) => percent(Math.min(1, bytes / peakPerCycle))),
        0,
      ),
      curve("IPC", line.ipc, 1),
    ],
  };
}

export const launchCharts: Readonly<Record<string, (data: ChartData, colours: Colours) => EChartsCoreOption>> = {
  throughput,
  stalls,
  roofline,
  timeline,
};

/** Time per kernel in microseconds, one bar per run. Sums all launches of a kernel in a run. */
export function comparison(all: readonly ChartData[], colours: Colours): EChartsCoreOption {
  const kernels = [...new Set(all.map(({ kernel }) => kernel))];
  const nameOf = ({ run, gpu }: ChartData): string => `${gpu} (${run})`;
  const runs = [...new Set(all.map(nameOf))];
  return {
    ...common(colours),
    xAxis: axis(colours, { type: "category", data: kernels }),
    yAxis: axis(colours, { type: "value", name: "µs" }),
    series: runs.map((run) => ({
      name: run,
      type: "bar",
      barMaxWidth: 56,
      data: kernels.map((kernel) => {
        const own = all.filter((one) => nameOf(one) === run && one.kernel === kernel);
        return own.length === 0 ? null : own.reduce((sum, { microseconds }) => sum + microseconds, 0);
      }),
    })),
  };
}
