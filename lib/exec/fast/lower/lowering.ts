// Types and helpers of the lowering tables. A lowering returns, for an opcode, code for four lanes that does the same as its
// meaning (../../meanings), or undefined if only the meaning executes it. Operands are checked before: registers of the right
// size, constants, known special registers (../operands.ts).

import type { PlainName } from "../../../../formats/wasm/index.js";
import type { Instruction, Operand } from "../../../isa/instruction.js";
import type { AddressSpace } from "../../../load/address-space.js";
import { type Opcode, typeOf } from "../../../isa/opcode.js";
import type { DataType } from "../../../isa/types.table.js";
import { integerView, isInteger } from "../../meanings/meaning.js";
import type { Lanes, WordView } from "../lanes.js";

export type Emit = (lanes: Lanes) => void;

/** A lowering's context besides the opcode. */
export interface LoweringSite {
  readonly operands: Instruction["operands"];
  /** The address space of the process. */
  readonly space: AddressSpace;
  /** Whether the host's multiply-add is exact (../probe.ts). */
  readonly isFused: () => boolean;
}

export type Lowering = (opcode: Opcode, site: LoweringSite) => Emit | undefined;

export type Lowerings = Readonly<Record<string, Lowering>>;

/** Both halves of 64 bits: lanes 0 and 1, lanes 2 and 3. */
export const HALVES: readonly (0 | 1)[] = [0, 1];

/** The first lowering that answers. */
export const firstOf =
  (...lowerings: readonly Lowering[]): Lowering =>
  (opcode, site) => {
    for (const lowering of lowerings) {
      const emit = lowering(opcode, site);
      if (emit !== undefined) return emit;
    }
    return undefined;
  };

/** A lowering for scalar integers of 8 to 64 bits; `make` receives the type. */
export const integers =
  (make: (type: DataType, opcode: Opcode) => Emit | undefined): Lowering =>
  (opcode) => {
    const type = typeOf(opcode);
    return type !== undefined && isInteger(type) && type.lanes === 1 && type.bits >= 8 && type.bits <= 64
      ? make(type, opcode)
      : undefined;
  };

/** The view of an integer type of up to 32 bits. */
export const viewOf = (type: DataType): WordView => integerView(type) as WordView;

/** Applies vector instructions to the operands 1, 2 ... and writes operand 0. NaN results are not made canonical. */
export const on32 =
  (arity: number, ...names: readonly PlainName[]): Emit =>
  (lanes) => {
    for (let i = 1; i <= arity; i++) lanes.push32(lanes.operand(i));
    lanes.code.op(...names);
    lanes.write32(lanes.operand(0));
  };

/** The same for operands extended to words by their type. */
export const onViews =
  (type: DataType, arity: number, ...names: readonly PlainName[]): Emit =>
  (lanes) => {
    for (let i = 1; i <= arity; i++) lanes.pushView(lanes.operand(i), viewOf(type));
    lanes.code.op(...names);
    lanes.write32(lanes.operand(0), type.class === "signed" ? "s" : "u");
  };

export const on64 =
  (arity: number, ...names: readonly PlainName[]): Emit =>
  (lanes) => {
    for (const half of HALVES) {
      for (let i = 1; i <= arity; i++) lanes.push64(lanes.operand(i), half);
      lanes.code.op(...names);
      lanes.write64(lanes.operand(0), half);
    }
  };

/** Computes one lane after the other: `scalar` finds an i32 of each operand on the stack and leaves the result. */
export const eachLane32 =
  (views: readonly WordView[], scalar: (lanes: Lanes) => void, sign: "s" | "u" = "u"): Emit =>
  (lanes) => {
    const { code } = lanes;
    const operands = views.map((view, i) => {
      const local = lanes.temporary("v128");
      lanes.pushView(lanes.operand(i + 1), view);
      code.set(local);
      return local;
    });
    for (let lane = 0; lane < 4; lane++) {
      for (const local of operands) code.get(local).lane("i32x4.extract_lane", lane);
      scalar(lanes);
      if (lane === 0) code.op("i32x4.splat");
      else code.lane("i32x4.replace_lane", lane);
    }
    lanes.write32(lanes.operand(0), sign);
  };

/** The same for `arity` operands of 64 bits, followed by `narrow` ones of 32 bits as i32; the result is an i64. */
export const eachLane64 =
  (arity: number, narrow: number, scalar: (lanes: Lanes) => void): Emit =>
  (lanes) => {
    const { code } = lanes;
    const words = Array.from({ length: narrow }, (_, i) => {
      const local = lanes.temporary("v128");
      lanes.push32(lanes.operand(arity + i + 1));
      code.set(local);
      return local;
    });
    const results = HALVES.map((half) => {
      const operands = Array.from({ length: arity }, (_, i) => {
        const local = lanes.temporary("v128");
        lanes.push64(lanes.operand(i + 1), half);
        code.set(local);
        return local;
      });
      for (const lane of [0, 1]) {
        for (const local of operands) code.get(local).lane("i64x2.extract_lane", lane);
        for (const local of words) code.get(local).lane("i32x4.extract_lane", 2 * half + lane);
        scalar(lanes);
        if (lane === 0) code.op("i64x2.splat");
        else code.lane("i64x2.replace_lane", 1);
      }
      const result = lanes.temporary("v128");
      code.set(result);
      return result;
    });
    HALVES.forEach((half) => {
      code.get(results[half]!);
      lanes.write64(lanes.operand(0), half);
    });
  };

/** Computes a 32-bit result from each lane's 64 bits: `scalar` finds an i64 on the stack and leaves an i32. */
export const narrowed =
  (scalar: (lanes: Lanes) => void): Emit =>
  (lanes) => {
    const { code } = lanes;
    const halves = HALVES.map((half) => {
      const local = lanes.temporary("v128");
      lanes.push64(lanes.operand(1), half);
      code.set(local);
      return local;
    });
    for (let lane = 0; lane < 4; lane++) {
      code.get(halves[lane >> 1]!).lane("i64x2.extract_lane", lane & 1);
      scalar(lanes);
      if (lane === 0) code.op("i32x4.splat");
      else code.lane("i32x4.replace_lane", lane);
    }
    lanes.write32(lanes.operand(0));
  };

/** The lower 32 bits of an immediate; undefined for other operands. */
export const immediateOf = (operand: Operand | undefined): number | undefined =>
  operand?.kind === "immediate" ? Number(BigInt.asUintN(32, operand.bits)) : undefined;

/** The elements of a vector operand. */
export const elementsOf = (operand: Operand): readonly Operand[] =>
  operand.kind === "vector" ? operand.elements : [operand];
