// The document that `run --json` writes: CONTRACT.md. Names and order are fixed.

import { toHex } from "../load/values.js";
import type { RunReport } from "./run.js";

export interface TimingLike {
  readonly cycles: number;
}

export function runJson(report: RunReport<TimingLike>): string {
  const document = {
    launches: report.launches.map(({ kernel, grid, block, warpInstructions, threadInstructions, timing }) => ({
      kernel,
      grid,
      block,
      warpInstructions,
      threadInstructions,
      ...(timing === undefined ? {} : { cycles: timing.cycles, timing }),
    })),
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
