// Long work in steps: a generator that yields where its caller may do something else, and returns its result. A caller that needs
// the event loop to run (timers, signals, Ctrl-C) awaits it, others run it at once; the work is the same.

import { hostTurn } from "./host-turn.js";

export type Steps<T> = Generator<undefined, T, undefined>;

/** From the beginning to the end. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** With a turn of the event loop after each step. */
export async function withTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await hostTurn();
  }
}
