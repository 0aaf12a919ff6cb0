// What orders the steps of a grid's threads: PTX ISA 9.0 chapter 8 (the memory consistency model), followed for what
// synchronises and not for what happened to run first. Each thread has a clock (clock.ts) of what happened before its next step.
//
//   barrier, bar.warp.sync    all that come learn what all that came knew
//   release                   an operation .release, or a fence and then a strong write: the place in memory holds what the
//                             thread knew (at the fence)
//   acquire                   an operation .acquire, or a strong read and then a fence: the thread learns what the place held
//
// Scopes count: a release of one block's scope is seen by that block alone. Two things are taken as programs mean them, where the
// model's text is stricter: a barrier of the block hands on the fences of those that come ("every thread fences, then a barrier, then
// one thread raises the flag"), and what a strong read saw is acquired at a barrier too ("one thread draws the ticket, then a
// barrier": the CUDA programming guide's own example has no fence there).

import type { Block } from "../block.js";
import { firstLane, type Warp } from "../warp.js";
import { type Clock, clockAt, joinClocks, levelsFor, withNode } from "./clock.js";

/** Of whom: 0 the block, 1 the cluster, 2 the whole device. */
export type Scope = 0 | 1 | 2;

/** What a warp's threads know. Arrays by lane. */
export interface WarpOrder {
  /** Number of its first thread among all of the grid, with 32 warps to a block. */
  readonly key: number;
  readonly block: number;
  readonly cluster: number;
  /** The current step of each lane. */
  readonly step: Int32Array;
  readonly known: Clock[];
  /** By scope: what strong reads have seen and no fence has acquired yet. */
  readonly seen: readonly Clock[][];
  /** By scope: what the last fence of that scope or a wider one releases. */
  readonly fenced: readonly Clock[][];
}

/** What a place in memory holds for those that acquire it: by scope, and for scopes below the device, by block or cluster. */
interface Held {
  readonly blocks: Map<number, Clock>;
  readonly clusters: Map<number, Clock>;
  device: Clock;
}

const emptyHeld = (): Held => ({ blocks: new Map(), clusters: new Map(), device: 0 });

/** A barrier at which some threads have arrived. */
interface Meeting {
  known: Clock;
  fenced: Clock[];
}

export interface Order {
  readonly levels: number;
  of(warp: Warp): WarpOrder;
  /** The warp whose first thread has that number; undefined for one that is long gone. */
  withKey(key: number): WarpOrder | undefined;
  /** Whether the thread `key` at `step` is before the next step of the lane. */
  isBefore(warp: WarpOrder, lane: number, key: number, step: number): boolean;
  /** The lane's clock with its own step, for others to learn; the lane's next step is another. */
  release(warp: WarpOrder, lane: number): Clock;
  learn(warp: WarpOrder, lane: number, clock: Clock): void;
  fence(warp: WarpOrder, lanes: number, scope: Scope): void;
  /** A strong read of the place. */
  read(warp: WarpOrder, lane: number, place: string, scope: Scope, acquires: boolean): void;
  /** A strong write; `keeps` where what earlier writes released stays (an atomic operation goes on with it). */
  write(warp: WarpOrder, lane: number, place: string, scope: Scope, releases: boolean, keeps: boolean): void;
  /** Lanes arrive at a barrier of their block; their clocks join when it opens. */
  arrive(block: Block, number: number, warp: Warp, lanes: number): void;
  /** The barrier opens for lanes that wait: by warp. */
  open(block: Block, number: number, waiting: readonly (readonly [Warp, number])[]): void;
  /** Lanes exchange values: what one's strong read has seen, a fence of another acquires. */
  exchange(warp: WarpOrder, lanes: number): void;
  /** Lanes of a warp meet. */
  meet(warp: Warp, lanes: number): void;
  arriveAtCluster(warp: Warp, lanes: number, releases: boolean): void;
  openCluster(block: Block): void;
  leaveCluster(warp: Warp, lanes: number): void;
  /** The key of an object that has steps of its own without being a thread: the `index`-th of a block. */
  keyOfObject(block: number, index: number): number;
  with(clock: Clock, key: number, step: number): Clock;
}

