// Threads of the host that take part in launches of one process. They are started when a launch first has enough to do, wait
// for the next one afterwards, and never keep the host's program from ending.

import type workerThreads from "node:worker_threads";
import { InternalError } from "../../base/assert.js";
import { nodeBuiltin } from "../../base/node-builtin.js";
import { handOver } from "../../load/hand-over.js";
import { MalformedCode } from "../../load/load.js";
import type { Process } from "../../load/process.js";
import { BindError, type ProgramOptions } from "../bind.js";
import type { Job, Part, Reply, Thrown, WorkerStart } from "./message.js";

export interface WorkerOptions extends ProgramOptions {
  /** Warp instructions still to come from which on threads are called to a launch; what pays here unless given. */
  readonly callFrom?: number;
  /** Is told every answer, before the launch is: what each thread did. */
  readonly onReply?: (reply: Reply) => void;
}

export interface Workers {
  readonly callFrom: number | undefined;
  /** How many there are at most, besides the thread that launches. */
  readonly count: number;
  /** Whether they are there already. */
  readonly isWarm: boolean;
  /** Warp instructions of launches that have ended. */
  readonly issued: number;
  /** Takes note of a launch that has ended. */
  note(warpInstructions: number): void;
  /** Calls them to a launch; each answers. False where the host has no threads, or others cannot have the process. */
  call(job: Job, onReply: (reply: Reply) => void): boolean;
  /** Whether the host's program waits for them. */
  hold(isHeld: boolean): void;
  /** Ends them. */
  close(): Promise<void>;
}

/** `count` threads for launches of the process, whose programs are bound with these options. */
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
      // Asked each time: memory that other threads cannot reach may have come.
      const handover = handOver(process);
      const host = nodeBuiltin("node:worker_threads");
      if (handover === undefined || host === undefined) return false;
      if (threads.length === 0)
        threads = Array.from({ length: count }, () => startThread(host, { process: handover, programs }));
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

/** What a thread runs: beside this file, or beside the bundle that this file is part of, which may be a script without a URL. */
const WORKER_FILE = "launch-worker.js";
const base = (import.meta.url as string | undefined) ?? "file:///";

const NO_WORKER_FILE = "NoWorkerFile";

function startThread({ Worker }: typeof workerThreads, start: WorkerStart): Thread {
  const worker = new Worker(new URL(WORKER_FILE, base), { workerData: start });
  const waiting: ((reply: Reply) => void)[] = [];
  /** Why it answers no more. */
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

/** The exception as it was thrown in the other thread. */
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

export type { Job, Part, Reply };
