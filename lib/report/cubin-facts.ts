// What NVIDIA's cubin of the same kernels says that PTX does not: registers per thread and bytes of code. Only attributes and sizes are
// read; the code is not decoded.

import type { DiagnosticSink } from "../diag/sink.js";
import { inspectFile } from "../inspect/inspect.js";
import type { Source } from "../ptx/source-text.js";
import type { KernelFacts } from "../timing/time-launch.js";

/** Of each kernel; undefined after a report about the file, or when it is not one of NVIDIA's ELF files. */
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
