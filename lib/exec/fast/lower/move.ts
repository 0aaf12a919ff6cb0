// Moves and conversions: PTX ISA 9.0 sections 9.7.9.3 to 9.7.9.21.

import { FIRST_GLOBAL_HIGH, windowBase } from "../../../load/address-space.js";
import { modifier } from "../../../isa/opcode.js";
import type { DataType } from "../../../isa/types.table.js";
import { has, isInteger, typeOf, typesOf } from "../../meanings/meaning.js";
import { elementsOf, type Emit, HALVES, type Lowering, type Lowerings, on32, on64, viewOf } from "./lowering.js";

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

/** The window's high word is added or taken away; addresses of global memory are generic ones. */
const cvta: Lowering = (opcode) => {
  if (typeOf(opcode)?.bits !== 64) return undefined;
  if (has(opcode, "global")) return on64(1);
  const space = (["shared", "local", "const", "param"] as const).find((each) => has(opcode, each));
  if (space === undefined) return undefined;
  const change = BigInt(windowBase(space)) * (has(opcode, "to") ? -1n : 1n);
  return (lanes) => {
    for (const half of HALVES) {
      lanes.push64(lanes.operand(1), half);
      lanes.code.longs(change).op("i64x2.add");
      lanes.write64(lanes.operand(0), half);
    }
  };
};

const isspacep: Lowering = (opcode) =>
  has(opcode, "global")
    ? (lanes) => {
        const { code } = lanes;
        lanes.push64(lanes.operand(1), 0);
        lanes.push64(lanes.operand(1), 1);
        code.shuffleWords([1, 3, 5, 7]).words(FIRST_GLOBAL_HIGH).op("i32x4.ge_u");
        lanes.writePredicate(lanes.operand(0));
      }
    : undefined;

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
  if (from.bits === 64) return undefined;
  if (to.name === "f32")
    return (lanes) => {
      lanes.pushView(lanes.operand(1), viewOf(from));
      lanes.code.op(`f32x4.convert_i32x4_${sign}`);
      // Into a wider register its bits alone, whatever the source's sign.
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

/** Rounded, and clamped to 32 bits as the host does; a NaN of f32 becomes 0. */
const roundings = { rni: "f32x4.nearest", rzi: "f32x4.trunc", rmi: "f32x4.floor", rpi: "f32x4.ceil" } as const;

function floatToInteger(mode: keyof typeof roundings, to: DataType): Emit | undefined {
  if (to.bits !== 32) return undefined;
  return (lanes) => {
    lanes.pushFloat(lanes.operand(1));
    lanes.code.op(roundings[mode], `i32x4.trunc_sat_f32x4_${to.class === "signed" ? "s" : "u"}`);
    lanes.write32(lanes.operand(0), to.class === "signed" ? "s" : "u");
  };
}

/** Payloads of NaNs are kept as far as they fit, as the host does. */
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
  if (["sat", "ftz", "rz", "rm", "rp", "rna", "relu", "satfinite"].some((text) => has(opcode, text))) return undefined;
  if (isInteger(from)) {
    if (isInteger(to)) return to.bits === 64 ? toWide(from) : toNarrow(to, from);
    return integerToFloat(to, from);
  }
  const modes = Object.keys(roundings) as (keyof typeof roundings)[];
  const mode = modes.find((each) => has(opcode, each));
  if (isInteger(to)) return from.name === "f32" ? floatToInteger(mode ?? "rzi", to) : undefined;
  if (mode !== undefined) return undefined;
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

/** mov.b64 {a, b}, d and mov.b32 {a, b}, d; `_` is nobody. */
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

/** prmt by a constant that picks bytes and copies no signs. */
const prmt: Lowering = (opcode, { operands }) => {
  const selector = operands[3];
  if (modifier(opcode, "mode") !== undefined || selector?.kind !== "immediate") return undefined;
  const nibbles = [0, 1, 2, 3].map((i) => Number((selector.bits >> BigInt(4 * i)) & 15n));
  if (nibbles.some((nibble) => nibble > 7)) return undefined;
  const bytes = [0, 1, 2, 3].flatMap((lane) => nibbles.map((n) => (n < 4 ? 0 : 16) + 4 * lane + (n & 3)));
  return (lanes) => {
    lanes.push32(lanes.operand(1));
    lanes.push32(lanes.operand(2));
    lanes.code.shuffle(bytes);
    lanes.write32(lanes.operand(0));
  };
};

export const moveLowerings: Lowerings = { mov, "mov.pack": pack, "mov.unpack": unpack, cvta, isspacep, cvt, prmt };
