// Results of a sweep as rows: a row for each launch of each run, as CSV, JSON and lines of JSON.

import type { TimingResult } from "../../timing/result/result.js";
import { PROBLEM, type LaunchColumn } from "./sweep-columns.js";
import { pointKey, type SweepPoint } from "./sweep-spec.js";

export type SweepRow = Readonly<Record<string, string | number>>;

/** The result of a run. */
export interface SweepResult {
  readonly point: SweepPoint;
  /** Rows of the run's launches; empty if it failed. */
  readonly rows: readonly SweepRow[];
  readonly problem?: string;
}

export interface SweptLaunch {
  readonly kernel: string;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly timing: TimingResult;
}

/** The columns of a launch, as a row. */
export function rowOf(
  { gpu, parameters }: SweepPoint,
  launch: number,
  { kernel, grid, block, timing }: SweptLaunch,
): Readonly<Record<LaunchColumn, string | number>> {
  const { throughput, occupancy, memory, stalls } = timing;
  const [longest] = Object.entries(stalls)
    .filter(([name]) => name !== "selected")
    .sort(([, a], [, b]) => b - a);
  return {
    gpu,
    ...parameters,
    launch,
    kernel,
    gridShape: grid.join("x"),
    blockShape: block.join("x"),
    cycles: timing.cycles,
    microseconds: short(timing.microseconds),
    limitedBy: timing.limitedBy,
    compute: short(throughput.compute),
    memory: short(throughput.memory),
    dram: short(throughput.dram),
    occupancy: short(occupancy.achieved),
    theoreticalOccupancy: short(occupancy.theoretical),
    occupancyLimit: occupancy.limitedBy,
    registers: occupancy.registers,
    waves: short(occupancy.waves),
    ipc: short(timing.ipc),
    longestStall: longest?.[0] ?? "",
    l1HitRate: short(memory.l1HitRate),
    l2HitRate: short(memory.l2HitRate),
    dramReadBytes: memory.dramReadBytes,
    dramWriteBytes: memory.dramWriteBytes,
    sectorsPerLoad: short(memory.sectorsPerLoad),
    sectorsPerStore: short(memory.sectorsPerStore),
    warpInstructions: timing.warpInstructions,
    advice: timing.advice.map(({ rule }) => rule).join(" "),
  };
}

const short = (value: number): number => Number(value.toPrecision(6));

/** Rows of all results; a failed run is one row with its problem. */
export const rowsOf = (results: readonly SweepResult[]): readonly SweepRow[] =>
  results.flatMap(({ point: { gpu, parameters }, rows, problem }) =>
    problem === undefined ? rows : [{ gpu, ...parameters, [PROBLEM]: problem }],
  );

/** The rows as CSV (RFC 4180), with the columns of all rows. */
export function csvOf(rows: readonly SweepRow[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: string | number | undefined): string => {
    const text = String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("");
}

/** The journal of a sweep. Its first line identifies the sweep, so that another sweep does not reuse its results. */
export const journalOf = (digest: string, results: readonly SweepResult[]): string =>
  [{ sweep: digest }, ...results].map((line) => `${JSON.stringify(line)}\n`).join("");

/** The results in a journal of the same sweep, by point. Failed runs are omitted, so that they run again. */
export function readJournal(digest: string, text: string): ReadonlyMap<string, SweepResult> {
  const known = new Map<string, SweepResult>();
  const [head, ...lines] = text.split("\n");
  if (parse(head)?.["sweep"] !== digest) return known;
  for (const line of lines) {
    const result = parse(line) as SweepResult | undefined;
    if (result?.point !== undefined && Array.isArray(result.rows) && result.problem === undefined)
      known.set(pointKey(result.point), result);
  }
  return known;
}

function parse(line: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line ?? "");
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
