// What `run` prints for people: what the kernels printed, the outputs (shortened where a screen is too small for them), and
// a line for each launch.

import { elementText } from "../load/values.js";
import type { TimingResult } from "../timing/result.js";
import type { OutputReport, RunReport } from "./run.js";
import type { Styler } from "./style.js";
import { timeOf } from "./run-json.js";
import { timingText } from "./timing-text.js";

export interface RunTextOptions {
  /** Elements of an output that are shown; undefined: all. */
  readonly mostElements: number | undefined;
  /** Columns of the terminal; undefined where there is none. */
  readonly width: number | undefined;
  readonly style: Styler;
}

/** Columns where there is no terminal. */
const pageWidth = 100;

export function runText(report: RunReport<TimingResult>, options: RunTextOptions): string {
  const lines: string[] = [];
  if (report.printf !== "") lines.push(report.printf.endsWith("\n") ? report.printf.slice(0, -1) : report.printf);
  // Line by line: a call takes no more arguments than its stack has room for.
  for (const output of report.outputs) for (const line of outputLines(output, options)) lines.push(line);
  for (const { kernel, grid, block, warpInstructions, threadInstructions } of report.launches) {
    const shape = `<<<${dimensions(grid)}, ${dimensions(block)}>>>`;
    lines.push(
      `${options.style("name", kernel)} ${shape} ${warpInstructions} warp instructions, ${threadInstructions} thread instructions`,
    );
  }
  const timed = report.launches.flatMap(({ kernel, timing: taken }) => {
    const timing = timeOf(taken);
    return timing === undefined ? [] : [{ kernel, timing }];
  });
  if (timed.length > 0) {
    lines.push(
      "",
      options.style("heading", `Timed on ${timed[0]!.timing.gpu}`),
      ...timingText(timed, options.width, options.style),
    );
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function dimensions([x, y, z]: readonly [number, number, number]): string {
  return z > 1 ? `(${x},${y},${z})` : y > 1 ? `(${x},${y})` : String(x);
}

/** `y  f32[1024]`, then its elements, as many to a line as fit, each line begun by its first index. */
function outputLines({ name, type, bytes }: OutputReport, options: RunTextOptions): readonly string[] {
  const length = Math.floor(bytes.length / type.bytes);
  const shown = Math.min(length, options.mostElements ?? length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = Array.from({ length: shown }, (_, i) => elementText(type, view, i));
  const width = texts.reduce((most, text) => Math.max(most, text.length), 1);
  const indexWidth = String(Math.max(0, shown - 1)).length;
  const perLine = Math.max(1, Math.floor(((options.width ?? pageWidth) - indexWidth - 3) / (width + 1)));
  const lines = [`${options.style("name", name)}  ${type.name}[${length}]`];
  for (let i = 0; i < shown; i += perLine) {
    const row = texts.slice(i, i + perLine).map((text) => text.padStart(width));
    lines.push(`  ${String(i).padStart(indexWidth)}: ${row.join(" ")}`);
  }
  if (shown < length) lines.push(`  ${" ".repeat(indexWidth)}  … and ${length - shown} more`);
  return lines;
}
