// The page of `ptxkit sweep`: plots the selected launch and metric, with some parameters fixed.

import type { PlotData, PlotSelection } from "../../lib/report/sweep/sweep-plot.js";
import { createDrawing } from "./drawing.js";
import { gpuBars, parameterPlot } from "./sweep-charts.js";

export function showSweep(data: PlotData): void {
  const selects = document.querySelectorAll<HTMLSelectElement>("#controls select");
  const chosen = (id: string): string => document.querySelector<HTMLSelectElement>(`#${id}`)?.value ?? "";
  const selection = (): PlotSelection => {
    const values = data.parameters.map((_, i) => chosen(`fixed${i}`));
    const fixed = values.flatMap((value, i): readonly (readonly [number, number])[] =>
      value === "" ? [] : [[i, Number(value)]],
    );
    return { launch: Number(chosen("launch")), fixed: new Map(fixed) };
  };
  const draw = createDrawing((kind, of, now) => {
    if (kind === "gpus") return gpuBars(data, Number(of), now);
    return parameterPlot(
      { data, parameter: Number(of), metric: Number(chosen("metric")), selection: selection() },
      now,
    );
  });
  for (const select of selects) select.addEventListener("change", draw);
  document.getElementById("controls")!.hidden = data.launches.length === 0;
  draw();
}
