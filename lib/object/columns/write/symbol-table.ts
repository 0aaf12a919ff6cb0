// The symbol table of a file, in the order of NVIDIA's files: section symbols, then local and weak symbols, then global ones,
// variables before functions. sh_info is the first global symbol. docs/format.md, "Symbols".

import { SHN, STB, STO_CUDA, STT, STV } from "../../../../formats/elf/constants.table.js";
import type { ParameterBank } from "../../parameters.js";
import { sectionShape } from "../../section-shape.js";
import { roleNames, ROLE } from "../codes.js";
import { isCommon, KIND, SPACE, spaceOf, type Columns } from "../columns.js";
import {
  FIRST_ORDER,
  LAST_ORDER,
  bindingOf,
  createSymbolRecords,
  globalOrder,
  otherOf,
  referenceTypeOf,
  type SymbolRecords,
} from "../elf-symbols.js";
import type { NameTable } from "../growable-bytes.js";
import { internString, type StringId } from "../strings.js";
import type { FileType } from "./elf-writer.js";
import type { OutputKernel, OutputSections, OutputSymbols } from "./output-rows.js";

/** Numbers of ELF symbols, which depend only on the counts of symbols and sections, not on their places. */
export interface SymbolNumbers {
  /** ELF symbol of each symbol of the file. */
  readonly elfOf: Int32Array;
  /** The symbols in the order of the table, where they are last. */
  readonly ordered: Int32Array;
  readonly firstGlobal: number;
  readonly count: number;
  /** The section symbol of the first kernel's parameters; the others follow. */
  readonly firstParameters: number;
}

/** `sections` and `kernels`: their numbers. */
export function numberSymbols(
  columns: Columns,
  { count: symbols, firstAlias, row, code, size }: OutputSymbols,
  file: FileType,
  sections: number,
  kernels: number,
): SymbolNumbers {
  // The null symbol, and the symbols of the sections and of the call graph.
  const firstParameters = 1 + sections + 1;
  const orders = new Uint8Array(symbols);
  // Index in `ordered` of the next symbol of each order.
  const next = new Int32Array(LAST_ORDER + 2);
  for (let i = 0; i < symbols; i++) {
    const isGlobal = i >= firstAlias || bindingOf(columns, row[i]!) === STB.GLOBAL;
    const order = isGlobal ? globalOrder(code[i]! >> 4, size[i]!) : FIRST_ORDER;
    orders[i] = order;
    next[order + 1]!++;
  }
  for (let order = FIRST_ORDER; order <= LAST_ORDER; order++) next[order + 1]! += next[order]!;
  // For each kernel, the symbol of its parameters' section precedes them, and in an object that of the parameters.
  const first = firstParameters + (file === "relocatable" ? 2 : 1) * kernels;
  const firstGlobal = first + next[FIRST_ORDER + 1]!;
  const elfOf = new Int32Array(symbols);
  const ordered = new Int32Array(symbols);
  for (let i = 0; i < symbols; i++) {
    const at = next[orders[i]!]!++;
    ordered[at] = i;
    elfOf[i] = first + at;
  }
  return { elfOf, ordered, firstGlobal, count: first + symbols, firstParameters };
}

/** ELF indices of the sections in the file. */
export interface FileIndices {
  readonly graph: number;
  readonly firstOwn: number;
  readonly firstParameters: number;
}

/** Names that every object may need; interned before the table of names is made. */
export const parameterNames = ({ strings }: Columns): readonly [named: StringId, empty: StringId] => [
  internString(strings, "_param"),
  internString(strings, "_SREG"),
];

export interface SymbolTable {
  /** Elf64_Sym records. */
  readonly records: Uint32Array;
  /** Words of SHT_SYMTAB_SHNDX, if a section index needs it. */
  readonly extended: Uint32Array | undefined;
  /** Adds a string to the names, if necessary; returns its offset. */
  readonly nameOf: (text: StringId) => number;
}

const SPACE_BITS: Readonly<Record<number, number>> = {
  [SPACE.global]: STO_CUDA.GLOBAL,
  [SPACE.const]: STO_CUDA.CONSTANT,
  [SPACE.shared]: STO_CUDA.SHARED,
};

/** Names of sections by role; for a section per function, the part before the function's name. */
const namesOf = (file: FileType): readonly string[] =>
  roleNames.map((role, code) => {
    const { name } = sectionShape(role, file);
    return code === ROLE.text || code === ROLE.shared ? `${name}.` : name;
  });

export const sectionNames = { relocatable: namesOf("relocatable"), executable: namesOf("executable") } as const;

