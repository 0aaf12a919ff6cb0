// Intrinsics of integers, of any width and of vectors of them.

import type { CallInstruction } from "../ir/instruction.js";
import { bitreverse, bswap, ctlz, ctpop, cttz, funnel } from "../lower/bit-counts.js";
import { absolute, extreme, saturating, saturatingShift, threeWay, withOverflow } from "../lower/overflow.js";
import { scalarBits } from "../lower/parts.js";
import type { Words } from "../lower/wide.js";
import { byElement, elementOf } from "./arithmetic.js";
import type { Emitter } from "./emitter.js";
import type { Scalar } from "./machine.js";
import type { Selection } from "./selection.js";
import { nameWords, type WorkLowering, type Works } from "./work.js";
import { partsOf } from "./values.js";

/** Width of the first argument's elements. */
const bitsOf = (selection: Selection, call: CallInstruction): number =>
  scalarBits(elementOf(call.functionType.parameters[0]!), selection.layout)!;

/** Applies a function to each element of `count` arguments; further ones are flags. */
const each =
  (
    count: number,
    work: (emit: Emitter, values: readonly Words[], bits: number, call: CallInstruction) => Words,
  ): WorkLowering =>
  (selection, call) => {
    const bits = bitsOf(selection, call);
    const type = call.functionType.parameters[0]!;
    return byElement(selection, type, call.operands.slice(0, count), (values) =>
      work(selection.emit, values, bits, call),
    );
  };

const resultBits = (call: CallInstruction): number => {
  const type = elementOf(call.functionType.result);
  return type.kind === "integer" ? type.bits : 64;
};

/** `add` of sadd and uadd. */
const operationOf = (word: string): "add" | "sub" | "mul" => word.slice(1) as "add" | "sub" | "mul";

/** All values, then all predicates, as in a structure of two vectors. */
const overflow: WorkLowering = (selection, call) => {
  const [word = ""] = nameWords(call);
  const bits = bitsOf(selection, call);
  const type = call.functionType.parameters[0]!;
  const [a, b] = call.operands.map((one) => partsOf(selection, one));
  const count = type.kind === "vector" ? type.count : 1;
  const each = a!.length / count;
  const values: Scalar[] = [];
  const flags: Scalar[] = [];
  for (let i = 0; i < count; i++) {
    const slice = (parts: readonly Scalar[]): Words => parts.slice(i * each, (i + 1) * each);
    const made = withOverflow(selection.emit, operationOf(word), word.startsWith("s"), slice(a!), slice(b!), bits);
    values.push(...made.result);
    flags.push(made.overflow);
  }
  return [...values, ...flags];
};

const saturate = each(2, (emit, [a, b], bits, call) => {
  const [word = ""] = nameWords(call);
  const signed = word.startsWith("s");
  if (word.endsWith("shl")) return saturatingShift(emit, signed, a!, b!, bits);
  return saturating(emit, operationOf(word) as "add" | "sub", signed, a!, b!, bits);
});

const extremeOf = each(2, (emit, [a, b], bits, call) => extreme(emit, nameWords(call)[0]!, a!, b!, bits));

const compared = each(2, (emit, [a, b], bits, call) =>
  threeWay(emit, nameWords(call)[0] === "scmp", a!, b!, bits, resultBits(call)),
);

export const integerWorks: Works = {
  bswap: each(1, (emit, [a], bits) => bswap(emit, a!, bits)),
  bitreverse: each(1, (emit, [a], bits) => bitreverse(emit, a!, bits)),
  ctpop: each(1, (emit, [a], bits) => ctpop(emit, a!, bits)),
  ctlz: each(1, (emit, [a], bits) => ctlz(emit, a!, bits)),
  cttz: each(1, (emit, [a], bits) => cttz(emit, a!, bits)),
  fshl: each(3, (emit, [a, b, c], bits) => funnel(emit, true, a!, b!, c!, bits)),
  fshr: each(3, (emit, [a, b, c], bits) => funnel(emit, false, a!, b!, c!, bits)),
  abs: each(1, (emit, [a], bits) => absolute(emit, a!, bits)),
  smax: extremeOf,
  smin: extremeOf,
  umax: extremeOf,
  umin: extremeOf,
  scmp: compared,
  ucmp: compared,
  overflow,
  saturating: saturate,
};
