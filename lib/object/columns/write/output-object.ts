// An object to write: the rows of columns that it consists of, numbered as in the file. Made by a partial link
// (../../../link/relocatable/partial-link.ts), or from the columns of one object (../../file/write.ts).

import type { AppliedRelocation } from "../../object.js";
import type { FileType } from "./elf-writer.js";
import type { KeptRanges } from "../kept-ranges.js";
import { isCommon, isVariable, SPACE, spaceOf, type Columns, type SectionRow, type SymbolRow } from "../columns.js";
import { alignOfType, sizeOfType, type TypeId } from "../types.js";
import { createOutputSymbols, type KernelShared, type Numbering, type OutputSection, type OutputSymbols } from "./output-rows.js"; // prettier-ignore

/** Symbols and sections are numbered from 0. */
export interface OutputObject extends Numbering {
  readonly columns: Columns;
  /** The row of each symbol of the object. */
  readonly symbols: readonly SymbolRow[];
  /** Symbols that only `.common` variables define. */
  readonly commons: ReadonlyMap<number, { readonly typeId: TypeId; readonly first: SymbolRow }>;
  /** Types of symbols without a definition, and of those that precede the symbol to which their name refers. */
  readonly undefinedTypes: ReadonlyMap<number, TypeId>;
  /** The object's section of each symbol; -1 for none. */
  readonly outputSectionOf: Int32Array;
  readonly sections: readonly OutputSection[];
  /** The kept ranges of sections with discarded bytes. */
  readonly keptRanges: ReadonlyMap<SectionRow, KeptRanges>;
  /** Contents of sections that are not in the columns' bytes. */
  readonly large?: ReadonlyMap<SectionRow, Uint8Array>;
  /** Shared memory of each kernel of the columns; shorter if a link has yet to lay it out. */
  readonly shared: readonly KernelShared[];
  /** Data of an image besides its rows; undefined for an object. */
  readonly image: ImageValues | undefined;
}

/** For each section, the records of applied relocations that --emit-relocs keeps. */
export interface ImageValues {
  readonly applied: readonly (readonly AppliedRelocation[])[];
}

export const fileTypeOf = (image: ImageValues | undefined): FileType =>
  image === undefined ? "relocatable" : "executable";

/** The object that consists of all rows of one file. */
export function wholeObject(columns: Columns, shared: readonly KernelShared[] = [], image?: ImageValues): OutputObject {
  const { role, owner, size, align, sectionOf, firstSymbol, firstSection } = columns;
  const symbols = Array.from({ length: firstSymbol[1]! }, (_, row) => row);
  const sections = Array.from({ length: firstSection[1]! }, (_, row): OutputSection => {
    return { role: role[row]!, row, owner: owner[row]!, size: size[row]!, align: align[row]! };
  });
  const same = (row: SymbolRow): number => row;
  return {
    columns,
    symbols,
    commons: new Map(),
    undefinedTypes: new Map(),
    outputSectionOf: sectionOf.subarray(0, symbols.length),
    sections,
    keptRanges: columns.keptRanges,
    shared,
    image,
    numberOf: same,
    definitionOf: same,
    codeOf: same,
  };
}

/** The object's symbols as those of a file. */
export function outputSymbols(object: OutputObject): OutputSymbols {
  const { columns, commons, undefinedTypes, outputSectionOf, image } = object;
  const symbols = createOutputSymbols(columns, object.symbols);
  const { row: rows, typeId, declaredBy, section, value, size } = symbols;
  for (let number = 0; number < symbols.count; number++) {
    const row = rows[number]!;
    section[number] = outputSectionOf[number]!;
    if (section[number]! >= 0) value[number] = columns.offset[row]!;
    const common = commons.get(number);
    if (common !== undefined) {
      declaredBy[number] = common.first;
      typeId[number] = common.typeId;
      size[number] = sizeOfType(columns.types, common.typeId);
    }
    // A variable without a place yet has its alignment as value.
    if (isUnplaced(columns, row, section[number]!, image)) value[number] = alignOfType(columns.types, typeId[number]!);
    typeId[number] = common?.typeId ?? undefinedTypes.get(number) ?? typeId[number]!;
  }
  return symbols;
}

function isUnplaced(columns: Columns, row: SymbolRow, section: number, image: ImageValues | undefined): boolean {
  if (isCommon(columns, row)) return true;
  return image === undefined && section >= 0 && isVariable(columns, row) && spaceOf(columns, row) === SPACE.shared;
}