const WARPS = 32;
const LANES = 32;

export function createOrder(blocks: number): Order {
  const levels = levelsFor(blocks);
  const warps = new Map<Warp, WarpOrder>();
  const byKey = new Map<number, WarpOrder>();
  const places = new Map<string, Held>();
  const meetings = new Map<Block, Map<number, Meeting>>();
  const clusters = new Map<Block, { coming: Clock; come: Clock }>();

  const of = (warp: Warp): WarpOrder => {
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
  };

  const release = (warp: WarpOrder, lane: number): Clock =>
    withNode(warp.known[lane]!, levels, warp.key + lane, 0, warp.step[lane]!++);
  const learn = (warp: WarpOrder, lane: number, clock: Clock): void => {
    warp.known[lane] = joinClocks(warp.known[lane]!, clock);
  };
  const acquire = (warp: WarpOrder, lane: number, scope: Scope): void => {
    for (let s = 0; s <= scope; s++) {
      learn(warp, lane, warp.seen[s]![lane]!);
      warp.seen[s]![lane] = 0;
    }
  };

  /** What all lanes know together with their own steps; their next steps are others. */
  const releaseAll = (warp: WarpOrder, lanes: number): Clock => {
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
  };

  const fencedBy = (warp: WarpOrder, lanes: number, into: Clock[]): void => {
    for (let s = 0; s < 3; s++) {
      let last: Clock = 0;
      for (let lane = 0; lane < LANES; lane++) {
        const fenced = ((lanes >>> lane) & 1) === 0 ? 0 : warp.fenced[s]![lane]!;
        if (fenced !== last) into[s] = joinClocks(into[s]!, fenced);
        last = fenced;
      }
    }
  };
  const comeTogether = (warp: WarpOrder, lanes: number, { known, fenced }: Meeting): void => {
    // Lanes that knew the same know the same: one clock for all of them, which is made once.
    let before: Clock | undefined;
    let after: Clock = 0;
    for (let lane = 0; lane < LANES; lane++) {
      if (((lanes >>> lane) & 1) === 0) continue;
      acquire(warp, lane, 2);
      if (warp.known[lane] !== before) {
        before = warp.known[lane];
        after = joinClocks(before!, known);
      }
      warp.known[lane] = after;
      for (let s = 0; s < 3; s++) warp.fenced[s]![lane] = joinClocks(warp.fenced[s]![lane]!, fenced[s]!);
    }
  };
  const acquireSeen = (warp: WarpOrder, lanes: number): void => {
    for (let lane = 0; lane < LANES; lane++) if (((lanes >>> lane) & 1) !== 0) acquire(warp, lane, 2);
  };
  /** Steps that are the same for all are the least to remember. */
  const evenOut = (all: readonly (readonly [WarpOrder, number])[]): void => {
    let most = 0;
    for (const [warp, lanes] of all)
      for (let lane = 0; lane < LANES; lane++)
        if (((lanes >>> lane) & 1) !== 0) most = Math.max(most, warp.step[lane]!);
    for (const [warp, lanes] of all)
      for (let lane = 0; lane < LANES; lane++) if (((lanes >>> lane) & 1) !== 0) warp.step[lane] = most;
  };
  const clusterOf = (block: Block) => {
    const first = block.cluster.blocks[0]!;
    let state = clusters.get(first);
    if (state === undefined) clusters.set(first, (state = { coming: 0, come: 0 }));
    return state;
  };

  return {
    levels,
    of,
    withKey: (key) => byKey.get(key),
    release,
    learn,
    isBefore: (warp, lane, key, step) => key === warp.key + lane || clockAt(warp.known[lane]!, levels, key) >= step,
    fence(warp, lanes, scope) {
      for (let lane = 0; lane < LANES; lane++) {
        if (((lanes >>> lane) & 1) === 0) continue;
        acquire(warp, lane, scope);
        const released = release(warp, lane);
        for (let s = 0; s <= scope; s++) warp.fenced[s]![lane] = released;
      }
    },
    read(warp, lane, place, scope, acquires) {
      const held = places.get(place);
      if (held === undefined) return;
      const found = [held.blocks.get(warp.block) ?? 0, held.clusters.get(warp.cluster) ?? 0, held.device];
      for (let s = 0; s <= scope; s++) {
        if (acquires) learn(warp, lane, found[s]!);
        else warp.seen[s]![lane] = joinClocks(warp.seen[s]![lane]!, found[s]!);
      }
    },
    write(warp, lane, place, scope, releases, keeps) {
      const released = releases ? release(warp, lane) : undefined;
      const given = [0, 1, 2].map((s): Clock => (s > scope ? 0 : (released ?? warp.fenced[s]![lane]!)));
      let held = places.get(place);
      if (given.every((clock) => clock === 0)) {
        if (!keeps && held !== undefined) places.delete(place);
        return;
      }
      if (held === undefined || !keeps) places.set(place, (held = emptyHeld()));
      held.blocks.set(warp.block, joinClocks(held.blocks.get(warp.block) ?? 0, given[0]!));
      if (scope >= 1) held.clusters.set(warp.cluster, joinClocks(held.clusters.get(warp.cluster) ?? 0, given[1]!));
      if (scope >= 2) held.device = joinClocks(held.device, given[2]!);
    },
    arrive(block, number, warp, lanes) {
      const order = of(warp);
      let ofBlock = meetings.get(block);
      if (ofBlock === undefined) meetings.set(block, (ofBlock = new Map<number, Meeting>()));
      let meeting = ofBlock.get(number);
      if (meeting === undefined) ofBlock.set(number, (meeting = { known: 0, fenced: [0, 0, 0] }));
      acquireSeen(order, lanes);
      fencedBy(order, lanes, meeting.fenced);
      meeting.known = joinClocks(meeting.known, releaseAll(order, lanes));
    },
    open(block, number, waiting) {
      const meeting = meetings.get(block)?.get(number);
      if (meeting === undefined) return;
      const all = waiting.map(([warp, lanes]) => [of(warp), lanes] as const);
      for (const [warp, lanes] of all) comeTogether(warp, lanes, meeting);
      evenOut(all);
      meetings.get(block)!.delete(number);
    },
    exchange({ seen }, lanes) {
      for (const ofScope of seen) {
        let all: Clock = 0;
        for (let lane = 0; lane < LANES; lane++)
          if (((lanes >>> lane) & 1) !== 0) all = joinClocks(all, ofScope[lane]!);
        if (all === 0) continue;
        for (let lane = 0; lane < LANES; lane++) if (((lanes >>> lane) & 1) !== 0) ofScope[lane] = all;
      }
    },
    meet(warp, lanes) {
      const order = of(warp);
      acquireSeen(order, lanes);
      const meeting: Meeting = { known: 0, fenced: [0, 0, 0] };
      fencedBy(order, lanes, meeting.fenced);
      meeting.known = releaseAll(order, lanes);
      comeTogether(order, lanes, meeting);
      evenOut([[order, lanes]]);
    },
    arriveAtCluster(warp, lanes, releases) {
      const state = clusterOf(warp.block);
      if (!releases) return;
      acquireSeen(of(warp), lanes);
      state.coming = joinClocks(state.coming, releaseAll(of(warp), lanes));
    },
    openCluster(block) {
      const state = clusterOf(block);
      state.come = state.coming;
      state.coming = 0;
    },
    leaveCluster(warp, lanes) {
      const { come } = clusterOf(warp.block);
      const order = of(warp);
      for (let rest = lanes; rest !== 0; rest &= rest - 1) learn(order, firstLane(rest), come);
    },
    keyOfObject: (block, index) => (blocks + block) * WARPS * LANES + Math.min(index, WARPS * LANES - 1),
    with: (clock, key, step) => withNode(clock, levels, key, 0, step),
  };
}
