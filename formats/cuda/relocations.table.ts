// Relocation types of EM_CUDA. Numbers seen in output of ptxas and nvlink 13.0.88, each by an experiment of its own;
// names from public tables, as are the types of 32 bits, which those tools no longer write. A type without a row is shown as its number.
// `fields` are [first bit, bits], counted from bit 0 of the byte at r_offset; two fields take the value from its low bits
// up. `shift` drops low bits of the value first. Constant operands also have the number of their bank added from bit 54 on.
import { constantsOf, namesOf, type NamedValue } from "../bytes/named.js";

export interface RelocationFacts extends NamedValue {
  readonly fields: readonly (readonly [firstBit: number, bits: number])[];
  readonly shift: number;
}

function byteOf<const P extends string>(prefix: P, first: number, doc: string) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((byte) => ({
    value: first + byte,
    name: `${prefix}_${byte * 8}`,
    doc: `Byte ${byte} of ${doc}`,
    fields: [[0, 8]] as const,
    shift: byte * 8,
  }));
}

/** Relocations of data. */
const DATA = [
  { value: 0, name: "R_CUDA_NONE", doc: "Nothing", fields: [], shift: 0 },
  { value: 1, name: "R_CUDA_32", doc: "The same as R_CUDA_64, in 32 bits", fields: [[0, 32]], shift: 0 },
  { value: 2, name: "R_CUDA_64", doc: "Offset in its bank, or address of a function", fields: [[0, 64]], shift: 0 },
  { value: 3, name: "R_CUDA_G32", doc: "Generic address of 32 bits", fields: [[0, 32]], shift: 0 },
  { value: 4, name: "R_CUDA_G64", doc: "Generic address", fields: [[0, 64]], shift: 0 },
  { value: 34, name: "R_CUDA_FUNC_DESC_32", doc: "Handle of a kernel, 32 bits", fields: [[0, 32]], shift: 0 },
  { value: 35, name: "R_CUDA_FUNC_DESC_64", doc: "Handle of a kernel", fields: [[0, 64]], shift: 0 },
  { value: 73, name: "R_CUDA_UNUSED_CLEAR64", doc: "Zeros when the function is dropped", fields: [[0, 64]], shift: 0 },
  { value: 102, name: "R_CUDA_UNIFIED", doc: "Address of a function, sm_90 and later", fields: [[0, 64]], shift: 0 },
  { value: 103, name: "R_CUDA_UNIFIED_32", doc: "The same in 32 bits", fields: [[0, 32]], shift: 0 },
] as const satisfies readonly RelocationFacts[];

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

export const RELOCATIONS: readonly RelocationFacts[] = [
  ...DATA,
  ...CODE,
  ...byteOf("R_CUDA_8", 76, "an offset in a bank, or of a function's address"),
  ...byteOf("R_CUDA_G8", 84, "a generic address"),
  ...byteOf("R_CUDA_FUNC_DESC_8", 92, "the handle of a kernel"),
  ...byteOf("R_CUDA_UNIFIED_8", 104, "a function's address, sm_90 and later"),
];

/** The types of whole fields by name; those of single bytes are `BYTE_RELOCATIONS`. */
export const R_CUDA = constantsOf([...DATA, ...CODE] as const, "R_CUDA_");

/** First type of each family of eight: type + n takes byte n of the value. */
export const BYTE_RELOCATIONS = { bank: 76, generic: 84, descriptor: 92, unified: 104 } as const;

export const relocationName = namesOf(RELOCATIONS);

const facts = new Map(RELOCATIONS.map((row) => [row.value, row]));

/** What a type patches; undefined for types without a row. */
export function relocationFacts(type: number): RelocationFacts | undefined {
  return facts.get(type);
}
