// Aggregates and constant expressions: the constants that a record refers to, and how the constant is created from them.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitRecord } from "../../../formats/bitstream/index.js";
import type { Type } from "../ir/type.js";
import type { Constant, ConstantExpression, Value } from "../ir/value.js";
import {
  casts,
  constantCode,
  FIRST_INTEGER_PREDICATE,
  floatBinary,
  floatPredicates,
  integerBinary,
  integerPredicates,
} from "./codes.table.js";
import { pointeeOf } from "./result-types.js";
import { field, typeAt, word, type ModuleState } from "./state.js";

/** A constant whose operands may not be read yet. */
export interface OpenConstant {
  readonly record: BitRecord;
  /** Numbers of the constants that it refers to. */
  readonly operands: readonly number[];
  readonly make: (parts: readonly Constant[], state: ModuleState) => Constant;
}

const constantKinds: ReadonlySet<Value["kind"]> = new Set([
  "integer", "float", "null", "zero", "undef", "poison", "none", "aggregate", "bytes", "expression", "blockaddress",
  "variable", "function", "alias", "ifunc",
]); // prettier-ignore

export const isConstant = (value: Value): value is Constant => constantKinds.has(value.kind);

/** Properties of an expression other than its opcode and operands. */
type Extra = Pick<ConstantExpression, "predicate" | "sourceType">;

export function openExpression(record: BitRecord, type: Type, state: ModuleState): OpenConstant {
  const { start, end, values } = record;
  const at = (i: number): number => field(record, i, "operand");
  const expression = (
    ids: readonly number[],
    opcode: (parts: readonly Constant[]) => string,
    extra: (parts: readonly Constant[]) => Extra = () => ({}),
  ): OpenConstant => ({
    record,
    operands: ids,
    make: (operands) => ({
      kind: "expression",
      opcode: opcode(operands),
      type,
      operands,
      start,
      end,
      ...extra(operands),
    }),
  });
  switch (record.code) {
    case constantCode.aggregate:
      return { record, operands: values, make: (elements) => aggregate(record, type, elements) };
    case constantCode.binary:
      return expression([at(1), at(2)], ([left]) =>
        word(record, scalarOf(left!.type).kind === "float" ? floatBinary : integerBinary, at(0), "operation"),
      );
    case constantCode.unary:
      return expression([at(1)], () => "fneg");
    case constantCode.cast:
      return expression([at(2)], () => word(record, casts, at(0), "cast"));
    case constantCode.select:
      // The condition comes first in the text and in the record.
      return expression([at(0), at(1), at(2)], () => "select");
    case constantCode.extractElement:
      return expression([at(1), values.length === 4 ? at(3) : at(2)], () => "extractelement");
    case constantCode.insertElement:
      return expression([at(0), at(1), values.length === 4 ? at(3) : at(2)], () => "insertelement");
    case constantCode.shuffle:
      return expression([at(0), at(1), at(2)], () => "shufflevector");
    case constantCode.shuffleTyped:
      return expression([at(1), at(2), at(3)], () => "shufflevector");
    case constantCode.compare:
      return compare(record, expression);
    case constantCode.elementPointer:
    case constantCode.elementPointerInbounds:
    case constantCode.elementPointerRangeIndex:
    case constantCode.elementPointerRange:
    case constantCode.elementPointerFlags:
      return elementPointer(record, state, expression);
    case constantCode.blockAddress:
      return { record, operands: [at(1)], make: ([of]) => blockAddress(record, type, of!) };
    case constantCode.localEquivalent:
    case constantCode.noCfi:
      return { record, operands: [at(1)], make: ([of]) => of! };
    default:
      return malformed("unsupported", start, `unknown kind ${record.code} of constant`);
  }
}

const scalarOf = (type: Type): Type => (type.kind === "vector" ? type.element : type);

type Make = (
  ids: readonly number[],
  opcode: (parts: readonly Constant[]) => string,
  extra?: (parts: readonly Constant[]) => Extra,
) => OpenConstant;

function compare(record: BitRecord, expression: Make): OpenConstant {
  const number = field(record, 3, "predicate");
  const isInteger = number >= FIRST_INTEGER_PREDICATE;
  const predicate = isInteger
    ? word(record, integerPredicates, number - FIRST_INTEGER_PREDICATE, "predicate")
    : word(record, floatPredicates, number, "predicate");
  return expression(
    [field(record, 1, "operand"), field(record, 2, "operand")],
    () => (isInteger ? "icmp" : "fcmp"),
    () => ({ predicate }),
  );
}

function elementPointer(record: BitRecord, state: ModuleState, expression: Make): OpenConstant {
  const { code, values, start } = record;
  const old = code === constantCode.elementPointer || code === constantCode.elementPointerInbounds;
  let at = 0;
  let source: Type | undefined;
  if (!old || values.length % 2 === 1) source = typeAt(state, field(record, at++, "type"), start);
  if (!old) at++; // inbounds and kin
  if (code === constantCode.elementPointerRange) at += rangeLength(record, at);
  const ids: number[] = [];
  for (; at < values.length; at += 2) ids.push(field(record, at + 1, "operand"));
  if (ids.length === 0) malformed("malformed", start, "getelementptr of nothing");
  return expression(
    ids,
    () => "getelementptr",
    ([base]) => {
      const sourceType = source ?? pointeeOf(base!.type);
      if (sourceType === undefined) return malformed("malformed", start, "getelementptr without a type");
      return { sourceType };
    },
  );
}

/** Fields of a range of constants: its width, then two numbers, of several words if it is wide. */
function rangeLength(record: BitRecord, at: number): number {
  if (field(record, at, "width") <= 64) return 3;
  const words = field(record, at + 1, "words");
  return 2 + (words % 2 ** 32) + Math.floor(words / 2 ** 32);
}

function aggregate(record: BitRecord, type: Type, elements: readonly Constant[]): Constant {
  const { length } = elements;
  const wrong = (): never => malformed("malformed", record.start, "an aggregate whose elements are not of its type");
  if (type.kind === "struct") {
    if (type.fields?.length !== length) wrong();
    type.fields!.forEach((of, i) => of === elements[i]!.type || wrong());
  } else if (type.kind === "array" || type.kind === "vector") {
    if (type.count !== length) wrong();
    for (const element of elements) if (element.type !== type.element) wrong();
  } else wrong();
  return { kind: "aggregate", type, elements };
}

function blockAddress(record: BitRecord, type: Type, of: Constant): Constant {
  const { start, end } = record;
  if (of.kind !== "function") return malformed("malformed", start, "the address of a block of no function");
  return { kind: "blockaddress", type, function: of.name, block: `${field(record, 2, "block")}`, start, end };
}
