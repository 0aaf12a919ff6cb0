// Registers of one call of a function by a group of lanes, and their layout in memory. The 32 values of a warp are adjacent
// ("lane-contiguous"), so that an instruction is one loop over neighbouring words:
//
//   predicate            1 word, a bit for each lane
//   up to 32 bits        32 words; the upper bits of 8- and 16-bit registers are unspecified, readers extend them
//   64 bits              32 pairs of words, low word first: two words and one BigInt64 or Float64 element at once
//   128 bits             32 quadruples of words
//
// In front of the registers is a header (frame-header.table.ts). Constants of the code (immediates, addresses of symbols) have places of their own behind the registers, filled once per
// frame, so that an instruction reads every operand the same way. Places are word indices.
//
// The words lie in the process's arena (load/arena.ts) where there is one, so that generated code reaches them.
//
// Bits move through `words` only: a signalling NaN copied through a Float32Array comes out quiet.

import { takeBytes } from "../load/arena.js";
import type { LoadedFunction } from "../load/process.js";
import type { FastUnit } from "./fast/fast-engine.js";
import { HEADER } from "./frame-header.table.js";
import type { Place } from "./lanes.js";
import type { SharedPlace } from "./module-registers.js";
import type { RegisterShadow } from "./sanitize/register-shadow.js";
import type { Step } from "./step.js";
import type { Warp } from "./warp.js";

/** The data that all frames of a function share. */
export interface Program {
  readonly fn: LoadedFunction;
  /** Whether it is for launches with clusters, where addresses of shared variables have the block's rank. */
  readonly isClustered: boolean;
  readonly steps: readonly Step[];
  /** Initial content of the words: zeros, and the constants. */
  readonly image: Int32Array;
  /** The carry flag, if an instruction uses it. */
  readonly carry: Place | undefined;
  /** Byte offset of each frame variable from the frame's base in local memory; -1 for those in registers. */
  readonly variableOffsets: readonly number[];
  /** By variable: the register that holds it; undefined for those that are elsewhere. */
  readonly promoted: readonly (number | undefined)[];
  readonly registerCount: number;
  /** Where a register is. */
  readonly registerPlace: (register: number, selector?: string) => Place;
  /** Bytes of local memory that a frame needs. */
  readonly frameBytes: number;
  /** Registers of the module that it uses: PTX before 3.0. */
  readonly shared: readonly SharedPlace[];
  /** Frames that are not in use now; generated code keeps others of its own. */
  readonly pool: Frame[];
  /** All frames of the process in the arena, by their address. */
  readonly frames: Map<number, Frame>;
  /** Whether a frame that was used must have its initial content again; not where every register is written first. */
  needsImage: boolean;
  /** Its generated code, after the first use; null where it has none. */
  fast: FastUnit | null | undefined;
  /** Where launches are sanitized: the bits of a new frame that nothing has written. */
  readonly undefinedImage?: Int32Array;
}

export interface Frame {
  readonly program: Program;
  readonly words: Int32Array;
  readonly unsigned: Uint32Array;
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
  readonly longs: BigInt64Array;
  readonly ulongs: BigUint64Array;
  /** Byte offset of the words in the arena; -1: not there. */
  readonly offset: number;
  warp: Warp;
  /** The caller's frame, and the pc at which its lanes resume; undefined for a kernel. */
  parent: Frame | undefined;
  returnPc: number;
  /** Where formal returns go in the caller's frame. */
  results: readonly ResultCopy[];
  /** Byte offset of this frame's variables in each lane's local memory, and the first byte behind them. */
  localBase: number;
  localTop: number;
  /** Calls below this one. */
  depth: number;
  /** The sanitizer's shadow of its registers. */
  shadow: RegisterShadow | undefined;
}

/** A call, of which a frame is about to run the first instruction. */
export interface Call {
  readonly parent: Frame | undefined;
  readonly returnPc: number;
  readonly results: readonly ResultCopy[];
  /** The same for generated code: an address, or 0. */
  readonly link: number;
  readonly localBase: number;
  readonly lanes: number;
}

/** A copy from a callee's formal return to where the caller wants it. */
export interface ResultCopy {
  /** Index of the callee's frame variable. */
  readonly variable: number;
  /** Copies it for the lanes in `mask`; both frames are alive. */
  readonly copy: (callee: Frame, caller: Frame, mask: number) => void;
}

/** A frame of `warp` for a call, one used before when there is one, with registers zero and constants in place. */
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

/** The lanes that have not returned. */
export function setLive({ words }: Frame, lanes: number): void {
  words[HEADER.live >> 2] = lanes;
}

/** Lanes leave a frame by returning or exiting; the frame goes back to its pool with the last of them. */
export function leaveFrame(frame: Frame, lanes: number): void {
  if (frame.shadow !== undefined) frame.warp.block.launch.sanitizer?.leaveFrame(frame, lanes);
  if ((frame.words[HEADER.live >> 2]! &= ~lanes) === 0) releaseFrame(frame);
}

/** The bytes of one lane's value at a place; not for predicates, which have a bit. */
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

/** Gives a frame back once no lane is in it. */
function releaseFrame(frame: Frame): void {
  frame.parent = undefined;
  frame.program.pool.push(frame);
}

function createFrame(program: Program, warp: Warp): Frame {
  const { bytes, offset } = takeBytes(warp.block.launch.process.memory.arena, program.image.byteLength);
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
