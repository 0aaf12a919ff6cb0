// Happens-before order of a grid's threads: PTX ISA chapter 8 (memory consistency model), followed for synchronisation, not for
// the order in which steps happened to run. Each thread has a clock (clock.ts) of what happened before its next step.
//
//   barrier, bar.warp.sync    threads that synchronise learn each other's clocks (barrier-order.ts)
//   release                   an operation .release, or a fence and then a strong write: the address keeps the thread's clock (of
//                             the fence)
//   acquire                   an operation .acquire, or a strong read and then a fence: the thread learns the address's clock
//
// Scopes count: only the block sees a release of block scope. Three rules follow what programs mean where the model is stricter:
//
//   - A barrier passes on the fences of threads that arrive ("every thread fences, then a barrier, then one thread sets the flag").
//   - It also acquires what strong reads saw ("one thread draws the ticket, then a barrier": the CUDA programming guide's own
//     example has no fence there).
//   - A collective passes on releases and what strong reads saw to later fences of its lanes ("every lane arrives at an mbarrier,
//     match.any.sync elects one, which fences and ends the mbarrier": the destructor of libcu++'s pipeline).

import type { Block } from "../state/block.js";
import type { Warp } from "../state/warp.js";
import {
  type Clock,
  clockAt,
  joinClocks,
  levelsFor,
  withNode,
  type BarrierArrivals,
  type ClusterArrivals,
} from "./clock.js";

/** 0 the block, 1 the cluster, 2 the whole device. */
export type Scope = 0 | 1 | 2;

/** Clocks of a warp's threads. Arrays by lane. */
export interface WarpOrder {
  /** Number of its first thread in the grid, with 32 warps to a block. */
  readonly key: number;
  readonly block: number;
  readonly cluster: number;
  /** The current step of each lane. */
  readonly step: Int32Array;
  readonly known: Clock[];
  /** By scope: clocks that strong reads have seen and no fence has acquired yet. */
  readonly seen: readonly Clock[][];
  /** By scope: the clock that the last fence of that scope or a wider one releases. */
  readonly fenced: readonly Clock[][];
}

/** Clocks that an address passes on: to its block, to its cluster, and to the device. */
interface Released {
  readonly blocks: Map<number, Clock>;
  readonly clusters: Map<number, Clock>;
  device: Clock;
}

/** The order of one launch. */
export interface Order {
  readonly blocks: number;
  /** Depth of its clocks. */
  readonly levels: number;
  readonly warps: Map<Warp, WarpOrder>;
  readonly byKey: Map<number, WarpOrder>;
  /** Clocks by name of the address. */
  readonly released: Map<string, Released>;
  readonly barriers: Map<Block, Map<number, BarrierArrivals>>;
  /** By the cluster's first block. */
  readonly clusters: Map<Block, ClusterArrivals>;
}

const WARPS = 32;
export const LANES = 32;

export const createOrder = (blocks: number): Order => ({
  blocks,
  levels: levelsFor(blocks),
  warps: new Map(),
  byKey: new Map(),
  released: new Map(),
  barriers: new Map(),
  clusters: new Map(),
});

export function warpOrder({ warps, byKey }: Order, warp: Warp): WarpOrder {
  const { index } = warp.block;
  const known = warps.get(warp);
  if (known?.block === index) return known;
  const lanes = (): Clock[] => new Array<Clock>(LANES).fill(0);
  const made: WarpOrder = {
    key: (index * WARPS + warp.index) * LANES,
    block: index,
    cluster: warp.block.cluster.blocks[0]!.index,
    step: new Int32Array(LANES).fill(1),
    known: lanes(),
    seen: [lanes(), lanes(), lanes()],
    fenced: [lanes(), lanes(), lanes()],
  };
  warps.set(warp, made);
  byKey.set(made.key, made);
  if (known !== undefined) byKey.delete(known.key);
  return made;
}

/** The key of an mbarrier, the `index`-th of a block. It has steps of its own without being a thread. */
export const mbarrierKey = ({ blocks }: Order, block: number, index: number): number =>
  (blocks + block) * WARPS * LANES + Math.min(index, WARPS * LANES - 1);

/** Whether the thread `key` at `step` is before the next step of the lane. */
export const isOrderedBefore = ({ levels }: Order, warp: WarpOrder, lane: number, key: number, step: number): boolean =>
  key === warp.key + lane || clockAt(warp.known[lane]!, levels, key) >= step;

/** The lane's clock with its own step, for others to learn; begins the lane's next step. */
export const releaseLane = ({ levels }: Order, warp: WarpOrder, lane: number): Clock =>
  withNode(warp.known[lane]!, levels, warp.key + lane, 0, warp.step[lane]!++);

export function joinClock(warp: WarpOrder, lane: number, clock: Clock): void {
  warp.known[lane] = joinClocks(warp.known[lane]!, clock);
}

/** Acquires the clocks that the lane's strong reads have seen in that scope and narrower ones. */
export function acquireSeen(warp: WarpOrder, lane: number, scope: Scope): void {
  for (let s = 0; s <= scope; s++) {
    joinClock(warp, lane, warp.seen[s]![lane]!);
    warp.seen[s]![lane] = 0;
  }
}

export function fenceLanes(order: Order, warp: WarpOrder, lanes: number, scope: Scope): void {
  for (let lane = 0; lane < LANES; lane++) {
    if (((lanes >>> lane) & 1) === 0) continue;
    acquireSeen(warp, lane, scope);
    const released = releaseLane(order, warp, lane);
    for (let s = 0; s <= scope; s++) warp.fenced[s]![lane] = released;
  }
}

export function readStrong(
  { released }: Order,
  warp: WarpOrder,
  lane: number,
  address: string,
  scope: Scope,
  acquires: boolean,
): void {
  const known = released.get(address);
  if (known === undefined) return;
  const found = [known.blocks.get(warp.block) ?? 0, known.clusters.get(warp.cluster) ?? 0, known.device];
  for (let s = 0; s <= scope; s++) {
    if (acquires) joinClock(warp, lane, found[s]!);
    else warp.seen[s]![lane] = joinClocks(warp.seen[s]![lane]!, found[s]!);
  }
}

/** A lane sees its own release. It already knows that clock; a collective passes it on to fences of the warp's other lanes. */
export function seeOwnRelease({ seen }: WarpOrder, lane: number, released: Clock): void {
  seen[0]![lane] = joinClocks(seen[0]![lane]!, released);
}

/** `keeps`: an atomic operation, which continues the release sequence of earlier writes. */
export function writeStrong(
  order: Order,
  warp: WarpOrder,
  lane: number,
  address: string,
  scope: Scope,
  releases: boolean,
  keeps: boolean,
): void {
  const own = releases ? releaseLane(order, warp, lane) : undefined;
  const given = [0, 1, 2].map((s): Clock => (s > scope ? 0 : (own ?? warp.fenced[s]![lane]!)));
  seeOwnRelease(warp, lane, given[0]!);
  let known = order.released.get(address);
  if (given.every((clock) => clock === 0)) {
    if (!keeps && known !== undefined) order.released.delete(address);
    return;
  }
  if (known === undefined || !keeps)
    order.released.set(address, (known = { blocks: new Map(), clusters: new Map(), device: 0 }));
  known.blocks.set(warp.block, joinClocks(known.blocks.get(warp.block) ?? 0, given[0]!));
  if (scope >= 1) known.clusters.set(warp.cluster, joinClocks(known.clusters.get(warp.cluster) ?? 0, given[1]!));
  if (scope >= 2) known.device = joinClocks(known.device, given[2]!);
}
