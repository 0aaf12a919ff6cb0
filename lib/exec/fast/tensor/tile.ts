// A tile of sixteen rows and eight columns in generated code: exec/tensor/step.ts for four elements of D at a time. Products of
// 16-bit floats are exact in f32; scaled so that the last place kept is 1, they are cut to integers by a truncating conversion
// and added as such. Operands are prepared by decode.ts.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";
import { REGISTER_BYTES, ROW_EXPONENTS, ROW_VALUES, SCRATCH, SLOT } from "./layout.table.js";

/** Bits below the largest exponent that are kept of a term: CORE.half of cores.table.ts. */
export interface TileOptions {
  readonly alignmentBits: number;
  /** Whether the host has the conversion that does not look for what cannot be here. */
  readonly isRelaxed: boolean;
}

/** C below 2^-100 and beyond the finite numbers is left alone, so that scales stay inside the range of f32. */
const LEAST_EXPONENT = -100;

/**
 * row(valuesA, exponentsA, slot, blocks, even, odd, toEven, toOdd): eight elements of D. `even` and `odd` are four of C each; B is
 * in the slot, with eight rows a block.
 */
export function rowFunction({ alignmentBits, isRelaxed }: TileOptions): CodeWriter {
  const code = new CodeWriter(["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"], []);
  const [valuesA, exponentsA, slot, blocks, even, odd, toEven, toOdd] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const { left, at, b } = code.named("i32", ["left", "at", "b"]);
  const v = code.named("v128", ["largest", "splat"]);
  const c = [code.local("v128"), code.local("v128")];
  const scale = [code.local("v128"), code.local("v128")];
  const sum = [code.local("v128"), code.local("v128")];
  const exponent = [code.local("v128"), code.local("v128")];
  const cut = isRelaxed ? "i32x4.relaxed_trunc_f32x4_s" : "i32x4.trunc_sat_f32x4_s";
  const halves = ["low", "high"] as const;

  /** Around the eight rows of each block of B. */
  const forBlocks = (bytes: number, rowBytes: number, start: number, from: Local, step: (i: number) => void): void => {
    code.get(from).set(at).get(slot).i32(start).op("i32.add").set(b).get(blocks).set(left).loop();
    for (let i = 0; i < 8; i++) step(i);
    code
      .get(at)
      .i32(8 * bytes)
      .op("i32.add")
      .set(at);
    code
      .get(b)
      .i32(8 * rowBytes)
      .op("i32.add")
      .set(b);
    code.get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end");
  };

  [even, odd].forEach((from, i) => {
    code.get(from).memory("v128.load").tee(c[i]!).i32(23).op("i32x4.shr_u").words(255).op("v128.and");
    code.words(127).op("i32x4.sub");
  });
  code.op("i16x8.narrow_i32x4_s").set(v.largest);
  forBlocks(2, 16, SLOT.exponents, exponentsA, (i) => {
    code
      .get(at)
      .memory("v128.load16_splat", 2 * i)
      .get(b)
      .memory("v128.load", 16 * i)
      .op("i16x8.add");
    code.get(v.largest).op("i16x8.max_s").set(v.largest);
  });
  const least = (LEAST_EXPONENT & 0xffff) | (LEAST_EXPONENT << 16);
  code.get(v.largest).words(least).op("i16x8.max_s").set(v.largest);
  halves.forEach((half, i) => {
    code
      .words(127 + alignmentBits)
      .get(v.largest)
      .op(`i32x4.extend_${half}_i16x8_s`)
      .tee(exponent[i]!);
    code.op("i32x4.sub").i32(23).op("i32x4.shl").set(scale[i]!);
    code.words(0).set(sum[i]!);
  });
  forBlocks(4, 32, SLOT.values, valuesA, (i) => {
    code
      .get(at)
      .memory("v128.load32_splat", 4 * i)
      .set(v.splat);
    for (const part of [0, 1]) {
      code
        .get(b)
        .memory("v128.load", 32 * i + 16 * part)
        .get(v.splat)
        .op("f32x4.mul");
      code.get(scale[part]!).op("f32x4.mul", cut).get(sum[part]!).op("i32x4.add").set(sum[part]!);
    }
  });
  [toEven, toOdd].forEach((to, part) => {
    code.get(to);
    code.get(c[part]!).get(scale[part]!).op("f32x4.mul", cut).set(c[part]!);
    for (const half of halves) {
      // The sum of products may take all 32 bits: with c it is a double. 24 significant bits of it are kept.
      for (const [i, local] of [sum[part]!, c[part]!].entries()) {
        code.get(local);
        if (half === "high") code.get(local).shuffleWords([2, 3, 2, 3]);
        code.op("f64x2.convert_low_i32x4_s");
        if (i === 1) code.op("f64x2.add");
      }
      code.longs(-(1n << 29n)).op("v128.and");
      code
        .get(exponent[part]!)
        .op(`i64x2.extend_${half}_i32x4_s`)
        .longs(BigInt(1023 - alignmentBits))
        .op("i64x2.add");
      code.i32(52).op("i64x2.shl", "f64x2.mul", "f32x4.demote_f64x2_zero");
    }
    code.shuffleWords([0, 1, 4, 5]).memory("v128.store");
  });
  return code;
}

