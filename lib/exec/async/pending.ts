// Asynchronous operations that have been issued but are not complete. PTX leaves open when they complete. "late" completes them
// at the last moment that a correct program allows, so that a forgotten wait shows as wrong data:
//
//   groups     of a thread (cp.async, bulk copies to global memory): at the wait_group that covers them
//   signals    on an mbarrier (bulk copies to shared memory, st.async, cp.async.mbarrier.arrive): when a wait tests a phase
//              that they end; in issue order, and no more of them than end the phase. A wait that times out, or many
//              unsuccessful ones, complete them all: no copy takes that long
//   both       at the latest when all threads of the cluster have exited
//
// Sources are read at that moment too. "early" completes each operation when it is issued. Rejected: a random moment (no two runs
// would be alike).

import type { Cluster } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { Mbarrier, Pending, GroupKind, Groups, Signal, Issued, LaneOperations } from "../state/pending.js";
import type { Spot, Warp } from "../state/warp.js";
import { lanesIn } from "../machine/walk.js";
import { mbarrierAt, update } from "./mbarrier.js";

/** Unsuccessful polls of a barrier after which its pending signals complete anyway: no copy takes longer. */
const MAX_UNSUCCESSFUL_POLLS = 64;

const pendingOf = (cluster: Cluster): Pending =>
  (cluster.pending ??= { groups: new Map(), signals: new Map(), tensor: [], tensorDone: 0, serial: 0 });

const isEarly = ({ warp }: Frame): boolean => warp.block.launch.async === "early";

/** Marks that operations are pending, so that generated code does not start the next block. */
function markPending({ warp }: Frame): Pending {
  warp.block.launch.fast?.deferBlockEnd();
  return pendingOf(warp.block.cluster);
}

// --------------------------------------------------------------------------------------------------------------- groups

function groupsOf(pending: Pending, warp: Warp, kind: GroupKind): Groups {
  let ofWarp = pending.groups.get(warp);
  if (ofWarp === undefined) pending.groups.set(warp, (ofWarp = new Map<GroupKind, Groups>()));
  let found = ofWarp.get(kind);
  if (found === undefined) ofWarp.set(kind, (found = { open: new Int32Array(32), issued: [] }));
  return found;
}

/** Issues operations of the lanes in `mask`, each in its thread's open group. */
export function issueInGroup(frame: Frame, kind: GroupKind, mask: number, operations: LaneOperations): void {
  if (isEarly(frame)) {
    for (const lane of lanesIn(mask)) operations.complete(lane);
    operations.end?.();
    return;
  }
  const pending = markPending(frame);
  const { open, issued } = groupsOf(pending, frame.warp, kind);
  const { read, complete, end } = operations;
  issued.push({ read, complete, end, mask, groups: open, serial: pending.serial++ });
}

/** commit_group: operations that the lanes issue from now on belong to the next group. */
export function commitGroup({ warp }: Frame, kind: GroupKind, mask: number): void {
  const groups = warp.block.cluster.pending?.groups.get(warp)?.get(kind);
  if (groups === undefined) return;
  groups.open = groups.open.slice();
  for (const lane of lanesIn(mask)) groups.open[lane]!++;
}

/**
 * Completes all committed groups of the lanes except the latest `left`; with `left` -1, also the open group. With `reads`, it
 * only reads their sources.
 */
export function waitGroup({ warp }: Frame, kind: GroupKind, mask: number, left: number, reads = false): void {
  const groups = warp.block.cluster.pending?.groups.get(warp)?.get(kind);
  if (groups === undefined) return;
  completeIssued(groups, mask, (lane, { groups: numbers }) => numbers[lane]! < groups.open[lane]! - left, reads);
}

function completeIssued(
  groups: Groups,
  mask: number,
  isDue: (lane: number, issued: Issued) => boolean,
  reads = false,
): void {
  let some = false;
  for (const issued of groups.issued) {
    for (let lane = 0; lane < 32; lane++) {
      if ((((issued.mask & mask) >>> lane) & 1) === 0 || !isDue(lane, issued)) continue;
      if (reads) {
        issued.read?.(lane);
        continue;
      }
      issued.complete(lane);
      issued.mask &= ~(1 << lane);
    }
    if (issued.mask !== 0) continue;
    issued.end?.();
    some = true;
  }
  if (some) groups.issued = groups.issued.filter(({ mask: rest }) => rest !== 0);
}

// -------------------------------------------------------------------------------------------------------------- signals

