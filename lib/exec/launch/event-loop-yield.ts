// Yields to the host's event loop between launches: short launches never reach it, so timers, signals and Ctrl-C would starve.
// Launches and instructions are counted, because a clock would make results depend on time.

import { hostTurn } from "../../base/host-turn.js";

/** Launches, and warp instructions in them, between two yields: some milliseconds of work. */
const LAUNCHES = 64;
const INSTRUCTIONS = 250_000;

/** Awaited by the caller before each launch, with the number of instructions that the previous launch issued. */
export type EventLoopYield = (warpInstructions: number) => Promise<void> | undefined;

export function createEventLoopYield(): EventLoopYield {
  let launches = 0;
  let instructions = 0;
  return (warpInstructions) => {
    launches++;
    instructions += warpInstructions;
    if (launches < LAUNCHES && instructions < INSTRUCTIONS) return undefined;
    launches = 0;
    instructions = 0;
    return hostTurn();
  };
}
