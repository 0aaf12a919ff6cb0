// The script of the pages that `ptxkit report` and `ptxkit sweep` write: draws their charts, and switches between light and dark.
// esbuild bundles it with the parts of ECharts that it uses (.ci/viewer.mjs).

import type { ChartData } from "../../lib/report/page/chart-data.js";
import type { PlotData } from "../../lib/report/sweep/sweep-plot.js";
import { showReport } from "./report-view.js";
import { showSweep } from "./sweep-view.js";

const sweep = document.getElementById("sweep");
if (sweep === null) showReport(JSON.parse(document.getElementById("data")!.textContent) as readonly ChartData[]);
else showSweep(JSON.parse(sweep.textContent) as PlotData);
