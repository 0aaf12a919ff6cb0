// Kernels for the timing tests: PTX text whose path and addresses the test states itself, so that what is tested is the model
// and not the engine that feeds it.

import { atOnce } from "../../lib/base/steps.js";
import { checkModule } from "../../lib/check/check.js";
import { createSink } from "../../lib/diag/sink.js";
import type { Access, AccessedSpace } from "../../lib/exec/state/observer.js";
import type { Code } from "../../lib/isa/code.js";
import type { LoadedFunction } from "../../lib/load/process.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { scaledDown, type GpuModel } from "../../lib/timing/gpus/model.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import type { ObservableLaunch } from "../../lib/timing/observed-launch.js";
import { timeBlocks, type TimingOptions } from "../../lib/timing/time-launch.js";
import type { TimingResult } from "../../lib/timing/result/result.js";

export const a100: GpuModel = findGpu("a100")!;

/** One SM of it, with its share of L2 and DRAM bandwidth. */
export const oneSm = (model: GpuModel): GpuModel => scaledDown(model, model.sms);

/** The code of a kernel with registers %r, %f, %d, %rd, %p and %h, and shared memory `tile`. */
export function codeOf(body: string, target = "sm_80"): Code {
  const text = `.version 8.5
.target ${target}
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .pred %p<32>; .reg .b16 %h<32>; .reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<64>; .reg .f64 %d<64>;
  .shared .align 16 .b8 tile[16384];
${body}
}
`;
  const sink = createSink();
  const module = checkModule(parseModule({ name: "k.ptx", bytes: new TextEncoder().encode(text) }, sink), sink);
  if (sink.errorCount > 0) throw new Error(sink.all.map((d) => d.message).join("\n"));
  const kernel = module.symbols.find((symbol) => symbol.kind === "function");
  if (kernel?.kind !== "function" || kernel.code === undefined) throw new Error("no kernel");
  return kernel.code;
}

/** What a test says that a warp did. */
export interface Path {
  /** Issues instruction `pc`, with an access when it makes one. */
  (
    pc: number,
    access?: { space: AccessedSpace; bytes: number; address: (lane: number) => number },
    active?: number,
  ): void;
}

export interface Scenario {
  readonly code: Code;
  readonly blocks?: number;
  readonly threads?: number;
  readonly sharedBytes?: number;
  /** What warp `warp` of block `block` does. Defaults to every instruction once. */
  readonly path?: (go: Path, block: number, warp: number) => void;
}

export function launchOf(scenario: Scenario): ObservableLaunch {
  const { code, blocks = 1, threads = 32, sharedBytes = 0 } = scenario;
  const path = scenario.path ?? ((go) => code.instructions.forEach((_, pc) => go(pc)));
  const fn = { code } as LoadedFunction;
  const addresses = new Float64Array(32);
  return {
    kernel: code,
    blocks,
    threadsPerBlock: threads,
    sharedBytes,
    *runBlock(block, observe) {
      const observer = observe(block);
      for (let warp = 0; warp < Math.ceil(threads / 32); warp++)
        path(
          (pc, access, active = -1) => {
            let seen: Access | undefined;
            if (access !== undefined) {
              for (let lane = 0; lane < 32; lane++) addresses[lane] = access.address(lane);
              seen = { space: access.space, bytes: access.bytes, addresses, barrier: -1 };
            }
            observer.issue(warp, fn, pc, -1, active, seen);
          },
          block,
          warp,
        );
      return true;
    },
  };
}

export function time(scenario: Scenario, model: GpuModel = oneSm(a100), options?: TimingOptions): TimingResult {
  return atOnce(timeBlocks(launchOf(scenario), model, options));
}

/** `count` lines made by `line`. */
export const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

/** Cycles per instruction in the long run: what `b` takes more than `a`, over how many instructions more it has. */
export function slope(scenario: (repeats: number) => Scenario, perRepeat: number, model?: GpuModel): number {
  const [few, many] = [10, 60];
  return (time(scenario(many), model).cycles - time(scenario(few), model).cycles) / (many - few) / perRepeat;
}
