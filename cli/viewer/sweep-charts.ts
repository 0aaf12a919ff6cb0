// The charts of a sweep, as options of ECharts: one line per GPU; the colour and shape of its marks show the bound.

import type { EChartsCoreOption } from "echarts/core";
import {
  fastestOnGpus,
  fastestOver,
  isLogarithmic,
  logBase,
  type PlotData,
  type PlotRow,
  type PlotSelection,
} from "../../lib/report/sweep/sweep-plot.js";
import { axis, common } from "./charts.js";
import type { Colours } from "./colours.js";

/** Marks of bounds, in their order: shapes for readers who cannot distinguish the colours. */
const marks = [
  { color: "#d9822b", symbol: "diamond" },
  { color: "#4f8fd0", symbol: "circle" },
  { color: "#b86bb0", symbol: "triangle" },
  { color: "#c9a227", symbol: "rect" },
  { color: "#7a8794", symbol: "roundRect" },
];

export interface ParameterPlot {
  readonly data: PlotData;
  /** Indices into `parameters` and `metrics`. */
  readonly parameter: number;
  readonly metric: number;
  readonly selection: PlotSelection;
}

/** Line styles: when the colours run out, they repeat with the next style. */
const dashes = ["solid", "dashed", "dotted"];

export function parameterPlot(
  { data, parameter, metric, selection }: ParameterPlot,
  colours: Colours,
): EChartsCoreOption {
  const { gpus, bounds, parameters, metrics } = data;
  const lines = fastestOver(data, parameter, selection);
  const rows = lines.flat();
  const { name, values } = parameters[parameter]!;
  const heights = rows.map((row) => row.metrics[metric]!);
  const { title, unit } = metrics[metric]!;
  const place = (row: PlotRow): object => ({ value: [row.at[parameter], row.metrics[metric]], row });
  const series = colours.series;
  return {
    ...common(colours),
    grid: { left: 8, right: 24, top: 56, bottom: 28, containLabel: true },
    legend: { textStyle: { color: colours.quiet }, top: 0, type: "scroll" },
    tooltip: {
      trigger: "item",
      backgroundColor: colours.panel,
      borderColor: colours.line,
      textStyle: { color: colours.ink },
      formatter: ({ data: { row } }: { readonly data: { readonly row: PlotRow } }) => describe(data, row),
    },
    xAxis: axis(colours, {
      type: isLogarithmic(values) ? "log" : "value",
      logBase: logBase(values),
      scale: true,
      name,
      nameLocation: "middle",
      nameGap: 24,
    }),
    yAxis: axis(colours, {
      type: isLogarithmic(heights) ? "log" : "value",
      name: `${title}, ${unit}`,
      nameTextStyle: { color: colours.quiet, align: "left" },
    }),
    series: [
      ...lines.map((line, i) => ({
        name: gpus[i],
        type: "line",
        showSymbol: false,
        color: series[i % series.length],
        lineStyle: { width: 2, type: dashes[Math.floor(i / series.length) % dashes.length] },
        data: line.map(place),
      })),
      ...bounds.flatMap((bound, i) => {
        const own = rows.filter((row) => row.bound === i);
        return own.length === 0
          ? []
          : [{ name: bound, type: "scatter", symbolSize: 9, ...marks[i]!, data: own.map(place) }];
      }),
    ],
  };
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** HTML of a mark's tooltip. */
function describe(
  { gpus, bounds, parameters, metrics }: PlotData,
  { gpu, bound, at, metrics: values }: PlotRow,
): string {
  const lines = [
    gpus[gpu]!,
    parameters.map(({ name }, i) => `${name} = ${at[i]!}`).join(", "),
    ...metrics.map(({ title, unit }, i) => `${title}: ${values[i]!} ${unit}`),
    `bound by ${bounds[bound]!}`,
  ];
  return lines.map((line) => line.replaceAll(/[&<>]/g, (character) => escapes[character]!)).join("<br>");
}

/** Time of the fastest run of a launch on each GPU, in the colour of its bound. */
export function gpuBars(data: PlotData, launch: number, colours: Colours): EChartsCoreOption {
  const { gpus, bounds } = data;
  const rows = fastestOnGpus(data, { launch, fixed: new Map() });
  return {
    ...common(colours),
    xAxis: axis(colours, { type: "category", data: gpus }),
    yAxis: axis(colours, { type: "value", name: "µs" }),
    series: bounds.flatMap((bound, i) => {
      if (!rows.some((row) => row?.bound === i)) return [];
      const heights = rows.map((row) => (row?.bound === i ? row.metrics[0] : null));
      return [{ name: bound, type: "bar", stack: "time", barMaxWidth: 56, color: marks[i]!.color, data: heights }];
    }),
  };
}
