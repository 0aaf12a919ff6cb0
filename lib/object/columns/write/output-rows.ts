// What an output file consists of, as rows: its symbols, sections, relocations and kernels, numbered from 0. Objects
// (object-file.ts) and images (../../../link/image/image.ts) make them; write-file.ts writes them.

import type { KernelInfo } from "../../object.js";
import { KIND, type Columns, type SectionRow, type SymbolRow } from "../columns.js";
import type { Runs } from "../relocation-runs.js";
import { sizeOfType } from "../types.js";

/** The symbols, a column for each property. */
export interface OutputSymbols {
  readonly count: number;
  /** Number of the first alias that an option adds (--defsym); the aliases are last. */
  readonly firstAlias: number;
  /** The row with the flags and linkage of each; for an alias that of its base. */
  readonly row: Int32Array & { readonly [number: number]: SymbolRow };
  readonly name: Int32Array;
  /** Kind and linkage. */
  readonly code: Uint8Array;
  /** The type in `.ptxkit.decl`. */
  readonly typeId: Int32Array;
  /** The row of which `.ptxkit.decl` gives module, line and column. */
  readonly declaredBy: Int32Array;
  /** Number of its section; -1 for none. */
  readonly section: Int32Array;
  /** st_value and st_size. */
  readonly value: Float64Array;
  readonly size: Float64Array;
}

/** The symbols of these rows without places; `aliases`: number of further ones, which are zero. */
export function createOutputSymbols(columns: Columns, rows: ArrayLike<SymbolRow>, aliases = 0): OutputSymbols {
  const firstAlias = rows.length;
  const count = firstAlias + aliases;
  const row = new Int32Array(count);
  const name = new Int32Array(count);
  const code = new Uint8Array(count);
  const typeId = new Int32Array(count);
  const size = new Float64Array(count);
  row.set(rows);
  for (let number = 0; number < firstAlias; number++) {
    const symbol = row[number]!;
    name[number] = columns.name[symbol]!;
    code[number] = columns.code[symbol]!;
    typeId[number] = columns.typeId[symbol]!;
    const kind = code[number]! >> 4;
    if (kind === KIND.variable) size[number] = sizeOfType(columns.types, typeId[number]!);
    else if (kind === KIND.function) size[number] = sizeOfCode(columns, symbol);
  }
  const [section, value] = [new Int32Array(count).fill(-1), new Float64Array(count)];
  return { count, firstAlias, row, name, code, typeId, declaredBy: row.slice(), section, value, size };
}

/** An alias of a function has the place of its function and size 0, as in NVIDIA's files. */
function sizeOfCode({ sectionOf, owner, size }: Columns, symbol: SymbolRow): number {
  const place = sectionOf[symbol]!;
  return place < 0 || owner[place] !== symbol ? 0 : size[place]!;
}

export interface OutputSection {
  readonly role: number;
  /** Its row; -1 for a section that an image joins from several. */
  readonly row: SectionRow;
  /** The function's number; -1 for sections of the module. */
  readonly owner: number;
  /** Size and alignment in bytes. A section of shared memory may have been split: then those of the part. */
  readonly size: number;
  readonly align: number;
}

/** The sections, a column for each property: an image has as many as functions. */
export interface OutputSections {
  readonly count: number;
  readonly role: Uint8Array;
  readonly row: Int32Array & { readonly [section: number]: SectionRow };
  readonly owner: Int32Array;
  readonly size: Float64Array;
  readonly align: Float64Array;
}

export const createOutputSections = (count: number): OutputSections => ({
  count,
  role: new Uint8Array(count),
  row: new Int32Array(count),
  owner: new Int32Array(count),
  size: new Float64Array(count),
  align: new Float64Array(count),
});

export function setSection(into: OutputSections, at: number, { role, row, owner, size, align }: OutputSection): void {
  into.role[at] = role;
  into.row[at] = row;
  into.owner[at] = owner;
  into.size[at] = size;
  into.align[at] = align;
}

/** Bytes of a kernel's shared memory. */
export type KernelShared = Pick<KernelInfo, "sharedBytes" | "dynamicSharedOffset">;

export interface OutputKernel extends KernelShared {
  readonly row: SymbolRow;
  /** Its symbol. */
  readonly number: number;
}

/** The relocations of all sections, in order; the lists of starts include the end. */
export interface OutputRelocations {
  /** The records; for each section those without addends precede those with. */
  readonly records: Uint32Array;
  /** First word of each section's records, and of those with addends. */
  readonly start: Int32Array;
  readonly relaStart: Int32Array;
  /** Their runs as in `.ptxkit.decl`, and the first word of each section. */
  readonly runs: Runs;
  readonly runStart: Int32Array;
  /** Records, with addends, of applied relocations that the file keeps, and the first word of each section. */
  readonly applied: Uint32Array;
  readonly appliedStart: Int32Array;
}

/** The empty relocations of that many sections, whose records are in the given arrays. */
export const createOutputRelocations = (
  sections: number,
  runs: Runs,
  records: Uint32Array,
  applied: Uint32Array = new Uint32Array(0),
): OutputRelocations => ({
  records,
  start: new Int32Array(sections + 1),
  relaStart: new Int32Array(sections),
  runs,
  runStart: new Int32Array(sections),
  applied,
  appliedStart: new Int32Array(sections + 1),
});

/** The object's numbers for rows of its columns. */
export interface Numbering {
  /** The symbol for a symbol of an input; -1 if the file has none. */
  numberOf(row: SymbolRow): number;
  /** The symbol for one that an input defines; -1 if another definition was chosen. */
  definitionOf(row: SymbolRow): number;
  /** The symbol that owns the code of an input's function; -1 if the code does not count. */
  codeOf(row: SymbolRow): number;
}
