// A timed run as text: a row for each launch, then details of the longest ones, in Nsight Compute's terms. They have the limiter,
// the utilisation of the GPU, occupancy and its limiter, caches, accesses, stall reasons, and advice.

import type { TimingResult, Advice, TimeLimit } from "../timing/result/result.js";
import { hotLinesText } from "./hot-text.js";
import { plainStyler, type Styler } from "./style.js";
import { renderTable, type Column } from "./table.js";

export interface TimedLaunch {
  readonly kernel: string;
  readonly timing: TimingResult;
}

export interface TimingTextOptions {
  readonly width?: number | undefined;
  readonly style?: Styler;
  /** Number of source and PTX lines listed for each detailed launch; none by default. */
  readonly hotLines?: number;
}

/** Number of launches shown in detail; `--json` has all. */
const mostDetailed = 4;
/** Number of stall reasons named in a row; the shares of the others are small. */
const mostReasons = 4;

const overview: readonly Column[] = [
  { title: "launch", align: "right" },
  { title: "kernel", role: "name", shrinks: true },
  { title: "cycles", align: "right" },
  { title: "µs", align: "right" },
  { title: "bound by" },
  { title: "compute", align: "right" },
  { title: "memory", align: "right" },
  { title: "warps", align: "right" },
  { title: "IPC", align: "right", optional: true },
];

const details: readonly Column[] = [{ title: "" }, { title: "", shrinks: true }];

const limitWords: Readonly<Record<TimeLimit, string>> = {
  compute: "a pipe or the issue slots are busy most of the time",
  memory: "a path to memory is busy most of the time",
  launch: "there are fewer blocks than SMs",
  occupancy: "warps wait, and no more of them fit on an SM",
  latency: "warps wait for results or for each other",
};

export function timingText(launches: readonly TimedLaunch[], options: TimingTextOptions = {}): readonly string[] {
  const { width, style = plainStyler } = options;
  const rows = launches.map(({ kernel, timing }, i) => [
    String(i + 1),
    kernel,
    String(timing.cycles),
    timing.microseconds.toFixed(2),
    timing.limitedBy,
    percent(timing.throughput.compute),
    percent(timing.throughput.memory),
    percent(timing.occupancy.achieved),
    timing.ipc.toFixed(2),
  ]);
  const longest = [...launches.keys()]
    .sort((a, b) => launches[b]!.timing.cycles - launches[a]!.timing.cycles || a - b)
    .slice(0, mostDetailed)
    .sort((a, b) => a - b);
  const rest = launches.length - longest.length;
  return [
    ...renderTable(overview, rows, { width, style, indent: 2 }),
    ...longest.flatMap((i) => ["", ...launchText(i + 1, launches[i]!, options)]),
    ...(rest === 0
      ? []
      : ["", `Not shown in detail: ${rest} shorter launch${rest === 1 ? "" : "es"} (--json has them).`]),
  ];
}

function launchText(
  number: number,
  { kernel, timing }: TimedLaunch,
  { width, style = plainStyler, hotLines = 0 }: TimingTextOptions,
): readonly string[] {
  const lines = Object.entries(describe(timing)).map(([label, text]) => [label, text]);
  // A table without titles begins with an empty line, which is removed.
  const table = renderTable(details, lines, { width, style, indent: 2 }).filter((line) => line.trim() !== "");
  return [
    style("heading", `Launch ${number}: ${kernel}`),
    ...table,
    ...timing.advice.flatMap((advice) => adviceText(advice, style)),
    ...(hotLines === 0 ? [] : ["", ...hotLinesText(timing.instructions, hotLines, { width, style })]),
  ];
}

function describe(timing: TimingResult): Readonly<Record<string, string>> {
  const { throughput, occupancy, memory, pipes, limitedBy, peak } = timing;
  const busiest = Object.entries(pipes)
    .filter(([name, share]) => share >= 0.005 && name !== "lsu")
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, share]) => `${name} ${percent(share)}`);
  const estimated = occupancy.registersEstimated ? " (estimated)" : "";
  return {
    time: `${timing.isPartial === true ? "up to the fault: " : ""}${timing.cycles} cycles, ${timing.microseconds.toFixed(2)} µs; ${timing.eventMicroseconds.toFixed(2)} µs by a stream's timer; caches ${timing.caches}`,
    "bound by": `${limitedBy}: ${limitWords[limitedBy]}`,
    compute: [`${percent(throughput.compute)} of the peak: issue slots ${percent(throughput.issue)}`, ...busiest].join(
      ", ",
    ),
    memory: `${percent(throughput.memory)} of the peak: L1 and shared memory ${percent(throughput.l1)}, L2 ${percent(throughput.l2)}, DRAM ${percent(throughput.dram)} (${memory.dramGigabytesPerSecond.toFixed(0)} of ${(peak.dramBytes / 1e9).toFixed(0)} GB/s)`,
    instructions: `${timing.ipc.toFixed(2)} per cycle and SM (IPC); ${timing.warpInstructions} warp instructions in PTX, ${timing.issuedInstructions} issued`,
    occupancy: `${percent(occupancy.achieved)} achieved, ${percent(occupancy.theoretical)} theoretical: ${occupancy.blocksPerSm} blocks of ${timing.threadsPerBlock} threads per SM, limited by ${occupancy.limitedBy}; ${occupancy.waves.toFixed(2)} waves`,
    resources: `${occupancy.registers} registers per thread${estimated}, ${bytes(occupancy.sharedBytes)} of shared memory per block${timing.codeBytes === undefined ? "" : `; ${bytes(timing.codeBytes)} of machine code`}`,
    caches: `L1 hits ${percent(memory.l1HitRate)}, L2 hits ${percent(memory.l2HitRate)}; DRAM: ${bytes(memory.dramReadBytes)} read, ${bytes(memory.dramWriteBytes)} written`,
    accesses: accessText(memory),
    stalls: reasons(timing) || "none",
  };
}

function accessText(memory: TimingResult["memory"]): string {
  const parts = [
    ...(memory.loads === 0 ? [] : [`${memory.sectorsPerLoad.toFixed(1)} sectors per load`]),
    ...(memory.stores === 0 ? [] : [`${memory.sectorsPerStore.toFixed(1)} per store`]),
    ...(memory.sharedAccesses === 0
      ? []
      : [
          `${memory.sharedCyclesPerAccess.toFixed(1)} cycles per shared-memory access (${memory.sharedLeastCyclesPerAccess.toFixed(1)} without bank conflicts)`,
        ]),
  ];
  return parts.join(", ") || "none";
}

function adviceText({ message, remedy, place }: Advice, style: Styler): readonly string[] {
  const where = place === undefined || place.line === 0 ? "" : `${place.file}:${place.line}: `;
  return [`  ${style("heading", "advice:")} ${where}${message}`, `          ${remedy}`];
}

function reasons({ stalls }: Pick<TimingResult, "stalls">, most = mostReasons): string {
  return Object.entries(stalls)
    .filter(([name, share]) => name !== "selected" && share >= 0.01)
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, share]) => `${name} ${percent(share)}`)
    .join(", ");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)} %`;
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  if (count < 2 ** 20) return `${(count / 1024).toFixed(1)} KiB`;
  return count < 2 ** 30 ? `${(count / 2 ** 20).toFixed(1)} MiB` : `${(count / 2 ** 30).toFixed(2)} GiB`;
}
