// Watches barriers and fences: what they order, and how programs misuse them. PTX ISA 9.0 sections 9.7.13.1 to 9.7.13.4.

import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { Group, Warp } from "../state/warp.js";
import { arriveAtCluster, leaveCluster, openBarrier } from "./barrier-order.js";
import { fenceLanes, warpOrder } from "./order.js";
import { hasModifier, hasTrait } from "../../isa/opcode.js";
import { fullMask } from "../machine/block.js";
import { firstLane } from "../machine/warp.js";
import { lanesIn } from "../machine/walk.js";
import { type LaunchContext, partyAt, report } from "./context.js";
import type { Party } from "./finding.js";
import { numberOf, operandNamed, scopeOf, type WatchOf } from "./instruction.js";

const maskText = (lanes: number): string => `0x${(lanes >>> 0).toString(16).padStart(8, "0")}`;

/** The arrivals at a barrier that has not opened. */
interface PendingArrivals {
  readonly party: Party;
  readonly expected: number;
  readonly warp: Warp;
  readonly frame: Frame;
  readonly pc: number;
  readonly lane: number;
  /** For an aligned form: lanes that arrived without the others of their warp. */
  readonly divergedArrivals: Map<Warp, { readonly lanes: number; readonly pc: number }>;
}

/** Per launch: the first arrival at each barrier of each block, and where threads have exited. */
export interface BarrierState {
  readonly coming: Map<Block, Map<number, PendingArrivals>>;
  readonly exits: Map<Block, Party>;
  /** By lane: the last instruction of the kernel before the exit; -1 where a branch led to it at once. */
  readonly lastSteps: Map<Warp, Int32Array>;
  /** For a cluster's barrier: lanes that have arrived and not waited, by warp. */
  readonly cluster: Map<Warp, { lanes: number; readonly party: Party; readonly frame: Frame; readonly pc: number }>;
}

const createBarrierState = (): BarrierState => ({
  coming: new Map(),
  exits: new Map(),
  lastSteps: new Map(),
  cluster: new Map(),
});

const states = new WeakMap<LaunchContext, BarrierState>();

export function barrierStateOf(context: LaunchContext): BarrierState {
  let state = states.get(context);
  if (state === undefined) states.set(context, (state = createBarrierState()));
  return state;
}

const barrier: WatchOf = (watched) => {
  const { opcode } = watched;
  const isAligned = hasTrait(opcode, "aligned") || hasModifier(opcode, "aligned");
  const numberAt = numberOf(watched, operandNamed(watched, "a"), 0);
  const countAt = numberOf(watched, operandNamed(watched, "b"), 0);
  return (context, warp, { frame, pc }, active) => {
    const lane = firstLane(active);
    const site = context.sites.of(frame.program.fn, pc);
    const number = numberAt(frame, lane);
    const expected = countAt(frame, lane);
    const reportHere = (cause: string, message: string, remedy: string, other?: Party): void =>
      report(
        context,
        { warp, frame, pc, lane },
        () => ({ kind: "barrier", message, remedy, ...(other === undefined ? {} : { other }) }),
        `barrier:${cause}`,
      );
    const odd = lanesIn(active).find((each) => numberAt(frame, each) !== number || countAt(frame, each) !== expected);
    if (odd !== undefined)
      reportHere(
        "different",
        `lanes of a warp name different barriers or counts: barrier ${number} (${expected}) in lane ${lane}, ${numberAt(frame, odd)} (${countAt(frame, odd)}) in lane ${odd}`,
        "give all threads of a warp the same barrier and count",
        partyAt(context, warp, odd, site, undefined),
      );
    const state = barrierStateOf(context);
    let ofBlock = state.coming.get(warp.block);
    if (ofBlock === undefined) state.coming.set(warp.block, (ofBlock = new Map<number, PendingArrivals>()));
    let first = ofBlock.get(number);
    const isFirst = first === undefined;
    if (first === undefined) {
      const party = partyAt(context, warp, lane, site, undefined);
      ofBlock.set(number, (first = { party, expected, warp, frame, pc, lane, divergedArrivals: new Map() }));
    }
    const before = first.divergedArrivals.get(warp);
    if (isAligned && (before !== undefined || (warp.live & ~active) !== 0)) {
      first.divergedArrivals.set(warp, { lanes: (before?.lanes ?? 0) | active, pc });
      // Lanes of the warp that arrive later are not converged with these.
      if (before !== undefined) reportHere("some", divergedText(opcode.spelling, before.lanes), DIVERGED_REMEDY);
    }
    if (!isFirst && first.expected !== expected)
      reportHere(
        "counts",
        `barrier ${number} is used with ${countText(expected)} while others wait at it with ${countText(first.expected)}`,
        "give the barrier the same count everywhere, or use another barrier",
        first.party,
      );
  };
};

