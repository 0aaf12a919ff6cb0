// The script of the page that `ptxkit report` writes: draws its charts, shows one launch at a time, and changes between light and dark.
// esbuild makes one file of it with the parts of ECharts that it uses (.ci/viewer.mjs).

import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { init, use, type EChartsType } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { comparison, launchCharts } from "./charts.js";
import type { ChartData } from "../../lib/report/page/chart-data.js";
import { addThemeButton, colours } from "./theme.js";

use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

const data = JSON.parse(document.getElementById("data")!.textContent) as readonly ChartData[];
const drawn = new Map<HTMLElement, EChartsType>();

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

addThemeButton(draw);

show(wanted());
document.documentElement.dataset["drawn"] = String(drawn.size);
