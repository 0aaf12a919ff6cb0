// `.ptxkit.decl` of the image of a plain link (../link.ts) and its relocations, which are declared as they are written.

import { NO_OWNER, putSection, putSymbol } from "../../../object/file/declaration-rows.js";
import { declareModules, declareShape, type Declaring } from "./declare.js";
import { isJoined } from "../layout/layout.js";
import { before, behind, fileFinder, type Plan } from "./plan.js";
import { ROLE, type DataRole } from "../tables/codes.js";
import { createRelocator, type Relocating } from "./relocate.js";
import { createRuns } from "../tables/runs.js";
import type { PlainSymbols } from "./symbols.js";
import type { MergedRow } from "../names/resolve.js";
import type { ShapeId } from "../tables/shapes.js";
import { COMMON, KIND, LINKAGE, type SectionRow, type SymbolRow } from "../tables/tables.js";

/** Modules and symbols. */
export function declareSymbols(
  { tables, resolution, layout, aliases }: Plan,
  { elfOf, elfOfAlias }: PlainSymbols,
  declaring: Declaring,
): void {
  const { shapes } = tables;
  declareModules(declaring, tables);
  const { chosen, count } = resolution;
  const { code: codes, module, line, column, flags, place, shape: shapeOf } = tables;
  const ownShape = (row: MergedRow, symbol: SymbolRow): ShapeId =>
    place[symbol]! >= 0 ? shapeOf[symbol]! : (layout.openShapes.get(row) ?? shapeOf[symbol]!);
  const declare = (row: MergedRow, elf: number, code: number, shape?: ShapeId): void => {
    const symbol = chosen[row]!;
    const common = place[symbol] === COMMON ? layout.commons.get(row) : undefined;
    const from = common?.first ?? symbol;
    const type = declareShape(declaring, shapes, shape ?? common?.shape ?? ownShape(row, symbol));
    putSymbol(declaring.rows, elf, code, flags[symbol]!, type, module[from]!, line[from]!, column[from]!);
  };
  for (let row = 0; row < count; row++) if (elfOf[row] !== 0) declare(row, elfOf[row]!, codes[chosen[row]!]!);
  aliases.forEach(({ base, shape }, i) => {
    const isFunction = KIND.function === tables.code[chosen[base]!]! >> 4;
    declare(base, elfOfAlias[i]!, LINKAGE.visible + (isFunction ? 16 * KIND.function : IS_ALIAS), shape);
  });
}

/** Beside the linkage: of a variable that is another's second name. object/file/declarations.ts */
const IS_ALIAS = 8;

/** The records of all relocations, and the sections' part of the declarations. `numberOf`: the image's of each merged symbol. */
export function relocateAll(
  plan: Plan,
  { elfOf }: PlainSymbols,
  numberOf: Int32Array,
  declaring: Declaring,
): Relocating {
  const { tables, resolution, layout, goal, indices } = plan;
  const { mergedOf } = resolution;
  const { owner } = tables;
  const { rows } = declaring;
  const { texts, joined, rel, rela } = layout;
  const applied = plan.applied?.reduce((total, count) => total + count, 0);
  let words = 0;
  for (let i = 0; i < texts.length; i++) words += 4 * rel[texts[i]!]! + 6 * rela[texts[i]!]!;
  for (const role of [...before, ...behind]) words += 4 * joined[role].rel + 6 * joined[role].rela;
  const relocating: Relocating = {
    tables,
    resolution,
    layout,
    elfOf,
    writesRel: goal.writesRel,
    records: new Uint32Array(words),
    rel: 0,
    rela: 0,
    patches: [],
    applied: applied === undefined ? undefined : new Uint32Array(6 * applied),
    nextApplied: 0,
  };
  const runs = createRuns();
  const relocate = createRelocator(relocating, runs);
  const open = (relCount: number): void => {
    relocating.rel = relocating.rela;
    relocating.rela += 4 * relCount;
    runs.length = 0;
  };
  const fileOf = fileFinder(tables);
  const declareJoined = (role: DataRole): void => {
    if (!isJoined(joined[role])) return;
    const { pieces, rel: relCount } = joined[role];
    open(relCount);
    for (const section of pieces) relocate(fileOf(section), section, layout.offset[section]!);
    putSection(rows, indices.joined[role]!, role, NO_OWNER, runs.words, 0, runs.length);
  };
  before.forEach(declareJoined);
  const textFile = fileFinder(tables);
  const declareCode = (section: SectionRow): void => {
    open(rel[section]!);
    relocate(textFile(section), section, 0);
    const symbol = numberOf[mergedOf[owner[section]!]!]!;
    putSection(rows, indices.textOf[section]!, ROLE.text, symbol, runs.words, 0, runs.length);
  };
  for (let i = 0; i < texts.length; i++) declareCode(texts[i]!);
  behind.forEach(declareJoined);
  plan.shared.forEach(({ kernel }, i) => {
    const elf = indices.firstShared + i;
    if (kernel === undefined) putSection(rows, elf, ROLE.moduleShared, NO_OWNER, []);
    else putSection(rows, elf, ROLE.shared, numberOf[kernel]!, []);
  });
  return relocating;
}
