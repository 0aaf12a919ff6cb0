// Prepares the context (context.table.ts) before generated code runs: the addresses of the frame, its warp, its block and its
// launch.

import type { Arena } from "../../load/arena.js";
import type { Process } from "../../load/process.js";
import type { Frame } from "../frame.js";
import { HEADER } from "../frame-header.table.js";
import type { LaunchState } from "../launch-state.js";
import type { Warp } from "../warp.js";
import { CONTEXT } from "./context.table.js";
import type { Sites } from "./sites.js";
import { createThreadIndices, type ThreadIndices } from "./thread-indices.js";

export interface Entry {
  enter(frame: Frame): void;
  /** Other warps of its block have run: the context describes none. */
  forgetWarp(): void;
  /** Frames change: the context describes none. */
  forgetFrame(): void;
  readonly indicesOf: ThreadIndices;
}

export function createEntry(process: Process, arena: Arena, words: Int32Array, sites: Sites): Entry {
  const indicesOf = createThreadIndices(arena);
  /** A warp is used again for another block, then with another index. */
  const described: { launch: LaunchState | undefined; warp: Warp | undefined; block: number } = {
    launch: undefined,
    warp: undefined,
    block: -1,
  };
  const put = (offset: number, value: number): void => {
    words[offset >> 2] = value;
  };
  const putThree = (offset: number, [x, y, z]: readonly [number, number, number]): void => {
    put(offset, x);
    put(offset + 4, y);
    put(offset + 8, z);
  };
  const describeLaunch = (launch: LaunchState): void => {
    const { config, parameterBytes, warpsPerBlock, threadsPerBlock } = launch;
    const { offset, bytes } = parameterBytes;
    put(CONTEXT.parameters, offset);
    put(CONTEXT.parametersSize, bytes.length);
    put(CONTEXT.constants, process.constants.offset);
    put(CONTEXT.constantsSize, process.constants.size);
    putThree(CONTEXT.ntid, config.block);
    putThree(CONTEXT.nctaid, config.grid);
    put(CONTEXT.nwarpid, warpsPerBlock);
    put(CONTEXT.threadsPerBlock, threadsPerBlock);
  };
  const describeBlock = ({ index, block }: Warp): void => {
    const { sharedBytes, coordinates, launch, rank } = block;
    put(CONTEXT.rank, rank);
    put(CONTEXT.shared, sharedBytes.offset);
    put(CONTEXT.sharedSize, sharedBytes.bytes.length);
    putThree(CONTEXT.ctaid, coordinates);
    put(CONTEXT.warpid, index);
    put(CONTEXT.number, block.index);
    put(CONTEXT.tid, indicesOf(launch.config.block, index));
  };
  return {
    indicesOf,
    forgetFrame() {
      put(CONTEXT.words, 0);
      put(CONTEXT.fn, 0);
    },
    forgetWarp: () => void (described.warp = undefined),
    enter({ warp, words: inFrame, offset, localBase, localTop }) {
      sites.refresh();
      put(CONTEXT.guarded, 0);
      put(CONTEXT.words, offset);
      put(CONTEXT.fn, inFrame[HEADER.fn >> 2]!);
      put(CONTEXT.localBase, localBase);
      put(CONTEXT.localTop, localTop);
      put(CONTEXT.local, warp.localBytes.offset);
      put(CONTEXT.localStride, warp.localStride);
      const { launch, index } = warp.block;
      put(CONTEXT.isAlone, launch.sharedCounters === undefined ? 1 : 0);
      if (described.warp === warp && described.block === index && described.launch === launch) return;
      if (described.launch !== launch) describeLaunch(launch);
      describeBlock(warp);
      described.launch = launch;
      described.warp = warp;
      described.block = index;
    },
  };
}
