// The type table of a bitcode module (TYPE_BLOCK_ID_NEW). An entry refers to earlier ones, and to named structures anywhere;
// these are therefore created first and get their fields last.

import { append } from "../../base/lists.js";
import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitCursor, BitRecord } from "../../../formats/bitstream/index.js";
import { defineStruct, type FloatName, type OtherType, type StructType, type Type } from "../ir/type.js";
import { typeCode } from "./codes.table.js";
import { copyOf, eachRecord, field, fieldText, typeAt, type ModuleState } from "./state.js";

/** Limits of the parts and the depth of one type when written out. */
const MAX_PARTS = 100_000;
const MAX_DEPTH = 200;
const MAX_INTEGER_BITS = 2 ** 23;

interface Size {
  readonly parts: number;
  readonly depth: number;
}

const floats: ReadonlyMap<number, FloatName> = new Map<number, FloatName>([
  [typeCode.half, "half"],
  [typeCode.bfloat, "bfloat"],
  [typeCode.float, "float"],
  [typeCode.double, "double"],
  [typeCode.x86Fp80, "x86_fp80"],
  [typeCode.fp128, "fp128"],
  [typeCode.ppcFp128, "ppc_fp128"],
]);

const others: ReadonlyMap<number, OtherType["kind"]> = new Map<number, OtherType["kind"]>([
  [typeCode.label, "label"],
  [typeCode.metadata, "metadata"],
  [typeCode.token, "token"],
  [typeCode.x86Mmx, "x86_mmx"],
  [typeCode.x86Amx, "x86_amx"],
  [typeCode.target, "target"],
]);

const isNamed = ({ code }: BitRecord): boolean => code === typeCode.structNamed || code === typeCode.opaque;

export function readTypes(cursor: BitCursor, state: ModuleState): void {
  const records: BitRecord[] = [];
  const structs: (StructType | undefined)[] = [];
  const names = new Set<string>();
  let name = "";
  eachRecord(cursor, (record) => {
    if (record.code === typeCode.count) return;
    if (record.code === typeCode.structName) {
      name = fieldText(record);
      return;
    }
    records.push(copyOf(record));
    structs.push(undefined);
    if (!isNamed(record)) return;
    structs[structs.length - 1] = makeNamed(state, names, name);
    name = "";
  });
  append(state.types, structs as Type[]);
  const sizes: Size[] = [];
  records.forEach((record, id) => {
    if (structs[id] === undefined) state.types[id] = makeType(record, state);
    sizes.push(structs[id] === undefined ? sizeOf(record, sizes) : { parts: 1, depth: 1 });
  });
  records.forEach((record, id) => {
    const struct = structs[id];
    if (struct === undefined || record.code === typeCode.opaque) return;
    checkSize(record, fieldTypes(record, 1), sizes);
    defineStruct(struct, typesFrom(record, 1, state), field(record, 0, "packed") !== 0);
  });
}

/** Unnamed ones are numbered, as LLVM prints them. */
function makeNamed({ table }: ModuleState, taken: Set<string>, name: string): StructType {
  let chosen = name;
  for (let n = taken.size; chosen === "" || taken.has(chosen); n++) chosen = name === "" ? `${n}` : `${name}.${n}`;
  taken.add(chosen);
  return table.addStruct(chosen);
}

function typesFrom(record: BitRecord, from: number, state: ModuleState): readonly Type[] {
  return record.values.slice(from).map((id) => typeAt(state, id, record.start));
}

function makeType(record: BitRecord, state: ModuleState): Type {
  const { table } = state;
  const typeIn = (i: number): Type => typeAt(state, field(record, i, "type"), record.start);
  const float = floats.get(record.code);
  if (float !== undefined) return table.float(float);
  const other = others.get(record.code);
  if (other !== undefined) return table.other(other);
  switch (record.code) {
    case typeCode.void:
      return table.void;
    case typeCode.integer: {
      const bits = field(record, 0, "width");
      if (!(bits >= 1 && bits <= MAX_INTEGER_BITS))
        malformed("out-of-range", record.start, `an integer of ${bits} bits`);
      return table.integer(bits);
    }
    case typeCode.pointer:
      state.typedPointer ??= { start: record.start, end: record.end };
      return table.pointer(record.values[1] ?? 0, typeIn(0));
    case typeCode.opaquePointer:
      state.opaquePointer ??= { start: record.start, end: record.end };
      return table.pointer(field(record, 0, "address space"));
    case typeCode.array:
      return table.array(countIn(record), typeIn(1));
    case typeCode.vector: {
      const count = countIn(record);
      if (count > MAX_PARTS) malformed("limit", record.start, `a vector of ${count} elements`);
      return table.vector(count, typeIn(1), (record.values[2] ?? 0) !== 0);
    }
    case typeCode.struct:
      return table.struct(typesFrom(record, 1, state), field(record, 0, "packed") !== 0);
    case typeCode.function:
      return table.function(typeIn(1), typesFrom(record, 2, state), field(record, 0, "variadic") !== 0);
    case typeCode.functionOld:
      return table.function(typeIn(2), typesFrom(record, 3, state), field(record, 0, "variadic") !== 0);
    default:
      return malformed("unsupported", record.start, `unknown kind ${record.code} of type`);
  }
}

function countIn(record: BitRecord): number {
  const count = field(record, 0, "count");
  if (Number.isNaN(count)) malformed("limit", record.start, "more than 2^53 elements");
  return count;
}

/** Positions of the types that each kind of record refers to. */
const firstType: ReadonlyMap<number, number> = new Map([
  [typeCode.array, 1],
  [typeCode.vector, 1],
  [typeCode.struct, 1],
  [typeCode.function, 1],
  [typeCode.functionOld, 2],
]);

const fieldTypes = (record: BitRecord, from: number): readonly number[] => record.values.slice(from);

function sizeOf(record: BitRecord, sizes: readonly Size[]): Size {
  if (record.code === typeCode.pointer) return checkSize(record, record.values.slice(0, 1), sizes);
  const from = firstType.get(record.code);
  if (from === undefined) return { parts: 1, depth: 1 };
  const single = record.code === typeCode.array || record.code === typeCode.vector;
  return checkSize(record, single ? record.values.slice(1, 2) : fieldTypes(record, from), sizes);
}

function checkSize(record: BitRecord, ids: readonly number[], sizes: readonly Size[]): Size {
  let parts = 1;
  let depth = 1;
  for (const id of ids) {
    parts += sizes[id]?.parts ?? 1;
    depth = Math.max(depth, 1 + (sizes[id]?.depth ?? 1));
  }
  if (parts > MAX_PARTS || depth > MAX_DEPTH)
    malformed("limit", record.start, `a type of ${parts} parts, ${depth} deep`);
  return { parts, depth };
}
