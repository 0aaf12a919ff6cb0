// Inspections of the recorded cubins, for the tests of this room.

import { inspectFile, type Inspection, type InspectOptions, type ViewName } from "../../lib/inspect/inspect.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { cubinBytes } from "../formats/recorded.js";

export const ALL_VIEWS = ["header", "sections", "symbols", "relocations", "info", "kernels", "layout"] as const;

/** The inspection of some bytes; throws when there is none. */
export function inspected(
  bytes: Uint8Array,
  views: readonly ViewName[] = ALL_VIEWS,
  sink: DiagnosticSink = createSink(),
  more: Partial<InspectOptions> = {},
): Inspection {
  const result = inspectFile({ name: "a.cubin", bytes }, { views, ...more }, sink);
  if (result.kind !== "inspected") throw new Error(`not inspected: ${result.kind}`);
  return result.inspection;
}

export const inspectedCubin = (name: string, views?: readonly ViewName[]): Inspection =>
  inspected(cubinBytes(name), views);
