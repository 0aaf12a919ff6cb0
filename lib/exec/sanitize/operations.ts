// Asynchronous operations as the sanitizer sees them: accesses that begin when they are issued and end before a thread has waited
// for them. They are over for a thread whose clock includes the wait: the issuing thread's own (groups), or the completion of an
// mbarrier's phase (signals).
//
// An access to the bytes in between is a race or lacks a wait, and which of the two does not depend on the order of execution:
//
//   the thread knew of the issue              a wait is missing; but where the issuing thread has waited, and the two are not
//                                             ordered, what is missing is a barrier behind that wait: a race. A thread that has
//                                             issued the same copy of its own and has not waited for that one lacks the wait
//   it did not, and no thread ever waits      a wait is missing
//   it did not, and some thread waits         a race: the copy was issued while others still used the bytes

import type { Order, WarpOrder } from "./order.js";

/** A step of what an operation signals. */
export interface Signal {
  readonly key: number;
  readonly step: number;
}

export type AccessFault = "race" | "missing-wait";

/** An access of another thread, of which it is not known yet what it lacks. */
interface Doubt {
  readonly lane: number;
  readonly warp: WarpOrder;
  readonly ofLane: number;
  readonly step: number;
  readonly knewOfIssue: boolean;
  readonly tell: (kind: AccessFault) => void;
}

/** One operation of each lane of an instruction. */
export interface AsyncOperation {
  readonly issuer: WarpOrder;
  /** Which instruction it is, and its number among those of its warp. */
  readonly site: number;
  readonly ordinal: number;
  /** As messages say it: "cp.async". */
  readonly name: string;
  /** Whether it signals an mbarrier, or is of a group of its thread. */
  readonly signals: boolean;
  isOver(ofLane: number, warp: WarpOrder, lane: number): boolean;
  /** The lane has waited. */
  wait(lane: number): void;
  /** It signals besides. */
  signal(lane: number, signal: Signal): void;
  /**
   * A thread's lane touches the bytes, and it is not over for it; `isEarlier` where it has done so before the issue. `hasOwn`: it has
   * issued the same copy of its own and not waited for it.
   */
  touched(
    ofLane: number,
    warp: WarpOrder,
    lane: number,
    isEarlier: boolean,
    tell: Doubt["tell"],
    hasOwn?: boolean,
  ): void;
  /** Nobody waits any more. */
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
  let doubts: Doubt[] = [];
  const knowsSignal = (ofLane: number, warp: WarpOrder, lane: number): boolean =>
    signalled.get(ofLane)?.some(({ key, step }) => order.isBefore(warp, lane, key, step)) === true;
  return {
    issuer,
    site,
    ordinal,
    name,
    signals,
    isOver(ofLane, warp, lane) {
      const step = waited[ofLane]!;
      return (step > 0 && order.isBefore(warp, lane, issuer.key + ofLane, step)) || knowsSignal(ofLane, warp, lane);
    },
    wait(lane) {
      if (waited[lane]! > 0) return;
      waited[lane] = issuer.step[lane]!;
      for (const { lane: of, warp, ofLane, step, knewOfIssue, tell } of doubts) {
        if (of !== lane) continue;
        const isBefore = order.isBefore(issuer, lane, warp.key + ofLane, step);
        tell(knewOfIssue && isBefore ? "missing-wait" : "race");
      }
      doubts = doubts.filter((doubt) => doubt.lane !== lane);
    },
    signal(lane, signal) {
      const known = signalled.get(lane);
      if (known === undefined) signalled.set(lane, [signal]);
      else known.push(signal);
    },
    touched(ofLane, warp, lane, isEarlier, tell, hasOwn = false) {
      const isIssuer = warp === issuer && lane === ofLane;
      const knewOfIssue = isIssuer || (!isEarlier && order.isBefore(warp, lane, issuer.key + ofLane, issued[ofLane]!));
      if (isIssuer || (signals && knewOfIssue) || (hasOwn && !isEarlier && knewOfIssue)) tell("missing-wait");
      else if (waited[ofLane]! > 0) tell("race");
      else doubts.push({ lane: ofLane, warp, ofLane: lane, step: warp.step[lane]!, knewOfIssue, tell });
    },
    end() {
      for (const { lane, warp, ofLane, tell } of doubts.splice(0))
        tell(signals && knowsSignal(lane, warp, ofLane) ? "race" : "missing-wait");
    },
  };
}
