// An object to write: the rows of columns that it consists of, numbered as in the file. Made by a partial link
// (../../../link/relocatable/partial-link.ts), or from the columns of one object (../../file/write.ts).

import type { AppliedRelocation, KernelInfo } from "../../object.js";
import type { FileType } from "./elf-writer.js";
import type { KeptRanges } from "../kept-ranges.js";
import type { TypeId } from "../types.js";
import type { Columns, SectionRow, SymbolRow } from "../columns.js";

/** Symbols and sections are numbered from 0. */
export interface OutputObject {
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
  /** The object's symbol for a symbol of an input. */
  numberOf(row: SymbolRow): number;
  /** The object's symbol for one that an input defines; -1 if another definition was chosen. */
  definitionOf(row: SymbolRow): number;
  /** The object's symbol that owns the code of an input's function; -1 if the code was dropped. */
  codeOf(row: SymbolRow): number;
}

export interface OutputSection {
  readonly row: SectionRow;
  /** The function's number; -1 for sections of the module. */
  readonly owner: number;
  /** Size and alignment in bytes. A section of shared memory may have been split: then those of the part. */
  readonly size: number;
  readonly align: number;
}

/** Bytes of a kernel's shared memory. */
export type KernelShared = Pick<KernelInfo, "sharedBytes" | "dynamicSharedOffset">;

/** For each section, the records of applied relocations that --emit-relocs keeps. */
export interface ImageValues {
  readonly applied: readonly (readonly AppliedRelocation[])[];
}

export const fileTypeOf = (image: ImageValues | undefined): FileType =>
  image === undefined ? "relocatable" : "executable";

/** The object that consists of all rows of one file. */
export function wholeObject(columns: Columns, shared: readonly KernelShared[] = [], image?: ImageValues): OutputObject {
  const { owner, size, align, sectionOf, firstSymbol, firstSection } = columns;
  const symbols = Array.from({ length: firstSymbol[1]! }, (_, row) => row);
  const sections = Array.from({ length: firstSection[1]! }, (_, row): OutputSection => {
    return { row, owner: owner[row]!, size: size[row]!, align: align[row]! };
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
