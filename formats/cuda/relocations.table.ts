// Relocation types of EM_CUDA. Numbers were seen in output of ptxas and nvlink 13.0.88, each in an experiment of its own. Names
// are from public tables, as are the 32-bit types, which those tools no longer write. A type without a row is shown as its
// number.
// `fields` are [first bit, bits], counted from bit 0 of the byte at r_offset; with two fields, the first holds the value's low
// bits. `shift` drops low bits of the value first. Constant operands also contain the number of their bank, from bit 54 on.
import { constantsOf, namesOf, type NamedValue } from "../bytes/named.js";

export interface RelocationFacts extends NamedValue {
  readonly fields: readonly (readonly [firstBit: number, bits: number])[];
  readonly shift: number;
  /** The address that the relocation writes into data; absent for relocations of code, and for those that write zeros. */
  readonly writes?: AddressName;
}

/** The target of a reference in an initialiser or a symbol slot; `generic-const` is `generic()` of a `.const` variable. */
export type Pointee = "const" | "generic-const" | "global" | "opaque" | "function" | "kernel";

/** An address that relocations write into data: all of it, its low 32 bits, or one byte. */
interface WrittenAddress {
  readonly doc: string;
  /** The kind of address: the symbol's own ("plain"), or its generic address. */
  readonly value: "plain" | "generic";
  /** The pointees for which this address is used, from SM number `since` on. If two rows match, the later one wins. */
  readonly pointees: readonly Pointee[];
  readonly since: number;
  /** Whether it may have an addend. */
  readonly hasAddend: boolean;
  /** Whether the linker resolves it if it knows the offset; otherwise the loader does. */
  readonly isLinked: boolean;
  /** The name of the address that replaces it in an image. */
  readonly inImage: string;
  /**
   * Types in the second copy of data, from sm_100 on: the type for 64 bits, and the first of the eight types for single bytes.
   */
  readonly copies: readonly [whole: number, byte: number];
}

/** Addresses in data. The table in docs/format.md, "Relocations", shows the same rows. */
export const ADDRESSES = {
  own: {
    doc: "Offset in its bank, or address of a function",
    value: "plain",
    pointees: ["const", "function"],
    since: 0,
    hasAddend: true,
    isLinked: true,
    inImage: "own",
    copies: [2, 16],
  },
  generic: {
    doc: "Generic address",
    value: "generic",
    pointees: ["global", "generic-const", "opaque"],
    since: 0,
    hasAddend: true,
    isLinked: false,
    inImage: "generic",
    copies: [1, 24],
  },
  descriptor: {
    doc: "Handle of a kernel",
    value: "plain",
    pointees: ["kernel"],
    since: 0,
    hasAddend: false,
    isLinked: false,
    inImage: "descriptor",
    copies: [15, 32],
  },
  unified: {
    doc: "Address of a function, sm_90 and later",
    value: "plain",
    pointees: ["function"],
    since: 90,
    hasAddend: false,
    isLinked: false,
    inImage: "own",
    copies: [50, 52],
  },
} as const satisfies Readonly<Record<string, WrittenAddress>>;

export type AddressName = keyof typeof ADDRESSES;

/** A type that writes 32 or 64 bits of an address. */
function whole<const N extends string>(value: number, name: N, writes: AddressName, bits: 32 | 64) {
  const { doc } = ADDRESSES[writes];
  return { value, name, doc: bits === 32 ? `${doc}, 32 bits` : doc, fields: [[0, bits]] as const, shift: 0, writes };
}

/** The eight types that each write one byte of an address. */
function bytesOf(first: number, name: string, writes: AddressName): readonly RelocationFacts[] {
  const { doc } = ADDRESSES[writes];
  return [0, 1, 2, 3, 4, 5, 6, 7].map((byte) => ({
    value: first + byte,
    name: `${name}_${byte * 8}`,
    doc: `Byte ${byte}: ${doc.toLowerCase()}`,
    fields: [[0, 8]] as const,
    shift: byte * 8,
    writes,
  }));
}

