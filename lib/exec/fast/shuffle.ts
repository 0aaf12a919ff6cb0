// shfl.sync: PTX ISA 9.0 section 9.7.9.6. With constant operands it is a shuffle of vectors. With registers, the source lanes are
// computed four at a time, and their values are loaded from the frame one by one.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";
import { sourceOf } from "../meanings/collective.js";
import type { Program } from "../state/frame.js";
import { type EmitExchange, QUADS, storeFlag, storeLanes, wordOf } from "./exchange-lanes.js";
import { immediateOf } from "./lower/lowering.js";

const picked = (words: readonly number[]): [number, number, number, number] =>
  words as [number, number, number, number];

/** Undefined if only the meaning executes it. */
export function shuffle(program: Program, { opcode, operands }: Instruction): EmitExchange | undefined {
  const [target, source, lane, control] = operands;
  const [first, second] = target?.kind === "pair" ? [target.first, target.second] : [target, undefined];
  const [d, a] = [wordOf(program, first, 1), wordOf(program, source, 1)];
  const p = wordOf(program, second, 0);
  if (d === undefined || a === undefined) return undefined;
  if (second !== undefined && second.kind !== "sink" && p === undefined) return undefined;
  const mode = modifier(opcode, "mode")!;
  const [b, c] = [immediateOf(lane), immediateOf(control)];
  if (b !== undefined && c !== undefined) return byConstants(mode, a, b, c, d, p);
  const [pushB, pushC] = [pushOf(program, lane), pushOf(program, control)];
  return pushB && pushC && byRegisters(mode, a, pushB, pushC, d, p);
}

function byConstants(mode: string, a: number, b: number, c: number, d: number, p: number | undefined): EmitExchange {
  const lanes = Array.from({ length: 32 }, (_, lane) => ({ lane, ...sourceOf(mode, lane, b, c) }));
  const from = lanes.map(({ lane, from: other, valid }) => (valid ? other : lane));
  const inRange = lanes.reduce((bits, { lane, valid }) => (valid ? bits | (1 << lane) : bits), 0);
  return (code, locals) => {
    const { words, mask } = locals;
    const quads = QUADS.map((quad) => {
      const local = code.local("v128");
      code
        .get(words)
        .memory("v128.load", 4 * a + 16 * quad)
        .set(local);
      return local;
    });
    const results = QUADS.map((quad) => {
      const result = code.local("v128");
      const four = from.slice(4 * quad, 4 * quad + 4);
      // Merges in the lanes of one source quad after the other.
      const [begin, ...others] = [...new Set(four.map((lane) => lane >> 2))];
      const own = quads[begin!]!;
      code
        .get(own)
        .get(own)
        .shuffleWords(picked(four.map((lane) => lane & 3)));
      for (const other of others) {
        const picks = four.map((lane, i) => (lane >> 2 === other ? 4 + (lane & 3) : i));
        code.get(quads[other]!).shuffleWords(picked(picks));
      }
      code.set(result);
      return result;
    });
    storeLanes(code, locals, d, mask, results);
    if (p === undefined) return;
    code.i32(inRange);
    storeFlag(code, words, p, mask);
  };
}

type PushQuad = (code: CodeWriter, words: Local, quad: number) => void;

function pushOf(program: Program, operand: Operand | undefined): PushQuad | undefined {
  const constant = immediateOf(operand);
  if (constant !== undefined) return (code) => code.words(constant);
  const word = wordOf(program, operand, 1);
  return word === undefined
    ? undefined
    : (code, words, quad) => code.get(words).memory("v128.load", 4 * word + 16 * quad);
}

/** Vectors of four lanes: operands, the source lane, and whether it is within the segment (sourceOf). */
type QuadLocals = Readonly<Record<(typeof quadLocals)[number], Local>>;

const quadLocals = ["lane", "b", "c", "segment", "least", "most", "from", "valid"] as const;

const sources: Readonly<Record<string, (code: CodeWriter, quad: QuadLocals) => void>> = {
  up: (code, { lane, b }) => code.get(lane).get(b).op("i32x4.sub"),
  down: (code, { lane, b }) => code.get(lane).get(b).op("i32x4.add"),
  bfly: (code, { lane, b }) => code.get(lane).get(b).op("v128.xor"),
  idx: (code, { b, least }) => code.get(least).get(b).op("v128.or"),
};

function byRegisters(
  mode: string,
  a: number,
  pushB: PushQuad,
  pushC: PushQuad,
  d: number,
  p: number | undefined,
): EmitExchange {
  return (code, locals) => {
    const { words, mask } = locals;
    const vectors = code.named("v128", quadLocals);
    const inRange = code.local("i32");
    const results = QUADS.map(() => code.local("v128"));
    code.i32(0).set(inRange);
    for (const quad of QUADS) {
      code.v128(picked([0, 1, 2, 3].map((i) => 4 * quad + i))).set(vectors.lane);
      pushC(code, words, quad);
      limitSegment(code, vectors);
      pushB(code, words, quad);
      findSource(code, vectors, mode);
      fetchLanes(code, vectors, words, a);
      code.set(results[quad]!);
      if (p !== undefined) addFlags(code, vectors.valid, quad, inRange);
    }
    storeLanes(code, locals, d, mask, results);
    if (p === undefined) return;
    code.get(inRange);
    storeFlag(code, words, p, mask);
  };
}

/** Sets the segment mask and the first and last lane of each lane's segment from operand c on the stack. */
function limitSegment(code: CodeWriter, { lane, c, segment, least, most }: QuadLocals): void {
  code.tee(c).i32(8).op("i32x4.shr_u").words(31).op("v128.and").tee(segment);
  code.get(lane).op("v128.and").tee(least);
  code.get(c).words(31).op("v128.and").get(segment).op("v128.andnot", "v128.or").set(most);
}

/** Sets the source lane, and whether it is in range, from operand b on the stack. */
function findSource(code: CodeWriter, vectors: QuadLocals, mode: string): void {
  const { b, segment, most, from, valid } = vectors;
  code.words(31).op("v128.and");
  if (mode === "idx") code.get(segment).op("v128.andnot");
  code.set(b);
  sources[mode]!(code, vectors);
  code
    .tee(from)
    .get(most)
    .op(mode === "up" ? "i32x4.ge_s" : "i32x4.le_s")
    .set(valid);
}

/** Pushes register `a` of the source lanes; a lane whose source is out of range reads its own. */
function fetchLanes(code: CodeWriter, { lane, from, valid }: QuadLocals, words: Local, a: number): void {
  // Byte offsets from the frame's words.
  code.get(from).get(lane).get(valid).op("v128.bitselect").i32(2).op("i32x4.shl");
  code.get(words).op("i32x4.splat", "i32x4.add").set(from);
  code
    .get(from)
    .lane("i32x4.extract_lane", 0)
    .memory("v128.load32_splat", 4 * a);
  for (const i of [1, 2, 3])
    code
      .get(from)
      .lane("i32x4.extract_lane", i)
      .memory("i32.load", 4 * a)
      .lane("i32x4.replace_lane", i);
}

function addFlags(code: CodeWriter, valid: Local, quad: number, inRange: Local): void {
  code
    .get(valid)
    .op("i32x4.bitmask")
    .i32(4 * quad)
    .op("i32.shl")
    .get(inRange)
    .op("i32.or")
    .set(inRange);
}
