// Calls by their record codes: call, invoke and callbr.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BasicBlock, CallInstruction, Instruction } from "../ir/instruction.js";
import type { FunctionType } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { argumentLists, attributesAt } from "./attributes.js";
import { conventions, fastMath, flagsOf } from "./codes.table.js";
import { make, type Base } from "./make.js";
import { calledType, type Operands } from "./operands.js";

/** Bits of the record's number of a calling convention. */
const bit = { tail: 0, mustTail: 14, explicitType: 15, noTail: 16, fastMath: 17 } as const;
const INVOKE_EXPLICIT_TYPE = 13;
const CALLBR_EXPLICIT_TYPE = 31;

const has = (number: number, position: number): boolean => ((number >>> position) & 1) !== 0;
const conventionOf = (number: number): string => conventions.get(number) ?? `cc${number}`;

export function readCall(from: Operands, base: Base, bundles: readonly string[]): Instruction {
  const attributes = from.number("attributes");
  const bits = from.number("calling convention");
  const flags = has(bits, bit.fastMath) ? flagsOf(from.number("flags"), fastMath) : 0;
  const tail = has(bits, bit.mustTail)
    ? "musttail"
    : has(bits, bit.noTail)
      ? "notail"
      : has(bits, bit.tail)
        ? "tail"
        : undefined;
  Object.assign(base, { flags });
  return finish(from, base, bundles, {
    opcode: "call",
    attributes,
    convention: conventionOf((bits & 0x7ff) >>> 1),
    tail,
    explicit: has(bits, bit.explicitType),
    targets: [],
  });
}

export function readInvoke(from: Operands, base: Base, bundles: readonly string[]): Instruction {
  const attributes = from.number("attributes");
  const bits = from.number("calling convention");
  const targets = [from.block("next block"), from.block("block of exceptions")];
  return finish(from, base, bundles, {
    opcode: "invoke",
    attributes,
    convention: conventionOf(bits & 0x3ff),
    tail: undefined,
    explicit: has(bits, INVOKE_EXPLICIT_TYPE),
    targets,
  });
}

export function readBranchingCall(from: Operands, base: Base, bundles: readonly string[]): Instruction {
  const attributes = from.number("attributes");
  const bits = from.number("calling convention");
  const targets: BasicBlock[] = [from.block("next block")];
  for (let count = from.number("targets"); count > 0; count--) targets.push(from.block("target"));
  return finish(from, base, bundles, {
    opcode: "callbr",
    attributes,
    convention: conventionOf((bits & 0x7ff) >>> 1),
    tail: undefined,
    explicit: has(bits, CALLBR_EXPLICIT_TYPE),
    targets,
  });
}

interface Head {
  readonly opcode: CallInstruction["opcode"];
  /** Number of the list. */
  readonly attributes: number;
  readonly convention: string;
  readonly tail: CallInstruction["tail"];
  /** The record contains the function type. */
  readonly explicit: boolean;
  readonly targets: readonly BasicBlock[];
}

function finish(from: Operands, base: Base, bundles: readonly string[], head: Head): Instruction {
  let functionType: FunctionType | undefined;
  if (head.explicit) {
    const written = from.type("type of the function");
    if (written.kind !== "function")
      return malformed("malformed", from.start, "a call through a type that is not a function");
    functionType = written;
  }
  const callee = from.value("callee");
  const isTyped = callee.kind === "asm" || (callee.type.kind === "pointer" && callee.type.pointee !== undefined);
  const called = functionType === undefined || isTyped ? calledType(callee, from.start) : functionType;
  functionType ??= called;
  if (functionType !== called) malformed("malformed", from.start, "a call as a type that is not the function's");
  const operands: Value[] = functionType.parameters.map((type) =>
    type.kind === "label" ? from.block("argument") : from.typed(type, "argument"),
  );
  if (functionType.variadic) while (from.left > 0) operands.push(from.value("argument"));
  else if (from.left > 0) malformed("malformed", from.start, "a call with more arguments than its function has");
  const attributes = attributesAt(from.state, head.attributes, from.start);
  return make(base, {
    opcode: head.opcode,
    type: functionType.result,
    operands,
    callee,
    calleeStart: from.start,
    functionType,
    convention: head.convention,
    tail: head.tail,
    resultAttributes: attributes.result,
    argumentAttributes: argumentLists(attributes, operands.length),
    attributes: attributes.function,
    bundles,
    targets: head.targets,
  });
}
