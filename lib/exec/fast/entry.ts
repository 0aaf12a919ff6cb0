// Prepares the context (context.table.ts) before generated code runs: the addresses of the frame, its warp, its block and its
// launch.

import type { Dimensions } from "../../base/dimensions.js";
import type { Arena } from "../../load/arena.js";
import type { Process } from "../../load/process.js";
import { HEADER } from "../machine/frame-header.table.js";
import type { Frame } from "../state/frame.js";
import type { LaunchState } from "../state/launch.js";
import type { Warp } from "../state/warp.js";
import { CONTEXT } from "./context.table.js";
import { refreshSites, type Sites } from "./sites.js";
import { createThreadIndices, type ThreadIndices } from "./thread-indices.js";

export interface Entry {
  readonly process: Process;
  /** The context. */
  readonly words: Int32Array;
  readonly sites: Sites;
  readonly indicesOf: ThreadIndices;
  /**
   * The launch, warp and block that the context describes. Warps are reused for other blocks, so a block is compared by its
   * index.
   */
  readonly described: { launch: LaunchState | undefined; warp: Warp | undefined; block: number };
}

export const createEntry = (process: Process, arena: Arena, words: Int32Array, sites: Sites): Entry => ({
  process,
  words,
  sites,
  indicesOf: createThreadIndices(arena),
  described: { launch: undefined, warp: undefined, block: -1 },
});

/** Describes the frame, its warp, block and launch. */
export function enterFrame(entry: Entry, { warp, words: inFrame, offset, localBase, localTop }: Frame): void {
  const { words, described } = entry;
  refreshSites(entry.sites);
  put(words, CONTEXT.guarded, 0);
  put(words, CONTEXT.words, offset);
  put(words, CONTEXT.fn, inFrame[HEADER.fn >> 2]!);
  put(words, CONTEXT.localBase, localBase);
  put(words, CONTEXT.localTop, localTop);
  put(words, CONTEXT.local, warp.localBytes.offset);
  put(words, CONTEXT.localStride, warp.localStride);
  const { launch, index } = warp.block;
  put(words, CONTEXT.isAlone, launch.sharedCounters === undefined ? 1 : 0);
  if (described.warp === warp && described.block === index && described.launch === launch) return;
  if (described.launch !== launch) describeLaunch(entry, launch);
  describeBlock(entry, warp);
  described.launch = launch;
  described.warp = warp;
  described.block = index;
}

/** Clears the description of the frame, because frames change. */
export function forgetFrame({ words }: Entry): void {
  put(words, CONTEXT.words, 0);
  put(words, CONTEXT.fn, 0);
}

/** Clears the description of the warp, because other warps of its block run. */
export function forgetWarp({ described }: Entry): void {
  described.warp = undefined;
}

function put(words: Int32Array, offset: number, value: number): void {
  words[offset >> 2] = value;
}

function putThree(words: Int32Array, offset: number, [x, y, z]: Dimensions): void {
  put(words, offset, x);
  put(words, offset + 4, y);
  put(words, offset + 8, z);
}

function describeLaunch({ words, process }: Entry, launch: LaunchState): void {
  const { config, parameterBytes, warpsPerBlock, threadsPerBlock } = launch;
  const { offset, bytes } = parameterBytes;
  put(words, CONTEXT.parameters, offset);
  put(words, CONTEXT.parametersSize, bytes.length);
  put(words, CONTEXT.constants, process.constants.offset);
  put(words, CONTEXT.constantsSize, process.constants.size);
  putThree(words, CONTEXT.ntid, config.block);
  putThree(words, CONTEXT.nctaid, config.grid);
  put(words, CONTEXT.nwarpid, warpsPerBlock);
  put(words, CONTEXT.threadsPerBlock, threadsPerBlock);
}

function describeBlock({ words, indicesOf }: Entry, { index, block }: Warp): void {
  const { sharedBytes, coordinates, launch, rank } = block;
  put(words, CONTEXT.rank, rank);
  put(words, CONTEXT.shared, sharedBytes.offset);
  put(words, CONTEXT.sharedSize, sharedBytes.bytes.length);
  putThree(words, CONTEXT.ctaid, coordinates);
  put(words, CONTEXT.warpid, index);
  put(words, CONTEXT.number, block.index);
  put(words, CONTEXT.tid, indicesOf(launch.config.block, index));
}