/** gather(to, from, p0 to p7): eight pieces of 16 bytes, at those offsets behind `from`, to one register. */
export function gatherFunction(): CodeWriter {
  const code = new CodeWriter(new Array<"i32">(10).fill("i32"), []);
  for (let piece = 0; piece < 8; piece++) {
    code
      .get(0)
      .get(1)
      .get(2 + piece)
      .op("i32.add");
    code.memory("v128.load").memory("v128.store", 16 * piece);
  }
  return code;
}

/** Numbers of the functions that a tile calls, and of the type, from 0. */
export interface TileCalls {
  readonly decode: number;
  readonly turn: number;
  readonly row: number;
  readonly decodeB: number;
  readonly type: number;
}

/** Pushes what tells factors of one type and number of blocks; never 0. */
const pushKind = (code: CodeWriter, type: number, blocks: Local): CodeWriter =>
  code
    .get(blocks)
    .i32(2 * type)
    .op("i32.add");

/** Collects in `difference` how a register's bits differ from those kept `offset` bytes behind `kept`. */
function compareRegister(code: CodeWriter, register: Local, kept: Local, offset: number, difference: Local): void {
  code.get(difference);
  for (let i = 0; i < REGISTER_BYTES; i += 16) {
    code.get(register).memory("v128.load", i).get(kept);
    code.memory("v128.load", offset + i).op("v128.xor", "v128.or");
  }
  code.set(difference);
}

function keepRegister(code: CodeWriter, register: Local, kept: Local, offset: number): void {
  for (let i = 0; i < REGISTER_BYTES; i += 16)
    code
      .get(kept)
      .get(register)
      .memory("v128.load", i)
      .memory("v128.store", offset + i);
}

/** Around the step for each register, those of the second block where there are two. */
function forRegisters(code: CodeWriter, perBlock: number, blocks: Local, step: (register: number) => void): void {
  for (let register = 0; register < 2 * perBlock; register++) {
    if (register === perBlock) code.get(blocks).i32(2).op("i32.eq").if();
    step(register);
  }
  code.op("end");
}

/** prepareA(base, r0, r1, r2, r3, blocks): decodes A from two registers, or four where there are two blocks; 1 where it cannot. */
export function prepareFunction({ decode, type }: TileCalls): CodeWriter {
  const code = new CodeWriter(["i32", "i32", "i32", "i32", "i32", "i32"], ["i32"]);
  const [base, blocks] = [0, 5] as const;
  const { g, values, exponents, isOdd } = code.named("i32", ["g", "values", "exponents", "isOdd"]);
  const difference = code.local("v128");
  const kept = (register: number): number => SCRATCH.bitsA + REGISTER_BYTES * register;
  pushKind(code, type, blocks).get(base).memory("i32.load", SCRATCH.kindA).op("i32.eq").if();
  forRegisters(code, 2, blocks, (register) => compareRegister(code, 1 + register, base, kept(register), difference));
  code.get(difference).op("v128.any_true", "i32.eqz").if().i32(0).op("return", "end", "end");
  code.loop();
  code
    .get(base)
    .get(g)
    .i32(ROW_VALUES / 16)
    .op("i32.mul", "i32.add")
    .set(values);
  code
    .get(base)
    .get(g)
    .i32(ROW_EXPONENTS / 16)
    .op("i32.mul", "i32.add")
    .set(exponents);
  forRegisters(code, 2, blocks, (register) => {
    const [half, block] = [register & 1, register >> 1];
    code
      .get(1 + register)
      .get(g)
      .op("i32.add");
    code
      .get(values)
      .i32(SCRATCH.valuesA + 8 * half * ROW_VALUES + 32 * block)
      .op("i32.add");
    code
      .get(exponents)
      .i32(SCRATCH.exponentsA + 8 * half * ROW_EXPONENTS + 16 * block)
      .op("i32.add");
    code.call(decode).get(isOdd).op("i32.or").set(isOdd);
  });
  code.get(g).i32(16).op("i32.add").tee(g).i32(REGISTER_BYTES).op("i32.lt_u").brIf(0).op("end");
  // Special values are not cached.
  code.get(base);
  pushKind(code, type, blocks).get(isOdd).op("i32.eqz", "i32.mul").memory("i32.store", SCRATCH.kindA);
  forRegisters(code, 2, blocks, (register) => keepRegister(code, 1 + register, base, kept(register)));
  return code.get(isOdd);
}