/** Issues an operation that signals the mbarrier at `at` when it completes. */
export function issueWithSignal(
  frame: Frame,
  at: Spot,
  complete: () => void,
  signal: (barrier: Mbarrier) => Mbarrier,
): void {
  if (isEarly(frame)) {
    complete();
    update(at, signal);
    return;
  }
  const pending = markPending(frame);
  const { buffer } = at.view;
  let ofBuffer = pending.signals.get(buffer);
  if (ofBuffer === undefined) pending.signals.set(buffer, (ofBuffer = new Map<number, never>()));
  const key = at.view.byteOffset + at.offset;
  const known = ofBuffer.get(key);
  if (known === undefined)
    ofBuffer.set(key, {
      at: { view: at.view, offset: at.offset },
      queue: [{ complete, signal }],
      unsuccessfulPolls: 0,
    });
  else known.queue.push({ complete, signal });
}

/** cp.async.mbarrier.arrive: signals when the cp.async operations that the lane has issued so far are complete. */
export function signalAfterCopies(frame: Frame, lane: number, at: Spot, signal: (barrier: Mbarrier) => Mbarrier): void {
  const groups = frame.warp.block.cluster.pending?.groups.get(frame.warp)?.get("copy");
  const until = frame.warp.block.cluster.pending?.serial ?? 0;
  const complete = (): void => {
    if (groups !== undefined) completeIssued(groups, 1 << lane, (_, { serial }) => serial < until);
  };
  issueWithSignal(frame, at, complete, signal);
}

function signalsAt({ pending }: Cluster, { view, offset }: Spot) {
  return pending?.signals.get(view.buffer)?.get(view.byteOffset + offset);
}

const perform = (at: Spot, { complete, signal }: Signal): void => {
  complete();
  update(at, signal);
};

/**
 * Whether the phase with that parity is over at the mbarrier. If pending operations end the phase, those up to the end complete
 * first. If not even all of them end it, none completes, except that after MAX_UNSUCCESSFUL_POLLS polls all do.
 */
export function isPhaseOver(cluster: Cluster, at: Spot, phase: number): boolean {
  let barrier = mbarrierAt(at);
  if (barrier.phase !== phase) return true;
  const pending = signalsAt(cluster, at);
  if (pending === undefined || pending.queue.length === 0) return false;
  const ending = pending.queue.findIndex(({ signal }) => {
    barrier = signal(barrier);
    return barrier.phase !== phase;
  });
  if (ending < 0 && ++pending.unsuccessfulPolls <= MAX_UNSUCCESSFUL_POLLS) return false;
  pending.unsuccessfulPolls = 0;
  for (const signal of pending.queue.splice(0, ending < 0 ? Infinity : ending + 1)) perform(pending.at, signal);
  return ending >= 0;
}

/** Completes the operations that signal an mbarrier, before it is initialised again or becomes ordinary memory. */
export function completeSignals(cluster: Cluster, at: Spot): void {
  const pending = signalsAt(cluster, at);
  if (pending !== undefined) for (const signal of pending.queue.splice(0)) perform(pending.at, signal);
}

// -------------------------------------------------------------------------------------------------------- tensor memory

/** Issues tcgen05.mma, cp or shift. It completes before a later commit signals; without one, it is dropped with the cluster. */
export function issueTensor(frame: Frame, complete: () => void): void {
  if (isEarly(frame)) complete();
  else markPending(frame).tensor.push(complete);
}

/** tcgen05.commit: signals the mbarrier at each place when the operations issued so far are complete. */
export function signalAfterTensor(
  frame: Frame,
  places: readonly Spot[],
  signal: (barrier: Mbarrier) => Mbarrier,
): void {
  const pending = isEarly(frame) ? undefined : markPending(frame);
  const until = pending === undefined ? 0 : pending.tensorDone + pending.tensor.length;
  const complete = (): void => {
    if (pending !== undefined) completeTensor(pending, until);
  };
  for (const at of places) issueWithSignal(frame, at, complete, signal);
}

function completeTensor(pending: Pending, until: number): void {
  const due = pending.tensor.splice(0, Math.max(0, until - pending.tensorDone));
  pending.tensorDone += due.length;
  for (const complete of due) complete();
}

/**
 * Completes all pending copies and signals once the cluster's threads have exited, in issue order within a warp or an mbarrier.
 * Operations of tensor memory are dropped.
 */
export function completeAll(cluster: Cluster): void {
  const { pending } = cluster;
  if (pending === undefined) return;
  for (const ofBuffer of pending.signals.values())
    for (const { queue } of ofBuffer.values()) for (const { complete } of queue.splice(0)) complete();
  for (const ofWarp of pending.groups.values())
    for (const groups of ofWarp.values()) completeIssued(groups, -1, () => true);
  cluster.pending = undefined;
}