/** The rows of a file to which symbols refer. */
export interface SymbolContext {
  readonly columns: Columns;
  readonly type: FileType;
  readonly symbols: OutputSymbols;
  readonly sections: OutputSections;
  readonly kernels: readonly OutputKernel[];
  /** Constant bank 0 of each kernel. */
  readonly banks: readonly ParameterBank[];
  readonly indices: FileIndices;
}

/** Context for writing the records of symbols. */
interface SymbolWriter extends SymbolContext {
  readonly names: NameTable;
  readonly firstGlobal: number;
  readonly nameOf: (text: StringId) => number;
  readonly put: SymbolRecords["put"];
}

export function createSymbolTable(
  context: SymbolContext,
  { ordered, firstGlobal, count, firstParameters }: SymbolNumbers,
  parameterSymbolNames: readonly [named: StringId, empty: StringId],
  names: NameTable,
): SymbolTable {
  const { indices, kernels } = context;
  const { records, extended, put } = createSymbolRecords(count, indices.firstParameters + kernels.length);
  const nameOf = names.prefixed("");
  const writer: SymbolWriter = { ...context, firstGlobal, names, nameOf, put };
  putSectionSymbols(writer, firstParameters);
  if (context.type === "relocatable")
    putParameterSymbols(writer, firstParameters + kernels.length, parameterSymbolNames);
  // Add names in the order of the table.
  const first = count - ordered.length;
  for (let i = 0; i < ordered.length; i++) putSymbol(writer, ordered[i]!, first + i);
  return { records, extended: extended(), nameOf };
}

/** Adds the symbols of the file's own sections, of the call graph and of kernels' parameters. */
function putSectionSymbols(
  { symbols, sections, type, kernels, indices, names, put }: SymbolWriter,
  firstParameters: number,
): void {
  const prefixes = sectionNames[type];
  const ofOwner = prefixes.map((name, role) =>
    role === ROLE.text || role === ROLE.shared ? names.prefixed(name) : undefined,
  );
  const { count, role, owner } = sections;
  for (let i = 0; i < count; i++) {
    const of = role[i]!;
    const name = owner[i]! < 0 ? names.fixed(prefixes[of]!) : ofOwner[of]!(symbols.name[owner[i]!]!);
    put(1 + i, name, STT.SECTION, 0, indices.firstOwn + i, 0, 0);
  }
  put(firstParameters - 1, names.fixed(".nv.callgraph"), STT.SECTION, 0, indices.graph, 0, 0);
  const ofParameters = names.prefixed(".nv.constant0.");
  kernels.forEach(({ number }, i) => {
    const name = ofParameters(symbols.name[number]!);
    put(firstParameters + i, name, STT.SECTION, 0, indices.firstParameters + i, 0, 0);
  });
}

/** Adds `_param`, whose value is the place of the parameters in the bank; `_SREG` for a kernel without parameters. */
function putParameterSymbols(
  { banks, indices, nameOf, put }: SymbolWriter,
  first: number,
  [named, empty]: readonly [named: StringId, empty: StringId],
): void {
  banks.forEach(({ base, bytes }, i) => {
    const [name, value, size] = bytes === 0 ? [empty, 0, base] : [named, base, bytes];
    const other = STO_CUDA.CONSTANT | STV.INTERNAL;
    put(first + i, nameOf(name), STT.CUDA_OBJECT, other, indices.firstParameters + i, value, size);
  });
}

function putSymbol(
  { columns, type, symbols, indices, firstGlobal, nameOf, put }: SymbolWriter,
  number: number,
  at: number,
): void {
  const row = symbols.row[number]!;
  const kind = symbols.code[number]! >> 4;
  const binding = (at < firstGlobal ? bindingOf(columns, row) : STB.GLOBAL) << 4;
  const name = nameOf(symbols.name[number]!);
  if (kind === KIND.reference) {
    put(at, name, binding | referenceTypeOf(columns, row), 0, 0, 0, 0);
    return;
  }
  const section = symbols.section[number]! < 0 ? 0 : indices.firstOwn + symbols.section[number]!;
  const other = otherOf(columns, row);
  const size = symbols.size[number]!;
  if (kind === KIND.function) {
    put(at, name, binding | STT.FUNC, other, section, 0, section === 0 ? 0 : size);
    return;
  }
  const isObject = type === "relocatable";
  put(
    at,
    name,
    binding | (isObject ? STT.CUDA_OBJECT : STT.OBJECT),
    (isObject ? (SPACE_BITS[spaceOf(columns, row)] ?? 0) : 0) | other,
    section,
    symbols.value[number]!,
    size,
    section === 0 && isCommon(columns, row) ? SHN.COMMON : 0,
  );
}
