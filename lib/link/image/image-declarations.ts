// Writes `.ptxkit.decl` of the image, and its relocations, which are declared while they are written.

import { IS_ALIAS } from "../../object/file/declaration-codes.js";
import { NO_OWNER, putSection, putSymbol } from "../../object/file/declaration-rows.js";
import { declareModules, declareType, type Declarations } from "../../object/columns/write/declarations.js";
import { isPresent } from "../layout/layout.js";
import { before, behind, type Plan } from "./section-plan.js";
import { ROLE, type DataRole } from "../../object/columns/codes.js";
import { createRelocator, type RelocationOutput } from "./relocate.js";
import { createRuns } from "../../object/columns/relocation-runs.js";
import type { SymbolTable } from "./symbol-table.js";
import type { MergedRow } from "../resolve/resolve.js";
import type { TypeId } from "../../object/columns/types.js";
import { COMMON, KIND, LINKAGE, type SectionRow, type SymbolRow, fileFinder } from "../../object/columns/columns.js";

/** Declares modules and symbols. */
export function declareSymbols(
  { columns, resolution, layout, aliases }: Plan,
  { elfOf, elfOfAlias }: SymbolTable,
  declarations: Declarations,
): void {
  const { types } = columns;
  declareModules(declarations, columns);
  const { chosen, count } = resolution;
  const { code: codes, module, line, column, flags, sectionOf, typeId: typeOf } = columns;
  const ownShape = (row: MergedRow, symbol: SymbolRow): TypeId =>
    sectionOf[symbol]! >= 0 ? typeOf[symbol]! : (layout.undefinedTypes.get(row) ?? typeOf[symbol]!);
  const declare = (row: MergedRow, elf: number, code: number, typeId?: TypeId): void => {
    const symbol = chosen[row]!;
    const common = sectionOf[symbol] === COMMON ? layout.commons.get(row) : undefined;
    const from = common?.first ?? symbol;
    const type = declareType(declarations, types, typeId ?? common?.typeId ?? ownShape(row, symbol));
    putSymbol(declarations.rows, elf, code, flags[symbol]!, type, module[from]!, line[from]!, column[from]!);
  };
  for (let row = 0; row < count; row++) if (elfOf[row] !== 0) declare(row, elfOf[row]!, codes[chosen[row]!]!);
  aliases.forEach(({ base, typeId }, i) => {
    const isFunction = KIND.function === columns.code[chosen[base]!]! >> 4;
    declare(base, elfOfAlias[i]!, LINKAGE.visible + (isFunction ? 16 * KIND.function : IS_ALIAS), typeId);
  });
}

/**
 * Writes the records of all relocations, and the declarations of the sections. `numberOf`: the image's number of each merged
 * symbol.
 */
export function relocateAll(
  plan: Plan,
  { elfOf }: SymbolTable,
  numberOf: Int32Array,
  declarations: Declarations,
): RelocationOutput {
  const { columns, resolution, layout, linkTarget, indices } = plan;
  const { mergedOf } = resolution;
  const { owner } = columns;
  const { rows } = declarations;
  const { textSections, outputSections, rel, rela } = layout;
  const applied = plan.applied?.reduce((total, count) => total + count, 0);
  let words = 0;
  for (let i = 0; i < textSections.length; i++) words += 4 * rel[textSections[i]!]! + 6 * rela[textSections[i]!]!;
  for (const role of [...before, ...behind]) words += 4 * outputSections[role].rel + 6 * outputSections[role].rela;
  const output: RelocationOutput = {
    columns,
    resolution,
    layout,
    elfOf,
    writesRel: linkTarget.writesRel,
    records: new Uint32Array(words),
    rel: 0,
    rela: 0,
    patches: [],
    applied: applied === undefined ? undefined : new Uint32Array(6 * applied),
    nextApplied: 0,
  };
  const runs = createRuns();
  const relocate = createRelocator(output, runs);
  const open = (relCount: number): void => {
    output.rel = output.rela;
    output.rela += 4 * relCount;
    runs.length = 0;
  };
  const fileOf = fileFinder(columns);
  const declareJoined = (role: DataRole): void => {
    if (!isPresent(outputSections[role])) return;
    const { inputs, rel: relCount } = outputSections[role];
    open(relCount);
    for (const section of inputs) relocate(fileOf(section), section, layout.offset[section]!);
    putSection(rows, indices.outputSections[role]!, role, NO_OWNER, runs.words, 0, runs.length);
  };
  before.forEach(declareJoined);
  const textFile = fileFinder(columns);
  const declareCode = (section: SectionRow): void => {
    open(rel[section]!);
    relocate(textFile(section), section, 0);
    const symbol = numberOf[mergedOf[owner[section]!]!]!;
    putSection(rows, indices.textIndexOf[section]!, ROLE.text, symbol, runs.words, 0, runs.length);
  };
  for (let i = 0; i < textSections.length; i++) declareCode(textSections[i]!);
  behind.forEach(declareJoined);
  plan.shared.forEach(({ kernel }, i) => {
    const elf = indices.firstShared + i;
    if (kernel === undefined) putSection(rows, elf, ROLE.moduleShared, NO_OWNER, []);
    else putSection(rows, elf, ROLE.shared, numberOf[kernel]!, []);
  });
  return output;
}
