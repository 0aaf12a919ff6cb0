// The state shared by the views of one ELF file: the file, its CUDA generation, its symbol tables (each read once), and the
// report of faults. A fault is reported with its offset; the view omits only what depends on it.

import { ABI_VERSION, decodeFlags, type CudaFlags } from "../../../formats/cuda/index.js";
import type { FormatError, Result } from "../../../formats/bytes/result.js";
import { EM, isSymbolTable, STT, symbolsOf, type ElfFile, type SymbolTable } from "../../../formats/elf/index.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { PTXKIT_ABI_VERSION } from "../../object/file/container.js";
import type { Demangle } from "./demangler.js";
import { createBudget, type Budget } from "./budget.js";

/** A symbol as other records refer to it. */
export interface SymbolRef {
  readonly index: number;
  /** The raw name; for a section symbol without one, the section's name. */
  readonly name: string;
  readonly demangled?: string;
}

export interface ElfContext {
  /** Name of the file, for messages. */
  readonly name: string;
  readonly file: ElfFile;
  /** Present for files of EM_CUDA. */
  readonly cuda: CudaFlags | undefined;
  readonly ours: boolean;
  readonly budget: Budget;
  /** Reports a fault of the file; `offset` is in bytes from its start. */
  fault(offset: number, what: string): void;
  /** The value of a result, or undefined after a report. */
  accept<T>(result: Result<T>): T | undefined;
  /** The symbol table in section `index`; undefined if there is none or it cannot be read, which is reported once. */
  symbols(index: number): SymbolTable | undefined;
  /** A symbol of the table in section `table`. Its name is omitted when the budget is spent. */
  symbol(table: number, index: number): SymbolRef;
  /** Index of the symbol table that a section refers to: its sh_link, otherwise .symtab; 0 if there is none. */
  tableFor(link: number): number;
}

/** `name` is the file's name, for messages; the views of one inspection share `budget`. */
export function createElfContext(
  file: ElfFile,
  name: string,
  sink: DiagnosticSink,
  demangle: Demangle,
  budget = createBudget(),
): ElfContext {
  const { header, sections } = file;
  const isCuda = header.machine === EM.CUDA;
  const ours = isCuda && header.abiVersion === PTXKIT_ABI_VERSION;
  const tables = new Map<number, SymbolTable | undefined>();
  const isTable = (index: number): boolean => {
    const section = sections[index];
    return section !== undefined && isSymbolTable(header.machine, section.type);
  };
  const mainTable = Math.max(
    0,
    sections.findIndex((_, index) => isTable(index)),
  );

  const fault = (offset: number, what: string): void =>
    sink.report("malformed-file", what, { kind: "bytes", file: name, offset });
  const accept = <T>(result: Result<T>): T | undefined => {
    if (result.ok) return result.value;
    fault((result.error satisfies FormatError).offset, result.error.what);
    return undefined;
  };
  const symbols = (index: number): SymbolTable | undefined => {
    if (!isTable(index)) return undefined;
    if (!tables.has(index)) tables.set(index, accept(symbolsOf(file, sections[index]!)));
    return tables.get(index);
  };
  return {
    name,
    file,
    // ptxkit's files use the current generation's flags.
    cuda: isCuda ? decodeFlags(ours ? ABI_VERSION.CURRENT : header.abiVersion, header.flags) : undefined,
    ours,
    budget,
    fault,
    accept,
    symbols,
    symbol(table, index) {
      const found = symbols(table);
      if (found === undefined || index >= found.count || budget.isExhausted) return { index, name: "" };
      const isSection = found.type(index) === STT.SECTION;
      const own = found.name(index);
      const raw = own === "" && isSection ? (sections[found.sectionIndex(index)]?.name ?? "") : own;
      const demangled = demangle(raw);
      // A short record may refer to a long name, and many records to the same name.
      budget.spend(raw.length + (demangled?.length ?? 0));
      return { index, name: raw, ...(demangled === undefined ? {} : { demangled }) };
    },
    tableFor: (link) => (isTable(link) ? link : mainTable),
  };
}
