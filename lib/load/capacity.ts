// Checks whether device memory can hold an image's variables, before it is loaded; the report names the largest.

import type { DiagnosticSink } from "../diag/sink.js";
import type { LinkedImage, VariableSymbol } from "../object/object.js";
import { DEFAULT_MEMORY_LIMIT } from "./memory.js";

/** Reports if the .global variables take more than `limitBytes`, and returns whether they fit. */
export function fitsDeviceMemory(image: LinkedImage, sink: DiagnosticSink, limitBytes = DEFAULT_MEMORY_LIMIT): boolean {
  const { sections, symbols, modules } = image;
  const isGlobal = (index: number): boolean => {
    const kind = sections[index]?.role.kind;
    return kind === "global" || kind === "global-init";
  };
  const bytes = sections.reduce((sum, { size }, i) => sum + (isGlobal(i) ? size : 0), 0);
  if (bytes <= limitBytes) return true;
  const largest = symbols
    .filter((symbol): symbol is VariableSymbol => symbol.kind === "variable")
    .filter(({ placement }) => placement.kind === "section" && isGlobal(placement.section))
    .reduce<VariableSymbol | undefined>(
      (most, each) => (each.layout.size > (most?.layout.size ?? 0) ? each : most),
      undefined,
    );
  const has = largest === undefined ? "" : `, '${largest.name}' alone ${largest.layout.size}`;
  const module = modules[largest?.origin.module ?? 0]?.name ?? image.name;
  sink.report(
    "device-memory",
    `.global variables take ${bytes} bytes${has}; device memory has ${limitBytes}`,
    largest === undefined ? { kind: "file", file: module } : { kind: "line", file: module, line: largest.origin.line },
  );
  return false;
}
