// Checks of the sanitizer's screening pass in generated code: before a load, store or atomic operation, four lanes at a time.
// They compare the address with the object that it derives from, and record who accessed each cell of memory. A failed check
// calls the host, which abandons the pass. Checks may fail for correct programs, never the reverse (sanitize/screening.ts).
//
// A cell is the unit of the smallest access to its memory. A word per cell and kind of access:
//
//   shared memory   epoch << 11 | thread of the block; the epoch counts barriers and blocks. An entry of an earlier epoch is
//                   ordered before the access; one from before the block's first epoch means that nothing has written the cell
//   global memory   thread of the grid, counted from 1; 0: none. Nothing orders accesses of different threads

import { CodeWriter, encodeModule, type Local } from "../../../formats/wasm/index.js";
import type { LoadedFunction } from "../../load/process.js";
import { CONTEXT } from "./context.table.js";
import { HOST_IMPORTS, IMPORTED } from "./helpers.js";
import { MEMORY_IMPORT } from "./driver.js";
import type { Lanes } from "./lanes.js";
import { forSetLanes } from "./set-lanes.js";

/** What generated code checks before an access. */
export interface AccessCheck {
  /** "bounds": no thread of the launch writes the memory, or all access it by atomic operations. */
  readonly races: "bounds" | "shared" | "global";
  readonly access: "read" | "write" | "atomic";
  readonly isShared: boolean;
  /** Bytes of a lane's access. */
  readonly bytes: number;
  readonly cellShift: number;
  /** Whether reads of the memory are recorded, too. */
  readonly tracksReads: boolean;
  /** The values read are pointers if their upper words are in this range; then the check fails. */
  readonly pointers: { readonly from: number; readonly count: number } | undefined;
  /** Address of the check's entry, which each launch fills in. */
  readonly entry: number;
}

/** The check of an instruction of a function; undefined where there is none. */
export type CheckAt = (fn: LoadedFunction, pc: number) => AccessCheck | undefined;

/**
 * An entry: offset of the object in its memory and its size, bytes; where the memory begins in the arena (global memory); where
 * the words of writes and reads begin.
 */
export const CHECK = { low: 0, size: 4, base: 8, writes: 12, reads: 16 } as const;
export const CHECK_BYTES = 32;

/** Bits of a thread number in a block. SEVERAL and ATOMIC follow the 1024 threads. */
export const THREAD_BITS = 11;
const SEVERAL = 1024;
const ATOMIC = 1025;
/** The same for global memory, whose entries are thread numbers of the grid. */
const SEVERAL_OF_GRID = -1;
const ATOMIC_OF_GRID = -2;
/** Largest epoch that a word can hold. */
export const MAX_EPOCHS = 2 ** (32 - THREAD_BITS) - 1;
/** Bits of the thread's number in its block, within a grid-wide thread number that counts from 1. */
export const GRID_THREAD_BITS = 10;

const suspect = (code: CodeWriter): CodeWriter => code.if().call(IMPORTED.suspect).op("end");

const cellsOf = ({ bytes, cellShift }: AccessCheck): number => bytes >> cellShift;

/** Fails unless `count` bytes at `at`, an offset in the memory, are the object's. */
function checkBounds(code: CodeWriter, entry: Local, at: Local, count: number): void {
  const field = (offset: number): CodeWriter => code.get(entry).memory("i32.load", offset);
  // Two comparisons: the sum of both could overflow.
  code.get(at);
  field(CHECK.low).op("i32.sub");
  field(CHECK.size).op("i32.ge_u");
  field(CHECK.size).get(at);
  field(CHECK.low).op("i32.sub", "i32.sub").i32(count).op("i32.lt_u", "i32.or");
  suspect(code);
}

/** Words that checks of shared memory compare with: the first of the current epoch, and the first of the block's first epoch. */
interface Epochs {
  readonly now: Local;
  readonly start: Local;
}

function loadEpochs(code: CodeWriter, context: Local): Epochs {
  const [now, start] = [code.local("i32"), code.local("i32")];
  code.get(context).memory("i32.load", CONTEXT.epoch).i32(THREAD_BITS).op("i32.shl").set(now);
  code.get(context).memory("i32.load", CONTEXT.blockEpoch).i32(THREAD_BITS).op("i32.shl").set(start);
  return { now, start };
}

/** Sets locals to the addresses of the words of the access's first cell. */
function locateCells(code: CodeWriter, check: AccessCheck, entry: Local, at: Local): readonly [Local, Local] {
  const [writes, reads] = [code.local("i32"), code.local("i32")];
  code.get(at).i32(check.cellShift).op("i32.shr_u").i32(2).op("i32.shl").tee(reads);
  code.get(entry).memory("i32.load", CHECK.writes).op("i32.add").set(writes);
  code.get(entry).memory("i32.load", CHECK.reads).get(reads).op("i32.add").set(reads);
  return [writes, reads];
}

/**
 * check(context, entry, offset in the memory, word of the thread): checks one lane. `isSeveral`: four lanes read the same bytes.
 */
