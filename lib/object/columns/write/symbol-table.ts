// The symbol table of an object, in the order of NVIDIA's files: section symbols, then local and weak symbols, then global ones,
// variables before functions. sh_info is the first global symbol. docs/format.md, "Symbols".

import { SHN, STO_CUDA, STT, STV } from "../../../../formats/elf/constants.table.js";
import type { ParameterBank } from "../../parameters.js";
import { sectionShape } from "../../section-shape.js";
import { roleNames, ROLE } from "../codes.js";
import {
  isCommon,
  isFunction,
  isFunctionAlias,
  isReference,
  SPACE,
  spaceOf,
  type Columns,
  type SymbolRow,
} from "../columns.js";
import {
  FIRST_ORDER,
  LAST_ORDER,
  bindingOf,
  createSymbolRecords,
  orderOf,
  otherOf,
  referenceTypeOf,
  type SymbolRecords,
} from "../elf-symbols.js";
import type { NameTable } from "../growable-bytes.js";
import { internString, type StringId } from "../strings.js";
import { alignOfType, sizeOfType } from "../types.js";
import type { FileType } from "./elf-writer.js";
import { fileTypeOf, type OutputObject } from "./output-object.js";

/** Numbers of ELF symbols, which depend only on the counts of symbols and sections, not on their places. */
export interface SymbolNumbers {
  /** ELF symbol of each symbol of the object. */
  readonly elfOf: Int32Array;
  readonly firstGlobal: number;
  readonly count: number;
  /** The section symbol of the first kernel's parameters; the others follow. */
  readonly firstParameters: number;
}

export function numberSymbols({ columns, symbols, sections, image }: OutputObject, kernels: number): SymbolNumbers {
  // The null symbol, and the symbols of the sections and of the call graph.
  const firstParameters = 1 + sections.length + 1;
  // For each kernel, the symbol of its parameters' section, and in an object that of the parameters.
  let count = firstParameters + (image === undefined ? 2 : 1) * kernels;
  const orders = Uint8Array.from(symbols, (row) => orderOf(columns, row));
  const elfOf = new Int32Array(symbols.length);
  let firstGlobal = 0;
  for (let order = FIRST_ORDER; order <= LAST_ORDER; order++) {
    for (let i = 0; i < orders.length; i++) if (orders[i] === order) elfOf[i] = count++;
    if (order === FIRST_ORDER) firstGlobal = count;
  }
  return { elfOf, firstGlobal, count, firstParameters };
}

/** Constant bank 0 of a kernel. */
export interface KernelParameters extends ParameterBank {
  readonly kernel: SymbolRow;
}

/** ELF indices of the sections in the file. */
export interface ObjectIndices {
  readonly graph: number;
  readonly firstOwn: number;
  readonly firstParameters: number;
}

/** Names that every object may need; interned before the table of names is made. */
export const parameterNames = ({ strings }: Columns): readonly [named: StringId, empty: StringId] => [
  internString(strings, "_param"),
  internString(strings, "_SREG"),
];