/** Relocations of data. */
const DATA = [
  { value: 0, name: "R_CUDA_NONE", doc: "Nothing", fields: [], shift: 0 },
  whole(1, "R_CUDA_32", "own", 32),
  whole(2, "R_CUDA_64", "own", 64),
  whole(3, "R_CUDA_G32", "generic", 32),
  whole(4, "R_CUDA_G64", "generic", 64),
  whole(34, "R_CUDA_FUNC_DESC_32", "descriptor", 32),
  whole(35, "R_CUDA_FUNC_DESC_64", "descriptor", 64),
  { value: 73, name: "R_CUDA_UNUSED_CLEAR64", doc: "Zeros when the function is dropped", fields: [[0, 64]], shift: 0 },
  whole(102, "R_CUDA_UNIFIED", "unified", 64),
  whole(103, "R_CUDA_UNIFIED_32", "unified", 32),
] as const satisfies readonly RelocationFacts[];

/** Relocations of single bytes of data. */
const BYTES: readonly RelocationFacts[] = [
  ...bytesOf(76, "R_CUDA_8", "own"),
  ...bytesOf(84, "R_CUDA_G8", "generic"),
  ...bytesOf(92, "R_CUDA_FUNC_DESC_8", "descriptor"),
  ...bytesOf(104, "R_CUDA_UNIFIED_8", "unified"),
];

/** Relocations of instructions (16 bytes each). */
const CODE = [
  { value: 55, name: "R_CUDA_ABS32_32", doc: "Shared address", fields: [[32, 32]], shift: 0 },
  { value: 56, name: "R_CUDA_ABS32_LO_32", doc: "Low half of an address", fields: [[32, 32]], shift: 0 },
  { value: 57, name: "R_CUDA_ABS32_HI_32", doc: "High half of an address", fields: [[32, 32]], shift: 32 },
  {
    value: 58,
    name: "R_CUDA_ABS47_34",
    doc: "Call target, up to sm_89 (shift not verified)",
    fields: [[34, 47]],
    shift: 2,
  },
  { value: 59, name: "R_CUDA_ABS16_32", doc: "Offset in a constant bank", fields: [[32, 16]], shift: 0 },
  {
    value: 64,
    name: "R_CUDA_CONST_FIELD19_40",
    doc: "Constant operand, sm_75 and sm_80",
    fields: [[40, 19]],
    shift: 2,
  },
  { value: 66, name: "R_CUDA_CONST_FIELD21_38", doc: "Constant operand, sm_90", fields: [[38, 21]], shift: 0 },
  { value: 74, name: "R_CUDA_ABS24_40", doc: "Shared load or store", fields: [[40, 24]], shift: 0 },
  {
    value: 75,
    name: "R_CUDA_ABS55_16_34",
    doc: "Call target, sm_90 and later (fields not verified)",
    fields: [
      [16, 8],
      [34, 47],
    ],
    shift: 2,
  },
  { value: 112, name: "R_CUDA_UNIFIED32_LO_32", doc: "Low half, function, sm_90 on", fields: [[32, 32]], shift: 0 },
  { value: 113, name: "R_CUDA_UNIFIED32_HI_32", doc: "High half, function, sm_90 on", fields: [[32, 32]], shift: 32 },
  {
    value: 114,
    name: "R_CUDA_ABS56_16_34",
    doc: "Indirect call, sm_90 and later (fields not verified)",
    fields: [
      [16, 8],
      [34, 48],
    ],
    shift: 0,
  },
  { value: 115, name: "R_CUDA_CONST_FIELD22_37", doc: "Constant operand, sm_100 on", fields: [[37, 22]], shift: 0 },
] as const satisfies readonly RelocationFacts[];

export const RELOCATIONS: readonly RelocationFacts[] = [...DATA, ...CODE, ...BYTES];

/** The types by name, without those for single bytes. */
export const R_CUDA = constantsOf([...DATA, ...CODE] as const, "R_CUDA_");

export const relocationName = namesOf(RELOCATIONS);

const facts = new Map(RELOCATIONS.map((row) => [row.value, row]));

/** The properties of a type; undefined for types without a row. */
export function relocationFacts(type: number): RelocationFacts | undefined {
  return facts.get(type);
}