function laneCheck(check: AccessCheck, isSeveral: boolean): CodeWriter {
  const code = new CodeWriter(["i32", "i32", "i32", "i32"]);
  const [context, entry, at, own] = [0, 1, 2, 3] as const;
  checkBounds(code, entry, at, check.bytes);
  if (check.races === "bounds") return code;
  const [writes, reads] = locateCells(code, check, entry, at);
  const [write, read] = [code.local("i32"), code.local("i32")];
  const epochs = check.races === "shared" ? loadEpochs(code, context) : undefined;
  /** Pushes whether an entry is another thread's and not ordered before the access. */
  const isOther = (word: Local): void => {
    if (epochs === undefined) code.get(word).i32(0).op("i32.ne");
    else code.get(word).get(epochs.now).op("i32.ge_u");
    if (check.access === "atomic" && word === write) pushAtomic(code, epochs);
    else if (isSeveral || check.access === "atomic") return;
    else code.get(own);
    code.get(word).op("i32.ne", "i32.and");
  };
  for (let cell = 0; cell < cellsOf(check); cell++) {
    code
      .get(writes)
      .memory("i32.load", 4 * cell)
      .set(write);
    isOther(write);
    if (epochs !== undefined && check.access !== "write") code.get(write).get(epochs.start).op("i32.lt_u", "i32.or");
    suspect(code);
    if (check.tracksReads) {
      code
        .get(reads)
        .memory("i32.load", 4 * cell)
        .set(read);
      if (check.access === "read") {
        code.get(reads);
        pushReader(code, check, epochs, read, own, isSeveral);
        code.memory("i32.store", 4 * cell);
      } else {
        isOther(read);
        suspect(code);
      }
    }
    if (check.access === "read") continue;
    code.get(writes);
    if (check.access === "atomic") pushAtomic(code, epochs);
    else code.get(own);
    code.memory("i32.store", 4 * cell);
  }
  return code;
}

function pushAtomic(code: CodeWriter, epochs: Epochs | undefined): void {
  if (epochs === undefined) code.i32(ATOMIC_OF_GRID);
  else code.get(epochs.now).i32(ATOMIC).op("i32.or");
}

/** Pushes the word of a cell's readers after a read by `own`. */
function pushReader(
  code: CodeWriter,
  { races }: AccessCheck,
  epochs: Epochs | undefined,
  read: Local,
  own: Local,
  isSeveral: boolean,
): void {
  const pushSeveral = (): void => {
    if (epochs === undefined) code.i32(SEVERAL_OF_GRID);
    else code.get(epochs.now).i32(SEVERAL).op("i32.or");
  };
  if (isSeveral) {
    pushSeveral();
    return;
  }
  code.get(own);
  pushSeveral();
  code.get(read).get(own).op("i32.eq");
  if (races === "global") code.get(read).op("i32.eqz", "i32.or");
  else code.get(read).get(epochs!.now).op("i32.lt_u", "i32.or");
  code.op("select");
}

/** Pushes the thread word of lane `first`: its thread number in the block with the epoch, or in the grid. */
function pushThread(code: CodeWriter, { races }: AccessCheck, context: Local, first: Local): CodeWriter {
  code.get(context).memory("i32.load", CONTEXT.warpid).i32(5).op("i32.shl").get(first).op("i32.add");
  if (races === "shared")
    return code.get(context).memory("i32.load", CONTEXT.epoch).i32(THREAD_BITS).op("i32.shl", "i32.or");
  code.get(context).memory("i32.load", CONTEXT.number).i32(GRID_THREAD_BITS).op("i32.shl", "i32.or");
  return code.i32(1).op("i32.add");
}

/** State while a check of adjacent lanes is emitted. Each vector describes four cells. */
interface AdjacentCode extends Readonly<Record<(typeof adjacentVectors)[number], Local>> {
  readonly code: CodeWriter;
  readonly check: AccessCheck;
  /** Whether entries are ordered by epochs: of shared memory. */
  readonly hasEpochs: boolean;
  /** Addresses of the words of writes and reads of the first cell. */
  readonly writes: Local;
  readonly reads: Local;
}

const adjacentVectors = ["threads", "own", "write", "read", "now", "start", "bad"] as const;

/** check(context, entry, offset in the memory, word of the first lane): checks four lanes with adjacent bytes. */
function adjacentCheck(check: AccessCheck): CodeWriter {
  const code = new CodeWriter(["i32", "i32", "i32", "i32"]);
  const [context, entry, at, first] = [0, 1, 2, 3] as const;
  checkBounds(code, entry, at, 4 * check.bytes);
  if (check.races === "bounds") return code;
  const [writes, reads] = locateCells(code, check, entry, at);
  const epochs = check.races === "shared" ? loadEpochs(code, context) : undefined;
  const vectors = code.named("v128", adjacentVectors);
  code.get(first).op("i32x4.splat").v128([0, 1, 2, 3]).op("i32x4.add").set(vectors.threads);
  if (epochs !== undefined) {
    code.get(epochs.now).op("i32x4.splat").set(vectors.now);
    code.get(epochs.start).op("i32x4.splat").set(vectors.start);
  }
  const adjacent: AdjacentCode = { code, check, hasEpochs: epochs !== undefined, writes, reads, ...vectors };
  for (let four = 0; four < cellsOf(check); four++) checkFourCells(adjacent, four);
  return code;
}

