// Moves and conversions: PTX ISA 9.0 sections 9.7.9.3 to 9.7.9.21.

import { hasModifier, typeOf, typesOf } from "../../../isa/opcode.js";
import {
  CLUSTER_STRIDE,
  FIRST_GLOBAL_HIGH,
  FIRST_WINDOW_HIGH,
  WINDOW,
  WINDOW_BYTES,
  windowBase,
  type WindowSpace,
} from "../../../load/address-space.js";
import type { DataType } from "../../../isa/types.table.js";
import { isInteger } from "../../meanings/meaning.js";
import type { Operand } from "../../../isa/instruction.js";
import { windowOf } from "../../meanings/move.js";
import { CONTEXT } from "../context.table.js";
import type { Lanes, WordView } from "../lanes.js";
import { directedCvt } from "./directed.js";
import { flush, saturate } from "./bounds.js";
import {
  eachLane64,
  elementsOf,
  type Emit,
  firstOf,
  HALVES,
  type Lowering,
  type Lowerings,
  narrowed,
  on32,
  on64,
  viewOf,
} from "./lowering.js";

const mov: Lowering = (opcode) => {
  switch (typeOf(opcode)?.bits) {
    case 1:
      return (lanes) => {
        lanes.pushPredicate(lanes.operand(1));
        lanes.writePredicate(lanes.operand(0));
      };
    case 16:
    case 32:
      return on32(1);
    case 64:
      return on64(1);
    default:
      return undefined;
  }
};

/** Copies as many bits as the type has from one operand to another; a wider register receives them extended. */
export const transfer =
  (type: DataType, from: Operand, to: Operand): Emit =>
  (lanes) => {
    if (type.bits === 64) {
      for (const half of HALVES) {
        lanes.push64(from, half);
        lanes.write64(to, half);
      }
      return;
    }
    const sign = type.class === "signed" ? "s" : "u";
    lanes.pushView(from, `${sign}${type.bits}` as WordView);
    lanes.write32(to, sign);
  };

/** Adds or subtracts the window's first address; addresses of global memory are generic addresses. */
const cvta: Lowering = (opcode, { space: layout }) => {
  const isNarrow = typeOf(opcode)?.bits === 32;
  if (typeOf(opcode)?.bits !== layout.bits) return undefined;
  if (hasModifier(opcode, "global")) return isNarrow ? on32(1) : on64(1);
  const space = (["shared", "local", "const", "param"] as const).find((each) => hasModifier(opcode, each));
  if (space === undefined) return undefined;
  const change = BigInt(windowBase(space, layout)) * (hasModifier(opcode, "to") ? -1n : 1n);
  if (isNarrow)
    return (lanes) => {
      lanes.push32(lanes.operand(1));
      lanes.code.words(Number(BigInt.asIntN(32, change))).op("i32x4.add");
      lanes.write32(lanes.operand(0));
    };
  return (lanes) => {
    for (const half of HALVES) {
      lanes.push64(lanes.operand(1), half);
      lanes.code.longs(change).op("i64x2.add");
      lanes.write64(lanes.operand(0), half);
    }
  };
};

/** Same rule as meanings/move.ts: windows by high word. The local window and each block's shared memory are 16 MiB. */
const isspacep: Lowering = (opcode, { space: layout }) => {
  if (layout.bits !== 64) return undefined;
  const space = windowOf(opcode);
  const isOwn = space === "shared" && !hasModifier(opcode, "shared::cluster");
  return (lanes) => {
    const { code, context } = lanes;
    const push = (words: readonly [number, number, number, number]): void => {
      for (const half of HALVES) lanes.push64(lanes.operand(1), half);
      code.shuffleWords(words);
    };
    const high = lanes.temporary("v128");
    push([1, 3, 5, 7]);
    code.set(high);
    const isIn = (window: WindowSpace): void => void code.get(high).words(WINDOW[window]).op("i32x4.eq");
    const isInside = (): void => {
      push([0, 2, 4, 6]);
      code.words(WINDOW_BYTES).op("i32x4.lt_u");
    };
    if (space === "global") {
      code.get(high).words(FIRST_GLOBAL_HIGH).op("i32x4.ge_u");
      code.get(high).words(FIRST_WINDOW_HIGH).op("i32x4.lt_u", "v128.and");
      isIn("param");
      code.op("v128.or");
      isIn("local");
      isInside();
      code.op("v128.andnot", "v128.or");
    } else {
      isIn(space);
      if (space === "local") {
        isInside();
        code.op("v128.and");
      }
    }
    if (isOwn) {
      push([0, 2, 4, 6]);
      code.i32(Math.log2(CLUSTER_STRIDE)).op("i32x4.shr_u");
      code.get(context).memory("v128.load32_splat", CONTEXT.rank).op("i32x4.eq", "v128.and");
    }
    lanes.writePredicate(lanes.operand(0));
  };
};

// ---------------------------------------------------------------------------------------------------------- conversions

