// A process whose threads certainly take part in its launches: they have started before a test begins. The replies tell
// what each thread did.

import { setTimeout as sleep } from "node:timers/promises";
import type { LaunchOptions } from "../../../../lib/exec/launch/launch-options.js";
import { createLaunch } from "../../../../lib/exec/launch/launch.js";
import { createPrograms } from "../../../../lib/exec/program/programs.js";
import type { LaunchConfig, LaunchResult } from "../../../../lib/exec/state/result.js";
import { createWorkers, type Reply } from "../../../../lib/exec/launch/workers/workers.js";
import { findVariable, variableBytes } from "../../../../lib/load/load.js";
import type { Process } from "../../../../lib/load/process.js";
import { loadText } from "../../pipeline.js";

const header = ".version 8.8\n.target sm_100a\n.address_size 64\n";

/** Blocks that take long enough for a thread that is up to join the launch. */
const WARM_UP = `.visible .entry warm_up() { .reg .b32 %i; .reg .pred %p; mov.u32 %i, 0;
  again: add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 2000; @%p bra again; ret; }`;

export interface Crew {
  launch(kernel: string, config: Partial<LaunchConfig>, options?: LaunchOptions): Promise<LaunchResult>;
  /** Replies of the other threads to the last launch. */
  readonly replies: readonly Reply[];
  /** Words of a module variable. */
  words(name: string): Uint32Array;
  readonly allocatedBytes: number;
  close(): Promise<void>;
}

/** A crew of that many threads, including the test's own, for a module given without its header. */
export const crewOf = (text: string, threads: number, hotAfter = 0): Promise<Crew> =>
  createCrewWith(text, threads, () => undefined, hotAfter);

/** The same, with `prepare` called before the first launch. */
export async function createCrewWith<Made>(
  text: string,
  threads: number,
  prepare: (process: Process) => Made,
  hotAfter = 0,
): Promise<Crew & { readonly made: Made }> {
  const process = loadText(header + WARM_UP + text);
  const made = prepare(process);
  let replies: Reply[] = [];
  const onReply = (reply: Reply): void => void replies.push(reply);
  const workers = createWorkers(process, Math.max(1, threads - 1), { hotAfter, callFrom: 0, onReply });
  const programs = createPrograms(process, { hotAfter });
  const crew: Crew & { readonly made: Made } = {
    made,
    launch(name, config, options = {}) {
      replies = [];
      const shape = {
        grid: [1, 1, 1],
        block: [32, 1, 1],
        sharedBytes: 0,
        parameters: new Uint8Array(),
        ...config,
      } as const;
      const alone = threads === 1 ? {} : { workers };
      return createLaunch(process, process.kernels.get(name)!, shape, { programs, ...alone, ...options }).run();
    },
    get replies() {
      return replies;
    },
    words(name) {
      const found = findVariable(process, name);
      if (found === undefined || found === "ambiguous") throw new Error(name);
      const bytes = variableBytes(process, found).slice();
      return new Uint32Array(bytes.buffer);
    },
    get allocatedBytes() {
      return process.memory.allocatedBytes;
    },
    close: () => workers.close(),
  };
  const isThere = (): boolean =>
    replies.length >= threads - 1 && replies.every((reply) => reply !== "late" && "part" in reply);
  while (threads > 1 && !isThere()) {
    await crew.launch("warm_up", { grid: [50, 1, 1] });
    // The threads start in the meantime.
    await sleep(10);
  }
  return crew;
}

/** Whether every other thread ran some of the last launch. */
export const allTookPart = ({ replies }: Crew): boolean =>
  replies.every((reply) => reply !== "late" && "part" in reply && reply.part.warpInstructions > 0);
