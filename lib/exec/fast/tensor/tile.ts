// A tile of sixteen rows and eight columns in generated code: decode.ts prepares the operands, row.ts multiplies them.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";
import { MIN_EXPONENT } from "./row.js";
import { REGISTER_BYTES, ROW_EXPONENTS, ROW_VALUES, SCRATCH, SLOT } from "./layout.table.js";

/** gather(to, from, p0 to p7): copies eight pieces of 16 bytes, at those offsets from `from`, to one register. */
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

/** Numbers of the functions that a tile calls, and of the type, counted from 0. */
export interface TileCalls {
  readonly decode: number;
  readonly turn: number;
  readonly row: number;
  readonly decodeB: number;
  readonly type: number;
}

/** Pushes a key of the operands' type and number of blocks; never 0. */
const pushKind = (code: CodeWriter, type: number, blocks: Local): CodeWriter =>
  code
    .get(blocks)
    .i32(2 * type)
    .op("i32.add");

/** Adds to `difference` the bits in which a register differs from its copy `offset` bytes after `kept`. */
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

/** Emits `step` for each register; those of the second block are skipped at run time if there is one block. */
function forRegisters(code: CodeWriter, perBlock: number, blocks: Local, step: (register: number) => void): void {
  for (let register = 0; register < 2 * perBlock; register++) {
    if (register === perBlock) code.get(blocks).i32(2).op("i32.eq").if();
    step(register);
  }
  code.op("end");
}

/** prepareA(base, r0, r1, r2, r3, blocks): decodes A from two registers for each block. Returns 1 if it cannot. */
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

/** decodeB(base, slot, b0, b1, blocks): decodes B to a slot. Returns 1 if it cannot. */
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

/** Parameters of `tile`; firstC and firstD are the first of four registers. */
const TILE = { base: 0, slot: 1, firstB: 2, blocks: 4, firstC: 5, firstD: 9 } as const;

/**
 * tile(base, slot, b0, b1, blocks, c0 to c3, d0 to d3): D = A B + C, of registers at those addresses. B is decoded unless the
 * slot caches it. Returns 1 and writes nothing if the unit refuses an operand (decode.ts).
 */
export function tileFunction(calls: TileCalls): CodeWriter {
  const code = new CodeWriter(new Array<"i32">(13).fill("i32"), ["i32"]);
  const { i, at } = code.named("i32", ["i", "at"]);
  const { c, magnitude, odd, difference } = code.named("v128", ["c", "magnitude", "odd", "difference"]);
  decodeNewB(code, calls, difference);
  copyC(code, i, { c, magnitude, odd });
  code.get(odd).op("v128.any_true").if().i32(1).op("return", "end");
  callRows(code, calls.row, i, at);
  return code.i32(0);
}

/** Decodes B unless the slot has the same bits of the same kind. Returns 1 from the tile if B cannot be decoded. */
function decodeNewB(code: CodeWriter, { decodeB, type }: TileCalls, difference: Local): void {
  const { base, slot, firstB, blocks } = TILE;
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
}

/** Emits a loop over a register in steps of 16 bytes from `i`, which must be 0. */
function forRegisterBytes(code: CodeWriter, i: Local, step: () => void): void {
  code.loop();
  step();
  code.get(i).i32(16).op("i32.add").tee(i).i32(REGISTER_BYTES).op("i32.lt_u").brIf(0).op("end");
}

/** Copies C, as D may be the same registers in another order. Sets `odd` if a number is not ordinary. */
function copyC(
  code: CodeWriter,
  i: Local,
  { c, magnitude, odd }: Readonly<Record<"c" | "magnitude" | "odd", Local>>,
): void {
  const { base, firstC } = TILE;
  forRegisterBytes(code, i, () => {
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
        .words((127 + MIN_EXPONENT) << 23)
        .op("i32x4.lt_s");
      code.get(magnitude).words(0).op("i32x4.ne", "v128.and");
      code.get(magnitude).words(0x7f7fffff).op("i32x4.gt_s", "v128.or").get(odd).op("v128.or").set(odd);
    }
  });
}

/** Computes rows 0 to 7 and 8 to 15 of D, two at a time. */
function callRows(code: CodeWriter, row: number, i: Local, at: Local): void {
  const { base, slot, blocks, firstD } = TILE;
  code.i32(0).set(i);
  forRegisterBytes(code, i, () => {
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
  });
}