/** decodeB(base, slot, b0, b1, blocks): B to a slot; 1 where it cannot. */
export function decodeBFunction({ decode, turn, type }: TileCalls): CodeWriter {
  const code = new CodeWriter(["i32", "i32", "i32", "i32", "i32"], ["i32"]);
  const [base, slot, firstB, blocks] = [0, 1, 2, 4] as const;
  const isOdd = code.local("i32");
  const behind = (start: Local, offset: number): CodeWriter => code.get(start).i32(offset).op("i32.add");
  forRegisters(code, 1, blocks, (block) => {
    code.get(firstB + block);
    behind(base, SCRATCH.turned).call(turn);
    for (let k = 0; k < 8; k++) {
      behind(base, SCRATCH.turned + 16 * k);
      behind(slot, SLOT.values + 32 * (8 * block + k));
      behind(slot, SLOT.exponents + 16 * (8 * block + k)).call(decode);
      code.get(isOdd).op("i32.or").set(isOdd);
    }
    keepRegister(code, firstB + block, slot, SLOT.bits + REGISTER_BYTES * block);
  });
  code.get(slot);
  pushKind(code, type, blocks).get(isOdd).op("i32.eqz", "i32.mul").memory("i32.store", SLOT.kind);
  return code.get(isOdd);
}

/**
 * tile(base, slot, b0, b1, blocks, c0 to c3, d0 to d3): D = A B + C, of registers at those addresses; 1 where an operand is no ordinary
 * number, and nothing is written. B is decoded into the slot unless it is there.
 */
export function tileFunction({ row, decodeB, type }: TileCalls): CodeWriter {
  const code = new CodeWriter(new Array<"i32">(13).fill("i32"), ["i32"]);
  const [base, slot, firstB, blocks, firstC, firstD] = [0, 1, 2, 4, 5, 9] as const;
  const { i, at } = code.named("i32", ["i", "at"]);
  const { c, magnitude, odd, difference } = code.named("v128", ["c", "magnitude", "odd", "difference"]);
  forRegisters(code, 1, blocks, (block) =>
    compareRegister(code, firstB + block, slot, SLOT.bits + REGISTER_BYTES * block, difference),
  );
  pushKind(code, type, blocks).get(slot).memory("i32.load", SLOT.kind).op("i32.ne");
  code.get(difference).op("v128.any_true", "i32.or").if();
  code
    .get(base)
    .get(slot)
    .get(firstB)
    .get(firstB + 1)
    .get(blocks);
  code.call(decodeB).if().i32(1).op("return", "end", "end");
  // C is copied: D may be the same registers in another order.
  code.loop();
  for (let register = 0; register < 4; register++) {
    code
      .get(base)
      .get(i)
      .op("i32.add")
      .get(firstC + register)
      .get(i)
      .op("i32.add")
      .memory("v128.load")
      .tee(c);
    code.memory("v128.store", SCRATCH.sums + REGISTER_BYTES * register);
    code
      .get(c)
      .words(0x7fffffff)
      .op("v128.and")
      .tee(magnitude)
      .words((127 + LEAST_EXPONENT) << 23)
      .op("i32x4.lt_s");
    code.get(magnitude).words(0).op("i32x4.ne", "v128.and");
    code.get(magnitude).words(0x7f7fffff).op("i32x4.gt_s", "v128.or").get(odd).op("v128.or").set(odd);
  }
  code.get(i).i32(16).op("i32.add").tee(i).i32(REGISTER_BYTES).op("i32.lt_u").brIf(0).op("end");
  code.get(odd).op("v128.any_true").if().i32(1).op("return", "end");
  code.i32(0).set(i).loop();
  code.get(base).get(i).op("i32.add").set(at);
  for (const half of [0, 1]) {
    code
      .get(base)
      .get(i)
      .i32(ROW_VALUES / 16)
      .op("i32.mul", "i32.add");
    code.i32(SCRATCH.valuesA + 8 * half * ROW_VALUES).op("i32.add");
    code
      .get(base)
      .get(i)
      .i32(ROW_EXPONENTS / 16)
      .op("i32.mul", "i32.add");
    code
      .i32(SCRATCH.exponentsA + 8 * half * ROW_EXPONENTS)
      .op("i32.add")
      .get(slot)
      .get(blocks);
    for (const odd of [0, 1])
      code
        .get(at)
        .i32(SCRATCH.sums + REGISTER_BYTES * (2 * half + odd))
        .op("i32.add");
    for (const odd of [0, 1])
      code
        .get(firstD + 2 * half + odd)
        .get(i)
        .op("i32.add");
    code.call(row);
  }
  code.get(i).i32(16).op("i32.add").tee(i).i32(REGISTER_BYTES).op("i32.lt_u").brIf(0).op("end");
  return code.i32(0);
}
