// Long work in steps: a generator that yields where the caller may do other work, and returns its result. A caller that needs the
// event loop to run (timers, signals, Ctrl-C) awaits it; others run it at once, with the same result.

import { hostTurn } from "./host-turn.js";

export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs the steps, and yields to the event loop after each. */
export async function withTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await hostTurn();
  }
}
