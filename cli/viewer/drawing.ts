// Draws the visible charts of a page; draws them again when the page's colours or width change.

import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { init, use, type EChartsCoreOption, type EChartsType } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { Colours } from "./colours.js";
import { addThemeButton, colours } from "./theme.js";

use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

/** The options of a chart of that kind; `of` is the element's data-of. */
export type OptionsOf = (kind: string, of: string, colours: Colours) => EChartsCoreOption | undefined;

/** The returned function draws the charts, and records their number for tests. */
export function createDrawing(optionsOf: OptionsOf): () => void {
  const drawn = new Map<HTMLElement, EChartsType>();
  const draw = (): void => {
    const now = colours();
    for (const element of document.querySelectorAll<HTMLElement>(".chart")) {
      // A hidden chart has no size.
      if (element.closest("[hidden]") !== null) continue;
      const { chart = "", of = "" } = element.dataset;
      const options = optionsOf(chart, of, now);
      if (options === undefined) continue;
      element.style.height = "300px";
      let known = drawn.get(element);
      if (known === undefined) drawn.set(element, (known = init(element, undefined, { renderer: "svg" })));
      known.setOption(options, true);
    }
    document.documentElement.dataset["drawn"] = String(drawn.size);
  };
  addEventListener("resize", () => {
    for (const chart of drawn.values()) chart.resize();
  });
  addThemeButton(draw);
  return draw;
}
