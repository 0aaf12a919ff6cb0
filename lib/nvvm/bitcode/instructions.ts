// Instructions of a function body by their record codes: arithmetic, control flow and parts of aggregates here, memory and
// calls in files of their own.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BasicBlock, BinaryOpcode, ForeignInstruction, Instruction } from "../ir/instruction.js";
import type { Type } from "../ir/type.js";
import type { Constant, IntegerConstant, Value } from "../ir/value.js";
import { readBranchingCall, readCall, readInvoke } from "./calls.js";
import {
  casts,
  fastMath,
  FIRST_INTEGER_PREDICATE,
  flagsOf,
  floatBinary,
  floatPredicates,
  functionCode as code,
  integerBinary,
  integerFlags,
  integerPredicates,
} from "./codes.table.js";
import { isConstant } from "./expressions.js";
import { memoryReaders } from "./memory.js";
import { make, type Base } from "./make.js";
import type { Operands } from "./operands.js";
import type { Read } from "./reading.js";
import { comparisonType, partAt } from "./result-types.js";
import { word } from "./state.js";

const scalarOf = (type: Type): Type => (type.kind === "vector" ? type.element : type);
const isFloat = (type: Type): boolean => scalarOf(type).kind === "float";

const binary: Read = (from, base) => {
  const left = from.value("left operand");
  const right = from.typed(left.type, "right operand");
  const number = from.number("operation");
  const float = isFloat(left.type);
  const opcode: BinaryOpcode = word(from.record, float ? floatBinary : integerBinary, number, "operation");
  const flags = from.left > 0 ? flagsOf(from.number("flags"), float ? fastMath : integerFlags[opcode]) : 0;
  return make(base, { opcode, type: left.type, operands: [left, right], flags });
};

const unary: Read = (from, base) => {
  const operand = from.value("operand");
  const number = from.number("operation");
  if (number !== 0) malformed("unsupported", from.start, `unknown operation ${number}`);
  const flags = from.left > 0 ? flagsOf(from.number("flags"), fastMath) : 0;
  return make(base, { opcode: "fneg", type: operand.type, operands: [operand], flags });
};

const freeze: Read = (from, base) => {
  const operand = from.value("operand");
  return make(base, { opcode: "freeze", type: operand.type, operands: [operand] });
};

const cast: Read = (from, base) => {
  const operand = from.value("operand");
  const type = from.type("type");
  const opcode = word(from.record, casts, from.number("cast"), "cast");
  const flags = from.left > 0 ? flagsOf(from.number("flags"), integerFlags[opcode] ?? fastMath) : 0;
  return make(base, { opcode, type, operands: [operand], flags });
};

const compare: Read = (from, base) => {
  const left = from.value("left operand");
  const right = from.typed(left.type, "right operand");
  const number = from.number("predicate");
  const type = comparisonType(from.state.table, left.type);
  const operands = [left, right];
  const rest = from.left > 0 ? from.number("flags") : 0;
  if (number < FIRST_INTEGER_PREDICATE) {
    const predicate = word(from.record, floatPredicates, number, "predicate");
    return make(base, { opcode: "fcmp", predicate, type, operands, flags: flagsOf(rest, fastMath) });
  }
  const predicate = word(from.record, integerPredicates, number - FIRST_INTEGER_PREDICATE, "predicate");
  return make(base, { opcode: "icmp", predicate, type, operands, flags: flagsOf(rest, integerFlags["icmp"]) });
};

const select: Read = (from, base) => {
  const yes = from.value("first value");
  const no = from.typed(yes.type, "second value");
  const condition =
    from.record.code === code.select ? from.typed(from.state.table.integer(1), "condition") : from.value("condition");
  const flags = from.left > 0 ? flagsOf(from.number("flags"), fastMath) : 0;
  return make(base, { opcode: "select", type: yes.type, operands: [condition, yes, no], flags });
};

const phi: Read = (from, base) => {
  const type = from.type("type");
  const operands: Value[] = [];
  const incoming: BasicBlock[] = [];
  while (from.left >= 2) {
    operands.push(from.state.relative ? from.signed(type, "value") : from.typed(type, "value"));
    incoming.push(from.block("predecessor"));
  }
  const flags = from.left > 0 ? flagsOf(from.number("flags"), fastMath) : 0;
  return make(base, { opcode: "phi", type, operands, incoming, flags });
};

function elementOf(type: Type, offset: number): Type {
  return type.kind === "vector" ? type.element : malformed("malformed", offset, "an element of no vector");
}

const extractElement: Read = (from, base) => {
  const vector = from.value("vector");
  const operands = [vector, from.value("index")];
  return make(base, { opcode: "extractelement", type: elementOf(vector.type, from.start), operands });
};

