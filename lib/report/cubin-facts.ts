// Reads from NVIDIA's cubin of the same kernels what PTX lacks: registers per thread and bytes of code. Only attributes and sizes
// are read; the code is not decoded.

import type { DiagnosticSink } from "../diag/sink.js";
import { inspectFile } from "../inspect/inspect.js";
import type { Source } from "../ptx/source-text.js";
import type { KernelFacts } from "../timing/time-launch.js";

/** The properties of each kernel; undefined after a report about the file, or if it is no cubin of NVIDIA's. */
export function cubinFacts(
  source: Pick<Source, "name" | "bytes">,
  sink: DiagnosticSink,
): ReadonlyMap<string, KernelFacts> | undefined {
  const { inspection } = inspectFile(source, { views: ["kernels"] }, sink);
  if (inspection?.kernels === undefined) return undefined;
  return new Map(
    inspection.kernels.map(({ name, registers, codeBytes }) => [
      name,
      { codeBytes: codeBytes ?? 0, ...(registers === undefined ? {} : { registers }) },
    ]),
  );
}
