// Pushes operands that are not registers: constants, special registers, addresses. An instruction with an operand that is not
// supported here is left to the interpreter.

import type { CodeWriter } from "../../../formats/wasm/index.js";
import { InternalError } from "../../base/assert.js";
import type { Base, Operand } from "../../isa/instruction.js";
import { layOut } from "../operands/scope.js";
import type { Program } from "../state/frame.js";
import { CONTEXT } from "./context.table.js";
import type { Lanes } from "./lanes.js";
import { pushRankBase } from "./regions.js";

/** Pushes a special register's 32 bits for four lanes. */
type PushSpecial = (lanes: Lanes) => void;

const same =
  (offset: number): PushSpecial =>
  ({ code, context }) =>
    code.get(context).memory("v128.load32_splat", offset);

const constant =
  (value: number): PushSpecial =>
  ({ code }) =>
    code.words(value);

const ofThread =
  (component: number): PushSpecial =>
  ({ code, context, first }) =>
    code
      .get(context)
      .memory("i32.load", CONTEXT.tid)
      .get(first)
      .i32(2)
      .op("i32.shl", "i32.add")
      .memory("v128.load", 128 * component);

const laneNumber: PushSpecial = ({ code, first }) =>
  code.get(first).op("i32x4.splat").v128([0, 1, 2, 3]).op("i32x4.add");

/** Masks of the lanes before, at or after each lane. */
const laneMask =
  (ofBit: (code: CodeWriter) => void): PushSpecial =>
  ({ code, first }) => {
    code.v128([1, 2, 4, 8]).get(first).op("i32x4.shl");
    ofBit(code);
  };

const specials: Readonly<Record<string, PushSpecial>> = {
  "tid.x": ofThread(0),
  "tid.y": ofThread(1),
  "tid.z": ofThread(2),
  "tid.w": constant(0),
  "ntid.x": same(CONTEXT.ntid),
  "ntid.y": same(CONTEXT.ntid + 4),
  "ntid.z": same(CONTEXT.ntid + 8),
  "ntid.w": constant(1),
  "ctaid.x": same(CONTEXT.ctaid),
  "ctaid.y": same(CONTEXT.ctaid + 4),
  "ctaid.z": same(CONTEXT.ctaid + 8),
  "ctaid.w": constant(0),
  "nctaid.x": same(CONTEXT.nctaid),
  "nctaid.y": same(CONTEXT.nctaid + 4),
  "nctaid.z": same(CONTEXT.nctaid + 8),
  "nctaid.w": constant(1),
  laneid: laneNumber,
  lanemask_eq: laneMask(() => undefined),
  lanemask_lt: laneMask((code) => code.words(-1).op("i32x4.add")),
  lanemask_ge: laneMask((code) => code.op("i32x4.neg")),
  lanemask_le: laneMask((code) => code.i32(1).op("i32x4.shl").words(-1).op("i32x4.add")),
  lanemask_gt: laneMask((code) => code.i32(1).op("i32x4.shl", "i32x4.neg")),
  warpid: same(CONTEXT.warpid),
  nwarpid: same(CONTEXT.nwarpid),
  WARP_SZ: constant(32),
};

const specialOf = (name: string): PushSpecial | undefined => specials[name.replace(/^%/, "")];

/** Whether an operand of that many bits can be read or written here. */
export function isKnownOperand(
  program: Program,
  operand: Operand | undefined,
  bits: number,
  mayBeWider: boolean,
): boolean {
  switch (operand?.kind) {
    case undefined:
      return false;
    case "register":
      return isKnownRegister(program, operand, bits, mayBeWider);
    case "immediate":
      return bits <= 64;
    case "special":
      return bits > 1 && bits <= 64 && specialOf(operand.name) !== undefined;
    case "address-of":
      return bits > 1 && bits <= 64 && isKnownBase(program, operand.base, bits);
    case "sink":
      return true;
    default:
      return false;
  }
}

function isKnownRegister(
  { registerPlace, fn }: Program,
  { register, selector }: { readonly register: number; readonly selector?: string },
  bits: number,
  mayBeWider: boolean,
): boolean {
  if (selector !== undefined || fn.code.registers[register]!.vector !== 1) return false;
  const { stride } = registerPlace(register);
  if (bits === 1) return stride === 0;
  return bits === 64 ? stride === 2 : bits <= 32 && (stride === 1 || (mayBeWider && stride === 2));
}

function isKnownBase(program: Program, base: Base, bits: number): boolean {
  switch (base.kind) {
    case "absolute":
    case "symbol":
      return true;
    case "variable":
      return isParameter(program, base.variable) || program.variableOffsets[base.variable]! >= 0;
    case "register":
      return isKnownRegister(program, base, bits, false);
  }
}

/** Whether a frame variable is a kernel's parameter. */
export function isParameter({ fn }: Program, variable: number): boolean {
  return fn.symbol.entry && fn.code.variables[variable]!.kind === "parameter";
}

/** Bytes of the parameter block that a kernel's code may read. */
export function parameterBytes(program: Program): number {
  const { variables } = program.fn.code;
  return layOut(variables.filter((_, i) => isParameter(program, i)).map(({ layout }) => layout)).bytes;
}

function pushConstant({ code }: Lanes, bits: bigint, width: 32 | 64): void {
  if (width === 64) code.longs(bits);
  else code.words(Number(BigInt.asIntN(32, bits)));
}

/** Pushes an operand that is not a register; `half` selects two of the four lanes of 64 bits. */
export function pushOther(lanes: Lanes, operand: Operand, width: 32 | 64, half: 0 | 1): void {
  const { code } = lanes;
  switch (operand.kind) {
    case "immediate":
      pushConstant(lanes, operand.bits, width);
      break;
    case "special":
      specialOf(operand.name)!(lanes);
      if (width === 64) code.op(half === 0 ? "i64x2.extend_low_i32x4_u" : "i64x2.extend_high_i32x4_u");
      break;
    case "address-of":
      pushAddressOf(lanes, operand.base, operand.offset, width, half);
      break;
    default:
      throw new InternalError(`an operand of kind ${operand.kind} has no value`);
  }
}

function pushAddressOf(lanes: Lanes, base: Base, offset: bigint, width: 32 | 64, half: 0 | 1): void {
  const { code, program, context } = lanes;
  switch (base.kind) {
    case "absolute":
      pushConstant(lanes, offset, width);
      break;
    case "symbol": {
      const { space, value } = program.fn.slots[base.symbol]!;
      pushConstant(lanes, BigInt(value) + offset, width);
      if (space !== "shared" || !program.isClustered) break;
      pushRankBase(code, context);
      if (width === 64) code.op("i64.extend_i32_u", "i64x2.splat", "i64x2.add");
      else code.op("i32x4.splat", "i32x4.add");
      break;
    }
    case "variable": {
      const start = program.variableOffsets[base.variable]! + Number(offset);
      if (isParameter(program, base.variable)) {
        pushConstant(lanes, BigInt(start), width);
        break;
      }
      code.get(context).memory("i32.load", CONTEXT.localBase).i32(start).op("i32.add");
      if (width === 64) code.op("i64.extend_i32_u", "i64x2.splat");
      else code.op("i32x4.splat");
      break;
    }
    case "register": {
      const register = { kind: "register", register: base.register } as const;
      if (width === 64) lanes.push64(register, half);
      else lanes.push32(register);
      if (offset === 0n) break;
      pushConstant(lanes, offset, width);
      code.op(width === 64 ? "i64x2.add" : "i32x4.add");
    }
  }
}
