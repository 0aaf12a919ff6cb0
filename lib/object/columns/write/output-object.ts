// An object that is to be written: the rows of columns that are in it, by their numbers in the file. Made by a partial link
// (../../../link/relocatable/partial-link.ts) and of the columns of one object (../../file/write.ts).

import type { AppliedRelocation, KernelInfo } from "../../object.js";
import type { FileType } from "./elf-writer.js";
import type { KeptRanges } from "../kept-ranges.js";
import type { TypeId } from "../types.js";
import type { Columns, SectionRow, SymbolRow } from "../columns.js";

/** Symbols and sections are numbers from 0 on. */
export interface OutputObject {
  readonly columns: Columns;
  /** Of each symbol of the object. */
  readonly symbols: readonly SymbolRow[];
  /** By symbol, where `.common` alone defines it. */
  readonly commons: ReadonlyMap<number, { readonly typeId: TypeId; readonly first: SymbolRow }>;
  /** By symbol, for those that define nothing, and for those that precede the symbol that their name refers to. */
  readonly undefinedTypes: ReadonlyMap<number, TypeId>;
  /** The object's section of each symbol; -1 for none. */
  readonly outputSectionOf: Int32Array;
  readonly sections: readonly OutputSection[];
  /** The bytes that are kept, of sections of which not all are. */
  readonly keptRanges: ReadonlyMap<SectionRow, KeptRanges>;
  /** Contents of sections that are not among the columns' bytes. */
  readonly large?: ReadonlyMap<SectionRow, Uint8Array>;
  /** Of each kernel of the columns; fewer where a link has yet to lay out shared memory. */
  readonly shared: readonly KernelShared[];
  /** What an image has beside its rows; undefined for an object. */
  readonly image: ImageValues | undefined;
  /** The object's symbol for a symbol of an input. */
  numberOf(row: SymbolRow): number;
  /** That of a symbol that an input defines; -1 where another definition was taken. */
  definitionOf(row: SymbolRow): number;
  /** That of the function whose code a function of an input has; -1 where the code is not there. */
  codeOf(row: SymbolRow): number;
}

export interface OutputSection {
  readonly row: SectionRow;
  /** Its function among the object's symbols; -1 for those of the module. */
  readonly owner: number;
  /** Bytes; of shared memory, of which a section may have been split, those of the part. */
  readonly size: number;
  readonly align: number;
}

/** Bytes of a kernel's shared memory. */
export type KernelShared = Pick<KernelInfo, "sharedBytes" | "dynamicSharedOffset">;

/** Of each section, the records that --emit-relocs keeps of relocations that were applied. */
export interface ImageValues {
  readonly applied: readonly (readonly AppliedRelocation[])[];
}

export const fileTypeOf = (image: ImageValues | undefined): FileType =>
  image === undefined ? "relocatable" : "executable";

/** The object that columns of one file are. */
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
