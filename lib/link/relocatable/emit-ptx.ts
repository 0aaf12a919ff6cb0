// `link --emit ptx`: all inputs as one PTX module that ptxas accepts and that has the same meaning as their image. The inputs are
// resolved as for an image, joined (partial-link.ts) and printed (object/print/disassemble.ts). Weak definitions that lost are
// gone, common symbols are definitions, and static symbols that share a name get a number. Declarations are printed only if the
// order requires them. Printing is function by function: symbols, sections and relocations are values only while their lines are
// written. docs/linking.md, "Merged PTX". Rejected: joining the inputs' texts with their names replaced, as GCC's nvptx-none-ld
// nearly does; objects have no text.

import { debugParts, resolvedBy } from "../../object/columns/write/debug-sections.js";
import type { ObjectSymbol, Section } from "../../object/object.js";
import { layOutDebug } from "../../object/columns/write/debug-layout.js";
import { internString } from "../../object/columns/strings.js";
import type { DebugSection } from "../../object/dwarf/debug-sections.js";
import { MAX_PARTS, textSections } from "../../object/dwarf/debug-text.js";
import type { PrintedObject } from "../../object/print/printed.js";
import { seriesOf } from "../../base/series.js";
import type { OutputObject } from "../../object/columns/write/output-object.js";
import { linkPartially } from "./partial-link.js";
import { keptRanges } from "../layout/layout.js";
import { contentsOf } from "../../object/columns/contents.js";
import { type LinkTarget } from "../image/section-plan.js";
import { roleNames } from "../../object/columns/codes.js";
import { relocationsOf } from "../../object/columns/relocations.js";
import type { Resolution } from "../resolve/resolve.js";
import { withoutDebug } from "./strip.js";
import { codeIn, type SectionRow, type Columns, type DebugPart, fileFinder } from "../../object/columns/columns.js";
import { createSymbolReader, declaredVariable, modulesOf } from "../../object/columns/values.js";

export interface EmitPtxOptions {
  /** Whether undefined and common symbols stay so (-r). */
  readonly relocatable?: boolean;
  /** Whether to omit lines, .file entries and DWARF (--strip-debug). */
  readonly stripDebug?: boolean;
}

/** The object to be printed. */
export function printableModule(
  columns: Columns,
  resolution: Resolution,
  linkTarget: LinkTarget,
  { relocatable = false, stripDebug = false }: EmitPtxOptions,
): PrintedObject {
  // A text has no replaced definitions, because each name has one meaning in it.
  const whole = linkPartially(columns, { ...resolution, replaced: new Map() }, () => new Map());
  const join = stripDebug ? { ...whole, columns: withoutDebug(whole.columns) } : whole;
  const relocationsIn = relocationReader(join, resolution);
  return {
    type: "relocatable",
    target: linkTarget.target,
    version: linkTarget.version,
    modules: modulesOf(join.columns),
    symbols: seriesOf(join.symbols.length, partialLinkSymbols(join, relocatable)),
    sections: seriesOf(join.sections.length, sectionReader(join)),
    hasBytes: () => true,
    relocationsOf: relocationsIn,
    targetsOf(section, slots) {
      const relocations = new Map(relocationsIn(section).map((relocation) => [relocation.offset, relocation]));
      return slots.map(({ offset, word }) => {
        const relocation = relocations.get(offset);
        // A fixed address is stored in the slot itself.
        if (relocation === undefined) return { symbol: undefined, offset: word };
        return { symbol: relocation.symbol, offset: relocation.addend };
      });
    },
    isStripped: stripDebug,
    debugSections: debugIn(join.columns),
  };
}

/** The debug sections, with references among them as offsets; places in code and data are printed as names. */
function debugIn(columns: Columns): readonly DebugSection[] {
  const all = textSections(debugParts(columns));
  // Most are rejected without a change.
  if (all.length === 0 || all.length > MAX_PARTS || columns.moduleStart.length === 1) return all;
  const debug = all.map((part): DebugPart => ({ ...part, file: 0, name: internString(columns.strings, part.name) }));
  return all.map(resolvedBy(layOutDebug({ ...columns, debug }, () => () => undefined)));
}

/** The symbols of the joined object by number; `keepsCommons`: whether common symbols stay so. */
export function partialLinkSymbols(join: OutputObject, keepsCommons: boolean): (number: number) => ObjectSymbol {
  const { columns, symbols, outputSectionOf, commons, undefinedTypes } = join;
  const read = createSymbolReader(columns);
  return (number) => {
    const row = symbols[number]!;
    // A tentative definition becomes the definition, unless a later link may bring another.
    const known = read(row, 0, columns.sectionOf[row]! - outputSectionOf[number]!);
    const symbol: ObjectSymbol = known.linkage !== "common" || keepsCommons ? known : { ...known, linkage: "visible" };
    const common = commons.get(number);
    const typeId = common?.typeId ?? undefinedTypes.get(number);
    if (typeId === undefined || symbol.kind !== "variable") return symbol;
    const from = common?.first ?? row;
    const origin = { module: columns.module[from]!, line: columns.line[from]!, column: columns.column[from]! };
    return { ...symbol, origin, layout: declaredVariable(columns.types, typeId, false).layout };
  };
}

function sectionReader({ columns, sections }: OutputObject): (index: number) => Pick<Section, "role" | "data"> {
  const fileOf = fileFinder(columns);
  const codeOf = (row: SectionRow): Uint8Array => {
    const [from, start, size] = codeIn(columns, fileOf(row), row);
    return from.subarray(start, start + size);
  };
  return (index) => {
    const { row, owner } = sections[index]!;
    const role = roleNames[columns.role[row]!]!;
    if (role === "text") {
      const text = { kind: "text", symbol: owner } as const;
      return {
        role: text,
        get data() {
          return codeOf(row);
        },
      };
    }
    if (role === "shared") return { role: { kind: "shared", symbol: owner } };
    if (role === "module-shared") return { role: { kind: "shared-module" } };
    if (role === "global") return { role: { kind: "global" } };
    if (role === "module-local") return { role: { kind: "local" } };
    return { role: { kind: role }, data: contentsOf(columns, fileOf(row), row) };
  };
}

function relocationReader(join: OutputObject, resolution: Resolution): PrintedObject["relocationsOf"] {
  const { columns, sections, numberOf } = join;
  const ranges = keptRanges(columns, resolution);
  const fileOf = fileFinder(columns);
  return (index) => {
    const { row } = sections[index]!;
    return relocationsOf(columns, fileOf(row), row, ranges.get(row), numberOf);
  };
}
