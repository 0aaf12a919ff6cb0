// The symbol table of the object of `-r` (partial-link.ts), in the order and with the values of object/file/elf-symbols.ts.

import { SHN, STO_CUDA, STT, STV } from "../../../formats/elf/constants.table.js";
import type { NameTable } from "../../object/columns/growable-bytes.js";
import type { PartialLink } from "./partial-link.js";
import { roleNames, ROLE } from "../../object/columns/codes.js";
import { sectionShape } from "../../object/section-shape.js";
import type { ParameterBank } from "../../object/parameters.js";
import { alignOfType, sizeOfType } from "../../object/columns/types.js";
import {
  isCommon,
  isFunction,
  isReference,
  isFunctionAlias,
  SPACE,
  spaceOf,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";
import { internString, type StringId } from "../../object/columns/strings.js";
import {
  FIRST_ORDER,
  LAST_ORDER,
  bindingOf,
  createSymbolRecords,
  orderOf,
  otherOf,
  referenceTypeOf,
} from "../../object/columns/elf-symbols.js";

/** Numbers of ELF symbols; they depend on how many there are, not on where anything stands. */
export interface SymbolNumbers {
  /** Of each symbol of the object. */
  readonly elfOf: Int32Array;
  readonly firstGlobal: number;
  readonly count: number;
  /** Of the section of the first kernel's parameters; the others' follow. */
  readonly firstParameters: number;
}

export function numberSymbols({ columns, symbols, sections }: PartialLink, kernels: number): SymbolNumbers {
  // The empty one, those of sections and the call graph; of each kernel that of its parameters' section, and the parameters.
  const firstParameters = 1 + sections.length + 1;
  let count = firstParameters + 2 * kernels;
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
export interface JoinedParameters extends ParameterBank {
  readonly kernel: SymbolRow;
}

/** The layout of the file: ELF indices of sections. */
export interface JoinedIndices {
  readonly graph: number;
  readonly firstOwn: number;
  readonly firstParameters: number;
}

/** Texts that the names of every object may need; to be known before the table of names is made. */
export const parameterNames = ({ strings }: Columns): readonly [named: StringId, empty: StringId] => [
  internString(strings, "_param"),
  internString(strings, "_SREG"),
];

export interface JoinedSymbols {
  /** Elf64_Sym records. */
  readonly records: Uint32Array;
  /** Words of SHT_SYMTAB_SHNDX where a section's index needs it. */
  readonly extended: Uint32Array | undefined;
  /** Adds a text to the names, unless it is there. */
  readonly nameOf: (text: StringId) => number;
}

const SPACE_BITS: Readonly<Record<number, number>> = {
  [SPACE.global]: STO_CUDA.GLOBAL,
  [SPACE.const]: STO_CUDA.CONSTANT,
  [SPACE.shared]: STO_CUDA.SHARED,
};

/** What the name of a section begins with, by role; of one function, the function's follows. */
export const sectionNames = roleNames.map((role, code) => {
  const { name } = sectionShape(role, "relocatable");
  return code === ROLE.text || code === ROLE.shared ? `${name}.` : name;
});

export function joinedSymbols(
  join: PartialLink,
  parameters: readonly JoinedParameters[],
  { elfOf, count, firstParameters }: SymbolNumbers,
  indices: JoinedIndices,
  [named, empty]: readonly [named: StringId, empty: StringId],
  names: NameTable,
): JoinedSymbols {
  const { columns, symbols, sections, outputSectionOf } = join;
  const { records, extended, put } = createSymbolRecords(count, indices.firstParameters + parameters.length);
  const ofOwner = sectionNames.map((name, role) =>
    role === ROLE.text || role === ROLE.shared ? names.prefixed(name) : undefined,
  );
  sections.forEach(({ row, owner }, i) => {
    const role = columns.role[row]!;
    const name = owner < 0 ? names.fixed(sectionNames[role]!) : ofOwner[role]!(columns.name[symbols[owner]!]!);
    put(1 + i, name, STT.SECTION, 0, indices.firstOwn + i, 0, 0);
  });
  put(firstParameters - 1, names.fixed(".nv.callgraph"), STT.SECTION, 0, indices.graph, 0, 0);
  const ofParameters = names.prefixed(".nv.constant0.");
  parameters.forEach(({ kernel }, i) => {
    const name = ofParameters(columns.name[kernel]!);
    put(firstParameters + i, name, STT.SECTION, 0, indices.firstParameters + i, 0, 0);
  });
  const nameOf = names.prefixed("");
  parameters.forEach(({ base, bytes }, i) => {
    const at = firstParameters + parameters.length + i;
    const [name, value, size] = bytes === 0 ? [empty, 0, base] : [named, base, bytes];
    put(at, nameOf(name), STT.CUDA_OBJECT, STO_CUDA.CONSTANT | STV.INTERNAL, indices.firstParameters + i, value, size);
  });

  const putSymbol = (number: number): void => {
    const row = symbols[number]!;
    const at = elfOf[number]!;
    const binding = bindingOf(columns, row) << 4;
    const name = nameOf(columns.name[row]!);
    const section = outputSectionOf[number]! < 0 ? 0 : indices.firstOwn + outputSectionOf[number]!;
    if (isReference(columns, row)) {
      put(at, name, binding | referenceTypeOf(columns, row), 0, 0, 0, 0);
      return;
    }
    if (isFunction(columns, row)) {
      const other = otherOf(columns, row);
      const size = section === 0 || isFunctionAlias(columns, row) ? 0 : columns.size[columns.sectionOf[row]!]!;
      put(at, name, binding | STT.FUNC, other, section, 0, size);
      return;
    }
    const common = join.commons.get(number);
    const typeId = common?.typeId ?? columns.typeId[row]!;
    const space = spaceOf(columns, row);
    const other = (SPACE_BITS[space] ?? 0) | otherOf(columns, row);
    const isWaiting = isCommon(columns, row) || (space === SPACE.shared && section !== 0);
    // What has no place yet has its alignment there.
    const value = isWaiting ? alignOfType(columns.types, typeId) : section === 0 ? 0 : columns.offset[row]!;
    const special = isCommon(columns, row) ? SHN.COMMON : 0;
    put(at, name, binding | STT.CUDA_OBJECT, other, section, value, sizeOfType(columns.types, typeId), special);
  };
  // Names are added in the order of the table.
  const ordered = new Int32Array(count).fill(-1);
  elfOf.forEach((at, number) => (ordered[at] = number));
  for (const number of ordered) if (number >= 0) putSymbol(number);
  return { records, extended: extended(), nameOf };
}
