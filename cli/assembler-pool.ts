// Many PTX texts to objects, by several threads: this one and, once there is enough to do for another, others. Which thread
// takes which text depends on the moment; what comes of a text does not, and the results are kept in the order of the texts.
// Other threads get batches, two at a time so that none waits for this one, which assembles text by text in between.
// Rejected: this thread only hands out and collects. With two cores that leaves one idle half of the time.

import { setImmediate as nextTurn } from "node:timers/promises";
import { InternalError } from "../lib/base/assert.js";
import { resolveOptions } from "../lib/nvvm/options.js";
import { isNvvm } from "../lib/nvvm/recognise.js";
import {
  createTextAssembler,
  makeBatch,
  createDictionary,
  readAnswer,
  type Assembled,
  type AssemblyOptions,
  type Job,
} from "./assembler-batch.js";
import type { AssemblerThread } from "./assembler-thread.js";

export interface AssemblerPool {
  /** Takes a text; its number among the results. Returns when few enough texts wait, so that not all are held at once. */
  add(job: Job): Promise<number>;
  /** Whether the fast path supports all results so far. */
  isPacked(): boolean;
  /** All results so far. Throws InternalError for what was thrown in another thread. */
  results(): Promise<readonly Assembled[]>;
  close(): Promise<void>;
}

export interface PoolOptions extends AssemblyOptions {
  /** Other threads, at most. */
  readonly helpers: number;
  /** Whether packed objects are wanted, as long as the fast path supports all; otherwise objects, where they are at hand. */
  readonly wantsPacked: boolean;
  readonly start: (options: AssemblyOptions) => Promise<AssemblerThread>;
}

/** Bytes of text that another thread is given at once: some 20 ms of work. */
const BATCH = 512 * 1024;
/** Bytes of text that this thread assembles before it checks the other threads. */
const TURN = 64 * 1024;
/** Bytes of text that wait for a thread, at most. */
const WAITING = 8 * 2 ** 20;
/** Batches that one thread has at once. */
const AHEAD = 2;

interface NumberedJob extends Job {
  readonly number: number;
}

export function createAssemblerPool({ helpers, wantsPacked, start, check, warnings }: PoolOptions): AssemblerPool {
  const assemble = createTextAssembler({ check, warnings });
  // Options that are computed on demand are functions, which no other thread can be sent.
  const { nvvm, ...plain } = check;
  const options: AssemblyOptions = { check: plain, warnings };
  const dictionary = wantsPacked ? createDictionary() : undefined;
  const results: Assembled[] = [];
  const threads: Promise<AssemblerThread>[] = [];
  const busy: number[] = [];
  let jobs: NumberedJob[] = [];
  let added = 0;
  let done = 0;
  let waitingBytes = 0;
  let isPacked = true;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};

  const finish = (number: number, result: Assembled): void => {
    results[number] = result;
    isPacked &&= result.isPacked;
    done++;
  };
  const take = (bytes: number): readonly NumberedJob[] => {
    let size = 0;
    let count = 0;
    while (count < jobs.length && (count === 0 || size + jobs[count]!.source.bytes.length <= bytes))
      size += jobs[count++]!.source.bytes.length;
    const taken = jobs.slice(0, count);
    jobs = jobs.slice(count);
    waitingBytes -= size;
    return taken;
  };
  const give = async (to: number, given: readonly NumberedJob[]): Promise<void> => {
    busy[to]!++;
    try {
      const batch = makeBatch(given);
      for (const { onRead } of given) onRead?.();
      const answer = await (await threads[to]!).assemble(batch);
      readAnswer(answer, batch).forEach((result, i) => finish(given[i]!.number, result));
    } catch (error) {
      failure ??= { error };
    }
    busy[to]!--;
    wake();
  };
  /** Gives the others what they can take; a single text is for this thread. */
  const feed = (): void => {
    for (let to = 0; to < helpers; to++) {
      while (jobs.length > 1 && (busy[to] ?? 0) < AHEAD) {
        threads[to] ??= start(options);
        busy[to] ??= 0;
        void give(to, take(BATCH));
      }
    }
  };
  const work = async (isEnough: () => boolean): Promise<void> => {
    for (;;) {
      if (failure !== undefined) throw asDefect(failure.error);
      feed();
      if (isEnough()) return;
      const own = take(TURN);
      for (const job of own) finish(job.number, assemble(job, isPacked ? dictionary : undefined));
      if (own.length > 0) await nextTurn();
      else if (done < added) await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    async add(job) {
      const number = added++;
      if (helpers === 0) {
        finish(number, assemble(job, isPacked ? dictionary : undefined));
        return number;
      }
      jobs.push({ ...job, number, ...(isNvvm(job.source.bytes) ? { nvvm: resolveOptions(nvvm) } : {}) });
      waitingBytes += job.source.bytes.length;
      await work(() => waitingBytes <= WAITING);
      return number;
    },
    isPacked: () => isPacked,
    async results() {
      await work(() => done === added);
      return results;
    },
    close: async () => void (await Promise.allSettled(threads.map(async (thread) => (await thread).close()))),
  };
}

/** Errors lose their class on the way between threads. */
function asDefect(error: unknown): InternalError {
  if (error instanceof InternalError) return error;
  const defect = new InternalError(error instanceof Error ? error.message : String(error));
  if (error instanceof Error && error.stack !== undefined) defect.stack = error.stack;
  return defect;
}
