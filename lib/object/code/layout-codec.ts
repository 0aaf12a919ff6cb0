// Encodes layouts, parameters and prototypes as bytes of encoded functions (encode.ts), and decodes them. docs/format.md,
// "Layouts and prototypes". Declarations encode the same numbers as words (../columns/type-of-symbol.ts).

import { malformed } from "../../../formats/bytes/malformed.js";
import type { ByteReader } from "../../../formats/bytes/reader.js";
import { readVarU, writeVarU } from "../../../formats/bytes/varint.js";
import type { ByteWriter } from "../../../formats/bytes/writer.js";
import type { Layout, Parameter, Prototype } from "../../isa/code.js";
import { dataType, type DataType } from "../../isa/types.table.js";
import { readCount, readIndex, readItems, readText, type StringPool } from "./string-pool.js";

const VECTORS = [1, 2, 4, 8] as const;

export function writeLayout(writer: ByteWriter, pool: StringPool, layout: Layout): void {
  writeVarU(writer, pool.index(layout.type.name));
  writer.u8(packLayout(layout));
  writeVarU(writer, layout.dimensions.length);
  for (const dimension of layout.dimensions) writeVarU(writer, dimension === undefined ? 0 : dimension + 1);
  writeVarU(writer, layout.size);
}

/** Alignment and vector length. */
export const packLayout = ({ align, vector }: Layout): number =>
  ((31 - Math.clz32(align)) << 2) | VECTORS.indexOf(vector);

/** The largest packed value: PTX allows alignments up to 2^31 bytes. */
export const MAX_PACKED = (31 << 2) | 3;

/** The layout for a packed byte of alignment and vector length. */
export const unpackLayout = (
  type: DataType,
  packed: number,
  dimensions: Layout["dimensions"],
  size: number,
): Layout => ({ type, vector: VECTORS[packed & 3]!, dimensions, align: 2 ** (packed >> 2), size });

/** Size in bytes, computed from type and dimensions. */
export const computedSize = ({ type, vector, dimensions }: Layout): number =>
  dimensions.reduce<number>((sum, n) => sum * (n ?? 0), (type.bits / 8) * vector);

export function readLayout(reader: ByteReader, pool: readonly string[]): Layout {
  const type = readType(reader, pool);
  const packed = reader.u8("alignment and vector length");
  if (packed > MAX_PACKED) malformed("malformed", reader.position - 1, `an alignment of 2^${packed >> 2} bytes`);
  const dimensions = readItems(readCount(reader, "dimensions"), () => readDimension(reader));
  const at = reader.position;
  const size = readVarU(reader, "size");
  const layout = unpackLayout(type, packed, dimensions, size);
  const computed = computedSize(layout);
  if (type.class !== "opaque" && type.class !== "predicate" && size !== computed)
    malformed("malformed", at, `a size of ${size} bytes for what takes ${computed}`);
  return layout;
}

/** A dimension; undefined for `[]`. */
function readDimension(reader: ByteReader): number | undefined {
  const coded = readVarU(reader, "dimension");
  return coded === 0 ? undefined : coded - 1;
}

export function readType(reader: ByteReader, pool: readonly string[]): DataType {
  const at = reader.position;
  const name = readText(reader, pool, "type");
  return dataType(name) ?? malformed("malformed", at, `there is no type ${JSON.stringify(name.slice(0, 40))}`);
}

// ----------------------------------------------------------------------------------------------------------- prototypes

const IN_REGISTER = 1;
const IS_POINTER = 2;
const HAS_SPACE = 4;
const HAS_ALIGN = 8;

/** Flags of a parameter: its kind, and which optional fields follow. */
export const parameterFlags = ({ space, pointer }: Parameter): number =>
  (space === "reg" ? IN_REGISTER : 0) |
  (pointer === undefined ? 0 : IS_POINTER) |
  (pointer?.space === undefined ? 0 : HAS_SPACE) |
  (pointer?.align === undefined ? 0 : HAS_ALIGN);

function writeParameter(writer: ByteWriter, pool: StringPool, parameter: Parameter): void {
  const { pointer } = parameter;
  writer.u8(parameterFlags(parameter));
  writeVarU(writer, pool.index(parameter.name));
  writeLayout(writer, pool, parameter.layout);
  if (pointer?.space !== undefined) writeVarU(writer, pool.index(pointer.space));
  if (pointer?.align !== undefined) writeVarU(writer, pointer.align);
}

/** The parameter for those flags; `space` and `align` are called only if the flags require them. */
export function parameterOf(
  flags: number,
  {
    name,
    layout,
    space,
    align,
  }: Pick<Parameter, "name" | "layout"> & {
    readonly space: () => string;
    readonly align: () => number;
  },
): Parameter {
  const pointer = {
    space: (flags & HAS_SPACE) !== 0 ? space() : undefined,
    align: (flags & HAS_ALIGN) !== 0 ? align() : undefined,
  };
  const parameter = { name, space: (flags & IN_REGISTER) !== 0 ? "reg" : "param", layout } as const;
  return (flags & IS_POINTER) !== 0 ? { ...parameter, pointer } : parameter;
}

function readParameter(reader: ByteReader, pool: readonly string[]): Parameter {
  const flags = reader.u8("kind of a parameter");
  return parameterOf(flags, {
    name: readText(reader, pool, "name of a parameter"),
    layout: readLayout(reader, pool),
    space: () => readText(reader, pool, "space of a pointer"),
    align: () => readVarU(reader, "alignment of a pointer"),
  });
}

export function writePrototype(writer: ByteWriter, pool: StringPool, prototype: Prototype): void {
  writer.u8(prototype.noreturn ? 1 : 0);
  for (const list of [prototype.returns, prototype.parameters]) {
    writeVarU(writer, list.length);
    for (const parameter of list) writeParameter(writer, pool, parameter);
  }
}

export function readPrototype(reader: ByteReader, pool: readonly string[]): Prototype {
  const noreturn = readIndex(reader, 2, "noreturn") === 1;
  const list = () => readItems(readCount(reader, "parameters", 4), () => readParameter(reader, pool));
  const returns = list();
  return { returns, parameters: list(), noreturn };
}
