// --ptx-version: what of a merged text that version lacks (../../output/lower-version.ts). The object whose lines messages show is made
// only where something is wrong.

import { once } from "../../../base/once.js";
import { createSink, type DiagnosticSink } from "../../../diag/sink.js";
import type { PtxVersion } from "../../../isa/requirement.js";
import { readObject } from "../../../object/file/read.js";
import type { RelocObject } from "../../../object/object.js";
import { checkLowered } from "../../output/lower-version.js";
import type { PlainGoal } from "../image/plan.js";
import { plainObjectFile } from "../join/join-file.js";
import type { PlainTextOptions } from "../join/emit.js";
import type { Collected } from "../names/resolve.js";

/** `name`: of the text. */
export function tellLowered(
  { tables, resolution }: Collected,
  goal: PlainGoal,
  options: PlainTextOptions & { readonly name: string; readonly ptxVersion: PtxVersion },
  text: Uint8Array,
  sink: DiagnosticSink,
): void {
  const { name, ptxVersion } = options;
  const object = once((): RelocObject => {
    const parts = plainObjectFile(tables, { ...resolution, replaced: new Map() }, goal, options);
    return readObject(Buffer.concat(parts), name, createSink()) as RelocObject;
  });
  checkLowered({ name, version: ptxVersion, whole: () => ({ ...object(), version: ptxVersion }) }, text, sink);
}