const DIVERGED_REMEDY = "let all threads of the block reach the barrier together: move it out of the branch";
const divergedText = (name: string, lanes: number): string =>
  `${name} is executed by lanes ${maskText(lanes)} of a warp only; the other lanes are at other instructions`;

const countText = (count: number): string => (count === 0 ? "all threads of the block" : `a count of ${count}`);

/** The barrier opens; exited threads do not count as arrived. */
export function barrierOpens(context: LaunchContext, block: Block, number: number, arrived: Int32Array): void {
  const state = barrierStateOf(context);
  const ofBlock = state.coming.get(block);
  const first = ofBlock?.get(number);
  ofBlock?.delete(number);
  const waiting = block.warps.flatMap((warp): (readonly [Warp, number])[] => {
    const lanes = warp.groups.reduce(
      (sum, group) => (group.wait?.kind === "barrier" && group.wait.barrier === number ? sum | group.mask : sum),
      0,
    );
    return lanes === 0 ? [] : [[warp, lanes]];
  });
  openBarrier(context.order, block, number, waiting);
  if (first === undefined || first.frame.parent !== undefined) return;
  // Threads may exit before a barrier, which does not wait for them. Threads that have gone past it bypassed the barrier.
  const isSkipped = (warp: Warp, lanes: number): boolean => {
    const last = state.lastSteps.get(warp);
    return last !== undefined && lanesIn(lanes).some((lane) => last[lane]! > first.pc);
  };
  for (const warp of block.warps) {
    const lanes = fullMask(block.launch, warp.index) & ~arrived[warp.index]! & ~warp.live;
    const isOwn = first.expected === 0 || first.divergedArrivals.has(warp);
    if (lanes === 0 || !isOwn || !isSkipped(warp, lanes)) continue;
    report(
      context,
      first,
      () => ({
        kind: "barrier",
        message: `barrier ${number} is reached by some threads of the block only: lanes ${maskText(lanes)} of warp ${warp.index} bypass it`,
        remedy: DIVERGED_REMEDY,
        other: state.exits.get(block),
      }),
      "barrier:some",
    );
    return;
  }
}

const fence: WatchOf = ({ opcode }) => {
  const { id } = opcode.form;
  // Proxy fences order accesses that threads do not make by loads and stores; those of tensor maps are fences as well.
  if (id.startsWith("fence.proxy.alias") || id === "fence.proxy" || id === "membar.proxy") return undefined;
  const level = opcode.chosen.find((text) => text === "cta" || text === "gl" || text === "sys" || text === "gpu");
  const scope = id === "membar" ? (level === "cta" ? 0 : 2) : id === "fence.mbarrier_init" ? 1 : scopeOf(opcode);
  return (context, warp, _, active) => fenceLanes(context.order, warpOrder(context.order, warp), active, scope);
};

const warpSync: WatchOf = (watched) => {
  const maskOf = numberOf(watched, watched.instruction.operands[0], -1);
  return (context, warp, { frame, pc }, active) =>
    checkMasks(context, warp, frame, pc, active, (lane) => maskOf(frame, lane), watched.opcode.spelling);
};

/**
 * Checks the masks of a .sync instruction: each names its own lane and only live lanes, and is equal in all lanes that it names.
 */
