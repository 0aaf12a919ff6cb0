// Assembles many PTX texts on several threads: this one and, once there is enough work for another, others. Which thread gets a text
// depends on timing; its result does not, and results are in the order of the texts. Other threads get batches, two at a time so
// that none waits for this one, which assembles text by text in between.
// Rejected: this thread only sends and collects. With two cores that leaves one idle half of the time.

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

/** The sources, threads and results of a pool. */
interface PoolState {
  readonly helpers: number;
  readonly start: PoolOptions["start"];
  /** For other threads: options that are computed on demand are functions, which cannot be sent. */
  readonly options: AssemblyOptions;
  readonly assemble: ReturnType<typeof createTextAssembler>;
  readonly dictionary: ReturnType<typeof createDictionary> | undefined;
  readonly results: Assembled[];
  readonly threads: Promise<AssemblerThread>[];
  /** Batches of each thread. */
  readonly busy: number[];
  /** Texts that wait, and their bytes. */
  jobs: NumberedJob[];
  waitingBytes: number;
  added: number;
  done: number;
  isPacked: boolean;
  failure: { readonly error: unknown } | undefined;
  /** Called when a batch has ended. */
  wake: () => void;
}

export function createAssemblerPool({ helpers, wantsPacked, start, check, warnings }: PoolOptions): AssemblerPool {
  const { nvvm, ...plain } = check;
  const pool: PoolState = {
    helpers,
    start,
    options: { check: plain, warnings },
    assemble: createTextAssembler({ check, warnings }),
    dictionary: wantsPacked ? createDictionary() : undefined,
    results: [],
    threads: [],
    busy: [],
    jobs: [],
    waitingBytes: 0,
    added: 0,
    done: 0,
    isPacked: true,
    failure: undefined,
    wake: () => {},
  };
  return {
    async add(job) {
      const number = pool.added++;
      if (helpers === 0) {
        assembleHere(pool, { ...job, number });
        return number;
      }
      const numbered = { ...job, number, ...(isNvvm(job.source.bytes) ? { nvvm: resolveOptions(nvvm) } : {}) };
      pool.jobs.push(numbered);
      pool.waitingBytes += job.source.bytes.length;
      await work(pool, () => pool.waitingBytes <= WAITING);
      return number;
    },
    isPacked: () => pool.isPacked,
    async results() {
      await work(pool, () => pool.done === pool.added);
      return pool.results;
    },
    close: async () => void (await Promise.allSettled(pool.threads.map(async (thread) => (await thread).close()))),
  };
}

function finish(pool: PoolState, number: number, result: Assembled): void {
  pool.results[number] = result;
  pool.isPacked &&= result.isPacked;
  pool.done++;
}

function assembleHere(pool: PoolState, job: NumberedJob): void {
  finish(pool, job.number, pool.assemble(job, pool.isPacked ? pool.dictionary : undefined));
}

/** Takes waiting texts of that many bytes, or one. */
function takeJobs(pool: PoolState, bytes: number): readonly NumberedJob[] {
  const { jobs } = pool;
  let size = 0;
  let count = 0;
  while (count < jobs.length && (count === 0 || size + jobs[count]!.source.bytes.length <= bytes))
    size += jobs[count++]!.source.bytes.length;
  pool.jobs = jobs.slice(count);
  pool.waitingBytes -= size;
  return jobs.slice(0, count);
}

/** Sends a batch to another thread, and keeps its results. */
async function sendBatch(pool: PoolState, to: number, given: readonly NumberedJob[]): Promise<void> {
  pool.busy[to]!++;
  try {
    const batch = makeBatch(given);
    for (const { onRead } of given) onRead?.();
    const answer = await (await pool.threads[to]!).assemble(batch);
    readAnswer(answer, batch).forEach((result, i) => finish(pool, given[i]!.number, result));
  } catch (error) {
    pool.failure ??= { error };
  }
  pool.busy[to]!--;
  pool.wake();
}

/** Sends the other threads as many batches as they take; a single text is for this thread. */
function feed(pool: PoolState): void {
  const { helpers, threads, busy, options } = pool;
  for (let to = 0; to < helpers; to++) {
    while (pool.jobs.length > 1 && (busy[to] ?? 0) < AHEAD) {
      threads[to] ??= pool.start(options);
      busy[to] ??= 0;
      void sendBatch(pool, to, takeJobs(pool, BATCH));
    }
  }
}

async function work(pool: PoolState, isEnough: () => boolean): Promise<void> {
  for (;;) {
    if (pool.failure !== undefined) throw asDefect(pool.failure.error);
    feed(pool);
    if (isEnough()) return;
    const own = takeJobs(pool, TURN);
    for (const job of own) assembleHere(pool, job);
    if (own.length > 0) await nextTurn();
    else if (pool.done < pool.added) await new Promise<void>((resolve) => (pool.wake = resolve));
  }
}

/** Errors lose their class on the way between threads. */
function asDefect(error: unknown): InternalError {
  if (error instanceof InternalError) return error;
  const defect = new InternalError(error instanceof Error ? error.message : String(error));
  if (error instanceof Error && error.stack !== undefined) defect.stack = error.stack;
  return defect;
}
