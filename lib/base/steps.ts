// Long work in steps: a generator that yields where its caller may look elsewhere, and returns what it makes. Who wants the
// host's event loop to have its turns (timers, signals, Ctrl-C) awaits it, who does not runs it at once; the work is the same.

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
