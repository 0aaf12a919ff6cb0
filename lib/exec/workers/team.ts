// The threads of one launch: whether it is worth calling others to it, and what came of it all.

import { giveBytesBack } from "../../load/arena.js";
import type { LaunchOptions } from "../launch.js";
import { faultOf } from "../describe-fault.js";
import { clusterOf, type LaunchState } from "../launch-state.js";
import type { LaunchResult } from "../result.js";
import type { Turns } from "../turns.js";
import type { Part, Reply, Thrown } from "./message.js";
import { createShares, MOST_CLUSTERS, type Shares } from "./shares.js";
import { rethrown, type Workers } from "./workers.js";

export interface Team {
  /** Calls other threads to the launch, once what is left of it is worth that. */
  consider(turns: Turns): void;
  /** This thread's part is done, or thrown: what the others did. Throws what was thrown there. */
  finish(): Promise<readonly Part[]>;
}

/**
 * Warp instructions still to come that are worth calling threads: to start one takes 0.1 s of CPU time, with what it has to
 * read and compile; one that waits is there at once. Where launches together have taken as long as that, more are likely to
 * come. The interpreter takes ten times as long for each.
 */
const WORTH = { cold: 16_000_000, warm: 200_000 } as const;
const INTERPRETED = 1 / 10;

/** Milliseconds between two reports of progress while only other threads run. */
const PAUSE = 100;

export function createTeam(
  state: LaunchState,
  workers: Workers,
  { engine = "fast", maxInstructions = Infinity, async = "late", signal, onProgress }: LaunchOptions,
): Team {
  const { arena } = state.process.memory;
  const { counters, clusters, parameterBytes } = state;
  const { parameters: _, ...config } = state.config;
  let shares: Shares | undefined;
  let isTried = arena === undefined || clusters > MOST_CLUSTERS || parameterBytes.offset < 0;
  const parts: Part[] = [];
  const thrown: Thrown[] = [];
  let entered = 0;
  let replies = 0;
  let isOver = false;
  let wake = (): void => {};

  /** Whoever comes late still looks there. */
  const giveBack = (): void => {
    if (!isOver || replies < workers.count) return;
    giveBytesBack(arena, parameterBytes);
    giveBytesBack(arena, shares!.stretch);
  };
  const take = (reply: Reply): void => {
    replies++;
    if (reply !== "late") {
      entered++;
      if ("part" in reply) parts.push(reply.part);
      else thrown.push(reply.thrown);
    }
    giveBack();
    wake();
  };
  const worth = (): number => {
    const start = workers.isWarm ? 0 : WORTH.cold * (engine === "reference" ? INTERPRETED : 1) - workers.issued;
    return workers.callFrom ?? Math.max(start, WORTH.warm * (engine === "reference" ? INTERPRETED : 1));
  };

  return {
    consider(turns) {
      const begun = turns.next;
      if (isTried || begun === clusters) return;
      if ((counters.warpInstructions / Math.max(1, begun)) * (clusters - begun) < worth()) return;
      isTried = true;
      const images = state.process.images.handOver();
      if (images === undefined) return;
      shares = createShares(arena!, { clusters, next: begun, done: turns.done }, counters);
      if (shares === undefined) return;
      state.shares = shares;
      const isCalled = workers.call(
        {
          kernel: state.kernel.name,
          images,
          config,
          parameters: { offset: parameterBytes.offset, size: parameterBytes.bytes.length },
          shares: { offset: shares.stretch.offset, size: shares.stretch.bytes.length },
          engine,
          maxInstructions,
          timeBase: state.timeBase + counters.warpInstructions,
          async,
        },
        take,
      );
      if (isCalled) workers.hold(true);
      else replies = workers.count;
    },
    async finish() {
      if (shares === undefined) {
        giveBytesBack(arena, parameterBytes);
        workers.note(counters.warpInstructions);
        return [];
      }
      shares.leave(counters);
      const expected = shares.close();
      const stop = (): void => shares!.stop();
      signal?.addEventListener("abort", stop);
      if (signal?.aborted === true) stop();
      const timer =
        onProgress === undefined
          ? undefined
          : setInterval(() => onProgress(Math.min(state.blocks, shares!.finish(0)), state.blocks), PAUSE);
      while (entered < expected) await new Promise<void>((resolve) => (wake = resolve));
      clearInterval(timer);
      signal?.removeEventListener("abort", stop);
      workers.hold(false);
      isOver = true;
      giveBack();
      state.process.memory.refresh();
      if (thrown[0] !== undefined) throw rethrown(thrown[0]);
      workers.note(parts.reduce((sum, part) => sum + part.warpInstructions, counters.warpInstructions));
      return parts;
    },
  };
}

/** One result of what each thread did. */
export function together(state: LaunchState, own: Part, others: readonly Part[]): LaunchResult {
  const parts = [own, ...others];
  const sum = (of: (part: Part) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const found = parts.flatMap((part) => part.found ?? []);
  const fault = faultOf(found);
  // As if clusters had run one after the other, nothing is printed behind the one at fault; there is none in an interruption.
  const last = fault?.kind === "interrupted" ? Infinity : Math.min(...found.map(({ cluster }) => cluster));
  const printed = parts.flatMap(({ output }) => [...output]);
  const counted = others.length === 0 ? printed : printed.filter(([block]) => clusterOf(state, block) <= last);
  return {
    kernel: state.kernel.name,
    warpInstructions: sum((part) => part.warpInstructions),
    threadInstructions: sum((part) => part.threadInstructions),
    printf: counted
      .sort(([a], [b]) => a - b)
      .map(([, text]) => text)
      .join(""),
    ...(fault === undefined ? {} : { fault }),
  };
}
