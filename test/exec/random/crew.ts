// A device whose threads are there before its first launch, and are called to each: what they do is told. A thread that has to
// start first would come too late for kernels that run for milliseconds.

import { openDevice } from "../../../lib/exec/device/device.js";
import type { Device } from "../../../lib/exec/device/interface.js";
import type { LinkedImage } from "../../../lib/object/object.js";
import type { Reply } from "../../../lib/exec/launch/workers/workers.js";

export interface Crew {
  readonly device: Device;
  /** For launches: lets this thread rest after its first blocks, so that the others have some. */
  onProgress(done: number, blocks: number): void;
  /** Other threads that issued something of the last launch. */
  helped(): number;
}

/** How often, and for how many milliseconds. */
const RESTS = 5;
const REST = 12;

/** `threads` of them, this one included. The module must have the kernel that WARM_UP says. */
export async function crewOf(image: LinkedImage, threads: number, hotAfter: number): Promise<Crew> {
  if (threads === 1) return { device: openDevice(image, { hotAfter }), onProgress: () => {}, helped: () => 0 };
  let replies: Reply[] = [];
  let wake = (): void => {};
  const onReply = (reply: Reply): void => {
    replies.push(reply);
    wake();
  };
  const device = openDevice(image, { hotAfter, threads, callFrom: 0, onReply });
  // Threads do not keep the program from ending.
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
