// The page of `ptxkit report`: shows one launch at a time.

import type { ChartData } from "../../lib/report/page/chart-data.js";
import { comparison, launchCharts } from "./charts.js";
import { createDrawing } from "./drawing.js";

export function showReport(data: readonly ChartData[]): void {
  const draw = createDrawing((kind, of, now) => {
    const own = data.find(({ id }) => id === of);
    return kind === "comparison" ? comparison(data, now) : own && launchCharts[kind]?.(own, now);
  });
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
  show(wanted());
}
