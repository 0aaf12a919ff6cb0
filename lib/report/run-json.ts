// The document that `run --json` writes: docs/schemas/run.schema.json. Names and order are fixed.

import type { ElementType } from "../load/elements.table.js";
import { elementText, toHex } from "../load/values.js";
import type { TimingResult } from "../timing/result/result.js";
import type { RunReport } from "./run.js";

export interface TimingLike {
  readonly cycles: number;
  /** Events of a trace, which is written to another file. */
  readonly events?: unknown;
  /** Blocks that started while the launch was timed. */
  readonly blocks: number;
}

/** The timing, or undefined if no block started before a fault or a signal ended the launch. */
export function timeOf<Timing extends TimingLike>(timing: Timing | undefined): Timing | undefined {
  return timing === undefined || timing.blocks === 0 ? undefined : timing;
}

interface LaunchDocument {
  readonly kernel: string;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly warpInstructions: number;
  readonly threadInstructions: number;
  readonly nestedLaunches?: number;
  readonly cycles?: number;
  readonly timing?: Omit<TimingResult, "events">;
}

interface OutputDocument {
  readonly type: string;
  readonly length: number;
  readonly hex: string;
  readonly values?: readonly (number | string)[];
}

/** What `run --json` writes. */
export interface RunDocument extends Omit<RunReport<never>, "launches" | "outputs"> {
  readonly launches: readonly LaunchDocument[];
  readonly outputs: Readonly<Record<string, OutputDocument>>;
}

/** The report as one JSON document (docs/cli.md). */
export const runJson = (report: RunReport<TimingLike>): string => [...runJsonParts(report)].join("");

/** Bytes of an output in one part: a large output would exceed the longest string. */
const PART_BYTES = 2 ** 20;

/** Limit of elements for the member `values`; larger outputs have only `hex`, since programs that read them use bytes. */
const MAX_VALUES = 2 ** 16;

/**
 * The elements as JSON, in the form of launch specifications. Values that JSON cannot represent, and integers that a JavaScript
 * number cannot hold, are text.
 */
function valuesOf(type: ElementType, bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / type.bytes }, (_, i) => {
    const value = type.load(view, i * type.bytes);
    if (Number.isSafeInteger(Number(value))) return Object.is(value, -0) ? "-0" : String(value);
    const text = elementText(type, view, i);
    return typeof value === "number" && Number.isFinite(value) ? text : JSON.stringify(text);
  });
}

/** The text of `runJson` in parts. */
export function* runJsonParts(report: RunReport<TimingLike>): Generator<string, void, undefined> {
  const launches = report.launches.map(
    ({ kernel, grid, block, warpInstructions, threadInstructions, nestedLaunches, timing: taken }) => {
      const timing = timeOf(taken);
      return {
        kernel,
        grid,
        block,
        warpInstructions,
        threadInstructions,
        ...(nestedLaunches === undefined ? {} : { nestedLaunches }),
        ...(timing === undefined ? {} : { cycles: timing.cycles, timing: { ...timing, events: undefined } }),
      };
    },
  );
  yield `{"launches":${JSON.stringify(launches)},"outputs":{`;
  let between = "";
  for (const [name, { type, bytes }] of new Map(report.outputs.map((output) => [output.name, output]))) {
    const head = JSON.stringify({ type: type.name, length: bytes.length / type.bytes });
    yield `${between}${JSON.stringify(name)}:${head.slice(0, -1)},"hex":"`;
    for (let at = 0; at < bytes.length; at += PART_BYTES) yield toHex(bytes.subarray(at, at + PART_BYTES));
    yield `"`;
    if (bytes.length / type.bytes <= MAX_VALUES) yield `,"values":[${valuesOf(type, bytes).join(",")}]`;
    yield `}`;
    between = ",";
  }
  // Without undefined members: JSON omits them.
  const { printf, memory, fault, findings, suppressed, changes, trace, breaks, eventsLeftOut } = report;
  const rest = { printf, memory, fault, findings, suppressed, changes, trace, breaks, eventsLeftOut };
  yield `},${JSON.stringify(rest).slice(1)}\n`;
}
