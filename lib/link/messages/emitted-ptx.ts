// Diagnostics specific to merged PTX (--emit ptx): names and debug sections that a text cannot express.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { PtxVersion } from "../../isa/targets.table.js";
import type { RelocObject } from "../../object/object.js";
import type { DroppedDebug } from "../../object/print/disassemble.js";
import { lastVersion } from "../../object/print/old-platform.js";
import { versionText } from "../../isa/requirement.js";
import { moduleName, type Contribution } from "../model/contributions.js";
import type { Alias, ReadInputs } from "../model/linked.js";
import { describe, subjectText } from "../model/describe.js";

/**
 * Reports names of --defsym that the text lacks. References to them now refer to their targets, because PTX has no aliases of
 * variables.
 */
export function reportDroppedNames(
  aliases: readonly Pick<Alias, "name" | "base" | "offset">[],
  sink: DiagnosticSink,
): void {
  for (const { name, base, offset } of aliases)
    sink.report(
      "name-dropped",
      `${subjectText(name)} is not a name in the merged module, which uses ${base}${offset === 0 ? "" : `+${offset}`} instead`,
      undefined,
      { remedy: "use the other name in host code, or link an image, which has both names" },
    );
}

/**
 * Reports features of old modules that the text's version lacks: a module has one version, here the latest of all. `modules`:
 * those of the text.
 */
export function reportOutdated(
  inputs: ReadInputs,
  outdated: Iterable<Contribution>,
  modules: Iterable<{ readonly name: string; readonly version: PtxVersion }>,
  version: PtxVersion,
  sink: DiagnosticSink,
): void {
  const raising = [...modules].find((module) => module.version === version);
  const because = raising === undefined ? "which the target requires" : `the version of ${raising.name}`;
  for (const each of outdated) {
    const { symbol } = each;
    sink.report(
      "not-in-version",
      `${describe(symbol)} cannot be declared in PTX ${versionText(version)}, ${because}: PTX ${versionText(lastVersion(symbol)!)} is the last version that supports it`,
      { kind: "line", file: moduleName(inputs, each), line: symbol.origin.line },
      { remedy: "merge it with modules of earlier versions only, or link an image" },
    );
  }
}

/** `name`: the name of the text. */
export function reportDroppedDebug(
  {
    name,
    modules,
  }: Pick<RelocObject, "name"> & {
    readonly modules: readonly Pick<RelocObject["modules"][number], "name" | "targetOptions">[];
  },
  { isAll, why }: DroppedDebug,
  sink: DiagnosticSink,
): void {
  const first = modules.find(({ targetOptions }) => targetOptions.includes("debug"))?.name ?? name;
  const message = isAll
    ? `the DWARF sections of these modules cannot be merged: ${why}; source lines are kept, names and types are dropped`
    : `lookup tables of debug information are left out: ${why}; the information itself is kept`;
  const remedy = isAll
    ? "link an image for debugging, or compile with -lineinfo instead of -G"
    : "no action is needed if the debugger builds such tables itself, as most do; an image has them";
  sink.report("debug-dropped", message, { kind: "file", file: first }, { remedy });
}