export function checkMasks(
  context: LaunchContext,
  warp: Warp,
  frame: Frame,
  pc: number,
  active: number,
  maskOf: (lane: number) => number,
  name: string,
): void {
  const reportHere = (lane: number, cause: string, message: string, remedy: string): void =>
    report(context, { warp, frame, pc, lane }, () => ({ kind: "warp-mask", message, remedy }), `mask:${cause}`);
  for (const lane of lanesIn(active)) {
    const mask = maskOf(lane);
    if (((mask >>> lane) & 1) === 0) {
      reportHere(
        lane,
        "own",
        `lane ${lane} executes ${name} with the mask ${maskText(mask)}, which does not include it`,
        "include every lane that executes the instruction in its mask",
      );
      continue;
    }
    // Nothing waits for lanes beyond the block's threads: programs use the mask of a whole warp.
    const gone = mask & ~warp.live & fullMask(warp.block.launch, warp.index);
    if (gone !== 0)
      reportHere(
        lane,
        "gone",
        `the mask ${maskText(mask)} of ${name} includes lanes ${maskText(gone)}, which have exited`,
        "compute the mask from the branch condition (__ballot_sync before the branch), not with __activemask or as a constant",
      );
    const other = lanesIn(active & mask).find((each) => maskOf(each) !== mask);
    if (other !== undefined)
      reportHere(
        lane,
        "different",
        `lane ${lane} uses the mask ${maskText(mask)}, but lane ${other}, which it includes, uses ${maskText(maskOf(other))}`,
        "give all participating lanes the same mask",
      );
  }
}

const clusterArrive: WatchOf = ({ opcode }) => {
  const releases = !hasModifier(opcode, "relaxed");
  return (context, warp, { frame, pc }, active) => {
    const { cluster } = barrierStateOf(context);
    const known = cluster.get(warp);
    const site = context.sites.of(frame.program.fn, pc);
    const twice = (known?.lanes ?? 0) & active;
    if (twice !== 0)
      report(
        context,
        { warp, frame, pc, lane: firstLane(twice) },
        () => ({
          kind: "barrier",
          message: `lanes ${maskText(twice)} arrive at the cluster's barrier again without having waited`,
          remedy: "put barrier.cluster.wait after each barrier.cluster.arrive",
          other: known!.party,
        }),
        "cluster:twice",
      );
    arriveAtCluster(context.order, warp, active, releases);
    cluster.set(warp, {
      lanes: (known?.lanes ?? 0) | active,
      party: partyAt(context, warp, firstLane(active), site, undefined),
      frame,
      pc,
    });
  };
};

const clusterWait: WatchOf =
  () =>
  (context, warp, { frame, pc }, active) => {
    const known = barrierStateOf(context).cluster.get(warp);
    const without = active & ~(known?.lanes ?? 0);
    if (without !== 0)
      report(
        context,
        { warp, frame, pc, lane: firstLane(without) },
        () => ({
          kind: "barrier",
          message: `lanes ${maskText(without)} wait at the cluster's barrier without having arrived`,
          remedy: "put barrier.cluster.arrive before barrier.cluster.wait",
        }),
        "cluster:wait",
      );
    if (known !== undefined) known.lanes &= ~active;
    // The wait acquires the other threads' clocks when it ends: at once if the barrier is open already.
    if (((warp.block.cluster.arrived.get(warp) ?? 0) & active) === 0) leaveCluster(context.order, warp, active);
  };

/** Lanes exit; they may owe a wait at the cluster's barrier. */
export function lanesExit(
  context: LaunchContext,
  warp: Warp,
  { frame, pc, previous = -1 }: Group,
  lanes: number,
): void {
  const state = barrierStateOf(context);
  let last = state.lastSteps.get(warp);
  if (last === undefined) state.lastSteps.set(warp, (last = new Int32Array(32).fill(-1)));
  for (const lane of lanesIn(lanes)) last[lane] = frame.parent === undefined ? previous : -1;
  const site = context.sites.of(frame.program.fn, pc);
  if (!state.exits.has(warp.block))
    state.exits.set(warp.block, partyAt(context, warp, firstLane(lanes), site, undefined));
  const known = state.cluster.get(warp);
  const owed = (known?.lanes ?? 0) & lanes;
  if (known === undefined || owed === 0) return;
  known.lanes &= ~lanes;
  report(
    context,
    { warp, frame: known.frame, pc: known.pc, lane: firstLane(owed) },
    () => ({
      kind: "barrier",
      message: `lanes ${maskText(owed)} arrive at the cluster's barrier and exit without having waited`,
      remedy: "put barrier.cluster.wait after each barrier.cluster.arrive",
    }),
    "cluster:left",
  );
}

/** By form id, else by base opcode. */
export const syncWatches: Readonly<Record<string, WatchOf>> = {
  "bar.warp.sync": warpSync,
  "barrier.cluster.arrive": clusterArrive,
  "barrier.cluster.wait": clusterWait,
  bar: barrier,
  barrier,
  fence,
  membar: fence,
};