/** Integers to integers of up to 32 bits: the lower bits, extended by the result's type. */
function toNarrow(to: DataType, from: DataType): Emit {
  return (lanes) => {
    const { code } = lanes;
    if (from.bits === 64) {
      lanes.push64(lanes.operand(1), 0);
      lanes.push64(lanes.operand(1), 1);
      code.shuffleWords([0, 2, 4, 6]);
    } else lanes.pushView(lanes.operand(1), viewOf(from));
    const signed = to.class === "signed";
    if (to.bits < 32) {
      const up = 32 - to.bits;
      code
        .i32(up)
        .op("i32x4.shl")
        .i32(up)
        .op(signed ? "i32x4.shr_s" : "i32x4.shr_u");
    }
    lanes.write32(lanes.operand(0), signed ? "s" : "u");
  };
}

/** .sat: clamps to the range of the result's type. */
function clamped(to: DataType, from: DataType): Emit | undefined {
  if (to.bits === 64 || from.bits === 64) return undefined;
  const [signed, fromSigned] = [to.class === "signed", from.class === "signed"];
  const most = 2 ** (to.bits - (signed ? 1 : 0)) - 1;
  return (lanes) => {
    const { code } = lanes;
    lanes.pushView(lanes.operand(1), viewOf(from));
    if (fromSigned) code.words(signed ? -most - 1 : 0).op("i32x4.max_s");
    // Non-negative values compare alike as signed and unsigned.
    if (most < 0xffffffff) code.words(most).op(fromSigned ? "i32x4.min_s" : "i32x4.min_u");
    lanes.write32(lanes.operand(0), signed ? "s" : "u");
  };
}

function toWide(from: DataType): Emit {
  if (from.bits === 64) return on64(1);
  return (lanes) => {
    lanes.pushView(lanes.operand(1), viewOf(from));
    lanes.write32(lanes.operand(0), from.class === "signed" ? "s" : "u");
  };
}

/** Integers of up to 32 bits to floats, to nearest. */
function integerToFloat(to: DataType, from: DataType): Emit | undefined {
  const sign = from.class === "signed" ? "s" : "u";
  if (from.bits === 64) return wideToFloat(to, sign);
  if (to.name === "f32")
    return (lanes) => {
      lanes.pushView(lanes.operand(1), viewOf(from));
      lanes.code.op(`f32x4.convert_i32x4_${sign}`);
      // A wider register receives the bits zero-extended, whatever the source's sign.
      lanes.write32(lanes.operand(0), "u");
    };
  if (to.name !== "f64") return undefined;
  return (lanes) => {
    const { code } = lanes;
    const value = lanes.temporary("v128");
    lanes.pushView(lanes.operand(1), viewOf(from));
    code.set(value);
    for (const half of HALVES) {
      code.get(value);
      if (half === 1) code.get(value).shuffleWords([2, 3, 2, 3]);
      code.op(`f64x2.convert_low_i32x4_${sign}`);
      lanes.write64(lanes.operand(0), half);
    }
  };
}

/** Rounding instructions by modifier. The host's conversion then clamps to 32 bits; a NaN of f32 becomes 0. */
export const roundings = { rni: "f32x4.nearest", rzi: "f32x4.trunc", rmi: "f32x4.floor", rpi: "f32x4.ceil" } as const;

export type Rounding = keyof typeof roundings;

export function floatToInteger(
  mode: Rounding,
  to: DataType,
  ftz: boolean,
  push = (lanes: Lanes): void => lanes.pushFloat(lanes.operand(1)),
): Emit | undefined {
  if (to.bits !== 32) return undefined;
  return (lanes) => {
    push(lanes);
    if (ftz) flush(lanes);
    lanes.code.op(roundings[mode], `i32x4.trunc_sat_f32x4_${to.class === "signed" ? "s" : "u"}`);
    lanes.write32(lanes.operand(0), to.class === "signed" ? "s" : "u");
  };
}

/** f64 to an integer of 32 bits; a NaN becomes the top bit alone. */
function doubleToInteger(mode: Rounding, to: DataType): Emit | undefined {
  if (to.bits !== 32) return undefined;
  const sign = to.class === "signed" ? "s" : "u";
  const name = roundings[mode].replace("f32x4", "f64x2") as "f64x2.trunc";
  return (lanes) => {
    const { code } = lanes;
    const value = lanes.temporary("v128");
    code.words(-0x80000000);
    for (const half of HALVES) {
      lanes.push64(lanes.operand(1), half);
      code.op(name, `i32x4.trunc_sat_f64x2_${sign}_zero`);
    }
    code.shuffleWords([0, 1, 4, 5]);
    for (const half of HALVES) {
      lanes.push64(lanes.operand(1), half);
      code.tee(value).get(value).op("f64x2.ne");
    }
    code.shuffleWords([0, 2, 4, 6]).op("v128.bitselect");
    lanes.write32(lanes.operand(0), sign);
  };
}

/** f32 to f32: rounded to an integer, flushed, clamped to [0, 1]. Without any of these it is a copy, also of NaNs. */
const reshape = (mode: Rounding | undefined, ftz: boolean, sat: boolean): Emit => {
  if (mode === undefined && !ftz && !sat) return on32(1);
  return (lanes) => {
    lanes.pushFloat(lanes.operand(1));
    if (ftz) flush(lanes);
    if (mode !== undefined) lanes.code.op(roundings[mode]);
    if (sat) saturate(lanes);
    lanes.writeFloat(lanes.operand(0));
  };
};

