// Assembles many PTX texts on several threads: this one and, if there is enough work, others. Timing decides which thread
// assembles a text, but not its result; results are in the order of the texts. Each other thread has up to two batches queued, so
// that it never waits for this thread, which assembles single texts in between.
// Rejected: this thread only sends and collects. With two cores that leaves one idle half of the time.

import { setImmediate as nextTurn } from "node:timers/promises";
import { InternalError } from "../../lib/base/assert.js";
import { resolveOptions } from "../../lib/nvvm/options.js";
import { isNvvm } from "../../lib/nvvm/recognise.js";
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
  /** Adds a text and returns the index of its result. Resolves when few texts wait, which bounds the memory for waiting texts. */
  add(job: Job): Promise<number>;
  /** Whether the fast path supports all results so far. */
  isPacked(): boolean;
  /** All results so far. Throws InternalError for an exception in another thread. */
  results(): Promise<readonly Assembled[]>;
  close(): Promise<void>;
}

export interface PoolOptions extends AssemblyOptions {
  /** Upper bound on the other threads. */
  readonly helpers: number;
  /** Whether to pack objects, as long as the fast path supports all of them. Otherwise this thread returns unpacked objects. */
  readonly wantsPacked: boolean;
  readonly start: (options: AssemblyOptions) => Promise<AssemblerThread>;
}

/** Bytes of text in one batch: some 20 ms of work. */
const BATCH = 512 * 1024;
/** Bytes of text that this thread assembles before it checks the other threads. */
const TURN = 64 * 1024;
/** Limit of the bytes of text that wait for a thread. */
const WAITING = 8 * 2 ** 20;
/** Limit of the batches that one thread has queued. */
const AHEAD = 2;

interface NumberedJob extends Job {
  readonly number: number;
}

/** The sources, threads and results of a pool. */
interface PoolState {
  readonly helpers: number;
  readonly start: PoolOptions["start"];
  /** The options for other threads: without options that are computed on demand, because functions cannot be sent. */
  readonly options: AssemblyOptions;
  readonly assemble: ReturnType<typeof createTextAssembler>;
  readonly dictionary: ReturnType<typeof createDictionary> | undefined;
  readonly results: Assembled[];
  readonly threads: Promise<AssemblerThread>[];
  /** Number of batches that each thread has queued. */
  readonly busy: number[];
  /** Texts that wait for a thread; `waitingBytes` is their size. */
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

/** Removes waiting texts of at most `bytes` bytes from the queue, but at least one. */
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

/** Sends a batch to another thread, and stores its results. */
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

/** Fills the queues of the other threads. The last waiting text stays for this thread. */
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

/** Errors lose their class when they pass between threads. */
function asDefect(error: unknown): InternalError {
  if (error instanceof InternalError) return error;
  const defect = new InternalError(error instanceof Error ? error.message : String(error));
  if (error instanceof Error && error.stack !== undefined) defect.stack = error.stack;
  return defect;
}