const insertElement: Read = (from, base) => {
  const vector = from.value("vector");
  const element = from.typed(elementOf(vector.type, from.start), "element");
  return make(base, {
    opcode: "insertelement",
    type: vector.type,
    operands: [vector, element, from.value("index")],
  });
};

/** Elements of a mask; -1 if undefined. */
function maskOf(mask: Value, offset: number): readonly number[] {
  if (mask.type.kind !== "vector") return malformed("malformed", offset, "a mask that is not a vector");
  const { count } = mask.type;
  const all = (value: number): readonly number[] => Array<number>(count).fill(value);
  switch (mask.kind) {
    case "zero":
      return all(0);
    case "undef":
    case "poison":
      return all(-1);
    case "aggregate":
      return mask.elements.map((element: Constant) => (element.kind === "integer" ? Number(element.value) : -1));
    default:
      return malformed("malformed", offset, "a mask that is not a constant");
  }
}

const shuffle: Read = (from, base) => {
  const left = from.value("first vector");
  const right = from.typed(left.type, "second vector");
  const mask = maskOf(from.value("mask"), from.start);
  const type = from.state.table.vector(mask.length, elementOf(left.type, from.start));
  return make(base, { opcode: "shufflevector", type, operands: [left, right], mask });
};

function indicesOf(from: Operands): readonly number[] {
  const indices: number[] = [];
  while (from.left > 0) indices.push(from.number("index"));
  return indices;
}

const extractValue: Read = (from, base) => {
  const whole = from.value("aggregate");
  const indices = indicesOf(from);
  return make(base, {
    opcode: "extractvalue",
    type: partAt(whole.type, indices, from.start),
    operands: [whole],
    indices,
  });
};

const insertValue: Read = (from, base) => {
  const whole = from.value("aggregate");
  const part = from.value("part");
  const indices = indicesOf(from);
  if (partAt(whole.type, indices, from.start) !== part.type)
    malformed("malformed", from.start, "insertvalue of another type");
  return make(base, { opcode: "insertvalue", type: whole.type, operands: [whole, part], indices });
};

const voidOf = (from: Operands) => ({ type: from.state.table.void });

const ret: Read = (from, base) =>
  make(base, { ...voidOf(from), opcode: "ret", operands: from.left > 0 ? [from.value("value")] : [] });

const unreachable: Read = (from, base) => make(base, { ...voidOf(from), opcode: "unreachable", operands: [] });

const branch: Read = (from, base) => {
  const first = from.block("target");
  if (from.left === 0) return make(base, { ...voidOf(from), opcode: "br", operands: [], targets: [first] });
  const targets = [first, from.block("second target")];
  const operands = [from.typed(from.state.table.integer(1), "condition")];
  return make(base, { ...voidOf(from), opcode: "br", operands, targets });
};

/** Upper half of the first field: cases are ranges (LLVM 3.2 and 3.3). */
const RANGES = 0x4b5;
/** Limit of the values in one switch's ranges. */
const MAX_CASES = 100_000;

const switchOf: Read = (from, base) => {
  if (from.peek(0) >>> 16 === RANGES) return switchOfRanges(from, base);
  const type = from.type("type");
  const operands = [from.typed(type, "value")];
  const defaultTarget = from.block("default");
  const cases: { readonly value: IntegerConstant; readonly target: BasicBlock }[] = [];
  while (from.left >= 2) {
    const value = from.absolute(type, "case");
    if (!isConstant(value) || value.kind !== "integer")
      return malformed("malformed", from.start, "a case that is not an integer");
    cases.push({ value, target: from.block("target") });
  }
  return make(base, { ...voidOf(from), opcode: "switch", operands, cases, defaultTarget });
};

const switchOfRanges: Read = (from, base) => {
  from.number("mark");
  const type = from.type("type");
  if (type.kind !== "integer") return malformed("malformed", from.start, "a switch over no integer");
  const operands = [from.typed(type, "value")];
  const defaultTarget = from.block("default");
  const cases: { readonly value: IntegerConstant; readonly target: BasicBlock }[] = [];
  for (let left = from.number("number of cases"); left > 0; left--) {
    const values: bigint[] = [];
    for (let items = from.number("number of ranges"); items > 0; items--) {
      const isSingle = from.number("kind of range") !== 0;
      const low = wideBound(from, type.bits);
      const high = isSingle ? low : wideBound(from, type.bits);
      if (high - low >= MAX_CASES - values.length - cases.length)
        return malformed("limit", from.start, `a switch of more than ${MAX_CASES} values`);
      for (let value = low; value <= high; value++) values.push(value);
    }
    const target = from.block("target");
    for (const value of values) cases.push({ value: { kind: "integer", type, value }, target });
  }
  return make(base, { ...voidOf(from), opcode: "switch", operands, cases, defaultTarget });
};

