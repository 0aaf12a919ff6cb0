// Exchanges among all 32 lanes of a warp: PTX ISA 9.0 sections 9.7.9.6 (shfl.sync), 9.7.13.2 (bar.warp.sync) and 9.7.13.11
// (vote.sync). Registers' words lie lane beside lane in the frame, so that a shuffle by constants is one of vectors.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";
import type { Program } from "../frame.js";
import { has } from "../meanings/meaning.js";
import { sourceOf } from "../meanings/collective.js";
import { immediateOf } from "./lower/lowering.js";

/** Code for all lanes; `words` is the address of the frame's words. */
export type EmitExchange = (code: CodeWriter, words: Local) => void;

const QUADS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const picked = (words: readonly number[]): [number, number, number, number] =>
  words as [number, number, number, number];

/** Undefined where only the meaning executes it. */
export function exchangeOf(program: Program, instruction: Instruction): EmitExchange | undefined {
  const { form } = instruction.opcode;
  if (form.id === "shfl.sync") return shuffle(program, instruction);
  // Whoever stores and loads around it is in other blocks.
  if (form.id === "bar.warp.sync") return () => undefined;
  return form.opcode === "vote" ? vote(program, instruction) : undefined;
}

/** The first word of a register whose elements have that stride: 1 for 32 bits, 0 for predicates. */
function wordOf(program: Program, operand: Operand | undefined, stride: 0 | 1): number | undefined {
  if (operand?.kind !== "register" || operand.selector !== undefined) return undefined;
  const place = program.registerPlace(operand.register);
  if (place.stride !== stride || program.fn.code.registers[operand.register]!.vector !== 1) return undefined;
  return place.word;
}

function shuffle(program: Program, { opcode, operands }: Instruction): EmitExchange | undefined {
  const [target, source] = operands;
  const [first, second] = target?.kind === "pair" ? [target.first, target.second] : [target, undefined];
  const [d, a] = [wordOf(program, first, 1), wordOf(program, source, 1)];
  const p = wordOf(program, second, 0);
  const [b, c] = [immediateOf(operands[2]), immediateOf(operands[3])];
  if (d === undefined || a === undefined || b === undefined || c === undefined) return undefined;
  if (second !== undefined && second.kind !== "sink" && p === undefined) return undefined;
  const lanes = Array.from({ length: 32 }, (_, lane) => ({
    lane,
    ...sourceOf(modifier(opcode, "mode")!, lane, b, c),
  }));
  const from = lanes.map(({ lane, from: other, valid }) => (valid ? other : lane));
  const inRange = lanes.reduce((bits, { lane, valid }) => (valid ? bits | (1 << lane) : bits), 0);
  return (code, words) => {
    const quads = QUADS.map((quad) => {
      const local = code.local("v128");
      code
        .get(words)
        .memory("v128.load", 4 * a + 16 * quad)
        .set(local);
      return local;
    });
    for (const quad of QUADS) {
      const four = from.slice(4 * quad, 4 * quad + 4);
      // One quad after the other gives its lanes to those that read from it.
      const [begin, ...others] = [...new Set(four.map((lane) => lane >> 2))];
      const own = quads[begin!]!;
      code
        .get(words)
        .get(own)
        .get(own)
        .shuffleWords(picked(four.map((lane) => lane & 3)));
      for (const other of others) {
        const picks = four.map((lane, i) => (lane >> 2 === other ? 4 + (lane & 3) : i));
        code.get(quads[other]!).shuffleWords(picked(picks));
      }
      code.memory("v128.store", 4 * d + 16 * quad);
    }
    if (p !== undefined)
      code
        .get(words)
        .i32(inRange)
        .memory("i32.store", 4 * p);
  };
}

function vote(program: Program, { opcode, operands }: Instruction): EmitExchange | undefined {
  const [target, source] = operands;
  const isBallot = has(opcode, "ballot");
  const [d, a] = [wordOf(program, target, isBallot ? 1 : 0), wordOf(program, source, 0)];
  if (d === undefined || a === undefined || source?.kind !== "register") return undefined;
  const mode = modifier(opcode, "mode");
  return (code, words) => {
    const yes = code.local("i32");
    code.get(words).memory("i32.load", 4 * a);
    if (source.negated === true) code.i32(-1).op("i32.xor");
    code.set(yes);
    if (isBallot) {
      for (const quad of QUADS)
        code
          .get(words)
          .get(yes)
          .op("i32x4.splat")
          .memory("v128.store", 4 * d + 16 * quad);
      return;
    }
    // All ones where it holds.
    code.get(words).i32(0).get(yes);
    if (mode === "any") code.i32(0).op("i32.ne");
    else code.i32(-1).op("i32.eq");
    if (mode === "uni") code.get(yes).op("i32.eqz", "i32.or");
    code.op("i32.sub").memory("i32.store", 4 * d);
  };
}
