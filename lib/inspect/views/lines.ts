// `.debug_line`: the files, and for each function the source lines of its code (nvcc -lineinfo, -G; link --debug-line).

import { readLineUnits, type LineSequence, type LineUnit } from "../../../formats/dwarf/index.js";
import { relocationKind, relocationsOf, type ElfSection } from "../../../formats/elf/index.js";
import type { ElfContext, SymbolRef } from "../context/elf-context.js";

export interface LineRowView {
  /** Bytes from the start of the function. */
  readonly offset: number;
  /** Index into `files`; null if the line program refers to a file that its table lacks. */
  readonly file: number | null;
  readonly line: number;
  readonly column?: number;
  /** For inlined code: the place of the call, and the inlined function. */
  readonly calledAt?: { readonly file: number | null; readonly line: number };
  readonly inlined?: string;
}

export interface FunctionLines {
  /** The function; absent if no relocation identifies it. */
  readonly function?: string;
  readonly demangled?: string;
  /** Bytes of code. */
  readonly size: number;
  readonly rows: readonly LineRowView[];
}

export interface LinesView {
  readonly files: readonly string[];
  readonly functions: readonly FunctionLines[];
}

const SECTION = ".debug_line";
const NAMES = ".debug_str";
/** Cost of a row, in characters that an inspection may show. */
const ROW_COST = 120;

/** The lines of a file; undefined if it has no such section. */
export function linesView(context: ElfContext): LinesView | undefined {
  const { sections } = context.file;
  const found = sections.filter(({ name, data }) => name === SECTION && data.length > 0);
  if (found.length === 0) return undefined;
  const files: string[] = [];
  const numbers = new Map<string, number>();
  const functions: FunctionLines[] = [];
  for (const section of found) {
    const { items, fault } = readLineUnits(section.data, section.offset);
    if (fault !== undefined) context.fault(fault.offset, fault.what);
    const owners = ownersOf(context, section);
    for (const unit of items) {
      const numberOf = fileNumbers(unit, files, numbers);
      for (const sequence of unit.sequences)
        if (context.budget.spend(ROW_COST * (1 + sequence.rows.length)))
          functions.push(functionLines(context, sequence, owners.get(sequence.addressAt), numberOf));
    }
  }
  return { files, functions };
}

/** The symbol of the function whose address is relocated at each offset of the section. */
function ownersOf(context: ElfContext, target: ElfSection): ReadonlyMap<number, SymbolRef> {
  const { file } = context;
  const owners = new Map<number, SymbolRef>();
  for (const section of file.sections) {
    if (relocationKind(file.header.machine, section.type) === undefined || section.info !== target.index) continue;
    const table = context.accept(relocationsOf(file, section));
    for (let i = 0; i < (table?.count ?? 0); i++) {
      const { offset, symbol } = table!.at(i);
      owners.set(offset, context.symbol(context.tableFor(section.link), symbol));
    }
  }
  return owners;
}

/** Maps the file numbers of a unit to indices in the list of all files. */
function fileNumbers(unit: LineUnit, files: string[], numbers: Map<string, number>): (file: number) => number | null {
  const own = unit.files.map(({ path }) => {
    const known = numbers.get(path);
    if (known !== undefined) return known;
    numbers.set(path, files.length);
    return files.push(path) - 1;
  });
  return (file) => own[file - 1] ?? null;
}

function functionLines(
  context: ElfContext,
  { rows, size }: LineSequence,
  owner: SymbolRef | undefined,
  numberOf: (file: number) => number | null,
): FunctionLines {
  const names = context.file.sections.findIndex(({ name }) => name === NAMES);
  return {
    ...(owner === undefined ? {} : { function: owner.name }),
    ...(owner?.demangled === undefined ? {} : { demangled: owner.demangled }),
    size,
    rows: rows.map(({ address, file, line, column, callRow, nameOffset }) => {
      const call = callRow === undefined ? undefined : rows[callRow];
      const inlined = nameOffset === undefined || names < 0 ? undefined : nameIn(context, names, nameOffset);
      return {
        offset: address,
        file: numberOf(file),
        line,
        ...(column === 0 ? {} : { column }),
        ...(call === undefined ? {} : { calledAt: { file: numberOf(call.file), line: call.line } }),
        ...(inlined === undefined ? {} : { inlined }),
      };
    }),
  };
}

/** A name in `.debug_str`, which does not have the type of a string table. */
function nameIn({ file }: ElfContext, section: number, offset: number): string | undefined {
  const { data } = file.sections[section]!;
  const end = offset < data.length ? data.indexOf(0, offset) : -1;
  return end <= offset ? undefined : new TextDecoder().decode(data.subarray(offset, Math.min(end, offset + 4096)));
}
