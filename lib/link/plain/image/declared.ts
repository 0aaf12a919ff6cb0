// `.ptxkit.decl` of the image of a plain link (../link.ts) and its relocations, which are declared as they are written.

import { putU8, putVarU } from "../tables/bytes.js";
import { declareShape, declareWords, type Declaring } from "./declare.js";
import { isJoined } from "../layout/layout.js";
import { before, behind, fileFinder, type Plan } from "./plan.js";
import { ROLE, type DataRole } from "../tables/codes.js";
import { createRelocator, type Relocating } from "./relocate.js";
import { createRuns, writeRuns } from "../tables/runs.js";
import type { PlainSymbols } from "./symbols.js";
import type { MergedRow } from "../names/resolve.js";
import type { ShapeId } from "../tables/shapes.js";
import { COMMON, KIND, LINKAGE, type SectionRow, type SymbolRow } from "../tables/tables.js";

/** Everything in front of the sections: version, modules, symbols. */
export function declareSymbols(
  { tables, resolution, layout, goal, aliases }: Plan,
  { elfOf, elfOfAlias }: PlainSymbols,
  declaring: Declaring,
): void {
  const { body } = declaring;
  const { modules, moduleStart, shapes } = tables;
  putVarU(body, goal.version);
  putVarU(body, moduleStart.length);
  declareWords(declaring, modules, 0, modules.length);
  const { chosen, count } = resolution;
  const { code: codes, module, line, column, flags, place, shape: shapeOf } = tables;
  let kept = 0;
  for (let row = 0; row < count; row++) if (elfOf[row] !== 0) kept++;
  putVarU(body, kept + aliases.length);
  const ownShape = (row: MergedRow, symbol: SymbolRow): ShapeId =>
    place[symbol]! >= 0 ? shapeOf[symbol]! : (layout.openShapes.get(row) ?? shapeOf[symbol]!);
  const declare = (row: MergedRow, elf: number, code: number, shape?: ShapeId): void => {
    const symbol = chosen[row]!;
    const common = place[symbol] === COMMON ? layout.commons.get(row) : undefined;
    const from = common?.first ?? symbol;
    putVarU(body, elf);
    putU8(body, code);
    putVarU(body, module[from]!);
    putVarU(body, line[from]!);
    putVarU(body, column[from]!);
    putU8(body, flags[symbol]!);
    declareShape(declaring, shapes, shape ?? common?.shape ?? ownShape(row, symbol));
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
  const { body } = declaring;
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
    putVarU(body, indices.joined[role]!);
    putU8(body, role);
    writeRuns(body, runs);
  };
  const there = [...before, ...behind].filter((role) => isJoined(joined[role])).length;
  putVarU(body, texts.length + there + plan.shared.length);
  before.forEach(declareJoined);
  const textFile = fileFinder(tables);
  const declareCode = (section: SectionRow): void => {
    open(rel[section]!);
    relocate(textFile(section), section, 0);
    putVarU(body, indices.textOf[section]!);
    putU8(body, ROLE.text);
    putVarU(body, numberOf[mergedOf[owner[section]!]!]!);
    writeRuns(body, runs);
  };
  for (let i = 0; i < texts.length; i++) declareCode(texts[i]!);
  behind.forEach(declareJoined);
  plan.shared.forEach(({ kernel }, i) => {
    putVarU(body, indices.firstShared + i);
    putU8(body, kernel === undefined ? ROLE.moduleShared : ROLE.shared);
    if (kernel !== undefined) putVarU(body, numberOf[kernel]!);
    putVarU(body, 0);
  });
  return relocating;
}
