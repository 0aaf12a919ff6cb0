// The page of `ptxkit report`: one HTML file that makes no network requests. Every chart is followed by a table of its numbers,
// so that the page is complete without scripts and for screen readers; cli/viewer/main.ts draws the charts.

import { precisions } from "../../timing/result/work.js";
import type { ChartData } from "./chart-data.js";
import { codeView, type SourceTexts } from "./code-view.js";
import { pageDocument } from "./document.js";
import { chart, figure } from "./figure.js";
import { html, table, type Html } from "./html.js";
import { memoryChart } from "./memory-chart.js";
import { bytesText, grouped, percentText, scaled } from "./numbers.js";
import type { ReportedLaunch, ReportedRun } from "./read-run.js";

export interface PageOptions {
  readonly runs: readonly ReportedRun[];
  readonly texts: SourceTexts;
  /** The text of the drawing script. */
  readonly viewer: string;
}

interface Entry {
  readonly id: string;
  readonly run: string;
  readonly launch: ReportedLaunch;
}

export function reportPage({ runs, texts, viewer }: PageOptions): string {
  const entries = runs.flatMap((run, r) =>
    run.launches.map((launch, i): Entry => ({ id: `r${r + 1}l${i + 1}`, run: run.name, launch })),
  );
  const gpus = [...new Set(entries.map(({ launch }) => launch.timing.gpu))];
  const kernels = [...new Set(entries.map(({ launch }) => launch.kernel))];
  return pageDocument({
    title: `${kernels.slice(0, 3).join(", ")} on ${gpus.join(", ")}: ptxkit report`,
    heading: "ptxkit report",
    summary: html`${kernels.length} ${kernels.length === 1 ? "kernel" : "kernels"}, ${entries.length}
    ${entries.length === 1 ? "launch" : "launches"}, on ${gpus.join(", ")}. Times are a model's, not a GPU's.`,
    main: html`${overview(entries)}
      <nav aria-label="Launches" id="launches" hidden>
        <label
          >Launch
          <select id="launch">
            ${entries.map(
              ({ id, run, launch }) =>
                html`<option value="${id}">${launch.kernel} on ${launch.timing.gpu} (${run})</option>`,
            )}
          </select></label
        >
      </nav>
      ${entries.map((entry) => launchSection(entry, texts))}`,
    dataId: "data",
    data: entries.map(chartData),
    viewer,
  });
}

/** The chart data of a launch. */
function chartData({ id, run, launch: { kernel, timing } }: Entry): ChartData {
  const { gpu, cycles, microseconds, throughput, pipes, stalls, work, peak, memory, timeline } = timing;
  const dramBytes = memory.dramReadBytes + memory.dramWriteBytes;
  return { id, run, kernel, gpu, cycles, microseconds, throughput, pipes, stalls, work, peak, timeline, dramBytes };
}

/** An extent without trailing ones: `16×16` for 16, 16, 1. */
const shape = (extent: readonly number[]): string =>
  extent
    .slice(
      0,
      1 +
        Math.max(
          0,
          extent.findLastIndex((size) => size > 1),
        ),
    )
    .join("×");

function overview(entries: readonly Entry[]): Html {
  const base = new Map<string, number>();
  const rows = entries.map(({ id, run, launch: { kernel, grid, block, timing } }) => {
    const first = base.get(kernel) ?? timing.microseconds;
    base.set(kernel, first);
    const { throughput, occupancy } = timing;
    return [
      html`<a href="#${id}">${kernel}</a>`,
      run,
      timing.gpu,
      `${shape(grid)} of ${shape(block)}`,
      grouped(timing.cycles),
      timing.microseconds.toFixed(2),
      `×${(timing.microseconds / first).toFixed(2)}`,
      timing.limitedBy,
      percentText(throughput.compute),
      percentText(throughput.memory),
      percentText(occupancy.achieved),
      timing.ipc.toFixed(2),
      timing.caches,
    ];
  });
  const columns = [
    "kernel",
    "run",
    "GPU",
    "blocks",
    "cycles",
    "µs",
    "vs. first",
    "bound by",
    "compute",
    "memory",
    "occupancy",
    "IPC",
    "caches",
  ];
  const numbers = new Set(["cycles", "µs", "vs. first", "compute", "memory", "occupancy", "IPC"]);
  return html`<section id="overview">
    <h2>Launches</h2>
    ${entries.length > 1 ? chart("comparison", "comparison", "Microseconds of each kernel, by run") : undefined}
    ${table(
      "Time of each launch, and what bounds it",
      columns.map((title) => ({ title, isNumber: numbers.has(title) })),
      rows,
    )}
  </section>`;
}

