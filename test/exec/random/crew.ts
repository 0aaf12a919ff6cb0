// A device whose threads start before its first launch and take part in each: kernels that run for milliseconds would
// end before threads start. It tells which threads took part.

import { openDevice } from "../../../lib/exec/device/device.js";
import type { Device } from "../../../lib/exec/device/interface.js";
import type { LinkedImage } from "../../../lib/object/object.js";
import type { Reply } from "../../../lib/exec/launch/workers/workers.js";

export interface Crew {
  readonly device: Device;
  /** For launches: makes this thread wait after its first blocks, so that others execute some. */
  onProgress(done: number, blocks: number): void;
  /** Number of other threads that executed a part of the last launch. */
  helped(): number;
}

/** How often, and for how many milliseconds this thread waits. */
const RESTS = 5;
const REST = 12;

/** `threads` includes this one. The module must have the kernel WARM_UP. */
export async function crewOf(image: LinkedImage, threads: number, hotAfter: number): Promise<Crew> {
  if (threads === 1) return { device: openDevice(image, { hotAfter }), onProgress: () => {}, helped: () => 0 };
  let replies: Reply[] = [];
  let wake = (): void => {};
  const onReply = (reply: Reply): void => {
    replies.push(reply);
    wake();
  };
  const device = openDevice(image, { hotAfter, threads, callFrom: 0, onReply });
  // Threads do not keep the process alive.
  const alive = setInterval(() => {}, 1000);
  await device.launch("warm_up", { grid: 2, block: 1 });
  while (replies.length < threads - 1) await new Promise<void>((resolve) => (wake = resolve));
  clearInterval(alive);
  replies = [];
  let rests = 0;
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  return {
    device,
    onProgress() {
      if (rests++ < RESTS) Atomics.wait(nobody, 0, 0, REST);
    },
    helped() {
      rests = 0;
      const count = replies.filter((reply) => reply !== "late" && "part" in reply && reply.part.warpInstructions > 0);
      replies = [];
      return count.length;
    },
  };
}

export const WARM_UP = ".visible .entry warm_up() { ret; }";
