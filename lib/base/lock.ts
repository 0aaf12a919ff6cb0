// A lock in shared memory for host threads: one word, 0 if no thread holds the lock.

/** Runs `work` while no other thread holds the lock in that word. */
export function withLock<T>(words: Int32Array, index: number, work: () => T): T {
  // The wait has a timeout, because a thread that checks just before the notification would miss it.
  while (Atomics.compareExchange(words, index, 0, 1) !== 0) Atomics.wait(words, index, 1, 10);
  try {
    return work();
  } finally {
    Atomics.store(words, index, 0);
    Atomics.notify(words, index, 1);
  }
}
