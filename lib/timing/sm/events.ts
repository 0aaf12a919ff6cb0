// The events of a launch's trace: each warp's residence on an SM, its activity there, and its memory requests. They are
// columns, because there are many; recorded for selected SMs, up to a limit.

import { accessSpaces, type TimedSpace } from "../trace/trace.js";
import { stallNames, type StallName } from "../trace/stalls.js";
import type { Warp, SmWatch } from "./sm-state.js";

export interface TracedWarp {
  readonly sm: number;
  /** Sub-core of the SM, and slot among its warps. */
  readonly subcore: number;
  readonly slot: number;
  readonly block: number;
  /** Within the block. */
  readonly warp: number;
  /** Cycles; `end` includes its last store. */
  readonly start: number;
  end: number;
}

/** Cycles of a warp with one stall reason, at one instruction; `selected` is an issue. */
export interface TracedSpan {
  readonly warp: TracedWarp;
  readonly reason: StallName;
  readonly from: number;
  readonly to: number;
  /** Its number in the launch's profile. */
  readonly instruction: number;
}

export interface TracedRequest {
  readonly warp: TracedWarp;
  readonly instruction: number;
  readonly space: TimedSpace;
  /** From its turn at the memory path to its result, in cycles. */
  readonly from: number;
  readonly to: number;
}

/** The events of a timed launch with their times, for traces. */
export interface LaunchEvents {
  readonly sms: readonly number[];
  readonly warps: readonly TracedWarp[];
  readonly spans: readonly TracedSpan[];
  readonly requests: readonly TracedRequest[];
  /** Spans beyond the limit are omitted. */
  readonly isCut: boolean;
}

export interface EventOptions {
  /** The traced SMs. */
  readonly sms: readonly number[];
  /** Limit of the number of spans. */
  readonly limit: number;
}

export interface EventRecorder {
  /** Undefined for SMs that are not traced. */
  readonly watch: (sm: number) => SmWatch | undefined;
  readonly finish: () => LaunchEvents;
}

export function createEvents({ sms, limit }: EventOptions): EventRecorder {
  const warps: TracedWarp[] = [];
  const spans: TracedSpan[] = [];
  const requests: TracedRequest[] = [];
  let isCut = false;

  function watch(sm: number): SmWatch | undefined {
    if (!sms.includes(sm)) return undefined;
    const known = new Map<Warp, TracedWarp>();
    const taken: boolean[][] = [];
    return {
      begin: (warp, subcore, start) => {
        if (isCut) return;
        const slots = (taken[subcore] ??= []);
        let slot = slots.indexOf(false);
        if (slot < 0) slot = slots.length;
        slots[slot] = true;
        const { index, block } = warp;
        const traced = { sm, subcore, slot, block: block.index, warp: index, start, end: start };
        known.set(warp, traced);
        warps.push(traced);
      },
      span: (warp, reason, from, to, { number }) => {
        const traced = known.get(warp);
        if (traced === undefined) return;
        if (spans.length >= limit) {
          isCut = true;
          return;
        }
        traced.end = Math.max(traced.end, to);
        spans.push({ warp: traced, reason: stallNames[reason]!, from, to, instruction: number });
      },
      request: (warp, { number }, space, from, to) => {
        const traced = known.get(warp);
        if (traced === undefined || isCut) return;
        requests.push({ warp: traced, instruction: number, space: accessSpaces[space]!, from, to: Math.max(from, to) });
      },
      end: (warp, at) => {
        const traced = known.get(warp);
        if (traced === undefined) return;
        if (!isCut) traced.end = Math.max(traced.end, at);
        taken[traced.subcore]![traced.slot] = false;
        known.delete(warp);
      },
    };
  }

  return { watch, finish: () => ({ sms, warps, spans, requests, isCut }) };
}
