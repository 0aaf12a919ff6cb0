// A launch frees the memory of its parameters when it ends, on either engine.

import test from "ava";
import { atOnce } from "../../../lib/base/steps.js";
import { createLaunch, type Launch } from "../../../lib/exec/launch/launch.js";
import { createWorkers } from "../../../lib/exec/launch/workers/workers.js";
import { allocateBytes, releaseBytes } from "../../../lib/load/arena.js";
import type { Process } from "../../../lib/load/process.js";
import { loadText } from "../pipeline.js";

const BYTES = 4000;
const TEXT = `.version 8.8
.target sm_90
.address_size 64
.visible .entry k(.param .align 4 .b8 all[${BYTES}]) { .reg .b32 %r; ld.param.u32 %r, [all+8]; ret; }`;

/** The address that the next parameters would get. */
function nextPlace({ memory: { arena } }: Process): number {
  const storage = allocateBytes(arena, BYTES);
  releaseBytes(arena, storage);
  return storage.offset;
}

const ways: Readonly<Record<string, (launch: Launch) => Promise<unknown>>> = {
  "at once": (launch) => launch.run(),
  "block by block": async (launch) => {
    for (let block = 0; block < launch.blocks; block++) atOnce(launch.runBlock(block));
    await launch.finish();
  },
};

for (const [way, run] of Object.entries(ways))
  for (const threads of [1, 2])
    test(`parameters are freed after a launch run ${way}, with ${threads} threads at most`, async (t) => {
      const process = loadText(TEXT);
      const workers = threads === 1 ? undefined : createWorkers(process, threads - 1);
      const config = { grid: [4, 1, 1], block: [32, 1, 1], sharedBytes: 0, parameters: new Uint8Array(BYTES) } as const;
      const options = workers === undefined ? {} : { workers };
      const before = nextPlace(process);
      for (let i = 0; i < 2; i++) await run(createLaunch(process, process.kernels.get("k")!, config, options));
      t.is(nextPlace(process), before);
      await workers?.close();
    });
