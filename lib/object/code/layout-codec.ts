// Layouts, parameters and prototypes as bytes: shared by encoded functions (encode.ts) and the declaration table
// (../file/declarations.ts). docs/format.md, "Layouts and prototypes". Writer and reader side by side.

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

/** PTX aligns to 2^31 bytes at most. */
const MOST_PACKED = (31 << 2) | 3;

const SCALAR: Layout["dimensions"] = [];

/**
 * Types that were read of one table, so that equal ones are one value: an object names few, again and again, and of thousands
 * of objects they would take half of the memory.
 */
export interface KnownTypes {
  /** Of what has no dimensions, by the byte of alignment and vector length. */
  readonly layouts: Map<DataType, Layout[]>;
  /** The last prototype, and where its bytes are in the reader's. */
  last: { readonly prototype: Prototype; readonly start: number; readonly end: number } | undefined;
}

export const noTypes = (): KnownTypes => ({ layouts: new Map(), last: undefined });

export function readLayout(reader: ByteReader, pool: readonly string[], known?: KnownTypes): Layout {
  const type = readType(reader, pool);
  const packed = reader.u8("alignment and vector length");
  if (packed > MOST_PACKED) malformed("malformed", reader.position - 1, `an alignment of 2^${packed >> 2} bytes`);
  const count = readCount(reader, "dimensions");
  const dimensions = count === 0 ? SCALAR : readItems(count, () => readDimension(reader));
  const vector = VECTORS[packed & 3]!;
  const at = reader.position;
  const size = readVarU(reader, "size");
  const computed = dimensions.reduce<number>((sum, n) => sum * (n ?? 0), (type.bits / 8) * vector);
  if (type.class !== "opaque" && type.class !== "predicate" && size !== computed)
    malformed("malformed", at, `a size of ${size} bytes for what takes ${computed}`);
  const layout = { type, vector, dimensions, align: 2 ** (packed >> 2), size };
  return known === undefined || count > 0 ? layout : sharedLayout(known, packed, layout);
}

function sharedLayout({ layouts }: KnownTypes, packed: number, layout: Layout): Layout {
  const ofType = layouts.get(layout.type) ?? [];
  layouts.set(layout.type, ofType);
  const shared = (ofType[packed] ??= layout);
  return shared.size === layout.size ? shared : layout;
}

/** Of `[]`: undefined. */
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

/** What kind of parameter it is, and what there is to say of it. */
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

function readParameter(reader: ByteReader, pool: readonly string[], known: KnownTypes | undefined): Parameter {
  const flags = reader.u8("kind of a parameter");
  const name = readText(reader, pool, "name of a parameter");
  const layout = readLayout(reader, pool, known);
  const space = flags & HAS_SPACE ? readText(reader, pool, "space of a pointer") : undefined;
  const align = flags & HAS_ALIGN ? readVarU(reader, "alignment of a pointer") : undefined;
  const parameter = { name, space: flags & IN_REGISTER ? "reg" : "param", layout } as const;
  return flags & IS_POINTER ? { ...parameter, pointer: { space, align } } : parameter;
}

export function writePrototype(writer: ByteWriter, pool: StringPool, prototype: Prototype): void {
  writer.u8(prototype.noreturn ? 1 : 0);
  for (const list of [prototype.returns, prototype.parameters]) {
    writeVarU(writer, list.length);
    for (const parameter of list) writeParameter(writer, pool, parameter);
  }
}

export function readPrototype(reader: ByteReader, pool: readonly string[], known?: KnownTypes): Prototype {
  if (known?.last !== undefined && isNext(reader, known.last)) {
    reader.skip(known.last.end - known.last.start, "prototype");
    return known.last.prototype;
  }
  const start = reader.offset;
  const noreturn = readIndex(reader, 2, "noreturn") === 1;
  const list = () => readItems(readCount(reader, "parameters", 4), () => readParameter(reader, pool, known));
  const returns = list();
  const prototype = { returns, parameters: list(), noreturn };
  if (known !== undefined) known.last = { prototype, start, end: reader.offset };
  return prototype;
}

/** Whether the same bytes come once more. */
function isNext(
  { bytes, offset }: ByteReader,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== bytes[offset + at - start]) return false;
  return true;
}
