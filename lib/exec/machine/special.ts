// Special registers: PTX ISA 9.0 chapter 10. Values that hardware leaves open (%smid, %globaltimer ...) are chosen to be the same
// in every run: blocks are on one multiprocessor after the other, and clocks count instructions.

import { RESERVED_BYTES, reservedOffset, totalSharedBytes } from "./reserved-shared.js";
import type { Frame } from "../state/frame.js";
import type { LaunchState } from "../state/launch.js";

export interface SpecialRegister {
  readonly bits: 32 | 64;
  /** Value in that lane, as an unsigned or signed integer of those bits. */
  readonly value: (frame: Frame, lane: number) => number | bigint;
}

/** The number of multiprocessors: the value of %nsmid, and the limit of %smid. */
export const MULTIPROCESSORS = 132;

const components = ["x", "y", "z", "w"] as const;

const word = (value: (frame: Frame, lane: number) => number): SpecialRegister => ({ bits: 32, value });
const long = (value: (frame: Frame, lane: number) => bigint): SpecialRegister => ({ bits: 64, value });
const launchOf = (frame: Frame): LaunchState => frame.warp.block.launch;

/** %tid.x and similar registers: four components, of which the fourth is 0 for an index and 1 for a size. */
function vector(name: string, of: (frame: Frame, component: 0 | 1 | 2, lane: number) => number, fourth: 0 | 1 = 0) {
  return components.map((component, i): [string, SpecialRegister] => [
    `${name}.${component}`,
    word(i === 3 ? () => fourth : (frame, lane) => of(frame, i as 0 | 1 | 2, lane)),
  ]);
}

function threadIndex(frame: Frame, component: 0 | 1 | 2, lane: number): number {
  const [x, y] = launchOf(frame).config.block;
  const thread = frame.warp.index * 32 + lane;
  return component === 0 ? thread % x : component === 1 ? Math.floor(thread / x) % y : Math.floor(thread / (x * y));
}

const clusterSize = (frame: Frame, component: 0 | 1 | 2): number => launchOf(frame).cluster[component];

const inCluster = (frame: Frame, component: 0 | 1 | 2): number =>
  frame.warp.block.coordinates[component] % clusterSize(frame, component);

const clusterThreads = (frame: Frame): number => clusterSize(frame, 0) * clusterSize(frame, 1) * clusterSize(frame, 2);

/** The timing model's cycle if one runs in step; otherwise the number of the warp's instructions so far. */
const ticks = ({ warp }: Frame): number => (warp.time >= 0 ? warp.time : warp.clock);

/** The timing model's time; otherwise one nanosecond for every instruction of any warp. */
function nanoseconds(frame: Frame): number {
  const { timeBase, counters } = launchOf(frame);
  const { time, block } = frame.warp;
  if (time >= 0) return timeBase + (block.observer?.clock?.nanosecondsOf(time) ?? 0);
  return timeBase + counters.warpInstructions + frame.warp.clock - counters.runClock;
}

const reserved = (frame: Frame): number => reservedOffset(launchOf(frame).kernel, launchOf(frame).sharedBytes);

/** Section 10.26: shared memory of the program, static and dynamic. */
const totalShared = (frame: Frame): number => totalSharedBytes(launchOf(frame).sharedBytes);

const rows: readonly (readonly [string, SpecialRegister])[] = [
  ...vector("tid", threadIndex),
  ...vector("ntid", (frame, i) => launchOf(frame).config.block[i], 1),
  ...vector("ctaid", (frame, i) => frame.warp.block.coordinates[i]),
  ...vector("nctaid", (frame, i) => launchOf(frame).config.grid[i], 1),
  ...vector("clusterid", (frame, i) => Math.floor(frame.warp.block.coordinates[i] / clusterSize(frame, i))),
  ...vector("nclusterid", (frame, i) => Math.floor(launchOf(frame).config.grid[i] / clusterSize(frame, i)), 1),
  ...vector("cluster_ctaid", inCluster),
  ...vector("cluster_nctaid", clusterSize, 1),
  [
    "cluster_ctarank",
    word((f) => inCluster(f, 0) + clusterSize(f, 0) * (inCluster(f, 1) + clusterSize(f, 1) * inCluster(f, 2))),
  ],
  ["cluster_nctarank", word(clusterThreads)],
  ["laneid", word((_, lane) => lane)],
  ["warpid", word((frame) => frame.warp.index)],
  ["nwarpid", word((frame) => launchOf(frame).warpsPerBlock)],
  ["smid", word((frame) => frame.warp.block.index % MULTIPROCESSORS)],
  ["nsmid", word(() => MULTIPROCESSORS)],
  ["gridid", long(() => 1n)],
  ["lanemask_eq", word((_, lane) => 1 << lane)],
  ["lanemask_le", word((_, lane) => -1 >>> (31 - lane))],
  ["lanemask_lt", word((_, lane) => (1 << lane) - 1)],
  ["lanemask_ge", word((_, lane) => -1 << lane)],
  ["lanemask_gt", word((_, lane) => -2 << lane)],
  ["clock", word(ticks)],
  ["clock_hi", word((frame) => Math.floor(ticks(frame) / 2 ** 32))],
  ["clock64", long((frame) => BigInt(ticks(frame)))],
  ["globaltimer", long((frame) => BigInt(nanoseconds(frame)))],
  ["globaltimer_lo", word((frame) => nanoseconds(frame) % 2 ** 32)],
  ["globaltimer_hi", word((frame) => Math.floor(nanoseconds(frame) / 2 ** 32))],
  ["total_smem_size", word(totalShared)],
  // Includes the system's part.
  ["aggr_smem_size", word((frame) => totalShared(frame) + RESERVED_BYTES)],
  ["dynamic_smem_size", word((frame) => launchOf(frame).config.sharedBytes)],
  ["current_graph_exec", long(() => 0n)],
  ["reserved_smem_offset_begin", word(reserved)],
  ["reserved_smem_offset_end", word((frame) => reserved(frame) + RESERVED_BYTES)],
  ["reserved_smem_offset_cap", word(() => RESERVED_BYTES)],
  ["reserved_smem_offset_0", word(reserved)],
  ["reserved_smem_offset_1", word(reserved)],
  ["is_explicit_cluster", word((frame) => (launchOf(frame).cluster.some((size) => size > 1) ? 1 : 0))],
  ...Array.from({ length: 32 }, (_, i): [string, SpecialRegister] => [`envreg${i}`, word(() => 0)]),
  ["envreg1", word((frame) => Math.floor(launchOf(frame).workspace / 2 ** 32))],
  ["envreg2", word((frame) => launchOf(frame).workspace % 2 ** 32)],
  ...Array.from({ length: 8 }, (_, i): [string, SpecialRegister] => [`pm${i}`, word(() => 0)]),
  ...Array.from({ length: 8 }, (_, i): [string, SpecialRegister] => [`pm${i}_64`, long(() => 0n)]),
  ["WARP_SZ", word(() => 32)],
];

const byName: ReadonlyMap<string, SpecialRegister> = new Map(rows);

/** Whether the register reads a clock, which is the timing model's if one runs in step. */
export const isClock = (name: string): boolean => /^%?(clock|globaltimer)/.test(name);

/** The special register of that name, with or without percent sign; undefined if it has no meaning here. */
export function specialRegister(name: string): SpecialRegister | undefined {
  return byName.get(name.replace(/^%/, ""));
}
