// The text output of `run`: what the kernels printed, the outputs (shortened to fit a screen), and a line for each launch.

import type { Dimensions } from "../base/dimensions.js";
import { elementText } from "../load/values.js";
import type { TimingResult } from "../timing/result/result.js";
import type { OutputReport } from "./prepare-spec.js";
import type { RunReport } from "./run.js";
import type { Styler } from "./style.js";
import { timeOf } from "./run-json.js";
import { timingText, type TimedLaunch } from "./timing-text.js";

/** Options of the text report. */
export interface RunTextOptions {
  /** Limit of shown elements of an output; undefined shows all. */
  readonly mostElements: number | undefined;
  /** Columns of the terminal; undefined without one. */
  readonly width: number | undefined;
  readonly style: Styler;
  /** See TimingTextOptions. */
  readonly hotLines?: number;
}

/** Columns of output without a terminal. */
const pageWidth = 100;

/** The report as text. */
export const runText = (report: RunReport<TimingResult>, options: RunTextOptions): string =>
  [...runTextParts(report, options)].join("");

/** The text of `runText` in parts: the elements of a large output would exceed the longest string. */
export function* runTextParts(
  report: RunReport<TimingResult>,
  options: RunTextOptions,
): Generator<string, void, undefined> {
  for (const line of runLines(report, options)) yield `${line}\n`;
}

function* runLines(report: RunReport<TimingResult>, options: RunTextOptions): Generator<string, void, undefined> {
  if (report.printf !== "") yield report.printf.endsWith("\n") ? report.printf.slice(0, -1) : report.printf;
  for (const output of report.outputs) yield* outputLines(output, options);
  for (const { kernel, grid, block, warpInstructions, threadInstructions, nestedLaunches } of report.launches) {
    const nested = nestedLaunches === undefined ? "" : `, with ${nestedLaunches} grids that it launched`;
    const shape = `<<<${dimensions(grid)}, ${dimensions(block)}>>>`;
    yield `${options.style("name", kernel)} ${shape} ${warpInstructions} warp instructions, ${threadInstructions} thread instructions${nested}`;
  }
  if (report.suppressed !== undefined && report.suppressed > 0)
    yield `${report.suppressed} ${report.suppressed === 1 ? "finding is" : "findings are"} suppressed`;
  const timed = timedLaunches(report.launches);
  if (timed.length === 0) return;
  yield "";
  yield options.style("heading", `Timed on ${timed[0]!.timing.gpu}`);
  yield* timingText(timed, options);
}

/** The launches that have a time. */
export const timedLaunches = (launches: RunReport<TimingResult>["launches"]): readonly TimedLaunch[] =>
  launches.flatMap(({ kernel, timing: taken }) => {
    const timing = timeOf(taken);
    return timing === undefined ? [] : [{ kernel, timing }];
  });

function dimensions([x, y, z]: Dimensions): string {
  return z > 1 ? `(${x},${y},${z})` : y > 1 ? `(${x},${y})` : String(x);
}

/** Limit of elements whose texts are kept; those of larger outputs are formatted twice. */
const MAX_HELD = 2 ** 22;

/** `y  f32[1024]`, then its elements. A line has as many as fit, and begins with the index of its first element. */
function* outputLines(
  { name, type, bytes }: OutputReport,
  options: RunTextOptions,
): Generator<string, void, undefined> {
  const length = Math.floor(bytes.length / type.bytes);
  const shown = Math.min(length, options.mostElements ?? length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const held = Array.from({ length: Math.min(shown, MAX_HELD) }, (_, i) => elementText(type, view, i));
  const textAt = (i: number): string => held[i] ?? elementText(type, view, i);
  let width = 1;
  for (let i = 0; i < shown; i++) width = Math.max(width, textAt(i).length);
  const indexWidth = String(Math.max(0, shown - 1)).length;
  const perLine = Math.max(1, Math.floor(((options.width ?? pageWidth) - indexWidth - 3) / (width + 1)));
  yield `${options.style("name", name)}  ${type.name}[${length}]`;
  for (let i = 0; i < shown; i += perLine) {
    let line = `  ${String(i).padStart(indexWidth)}:`;
    for (let at = i; at < Math.min(i + perLine, shown); at++) line += ` ${textAt(at).padStart(width)}`;
    yield line;
  }
  if (shown < length) yield `  ${" ".repeat(indexWidth)}  … and ${length - shown} more`;
}
