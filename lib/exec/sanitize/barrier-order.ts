// Happens-before order by barriers of a block, of a cluster, and of lanes of a warp. Threads that arrive release their clocks to
// the barrier, and threads that continue acquire them.

import type { Block } from "../state/block.js";
import type { Warp } from "../state/warp.js";
import { firstLane } from "../machine/warp.js";
import { type Clock, joinClocks, withNode, type BarrierArrivals, type ClusterArrivals } from "./clock.js";
import { acquireSeen, LANES, joinClock, type Order, type WarpOrder, warpOrder } from "./order.js";

type WarpLanes = readonly [warp: WarpOrder, lanes: number];

const SCOPES = 3;

const noArrivals = (): BarrierArrivals => ({ known: 0, fenced: [0, 0, 0] });

/** Joins the clocks of all lanes with their own steps, and begins their next steps. */
function releaseLanes({ levels }: Order, warp: WarpOrder, lanes: number): Clock {
  let all: Clock = 0;
  let last: Clock | undefined;
  const own = new Array<Clock>(LANES).fill(0);
  for (let lane = 0; lane < LANES; lane++) {
    if (((lanes >>> lane) & 1) === 0) continue;
    const known = warp.known[lane]!;
    if (known !== last) all = joinClocks(all, known);
    last = known;
    own[lane] = warp.step[lane]!++;
  }
  const isUniform = lanes === -1 && own.every((step) => step === own[0]);
  return withNode(all, levels, warp.key, 1, isUniform ? own[0]! : own);
}

function joinFences(warp: WarpOrder, lanes: number, into: Clock[]): void {
  for (let s = 0; s < SCOPES; s++) {
    let last: Clock = 0;
    for (let lane = 0; lane < LANES; lane++) {
      const fenced = ((lanes >>> lane) & 1) === 0 ? 0 : warp.fenced[s]![lane]!;
      if (fenced !== last) into[s] = joinClocks(into[s]!, fenced);
      last = fenced;
    }
  }
}

function arriveLanes(order: Order, warp: WarpOrder, lanes: number, arrivals: BarrierArrivals): void {
  acquireLanes(warp, lanes);
  joinFences(warp, lanes, arrivals.fenced);
  arrivals.known = joinClocks(arrivals.known, releaseLanes(order, warp, lanes));
}

function acquireLanes(warp: WarpOrder, lanes: number): void {
  for (let lane = 0; lane < LANES; lane++) if (((lanes >>> lane) & 1) !== 0) acquireSeen(warp, lane, 2);
}

function joinArrivals(warp: WarpOrder, lanes: number, { known, fenced }: BarrierArrivals): void {
  // Lanes with equal clocks stay equal: one clock, joined once, for all of them.
  let before: Clock | undefined;
  let after: Clock = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (((lanes >>> lane) & 1) === 0) continue;
    acquireSeen(warp, lane, 2);
    if (warp.known[lane] !== before) {
      before = warp.known[lane];
      after = joinClocks(before!, known);
    }
    warp.known[lane] = after;
    for (let s = 0; s < SCOPES; s++) warp.fenced[s]![lane] = joinClocks(warp.fenced[s]![lane]!, fenced[s]!);
  }
}

/** Raises the steps of all lanes to the highest: equal steps make the smallest clocks. */
function alignSteps(all: readonly WarpLanes[]): void {
  let most = 0;
  for (const [warp, lanes] of all)
    for (let lane = 0; lane < LANES; lane++) if (((lanes >>> lane) & 1) !== 0) most = Math.max(most, warp.step[lane]!);
  for (const [warp, lanes] of all)
    for (let lane = 0; lane < LANES; lane++) if (((lanes >>> lane) & 1) !== 0) warp.step[lane] = most;
}

/** Lanes arrive at a barrier of their block; their clocks join when it opens. */
export function arriveAtBarrier(order: Order, block: Block, number: number, warp: Warp, lanes: number): void {
  let ofBlock = order.barriers.get(block);
  if (ofBlock === undefined) order.barriers.set(block, (ofBlock = new Map<number, BarrierArrivals>()));
  let arrivals = ofBlock.get(number);
  if (arrivals === undefined) ofBlock.set(number, (arrivals = noArrivals()));
  arriveLanes(order, warpOrder(order, warp), lanes, arrivals);
}

/** Opens the barrier for the waiting lanes, which are listed by warp. */
export function openBarrier(
  order: Order,
  block: Block,
  number: number,
  waiting: readonly (readonly [Warp, number])[],
): void {
  const arrivals = order.barriers.get(block)?.get(number);
  if (arrivals === undefined) return;
  const all = waiting.map(([warp, lanes]): WarpLanes => [warpOrder(order, warp), lanes]);
  for (const [warp, lanes] of all) joinArrivals(warp, lanes, arrivals);
  alignSteps(all);
  order.barriers.get(block)!.delete(number);
}

/** Orders lanes of a warp that synchronise with each other. */
export function syncLanes(order: Order, warp: Warp, lanes: number): void {
  const of = warpOrder(order, warp);
  const arrivals = noArrivals();
  arriveLanes(order, of, lanes, arrivals);
  joinArrivals(of, lanes, arrivals);
  alignSteps([[of, lanes]]);
}

/** Lanes exchange values: a fence of one acquires what strong reads of the others have seen. */
export function exchangeSeen({ seen }: WarpOrder, lanes: number): void {
  for (const ofScope of seen) {
    let all: Clock = 0;
    for (let lane = 0; lane < LANES; lane++) if (((lanes >>> lane) & 1) !== 0) all = joinClocks(all, ofScope[lane]!);
    if (all === 0) continue;
    for (let lane = 0; lane < LANES; lane++) if (((lanes >>> lane) & 1) !== 0) ofScope[lane] = all;
  }
}

function clusterArrivals({ clusters }: Order, block: Block): ClusterArrivals {
  const first = block.cluster.blocks[0]!;
  let arrivals = clusters.get(first);
  if (arrivals === undefined) clusters.set(first, (arrivals = { open: 0, complete: 0 }));
  return arrivals;
}

export function arriveAtCluster(order: Order, warp: Warp, lanes: number, releases: boolean): void {
  const arrivals = clusterArrivals(order, warp.block);
  if (!releases) return;
  const of = warpOrder(order, warp);
  acquireLanes(of, lanes);
  arrivals.open = joinClocks(arrivals.open, releaseLanes(order, of, lanes));
}

export function openCluster(order: Order, block: Block): void {
  const arrivals = clusterArrivals(order, block);
  arrivals.complete = arrivals.open;
  arrivals.open = 0;
}

export function leaveCluster(order: Order, warp: Warp, lanes: number): void {
  const { complete } = clusterArrivals(order, warp.block);
  const of = warpOrder(order, warp);
  for (let rest = lanes; rest !== 0; rest &= rest - 1) joinClock(of, firstLane(rest), complete);
}
