// The data types of PTX: fundamental types (ISA 9.0 section 5.2.1), packed types (5.2.5), alternate floating-point formats
// (5.2.3) and the opaque types (5.3). There is one row for each; everything that depends on a type uses its row.

/** The interpretation of a type's bits. `bits` agrees with any type of its size (section 9.4, operand size agreement). */
export type TypeClass = "bits" | "unsigned" | "signed" | "float" | "predicate" | "opaque";

export interface DataType {
  readonly name: string;
  readonly class: TypeClass;
  /** Bits of the whole value; 1 for a predicate, 0 for an opaque type. A single small float has the 8 bits of its container. */
  readonly bits: number;
  /** Elements packed into one value: 2 for f16x2, 4 for e4m3x4; 1 otherwise. */
  readonly lanes: number;
  /**
   * Whether registers and variables can have the type. Other types only name an instruction's interpretation of a bit-size
   * register (section 5.2.3: "bf16, e4m3 ... must be declared as .b16, .b8, ...").
   */
  readonly declarable: boolean;
}

const row = (name: string, cls: TypeClass, bits: number, lanes = 1, declarable = true): DataType => ({
  name,
  class: cls,
  bits,
  lanes,
  declarable,
});

const rows: readonly DataType[] = [
  row("b8", "bits", 8),
  row("b16", "bits", 16),
  row("b32", "bits", 32),
  row("b64", "bits", 64),
  row("b128", "bits", 128),
  row("u8", "unsigned", 8),
  row("u16", "unsigned", 16),
  row("u32", "unsigned", 32),
  row("u64", "unsigned", 64),
  row("s8", "signed", 8),
  row("s16", "signed", 16),
  row("s32", "signed", 32),
  row("s64", "signed", 64),
  row("f16", "float", 16),
  row("f16x2", "float", 32, 2),
  row("f32", "float", 32),
  row("f64", "float", 64),
  row("pred", "predicate", 1),
  row("texref", "opaque", 0),
  row("samplerref", "opaque", 0),
  row("surfref", "opaque", 0),
  row("u16x2", "unsigned", 32, 2, false),
  row("s16x2", "signed", 32, 2, false),
  row("u8x4", "unsigned", 32, 4, false),
  row("s8x4", "signed", 32, 4, false),
  row("f32x2", "float", 64, 2, false),
  row("bf16", "float", 16, 1, false),
  row("bf16x2", "float", 32, 2, false),
  row("tf32", "float", 32, 1, false),
  row("e4m3", "float", 8, 1, false),
  row("e5m2", "float", 8, 1, false),
  row("e2m3", "float", 8, 1, false),
  row("e3m2", "float", 8, 1, false),
  row("e2m1", "float", 8, 1, false),
  row("ue8m0", "float", 8, 1, false),
  row("ue4m3", "float", 8, 1, false),
  row("ue5m3", "float", 8, 1, false),
  row("e4m3x2", "float", 16, 2, false),
  row("e5m2x2", "float", 16, 2, false),
  row("e2m3x2", "float", 16, 2, false),
  row("e3m2x2", "float", 16, 2, false),
  row("e2m1x2", "float", 8, 2, false),
  row("ue8m0x2", "float", 16, 2, false),
  row("e4m3x4", "float", 32, 4, false),
  row("e5m2x4", "float", 32, 4, false),
  row("e2m3x4", "float", 32, 4, false),
  row("e3m2x4", "float", 32, 4, false),
  row("e2m1x4", "float", 16, 4, false),
  // Each element is in the low half of a byte; .ue8m0x4 has a scale for each.
  row("e2m1p4x4", "float", 32, 4, false),
  row("ue8m0x4", "float", 32, 4, false),
  row("ue5m3x2", "float", 16, 2, false),
  row("s2f6x2", "float", 16, 2, false),
  row("u2", "unsigned", 2, 1, false),
  row("s2", "signed", 2, 1, false),
  row("u4", "unsigned", 4, 1, false),
  row("s4", "signed", 4, 1, false),
  row("b1", "bits", 1, 1, false),
];

const byName: ReadonlyMap<string, DataType> = new Map(rows.map((type) => [type.name, type]));

export const dataTypes: readonly DataType[] = rows;

/** The type with that name (without its dot), or undefined. */
export function dataType(name: string): DataType | undefined {
  return byName.get(name);
}

/** The bit-size type with that many bits: b8 b16 b32 b64 b128. */
export function bitType(bits: number): DataType | undefined {
  return byName.get(`b${bits}`);
}

/** The type of twice the width and the same class: the result of mul.wide and mad.wide (section 9.7.1.3). */
export function widened(type: DataType): DataType | undefined {
  return rows.find(
    (wide) => wide.class === type.class && wide.lanes === 1 && wide.bits === type.bits * 2 && wide.declarable,
  );
}