/** Integers of 64 bits to floats, to nearest. */
function wideToFloat(to: DataType, sign: "s" | "u"): Emit | undefined {
  if (to.name === "f32") return narrowed(({ code }) => void code.op(`f32.convert_i64_${sign}`, "i32.reinterpret_f32"));
  return to.name === "f64"
    ? eachLane64(1, 0, ({ code }) => void code.op(`f64.convert_i64_${sign}`, "i64.reinterpret_f64"))
    : undefined;
}

/** f32 to f64; NaN payloads are kept as far as they fit, as the host does. */
const promote: Emit = (lanes) => {
  const { code } = lanes;
  const value = lanes.temporary("v128");
  lanes.push32(lanes.operand(1));
  code.set(value);
  for (const half of HALVES) {
    code.get(value);
    if (half === 1) code.get(value).shuffleWords([2, 3, 2, 3]);
    code.op("f64x2.promote_low_f32x4");
    lanes.write64(lanes.operand(0), half);
  }
};

const demote: Emit = (lanes) => {
  const { code } = lanes;
  for (const half of HALVES) {
    lanes.push64(lanes.operand(1), half);
    code.op("f32x4.demote_f64x2_zero");
  }
  code.shuffleWords([0, 1, 4, 5]);
  lanes.write32(lanes.operand(0));
};

const cvt: Lowering = (opcode) => {
  const [to, from] = typesOf(opcode);
  if (to === undefined || from === undefined || to.lanes !== 1 || from.lanes !== 1) return undefined;
  if (opcode.form.operands.length !== 2) return undefined;
  if (["rz", "rm", "rp", "rna", "relu", "satfinite"].some((text) => hasModifier(opcode, text))) return undefined;
  const [ftz, sat] = [hasModifier(opcode, "ftz"), hasModifier(opcode, "sat")];
  if (isInteger(from)) {
    if (sat) return isInteger(to) ? clamped(to, from) : undefined;
    if (isInteger(to)) return to.bits === 64 ? toWide(from) : toNarrow(to, from);
    return integerToFloat(to, from);
  }
  const modes = Object.keys(roundings) as Rounding[];
  const mode = modes.find((each) => hasModifier(opcode, each));
  // Values out of range are clamped in any case: .sat changes nothing.
  if (isInteger(to)) {
    if (from.name === "f32") return floatToInteger(mode ?? "rzi", to, ftz);
    return from.name === "f64" ? doubleToInteger(mode ?? "rzi", to) : undefined;
  }
  if (from.name === "f32" && to.name === "f32") return reshape(mode, ftz, sat);
  if (mode !== undefined || ftz || sat) return undefined;
  if (from.name === "f32" && to.name === "f64") return promote;
  return from.name === "f64" && to.name === "f32" ? demote : undefined;
};

// ------------------------------------------------------------------------------------------------------ parts of registers

/** mov.b64 d, {a, b} and mov.b32 d, {a, b}. */
const pack: Lowering = (opcode) => (lanes) => {
  const { code } = lanes;
  const [low, high] = elementsOf(lanes.operand(1)).map((element) => {
    const local = lanes.temporary("v128");
    lanes.push32(element);
    code.set(local);
    return local;
  }) as [number, number];
  if (typeOf(opcode)!.bits === 32) {
    code.get(low).words(0xffff).op("v128.and").get(high).i32(16).op("i32x4.shl", "v128.or");
    lanes.write32(lanes.operand(0));
    return;
  }
  for (const half of HALVES) {
    code
      .get(low)
      .get(high)
      .shuffleWords(half === 0 ? [0, 4, 1, 5] : [2, 6, 3, 7]);
    lanes.write64(lanes.operand(0), half);
  }
};

/** mov.b64 {a, b}, d and mov.b32 {a, b}, d; an element `_` is discarded. */
const unpack: Lowering = (opcode) => (lanes) => {
  const { code } = lanes;
  const isWide = typeOf(opcode)!.bits === 64;
  const source = lanes.operand(1);
  const halves = (isWide ? HALVES : ([0] as const)).map((half) => {
    const local = lanes.temporary("v128");
    if (isWide) lanes.push64(source, half);
    else lanes.push32(source);
    code.set(local);
    return local;
  });
  elementsOf(lanes.operand(0)).forEach((element, i) => {
    if (isWide)
      code
        .get(halves[0]!)
        .get(halves[1]!)
        .shuffleWords(i === 0 ? [0, 2, 4, 6] : [1, 3, 5, 7]);
    else {
      code.get(halves[0]!);
      if (i === 1) code.i32(16).op("i32x4.shr_u");
    }
    lanes.write32(element);
  });
};

export const moveLowerings: Lowerings = {
  mov,
  "mov.pack": pack,
  "mov.unpack": unpack,
  cvta,
  isspacep,
  cvt: firstOf(cvt, directedCvt),
};
