// Constants (CONSTANTS_BLOCK_ID), of a module or of one function. A record may refer to later constants of its block, so
// constants with operands are created last, operands first.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitCursor, BitRecord } from "../../../formats/bitstream/index.js";
import type { Type } from "../ir/type.js";
import type { Constant, PlainConstant, Value } from "../ir/value.js";
import { readAssembly } from "./assembly.js";
import { constantCode } from "./codes.table.js";
import { isConstant, openExpression, type OpenConstant } from "./expressions.js";
import {
  copyOf,
  countOf,
  eachRecord,
  field,
  signedField,
  sizeAt,
  typeAt,
  valueAt,
  wideField,
  type ModuleState,
  type ValueList,
} from "./state.js";

/** Limits of one constant: its parts when written out, and their nesting depth. */
const MAX_PARTS = 2 ** 24;
const MAX_DEPTH = 200;

export function readConstants(cursor: BitCursor, state: ModuleState, values: ValueList): void {
  const open = new Map<number, OpenConstant>();
  let type: Type = state.table.integer(32);
  eachRecord(cursor, (record) => {
    if (record.code === constantCode.type) {
      type = typeAt(state, field(record, 0, "type"), record.start);
      return;
    }
    const made = makeSimple(record, type, state);
    if (made === undefined) open.set(countOf(values), openExpression(copyOf(record), type, state));
    values.own.push(made);
  });
  for (const id of open.keys()) makeOpen(id, open, state, values);
}

const zeroOf = (type: Type): Constant => {
  switch (type.kind) {
    case "integer":
      return { kind: "integer", type, value: 0n };
    case "float":
      return { kind: "float", type, bits: 0n };
    default:
      return plain(type.kind === "pointer" ? "null" : type.kind === "token" ? "none" : "zero", type);
  }
};

const plain = (kind: PlainConstant["kind"], type: Type): PlainConstant => ({ kind, type });

/** A constant without operands; otherwise undefined. */
function makeSimple(record: BitRecord, type: Type, state: ModuleState): Value | undefined {
  switch (record.code) {
    case constantCode.null:
      return zeroOf(type);
    case constantCode.undef:
      return plain("undef", type);
    case constantCode.poison:
      return plain("poison", type);
    case constantCode.integer:
      return integer(type, signedField(record, 0, "value"), record.start);
    case constantCode.wideInteger: {
      let value = 0n;
      for (let i = record.values.length - 1; i >= 0; i--)
        value = (value << 64n) | BigInt.asUintN(64, signedField(record, i, "value"));
      return integer(type, value, record.start);
    }
    case constantCode.float:
      return float(record, type);
    case constantCode.string:
      return bytes(record, type, 0);
    case constantCode.cString:
      return bytes(record, type, 1);
    case constantCode.data:
      return data(record, type);
    case constantCode.assembly1:
    case constantCode.assembly2:
    case constantCode.assembly3:
    case constantCode.assembly:
      return readAssembly(record, type, state);
    default:
      return undefined;
  }
}

function integer(type: Type, value: bigint, offset: number): Constant {
  if (type.kind !== "integer") return malformed("malformed", offset, "an integer constant of another type");
  return { kind: "integer", type, value: BigInt.asUintN(type.bits, value) };
}

const floatBits = { half: 16, bfloat: 16, float: 32, double: 64, x86_fp80: 80, fp128: 128, ppc_fp128: 128 } as const;

function float(record: BitRecord, type: Type): Constant {
  if (type.kind !== "float") return malformed("malformed", record.start, "a float constant of another type");
  const low = wideField(record, 0, "value");
  let bits = low;
  if (type.name === "x86_fp80") bits = (low << 16n) | (wideField(record, 1, "value") & 0xffffn);
  else if (floatBits[type.name] === 128) bits = low | (wideField(record, 1, "value") << 64n);
  return { kind: "float", type, bits: BigInt.asUintN(floatBits[type.name], bits) };
}

/** Characters, followed by `zeros` implicit zeros. */
function bytes(record: BitRecord, type: Type, zeros: number): Constant {
  const { values } = record;
  if (
    type.kind !== "array" ||
    type.element.kind !== "integer" ||
    type.element.bits !== 8 ||
    type.count !== values.length + zeros
  )
    return malformed("malformed", record.start, "a string that is not of its type");
  const made = new Uint8Array(values.length + zeros);
  made.set(values);
  return { kind: "bytes", type, bytes: made };
}

function data(record: BitRecord, type: Type): Constant {
  const { length } = record.values;
  if ((type.kind !== "array" && type.kind !== "vector") || type.count !== length)
    return malformed("malformed", record.start, "elements that are not of their type");
  const { element } = type;
  const elements: Constant[] = [];
  for (let i = 0; i < length; i++) {
    const value = wideField(record, i, "element");
    if (element.kind === "integer")
      elements.push({ kind: "integer", type: element, value: BigInt.asUintN(element.bits, value) });
    else if (element.kind === "float")
      elements.push({ kind: "float", type: element, bits: BigInt.asUintN(floatBits[element.name], value) });
    else malformed("malformed", record.start, "elements that are neither integers nor floats");
  }
  return { kind: "aggregate", type, elements };
}

/** Creates constant `id` and its operands, without recursion. */
function makeOpen(id: number, open: ReadonlyMap<number, OpenConstant>, state: ModuleState, values: ValueList): void {
  const stack = [id];
  const entered = new Set<number>();
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const constant = open.get(top);
    if (constant === undefined || valueAt(values, top) !== undefined) {
      stack.pop();
      continue;
    }
    const { record, operands } = constant;
    if (!entered.has(top)) {
      entered.add(top);
      for (const operand of operands) {
        if (valueAt(values, operand) !== undefined) continue;
        if (!open.has(operand)) malformed("out-of-range", record.start, `constant ${operand} of ${countOf(values)}`);
        if (entered.has(operand)) malformed("malformed", record.start, "a constant that refers to itself");
        stack.push(operand);
      }
      continue;
    }
    stack.pop();
    const size = { weight: 1, depth: 1 };
    const parts = operands.map((operand) => {
      const part = valueAt(values, operand)!;
      const own = sizeAt(values, operand);
      size.weight += own?.weight ?? 1;
      size.depth = Math.max(size.depth, 1 + (own?.depth ?? 1));
      if (!isConstant(part)) return malformed("malformed", record.start, "a constant that refers to something else");
      return part;
    });
    if (size.weight > MAX_PARTS || size.depth > MAX_DEPTH)
      malformed("limit", record.start, `a constant of ${size.weight} parts, ${size.depth} deep`);
    values.own[top - values.base] = constant.make(parts, state);
    values.sizes.set(top - values.base, size);
  }
}
