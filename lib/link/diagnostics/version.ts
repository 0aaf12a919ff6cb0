// --ptx-version: reports features of a merged text that the version lacks (../messages/lower-version.ts). The object whose lines
// messages show is made only if there are errors.

import { once } from "../../base/once.js";
import { createSink, type DiagnosticSink } from "../../diag/sink.js";
import type { PtxVersion } from "../../isa/targets.table.js";
import { readObject } from "../../object/file/read.js";
import type { RelocObject } from "../../object/object.js";
import { checkLowered } from "../messages/lower-version.js";
import type { LinkTarget } from "../image/section-plan.js";
import { relocatableFile } from "../relocatable/relocatable-file.js";
import type { EmitPtxOptions } from "../relocatable/emit-ptx.js";
import type { ResolvedColumns } from "../resolve/resolve.js";

/** `name`: the name of the text. */
export function reportLowered(
  { columns, resolution }: ResolvedColumns,
  linkTarget: LinkTarget,
  options: EmitPtxOptions & { readonly name: string; readonly ptxVersion: PtxVersion },
  text: Uint8Array,
  sink: DiagnosticSink,
): void {
  const { name, ptxVersion } = options;
  const object = once((): RelocObject => {
    const parts = relocatableFile(columns, { ...resolution, replaced: new Map() }, linkTarget, options);
    return readObject(Buffer.concat(parts), name, createSink()) as RelocObject;
  });
  checkLowered({ name, version: ptxVersion, whole: () => ({ ...object(), version: ptxVersion }) }, text, sink);
}
