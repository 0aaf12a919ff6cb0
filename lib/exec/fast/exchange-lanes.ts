// Registers of all 32 lanes in the frame, as exchanges (exchange.ts) read and write them: 32 adjacent words, or the bits of one
// word.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import type { Operand } from "../../isa/instruction.js";
import type { Program } from "../state/frame.js";
import { CONTEXT } from "./context.table.js";

/** The context, the frame's words, and the lanes of the group. */
export interface ExchangeLocals {
  readonly context: Local;
  readonly words: Local;
  readonly mask: Local;
}

/** Emits code for the lanes of the group. */
export type EmitExchange = (code: CodeWriter, locals: ExchangeLocals) => void;

export const QUADS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The first word of a register whose elements have that stride: 1 for 32 bits, 0 for predicates. */
export function wordOf(program: Program, operand: Operand | undefined, stride: 0 | 1): number | undefined {
  if (operand?.kind !== "register" || operand.selector !== undefined) return undefined;
  const place = program.registerPlace(operand.register);
  if (place.stride !== stride || program.fn.code.registers[operand.register]!.vector !== 1) return undefined;
  return place.word;
}

/** Stores vectors (one for each four lanes, or one for all) for the lanes of `lanes`. */
export function storeLanes(
  code: CodeWriter,
  { context, words }: ExchangeLocals,
  word: number,
  lanes: Local,
  values: readonly Local[],
): void {
  const value = (quad: number): Local => values[values.length === 1 ? 0 : quad]!;
  code.get(lanes).i32(-1).op("i32.eq").if();
  for (const quad of QUADS)
    code
      .get(words)
      .get(value(quad))
      .memory("v128.store", 4 * word + 16 * quad);
  code.op("else");
  for (const quad of QUADS) {
    code
      .get(words)
      .get(value(quad))
      .get(words)
      .memory("v128.load", 4 * word + 16 * quad);
    pushFour(code, context, lanes, quad);
    code.op("v128.bitselect").memory("v128.store", 4 * word + 16 * quad);
  }
  code.op("end");
}

/** Pushes words of ones for those of four lanes that are in `lanes`. */
export function pushFour(code: CodeWriter, context: Local, lanes: Local, quad: number): void {
  code
    .get(lanes)
    .i32(4 * quad)
    .op("i32.shr_u")
    .i32(15)
    .op("i32.and");
  code.i32(4).op("i32.shl").get(context).op("i32.add").memory("v128.load", CONTEXT.masks);
}

/** Stores a predicate for some lanes, from their bits on the stack. */
export function storeFlag(code: CodeWriter, words: Local, word: number, lanes: Local): void {
  const bits = code.local("i32");
  code.get(lanes).op("i32.and").set(bits);
  code
    .get(words)
    .get(words)
    .memory("i32.load", 4 * word);
  code.get(lanes).i32(-1).op("i32.xor", "i32.and").get(bits).op("i32.or");
  code.memory("i32.store", 4 * word);
}