function launchSection({ id, run, launch }: Entry, texts: SourceTexts): Html {
  const { kernel, grid, block, timing } = launch;
  const { occupancy, throughput, limitedBy } = timing;
  const facts: readonly (readonly [string, string])[] = [
    ["Time", `${timing.microseconds.toFixed(2)} µs`],
    ["Cycles", grouped(timing.cycles)],
    ["Bound by", limitedBy],
    ["Compute", percentText(throughput.compute)],
    ["Memory", percentText(throughput.memory)],
    ["Occupancy", `${percentText(occupancy.achieved)} of ${percentText(occupancy.theoretical)}`],
    ["IPC", timing.ipc.toFixed(2)],
    ["Caches", timing.caches],
  ];
  return html`<section class="launch" id="${id}">
    <h2>${kernel} <small>${shape(grid)} blocks of ${shape(block)} threads on ${timing.gpu}, ${run}</small></h2>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${adviceList(launch)}
    <div class="figures">
      ${figure(id, "throughput", "Throughput", "Shares of the peak throughput of pipes and memory", throughputTable(launch))}
      ${figure(id, "roofline", rooflineTitle(timing), "Floating-point operations per second against operations per byte of DRAM", rooflineTable(launch))}
      ${figure(id, "stalls", "Warp stalls", "Shares of warp-cycles by stall reason", stallTable(launch))}
      ${figure(id, "timeline", "Over time", "Occupancy, IPC and bytes per cycle over the launch", timelineTable(launch))}
    </div>
    <h3>Occupancy and memory</h3>
    ${memoryChart(timing)}
    <div class="pair">${occupancyTable(launch)}${accessTable(launch)}</div>
    <h3>Source and PTX</h3>
    ${codeView(timing, texts)}
  </section>`;
}

const figures = [{ title: "figure" }, { title: "value", isNumber: true }];

const occupancyTable = ({ timing: { occupancy, threadsPerBlock } }: ReportedLaunch): Html =>
  table("Occupancy", figures, [
    ["blocks per SM", occupancy.blocksPerSm],
    ["limited by", occupancy.limitedBy],
    ["theoretical occupancy", percentText(occupancy.theoretical)],
    ["achieved occupancy", percentText(occupancy.achieved)],
    ["registers per thread", `${occupancy.registers}${occupancy.registersEstimated ? " (estimated)" : ""}`],
    ["shared memory per block", bytesText(occupancy.sharedBytes)],
    ["threads per block", threadsPerBlock],
    ["waves per SM", occupancy.waves.toFixed(2)],
  ]);

const accessTable = ({ timing: { memory } }: ReportedLaunch): Html =>
  table("Memory accesses", figures, [
    ["sectors per load", memory.sectorsPerLoad.toFixed(2)],
    ["sectors per store", memory.sectorsPerStore.toFixed(2)],
    ["shared memory, cycles per access", memory.sharedCyclesPerAccess.toFixed(2)],
    ["shared memory, cycles without bank conflicts", memory.sharedLeastCyclesPerAccess.toFixed(2)],
    ["L1 hit rate", percentText(memory.l1HitRate)],
    ["L2 hit rate", percentText(memory.l2HitRate)],
    ["DRAM bytes read", bytesText(memory.dramReadBytes)],
    ["DRAM bytes written", bytesText(memory.dramWriteBytes)],
  ]);

function adviceList({ timing: { advice } }: ReportedLaunch): Html {
  if (advice.length === 0) return html``;
  return html`<h3>Advice</h3>
    <ul class="advice">
      ${advice.map(
        ({ message, remedy, place }) =>
          html`<li>
            <strong>${message}</strong
            >${place === undefined || place.line === 0 ? undefined : html` <code>${place.file}:${place.line}</code>`}<br />${remedy}
          </li>`,
      )}
    </ul>`;
}

const shares = (caption: string, values: Readonly<Record<string, number>>): Html =>
  table(
    caption,
    [{ title: "name" }, { title: "share", isNumber: true }],
    Object.entries(values)
      .sort(([, a], [, b]) => b - a)
      .map(([name, share]) => [name, percentText(share)]),
  );

const throughputTable = ({ timing: { throughput, pipes } }: ReportedLaunch): Html =>
  html`${shares("Share of the peak", { ...throughput })}${shares("Pipes", pipes)}`;

const stallTable = ({ timing: { stalls } }: ReportedLaunch): Html => shares("Share of warp-cycles", stalls);

/** Kernels without floating-point operations have no point in the roofline. */
const rooflineTitle = ({ work }: ReportedLaunch["timing"]): string =>
  precisions.some((name) => work[name] > 0) ? "Roofline" : "Roofline (no floating-point operations)";

function rooflineTable({ timing: { work, peak, memory, microseconds } }: ReportedLaunch): Html {
  const bytes = memory.dramReadBytes + memory.dramWriteBytes;
  const rows = precisions.map((name) => [
    name,
    `${scaled(work[name])}`,
    `${scaled(work[name] / (microseconds / 1e6))}/s`,
    `${scaled(peak[name])}/s`,
    bytes === 0 ? "no bytes" : (work[name] / bytes).toPrecision(3),
  ]);
  return table(
    "Floating-point operations",
    ["precision", "done", "rate", "peak", "per byte of DRAM"].map((title, i) => ({ title, isNumber: i > 0 })),
    rows,
  );
}

/** Limit of rows in the timeline's table. */
const MAX_SAMPLES = 32;

function timelineTable({ timing: { timeline } }: ReportedLaunch): Html {
  const { cyclesPerSample, ipc, occupancy, dramBytesPerCycle, l2BytesPerCycle } = timeline;
  const step = Math.ceil(ipc.length / MAX_SAMPLES);
  const rows = ipc.flatMap((value, i) =>
    i % step > 0
      ? []
      : [
          [
            grouped(i * cyclesPerSample),
            percentText(occupancy[i]!),
            value.toFixed(2),
            grouped(dramBytesPerCycle[i]!),
            grouped(l2BytesPerCycle[i]!),
          ],
        ],
  );
  return table(
    `From these cycles on, for ${cyclesPerSample} cycles`,
    ["cycle", "occupancy", "IPC", "DRAM bytes per cycle", "L2 bytes per cycle"].map((title) => ({
      title,
      isNumber: true,
    })),
    rows,
  );
}
