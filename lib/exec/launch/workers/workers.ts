// Host threads that take part in the launches of one process. They start when a launch first has enough work, wait for further
// launches, and never keep the host's program from ending.

import type workerThreads from "node:worker_threads";
import { InternalError } from "../../../base/assert.js";
import { nodeBuiltin } from "../../../base/node-builtin.js";
import { transferOf } from "../../../load/process-transfer.js";
import { MalformedCode } from "../../../load/load.js";
import type { Process } from "../../../load/process.js";
import { BindError } from "../../program/bind.js";
import type { ProgramOptions } from "../../program/programs.js";
import type { Job, PartialResult, Reply, Thrown, WorkerStart } from "./message.js";

export interface WorkerOptions extends ProgramOptions {
  /** Remaining warp instructions from which on threads are called to a launch; by default, as many as pay off. */
  readonly callFrom?: number;
  /** Called with each reply before the launch receives it: the part that a thread ran. */
  readonly onReply?: (reply: Reply) => void;
}

export interface Workers {
  readonly callFrom: number | undefined;
  /** Number of threads besides the launching one, once they have started. */
  readonly count: number;
  /** Whether the threads have started. */
  readonly isWarm: boolean;
  /** Warp instructions of launches that have ended. */
  readonly issued: number;
  /** Adds a launch that has ended. */
  note(warpInstructions: number): void;
  /** Calls all threads to a launch; each replies. False if the host has no threads or they cannot access the process's memory. */
  call(job: Job, onReply: (reply: Reply) => void): boolean;
  /** Sets whether the host's program waits for the threads. */
  hold(isHeld: boolean): void;
  /** Terminates the threads. */
  close(): Promise<void>;
}

/** Creates `count` threads for launches of the process, whose programs are bound with these options. */
export function createWorkers(process: Process, count: number, options: WorkerOptions = {}): Workers {
  const { hotAfter, callFrom, onReply: observe } = options;
  const programs: ProgramOptions = hotAfter === undefined ? {} : { hotAfter };
  let threads: readonly Thread[] = [];
  let issued = 0;
  return {
    callFrom,
    count,
    get isWarm() {
      return threads.length > 0;
    },
    get issued() {
      return issued;
    },
    note: (warpInstructions) => void (issued += warpInstructions),
    call(job, onReply) {
      // Checked each time, because memory that other threads cannot access may have been added.
      const transfer = transferOf(process);
      const host = nodeBuiltin("node:worker_threads");
      if (transfer === undefined || host === undefined) return false;
      if (threads.length === 0)
        threads = Array.from({ length: count }, () => startThread(host, { process: transfer, programs }));
      const answer = (reply: Reply): void => {
        observe?.(reply);
        onReply(reply);
      };
      for (const thread of threads) thread.send(job, answer);
      return true;
    },
    hold(isHeld) {
      for (const thread of threads) thread.hold(isHeld);
    },
    async close() {
      const ended = threads;
      threads = [];
      await Promise.all(ended.map((thread) => thread.end()));
    },
  };
}

interface Thread {
  send(job: Job, onReply: (reply: Reply) => void): void;
  hold(isHeld: boolean): void;
  end(): Promise<void>;
}

/** The worker's script: next to this file, or next to the bundle that contains it, which may be a script without a URL. */
const WORKER_FILE = "launch-worker.js";
const base = (import.meta.url as string | undefined) ?? "file:///";

const NO_WORKER_FILE = "NoWorkerFile";

function startThread({ Worker }: typeof workerThreads, start: WorkerStart): Thread {
  const worker = new Worker(new URL(WORKER_FILE, base), { workerData: start });
  const waiting: ((reply: Reply) => void)[] = [];
  /** The reason why the thread no longer replies. */
  let ended: Thrown | undefined;
  const end = ({ name, message, stack, code }: Error & { readonly code?: string }): void => {
    ended ??= { name: code?.endsWith("MODULE_NOT_FOUND") === true ? NO_WORKER_FILE : name, message, stack };
    for (const answer of waiting.splice(0)) answer({ thrown: ended });
  };
  worker.unref();
  worker.on("message", (reply: Reply) => waiting.shift()?.(reply));
  worker.on("error", end);
  worker.on("exit", (status) => end(new Error(`a thread of a launch has ended with status ${status}`)));
  return {
    send(job, onReply) {
      if (ended !== undefined) {
        onReply({ thrown: ended });
        return;
      }
      waiting.push(onReply);
      worker.postMessage(job);
    },
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end: async () => void (await worker.terminate()),
  };
}

/** Restores the exception that another thread threw. */
export function rethrown({ name, message, stack, file = "", line = 0, offset = 0 }: Thrown): Error {
  if (name === "BindError") return new BindError(message, file, line);
  if (name === "MalformedCode") return new MalformedCode(message, file, offset);
  if (name === NO_WORKER_FILE)
    return new RangeError(
      `threads need ${WORKER_FILE} beside the program's bundle; copy it from dist/bundle of the package ptxkit, or launch without the option 'threads'`,
    );
  const defect = new InternalError(message);
  if (stack !== undefined) defect.stack = stack;
  return defect;
}

export type { Job, PartialResult, Reply };
