// A lock in shared memory for threads of the host: one word, 0 when no thread holds it.

/** Does the work while no other thread does any under the same word. */
export function withLock<T>(words: Int32Array, index: number, work: () => T): T {
  // With a limit, because a thread that looks just before the other's notice would miss it.
  while (Atomics.compareExchange(words, index, 0, 1) !== 0) Atomics.wait(words, index, 1, 10);
  try {
    return work();
  } finally {
    Atomics.store(words, index, 0);
    Atomics.notify(words, index, 1);
  }
}
