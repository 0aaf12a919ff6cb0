// The script of the page that `ptxkit report` writes: draws its charts, shows one launch at a time, and changes between light and dark.
// esbuild makes one file of it with the parts of ECharts that it uses (.ci/viewer.mjs).

import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { init, use, type EChartsType } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { comparison, launchCharts } from "./charts.js";
import type { ChartData } from "../lib/report/page/chart-data.js";
import type { Colours } from "./colours.js";

use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

const data = JSON.parse(document.getElementById("data")!.textContent) as readonly ChartData[];
const drawn = new Map<HTMLElement, EChartsType>();

/** Seen apart by most colour-blind readers, on light and dark grounds. */
const series = ["#4f8fd0", "#d9822b", "#3aa37a", "#b86bb0", "#c9a227", "#7a8794"];

function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return { ink: of("ink"), quiet: of("quiet"), line: of("line"), panel: of("panel"), series };
}

/** Draws what can be seen; a chart that is hidden has no size. */
function draw(): void {
  const now = colours();
  for (const element of document.querySelectorAll<HTMLElement>(".chart")) {
    if (element.closest("[hidden]") !== null) continue;
    const { chart = "", launch } = element.dataset;
    const own = data.find(({ id }) => id === launch);
    const options = chart === "comparison" ? comparison(data, now) : own && launchCharts[chart]?.(own, now);
    if (options === undefined) continue;
    element.style.height = "300px";
    let known = drawn.get(element);
    if (known === undefined) drawn.set(element, (known = init(element, undefined, { renderer: "svg" })));
    known.setOption(options, true);
  }
}

const select = document.querySelector<HTMLSelectElement>("#launch")!;

function show(id: string): void {
  for (const section of document.querySelectorAll<HTMLElement>("section.launch")) section.hidden = section.id !== id;
  select.value = id;
  draw();
}

const wanted = (): string => data.find(({ id }) => `#${id}` === location.hash)?.id ?? data[0]!.id;

if (data.length > 1) document.getElementById("launches")!.hidden = false;
select.addEventListener("change", () => {
  location.hash = select.value;
});
addEventListener("hashchange", () => show(wanted()));
addEventListener("resize", () => {
  for (const chart of drawn.values()) chart.resize();
});

const theme = document.querySelector<HTMLButtonElement>("#theme")!;
const dark = matchMedia("(prefers-color-scheme: dark)");
theme.hidden = false;
theme.addEventListener("click", () => {
  const { dataset } = document.documentElement;
  const isDark = (dataset["theme"] ?? (dark.matches ? "dark" : "light")) === "dark";
  dataset["theme"] = isDark ? "light" : "dark";
  draw();
});
dark.addEventListener("change", draw);

show(wanted());
document.documentElement.dataset["drawn"] = String(drawn.size);
