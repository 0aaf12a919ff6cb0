// Inspections of the recorded cubins.

import { readFileSync } from "node:fs";
import { inspectFile } from "../../lib/inspect/inspect.js";
import type { Inspection, InspectOptions, ViewName } from "../../lib/inspect/inspection.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { cubinBytes } from "../formats/recorded.js";

export const ALL_VIEWS = ["header", "sections", "symbols", "relocations", "info", "kernels", "layout"] as const;

/** The inspection of some bytes. Throws if there is none. */
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

/** From dist/test/inspect to the root of the checkout. */
export const rareKinds = new URL("../../../testdata/inspect/cubins/", import.meta.url);

/** The bytes of a cubin of a rare kind. */
export const rareCubin = (name: string): Uint8Array => readFileSync(new URL(name, rareKinds));
