// Reads documents that `run --json --gpu` wrote, and checks the members that the page uses.

import type { TimingResult } from "../../timing/result/result.js";

export interface ReportedLaunch {
  readonly kernel: string;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly timing: TimingResult;
}

export interface ReportedRun {
  /** The name of the document's file. */
  readonly name: string;
  readonly launches: readonly ReportedLaunch[];
}

export type ReadRun =
  | { readonly ok: true; readonly run: ReportedRun }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

const remedy = "ptxkit run ... --gpu NAME --json writes such a file";

/** Reads the text of a document. */
export function readRun(name: string, text: string): ReadRun {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { ok: false, problem: "it is not JSON", remedy };
  }
  const launches = member(document, "launches");
  if (!Array.isArray(launches)) return { ok: false, problem: 'it has no "launches"', remedy };
  const timed = launches.filter((launch) => member(launch, "timing") !== undefined) as readonly unknown[];
  if (timed.length === 0) return { ok: false, problem: "none of its launches has a time", remedy };
  for (const [i, launch] of timed.entries()) {
    const missing = firstMissing(launch);
    if (missing !== undefined)
      return { ok: false, problem: `launch ${i + 1} has no "${missing}"`, remedy: `${remedy}; write it again` };
  }
  return { ok: true, run: { name, launches: timed as readonly ReportedLaunch[] } };
}

/** The required members of a launch, with their kinds. */
const members: readonly (readonly [path: string, kind: "number" | "string" | "object" | "array"])[] = [
  ["kernel", "string"],
  ["grid", "array"],
  ["block", "array"],
  ["timing.gpu", "string"],
  ["timing.cycles", "number"],
  ["timing.microseconds", "number"],
  ["timing.caches", "string"],
  ["timing.limitedBy", "string"],
  ["timing.ipc", "number"],
  ["timing.throughput", "object"],
  ["timing.occupancy", "object"],
  ["timing.memory", "object"],
  ["timing.pipes", "object"],
  ["timing.stalls", "object"],
  ["timing.work", "object"],
  ["timing.peak", "object"],
  ["timing.timeline", "object"],
  ["timing.timeline.ipc", "array"],
  ["timing.instructions", "array"],
  ["timing.advice", "array"],
];

function firstMissing(launch: unknown): string | undefined {
  for (const [path, kind] of members) {
    const value = path.split(".").reduce<unknown>(member, launch);
    const is = Array.isArray(value) ? "array" : typeof value;
    if (value === null || is !== kind) return path;
  }
  return undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