export interface ObjectSymbols {
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

/** Context for writing the records of symbols. */
interface SymbolWriter {
  readonly object: OutputObject;
  readonly indices: ObjectIndices;
  readonly names: NameTable;
  readonly nameOf: (text: StringId) => number;
  readonly put: SymbolRecords["put"];
}

export function objectSymbols(
  object: OutputObject,
  parameters: readonly KernelParameters[],
  { elfOf, count, firstParameters }: SymbolNumbers,
  indices: ObjectIndices,
  parameterSymbolNames: readonly [named: StringId, empty: StringId],
  names: NameTable,
): ObjectSymbols {
  const { records, extended, put } = createSymbolRecords(count, indices.firstParameters + parameters.length);
  const nameOf = names.prefixed("");
  const writer: SymbolWriter = { object, indices, names, nameOf, put };
  putSectionSymbols(writer, parameters, firstParameters);
  if (object.image === undefined)
    putParameterSymbols(writer, parameters, firstParameters + parameters.length, parameterSymbolNames);
  // Add names in the order of the table.
  const ordered = new Int32Array(count).fill(-1);
  elfOf.forEach((at, number) => (ordered[at] = number));
  ordered.forEach((number, at) => {
    if (number >= 0) putSymbol(writer, number, at);
  });
  return { records, extended: extended(), nameOf };
}

/** Adds the symbols of the object's sections, of the call graph and of kernels' parameters. */
function putSectionSymbols(
  { object, indices, names, put }: SymbolWriter,
  parameters: readonly KernelParameters[],
  firstParameters: number,
): void {
  const { columns, symbols, sections, image } = object;
  const prefixes = sectionNames[fileTypeOf(image)];
  const ofOwner = prefixes.map((name, role) =>
    role === ROLE.text || role === ROLE.shared ? names.prefixed(name) : undefined,
  );
  sections.forEach(({ row, owner }, i) => {
    const role = columns.role[row]!;
    const name = owner < 0 ? names.fixed(prefixes[role]!) : ofOwner[role]!(columns.name[symbols[owner]!]!);
    put(1 + i, name, STT.SECTION, 0, indices.firstOwn + i, 0, 0);
  });
  put(firstParameters - 1, names.fixed(".nv.callgraph"), STT.SECTION, 0, indices.graph, 0, 0);
  const ofParameters = names.prefixed(".nv.constant0.");
  parameters.forEach(({ kernel }, i) => {
    const name = ofParameters(columns.name[kernel]!);
    put(firstParameters + i, name, STT.SECTION, 0, indices.firstParameters + i, 0, 0);
  });
}

/** Adds `_param`, whose value is the place of the parameters in the bank; `_SREG` for a kernel without parameters. */
function putParameterSymbols(
  { indices, nameOf, put }: SymbolWriter,
  parameters: readonly KernelParameters[],
  first: number,
  [named, empty]: readonly [named: StringId, empty: StringId],
): void {
  parameters.forEach(({ base, bytes }, i) => {
    const [name, value, size] = bytes === 0 ? [empty, 0, base] : [named, base, bytes];
    const other = STO_CUDA.CONSTANT | STV.INTERNAL;
    put(first + i, nameOf(name), STT.CUDA_OBJECT, other, indices.firstParameters + i, value, size);
  });
}

function putSymbol({ object, indices, nameOf, put }: SymbolWriter, number: number, at: number): void {
  const { columns, symbols, outputSectionOf, image } = object;
  const row = symbols[number]!;
  const binding = bindingOf(columns, row) << 4;
  const name = nameOf(columns.name[row]!);
  const section = outputSectionOf[number]! < 0 ? 0 : indices.firstOwn + outputSectionOf[number]!;
  const other = otherOf(columns, row);
  if (isReference(columns, row)) {
    put(at, name, binding | referenceTypeOf(columns, row), 0, 0, 0, 0);
    return;
  }
  if (isFunction(columns, row)) {
    // An alias has the place of its function and size 0, as in NVIDIA's files.
    const size = section === 0 || isFunctionAlias(columns, row) ? 0 : columns.size[columns.sectionOf[row]!]!;
    put(at, name, binding | STT.FUNC, other, section, 0, size);
    return;
  }
  const isObject = image === undefined;
  const typeId = object.commons.get(number)?.typeId ?? columns.typeId[row]!;
  const space = spaceOf(columns, row);
  // A symbol without a place yet has its alignment as value.
  const isUnplaced = isCommon(columns, row) || (isObject && space === SPACE.shared && section !== 0);
  const value = section === 0 ? 0 : columns.offset[row]!;
  put(
    at,
    name,
    binding | (isObject ? STT.CUDA_OBJECT : STT.OBJECT),
    (isObject ? (SPACE_BITS[space] ?? 0) : 0) | other,
    section,
    isUnplaced ? alignOfType(columns.types, typeId) : value,
    sizeOfType(columns.types, typeId),
    isCommon(columns, row) ? SHN.COMMON : 0,
  );
}
