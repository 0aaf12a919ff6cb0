// Asynchronous operations as the sanitizer sees them: accesses that begin where they are issued and end at some time before a thread
// has waited for them. They are over for a thread that knows of the wait: the issuing thread's own (groups), or that a phase of an
// mbarrier is over (signals).

import type { Order, WarpOrder } from "./order.js";

/** A step of what an operation signals. */
export interface Signal {
  readonly key: number;
  readonly step: number;
}

/** An access of another thread while nobody has waited yet: whether that is a race or a missing wait is known later. */
interface Doubt {
  readonly lane: number;
  readonly key: number;
  readonly step: number;
  readonly tell: (kind: "race" | "missing-wait") => void;
}

/** One operation of each lane of an instruction. */
export interface AsyncOperation {
  readonly issuer: WarpOrder;
  /** As messages say it: "cp.async". */
  readonly name: string;
  isOver(ofLane: number, warp: WarpOrder, lane: number): boolean;
  /** Whether the issuing lane has waited for it. */
  hasWaited(ofLane: number): boolean;
  isSignalled(ofLane: number): boolean;
  /** The lane has waited. */
  wait(lane: number): void;
  /** It signals besides. */
  signal(lane: number, signal: Signal): void;
  doubt(ofLane: number, warp: WarpOrder, lane: number, tell: Doubt["tell"]): void;
  /** Nobody waits any more. */
  end(): void;
}

export function createOperation(order: Order, issuer: WarpOrder, name: string): AsyncOperation {
  const waited = new Int32Array(32);
  const signals = new Map<number, Signal[]>();
  let doubts: Doubt[] = [];
  return {
    issuer,
    name,
    isOver(ofLane, warp, lane) {
      const step = waited[ofLane]!;
      if (step > 0 && order.isBefore(warp, lane, issuer.key + ofLane, step)) return true;
      return signals.get(ofLane)?.some((signal) => order.isBefore(warp, lane, signal.key, signal.step)) === true;
    },
    hasWaited: (ofLane) => waited[ofLane]! > 0,
    isSignalled: (ofLane) => signals.has(ofLane),
    wait(lane) {
      if (waited[lane]! > 0) return;
      waited[lane] = issuer.step[lane]!;
      for (const { lane: of, key, step, tell } of doubts)
        if (of === lane) tell(order.isBefore(issuer, lane, key, step) ? "missing-wait" : "race");
      doubts = doubts.filter((doubt) => doubt.lane !== lane);
    },
    signal(lane, signal) {
      const known = signals.get(lane);
      if (known === undefined) signals.set(lane, [signal]);
      else known.push(signal);
    },
    doubt(ofLane, warp, lane, tell) {
      doubts.push({ lane: ofLane, key: warp.key + lane, step: warp.step[lane]!, tell });
    },
    end() {
      for (const { tell } of doubts.splice(0)) tell("missing-wait");
    },
  };
}
