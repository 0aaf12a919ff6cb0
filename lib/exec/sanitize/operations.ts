// Asynchronous operations in the sanitizer: accesses that last from the issue to the wait. They are over for a thread whose clock
// includes the wait: the issuing thread's own (groups), or the completion of an mbarrier's phase (signals).
//
// An access to the bytes in between is a race or lacks a wait, and which of the two does not depend on the order of execution:
//
//   the thread knew of the issue              a wait is missing; but if the issuing thread has waited, and the two are not
//                                             ordered, a barrier after that wait is missing: a race. A thread that has issued
//                                             the same copy itself and has not waited for its own lacks the wait
//   it did not, and no thread ever waits      a wait is missing
//   it did not, and some thread waits         a race: the copy was issued while others still used the bytes

import { isOrderedBefore, type Order, type WarpOrder } from "./order.js";

/** A step of the object (mbarrier) that an operation signals. */
export interface Signal {
  readonly key: number;
  readonly step: number;
}

export type AccessFault = "race" | "missing-wait";

/** A conflicting access of another thread; whether it is a race or lacks a wait is not known yet. */
interface PendingAccess {
  readonly lane: number;
  readonly warp: WarpOrder;
  readonly ofLane: number;
  readonly step: number;
  readonly sawIssue: boolean;
  readonly report: (kind: AccessFault) => void;
}

/** One operation of each lane of an instruction. */
export interface AsyncOperation {
  readonly issuer: WarpOrder;
  /** Index of the instruction, and how many operations of it the warp had issued before. */
  readonly site: number;
  readonly ordinal: number;
  /** Name in messages: "cp.async". */
  readonly name: string;
  /** Completes on an mbarrier; if false, in a group of the issuing thread. */
  readonly signals: boolean;
  isOver(ofLane: number, warp: WarpOrder, lane: number): boolean;
  /** Records that the lane has waited. */
  wait(lane: number): void;
  /** Adds a signal. */
  signal(lane: number, signal: Signal): void;
  /**
   * A lane accesses the bytes before the operation is over for it. `isEarlier`: it accessed them before the issue. `hasOwn`: it
   * has issued the same copy itself and not waited for it.
   */
  touched(
    ofLane: number,
    warp: WarpOrder,
    lane: number,
    isEarlier: boolean,
    report: PendingAccess["report"],
    hasOwn?: boolean,
  ): void;
  /** Ends the operation: no thread will wait any more. */
  end(): void;
}

export function createOperation(
  order: Order,
  issuer: WarpOrder,
  { name, signals, site, ordinal }: Pick<AsyncOperation, "name" | "signals" | "site" | "ordinal">,
): AsyncOperation {
  const waited = new Int32Array(32);
  const issued = issuer.step.slice();
  const signalled = new Map<number, Signal[]>();
  let pending: PendingAccess[] = [];
  const knowsSignal = (ofLane: number, warp: WarpOrder, lane: number): boolean =>
    signalled.get(ofLane)?.some(({ key, step }) => isOrderedBefore(order, warp, lane, key, step)) === true;
  return {
    issuer,
    site,
    ordinal,
    name,
    signals,
    isOver(ofLane, warp, lane) {
      const step = waited[ofLane]!;
      return (
        (step > 0 && isOrderedBefore(order, warp, lane, issuer.key + ofLane, step)) || knowsSignal(ofLane, warp, lane)
      );
    },
    wait(lane) {
      if (waited[lane]! > 0) return;
      waited[lane] = issuer.step[lane]!;
      for (const { lane: of, warp, ofLane, step, sawIssue, report } of pending) {
        if (of !== lane) continue;
        const isBefore = isOrderedBefore(order, issuer, lane, warp.key + ofLane, step);
        report(sawIssue && isBefore ? "missing-wait" : "race");
      }
      pending = pending.filter((access) => access.lane !== lane);
    },
    signal(lane, signal) {
      const known = signalled.get(lane);
      if (known === undefined) signalled.set(lane, [signal]);
      else known.push(signal);
    },
    touched(ofLane, warp, lane, isEarlier, report, hasOwn = false) {
      const isIssuer = warp === issuer && lane === ofLane;
      const sawIssue =
        isIssuer || (!isEarlier && isOrderedBefore(order, warp, lane, issuer.key + ofLane, issued[ofLane]!));
      if (isIssuer || (signals && sawIssue) || (hasOwn && !isEarlier && sawIssue)) report("missing-wait");
      else if (waited[ofLane]! > 0) report("race");
      else pending.push({ lane: ofLane, warp, ofLane: lane, step: warp.step[lane]!, sawIssue, report });
    },
    end() {
      for (const { lane, warp, ofLane, report } of pending.splice(0))
        report(signals && knowsSignal(lane, warp, ofLane) ? "race" : "missing-wait");
    },
  };
}
