// Reads `.debug_line` of an ELF file, without what differs by design between machine code and encoded PTX (addresses,
// columns, rows of no instruction, repeated rows): the lines of each function's code, in the order of the code.

import { need } from "../../formats/bytes/malformed.js";
import { relocationsOf, sectionNamed, symbolsOf, type ElfFile } from "../../formats/elf/index.js";
import { linePrograms, type LineProgram, type Row, type Sequence } from "./line-program.js";

export interface ModuleLines {
  /** Paths, in the order of the table. */
  readonly files: readonly string[];
  /**
   * The lines of each function, without repetitions: `FILE:LINE`, for inlined code `FILE:LINE in FUNCTION at
   * FILE:LINE`, and so on outwards.
   */
  readonly functions: Readonly<Record<string, readonly string[]>>;
}

/** One for each module with lines, in the order of the section. */
export function lineFactsOf(file: ElfFile): readonly ModuleLines[] {
  const section = sectionNamed(file, ".debug_line");
  if (section === undefined) return [];
  const functionAt = relocated(file);
  const names = sectionNamed(file, ".debug_str")?.data ?? new Uint8Array();
  return linePrograms(section.data).map((program) => ({
    files: program.files,
    functions: Object.fromEntries(
      program.sequences
        .map((each) => [functionAt.get(each.place ?? -1) ?? "?", placesOf(each, program, names)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }));
}

/** Names of symbols by the offset in `.debug_line` that refers to them. */
function relocated(file: ElfFile): ReadonlyMap<number, string> {
  const symbols = need(symbolsOf(file, sectionNamed(file, ".symtab")!));
  const tables = [".rel.debug_line", ".rela.debug_line"].flatMap((name) => sectionNamed(file, name) ?? []);
  return new Map(
    tables.flatMap((section) => {
      const table = need(relocationsOf(file, section));
      return Array.from({ length: table.count }, (_, i): [number, string] => [
        table.offset(i),
        symbols.name(table.symbol(i)),
      ]);
    }),
  );
}

function placesOf({ rows, end }: Sequence, { files }: LineProgram, names: Uint8Array): readonly string[] {
  const textOf = (row: Row): string => {
    const place = `${files[row.file - 1]}:${row.line}`;
    const call = rows[row.call - 1];
    return call === undefined ? place : `${place} in ${nameAt(names, row.name)} at ${textOf(call)}`;
  };
  return rows
    .filter(({ address }, i) => address !== (rows[i + 1]?.address ?? end))
    .map(textOf)
    .filter((place, i, all) => place !== all[i - 1]);
}

const nameAt = (names: Uint8Array, offset: number): string =>
  Buffer.from(names.subarray(offset, names.indexOf(0, offset))).toString();