function checkFourCells(adjacent: AdjacentCode, four: number): void {
  const { code, check, hasEpochs, writes, threads, own, write, start } = adjacent;
  const ratio = cellsOf(check);
  const lane = (cell: number): number => Math.floor((4 * four + cell) / ratio);
  code
    .get(threads)
    .get(threads)
    .shuffleWords([lane(0), lane(1), lane(2), lane(3)])
    .set(own);
  code
    .get(writes)
    .memory("v128.load", 16 * four)
    .set(write);
  pushOthers(adjacent, write);
  if (hasEpochs && check.access === "read") code.get(write).get(start).op("i32x4.lt_u", "v128.or");
  if (check.tracksReads) checkReads(adjacent, four);
  suspect(code.op("v128.any_true"));
  if (check.access === "write")
    code
      .get(writes)
      .get(own)
      .memory("v128.store", 16 * four);
}

/** Pushes ones for entries of other threads that are not ordered before the access. */
function pushOthers({ code, hasEpochs, now, own }: AdjacentCode, word: Local): void {
  if (hasEpochs) code.get(word).get(now).op("i32x4.ge_u");
  else code.get(word).words(0).op("i32x4.ne");
  code.get(word).get(own).op("i32x4.ne", "v128.and");
}

/** Records a read, or compares the access with earlier reads. Adds to the conflicts on the stack. */
function checkReads(adjacent: AdjacentCode, four: number): void {
  const { code, check, hasEpochs, reads, own, read, now, bad } = adjacent;
  code.set(bad);
  code
    .get(reads)
    .memory("v128.load", 16 * four)
    .set(read);
  if (check.access !== "read") {
    pushOthers(adjacent, read);
    code.get(bad).op("v128.or");
    return;
  }
  code.get(reads).get(own);
  if (hasEpochs) code.get(now).words(SEVERAL).op("v128.or");
  else code.words(SEVERAL_OF_GRID);
  code.get(read).get(own).op("i32x4.eq").get(read);
  if (hasEpochs) code.get(now).op("i32x4.lt_u");
  else code.words(0).op("i32x4.eq");
  code
    .op("v128.or", "v128.bitselect")
    .memory("v128.store", 16 * four)
    .get(bad);
}

/** Checks of one access in a segment. */
export interface LaneChecks {
  /** Four lanes access adjacent bytes at `at` in the arena. */
  adjacent(at: Local): void;
  /** Four lanes read the same bytes. */
  uniform(at: Local): void;
  /** The lanes of `active` access separate places. */
  apart(places: Local, active: Local): void;
  /** Checks that 64-bit values that were read are not pointers. */
  values(values: readonly (readonly Local[])[]): void;
}

const nameOf = (shape: string, { races, access, bytes, cellShift, tracksReads }: AccessCheck): string =>
  `${shape} ${races} ${access} ${bytes} ${cellShift} ${tracksReads}`;

export function laneChecks(lanes: Lanes, check: AccessCheck): LaneChecks {
  const { context, first } = lanes;
  const { code } = lanes;
  /** Pushes the context, the entry and the offset of a place. */
  const begin = (pushPlace: () => void): void => {
    code.get(context).i32(check.entry);
    pushPlace();
    if (check.isShared) code.get(context).memory("i32.load", CONTEXT.shared);
    else code.i32(check.entry).memory("i32.load", CHECK.base);
    code.op("i32.sub");
  };
  return {
    adjacent(at) {
      begin(() => void code.get(at));
      pushThread(code, check, context, first);
      lanes.call(nameOf("adjacent", check), () => adjacentCheck(check));
    },
    uniform(at) {
      begin(() => void code.get(at));
      code.i32(0);
      lanes.call(nameOf("uniform", check), () => laneCheck(check, true));
    },
    apart(places, active) {
      forSetLanes(code, active, (lane) => {
        begin(() => void code.get(places).lane("i32x4.extract_lane", lane));
        pushThread(code, check, context, first).i32(lane).op("i32.add");
        lanes.call(nameOf("lane", check), () => laneCheck(check, false));
      });
    },
    values(values) {
      if (check.pointers === undefined) return;
      const { from, count } = check.pointers;
      for (const [low, high] of values) {
        if (low === undefined || high === undefined) continue;
        code.get(low).get(high).shuffleWords([1, 3, 5, 7]).words(from).op("i32x4.sub").words(count);
        suspect(code.op("i32x4.lt_u", "v128.any_true"));
      }
    },
  };
}

/** A module that exports `check`, which the interpreter calls for one lane. */
export const laneCheckModule = (check: AccessCheck): Uint8Array =>
  encodeModule({
    imports: [...HOST_IMPORTS, MEMORY_IMPORT],
    functions: [laneCheck(check, false)],
    exports: { check: HOST_IMPORTS.length },
  });
