// The document that `run --json` writes: CONTRACT.md. Names and order are fixed.

import { toHex } from "../load/values.js";
import type { RunReport } from "./run.js";

export interface TimingLike {
  readonly cycles: number;
  /** Blocks that ended while the launch was timed. */
  readonly blocks: number;
}

/** A launch that a fault or a signal ended before any block had ended has no time. */
export function timeOf<Timing extends TimingLike>(timing: Timing | undefined): Timing | undefined {
  return timing === undefined || timing.blocks === 0 ? undefined : timing;
}

export function runJson(report: RunReport<TimingLike>): string {
  const document = {
    launches: report.launches.map(({ kernel, grid, block, warpInstructions, threadInstructions, timing: taken }) => {
      const timing = timeOf(taken);
      return {
        kernel,
        grid,
        block,
        warpInstructions,
        threadInstructions,
        ...(timing === undefined ? {} : { cycles: timing.cycles, timing }),
      };
    }),
    outputs: Object.fromEntries(
      report.outputs.map(({ name, type, bytes }) => [
        name,
        { type: type.name, length: bytes.length / type.bytes, hex: toHex(bytes) },
      ]),
    ),
    printf: report.printf,
    memory: report.memory,
    ...(report.fault === undefined ? {} : { fault: report.fault }),
  };
  return `${JSON.stringify(document)}\n`;
}
