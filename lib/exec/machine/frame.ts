// Registers of one call of a function by a group of lanes, and their layout in memory. The 32 values of a warp are adjacent
// ("lane-contiguous"), so that an instruction is one loop over neighbouring words:
//
//   predicate            1 word, a bit for each lane
//   up to 32 bits        32 words; the upper bits of 8- and 16-bit registers are unspecified, readers extend them
//   64 bits              32 pairs of words, low word first: two words and one BigInt64 or Float64 element at once
//   128 bits             32 quadruples of words
//
// A header (frame-header.table.ts) precedes the registers. Constants of the code (immediates, addresses of symbols) have places
// of their own after the registers, filled once per frame, so that an instruction reads every operand the same way. Places are
// word indices.
//
// The words are in the process's arena (load/arena.ts) if there is one, where generated code can access them.
//
// Bits move through `words` only: a signalling NaN copied through a Float32Array comes out quiet.

import { allocateBytes } from "../../load/arena.js";
import { HEADER } from "./frame-header.table.js";
import type { Program, Frame, ResultCopy } from "../state/frame.js";
import type { Warp } from "../state/warp.js";

/** A call whose frame is about to run its first instruction. */
export interface Call {
  readonly parent: Frame | undefined;
  readonly returnPc: number;
  readonly results: readonly ResultCopy[];
  /** `results` for generated code: the address of their record, or 0. */
  readonly link: number;
  readonly localBase: number;
  readonly lanes: number;
}

/** Takes a frame of `warp` for a call: a used one if there is one, with registers zero and constants in place. */
export function takeFrame(program: Program, warp: Warp, call: Call): Frame {
  const used = program.pool.pop() ?? program.fast?.takeSpare();
  const frame = used ?? createFrame(program, warp);
  const { words } = frame;
  if (used === undefined || program.needsImage) words.set(program.image);
  const { parent, returnPc, results, link, localBase, lanes } = call;
  frame.warp = warp;
  frame.parent = parent;
  frame.returnPc = returnPc;
  frame.results = results;
  frame.localBase = localBase;
  frame.depth = parent === undefined ? 0 : parent.depth + 1;
  words[HEADER.localBase >> 2] = localBase;
  words[HEADER.depth >> 2] = frame.depth;
  words[HEADER.returnPc >> 2] = returnPc;
  words[HEADER.parent >> 2] = Math.max(0, parent?.offset ?? 0);
  words[HEADER.link >> 2] = link;
  words[HEADER.fn >> 2] = program.fast?.record ?? 0;
  words[HEADER.isNew >> 2] = 0;
  setLocalTop(frame, localBase + program.frameBytes);
  setLive(frame, lanes);
  warp.block.launch.sanitizer?.beginFrame(frame, lanes);
  return frame;
}

export function setLocalTop(frame: Frame, top: number): void {
  frame.localTop = top;
  frame.words[HEADER.localTop >> 2] = top;
}

/** Sets the lanes that have not returned. */
export function setLive({ words }: Frame, lanes: number): void {
  words[HEADER.live >> 2] = lanes;
}

/** Removes lanes that return or exit from a frame. With the last of them, the frame goes back to its pool. */
export function leaveFrame(frame: Frame, lanes: number): void {
  if (frame.shadow !== undefined) frame.warp.block.launch.sanitizer?.leaveFrame(frame, lanes);
  if ((frame.words[HEADER.live >> 2]! &= ~lanes) === 0) releaseFrame(frame);
}

/** The bytes of one lane's value at a place; not for predicates, which have a bit per lane. */
export function bytesAt({ words }: Frame, word: number, bytes: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + 4 * word, bytes);
}

/** Frees these frames and their callers, after a fault has ended the launch. */
export function abandonFrames(frames: readonly Frame[]): void {
  const all = new Set<Frame>();
  for (const inner of frames)
    for (let frame: Frame | undefined = inner; frame !== undefined && !all.has(frame); frame = frame.parent)
      all.add(frame);
  for (const frame of all) {
    setLive(frame, 0);
    releaseFrame(frame);
  }
}

/** Returns a frame to its pool once no lane is in it. */
function releaseFrame(frame: Frame): void {
  frame.parent = undefined;
  frame.program.pool.push(frame);
}

function createFrame(program: Program, warp: Warp): Frame {
  const { bytes, offset } = allocateBytes(warp.block.launch.process.memory.arena, program.image.byteLength);
  const { buffer, byteOffset, byteLength } = bytes;
  const [words, longs] = [byteLength / 4, byteLength / 8];
  const frame: Frame = {
    program,
    words: new Int32Array(buffer, byteOffset, words),
    unsigned: new Uint32Array(buffer, byteOffset, words),
    floats: new Float32Array(buffer, byteOffset, words),
    doubles: new Float64Array(buffer, byteOffset, longs),
    longs: new BigInt64Array(buffer, byteOffset, longs),
    ulongs: new BigUint64Array(buffer, byteOffset, longs),
    offset,
    warp,
    parent: undefined,
    returnPc: 0,
    results: [],
    localBase: 0,
    localTop: 0,
    depth: 0,
    shadow: undefined,
  };
  if (offset >= 0) program.frames.set(offset, frame);
  return frame;
}