/** A bound of a range, unsigned: in words of 64 bits if the type is wider. */
function wideBound(from: Operands, bits: number): bigint {
  const count = bits > 64 ? from.number("words of a bound") : 1;
  if (count > from.left) return malformed("truncated", from.start, "a bound that reaches past its record");
  let value = 0n;
  for (let i = 0; i < count; i++) value |= BigInt.asUintN(64, from.signedNumber("bound")) << BigInt(64 * i);
  return BigInt.asUintN(bits, value);
}

/** Instructions that NVVM IR does not have: enough is read for the verifier to name them. */
const foreign =
  (
    opcode: ForeignInstruction["opcode"],
    read: (from: Operands) => {
      readonly type: Type;
      readonly operands?: readonly Value[];
      readonly targets?: readonly BasicBlock[];
    },
  ): Read =>
  (from, base) =>
    make(base, { opcode, operands: [], targets: [], ...read(from) });

const readers: ReadonlyMap<number, Read> = new Map<number, Read>([
  ...memoryReaders,
  [code.binary, binary],
  [code.unary, unary],
  [code.freeze, freeze],
  [code.cast, cast],
  [code.compare, compare],
  [code.compareFlags, compare],
  [code.select, select],
  [code.vectorSelect, select],
  [code.phi, phi],
  [code.extractElement, extractElement],
  [code.insertElement, insertElement],
  [code.shuffle, shuffle],
  [code.extractValue, extractValue],
  [code.insertValue, insertValue],
  [code.return, ret],
  [code.unreachable, unreachable],
  [code.branch, branch],
  [code.switch, switchOf],
  [
    code.indirectBranch,
    foreign("indirectbr", (from) => {
      const operands = [from.typed(from.type("type"), "address")];
      const targets: BasicBlock[] = [];
      while (from.left > 0) targets.push(from.block("target"));
      return { ...voidOf(from), operands, targets };
    }),
  ],
  [
    code.vaArg,
    foreign("va_arg", (from) => {
      const operands = [from.typed(from.type("type of the list"), "list")];
      return { type: from.type("type"), operands };
    }),
  ],
  [code.resume, foreign("resume", (from) => ({ ...voidOf(from), operands: [from.value("value")] }))],
  [code.landingPad, foreign("landingpad", (from) => ({ type: from.type("type") }))],
  [code.landingPadOld, foreign("landingpad", (from) => ({ type: from.type("type") }))],
  [code.cleanupReturn, foreign("cleanupret", (from) => ({ ...voidOf(from), ...padAndTargets(from) }))],
  [code.catchReturn, foreign("catchret", (from) => ({ ...voidOf(from), ...padAndTargets(from) }))],
  [code.catchPad, foreign("catchpad", (from) => ({ type: tokenOf(from), operands: [parentOf(from)] }))],
  [code.cleanupPad, foreign("cleanuppad", (from) => ({ type: tokenOf(from), operands: [parentOf(from)] }))],
  [
    code.catchSwitch,
    foreign("catchswitch", (from) => {
      const operands = [parentOf(from)];
      from.number("number of handlers");
      const targets: BasicBlock[] = [];
      while (from.left > 0) targets.push(from.block("target"));
      return { type: tokenOf(from), operands, targets };
    }),
  ],
]);

const tokenOf = (from: Operands): Type => from.state.table.other("token");

const parentOf = (from: Operands): Value => from.typed(tokenOf(from), "pad");

function padAndTargets(from: Operands): {
  readonly operands: readonly Value[];
  readonly targets: readonly BasicBlock[];
} {
  const operands = [parentOf(from)];
  const targets: BasicBlock[] = [];
  while (from.left > 0) targets.push(from.block("target"));
  return { operands, targets };
}

const none: readonly never[] = [];

export function readInstruction(from: Operands, index: number, bundles: readonly string[]): Instruction {
  const { record, start } = from;
  const base: Base = {
    kind: "instruction",
    name: undefined,
    index,
    operandStarts: none,
    flags: 0,
    attachments: none,
    start,
    end: record.end,
  };
  switch (record.code) {
    case code.call:
      return readCall(from, base, bundles);
    case code.invoke:
      return readInvoke(from, base, bundles);
    case code.callBranch:
      return readBranchingCall(from, base, bundles);
  }
  const read = readers.get(record.code);
  if (read === undefined) return malformed("unsupported", start, `unknown instruction ${record.code}`);
  return read(from, base);
}
