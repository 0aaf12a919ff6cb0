// Launches that are short let nobody else have a turn: none lasts until it yields, and to await it does not reach the event
// loop. Between launches one is given now and then, so that timers, signals and Ctrl-C are heard. Counted, as a clock would be
// one more thing that results could depend on.

import { hostTurn } from "../base/host-turn.js";

/** Launches, and warp instructions in them, between two turns of the event loop: some milliseconds. */
const LAUNCHES = 64;
const INSTRUCTIONS = 250_000;

/** Is awaited before each launch, with what the one before issued. */
export type Breath = (warpInstructions: number) => Promise<void> | undefined;

export function createBreath(): Breath {
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
