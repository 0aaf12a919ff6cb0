// The pool of threads that assemble a link's sources, and its size. The assembler is loaded with the first source.

import type { Assembled } from "../assembly/assembler-batch.js";
import type { AssemblerPool, PoolOptions } from "../assembly/assembler-pool.js";
import type { CommonOptions } from "../options/common.js";
import { slowGrowthFor, optimiseSmall } from "../base/engine.js";
import type { Host } from "../files/host.js";
import { checkOptions } from "./inputs.js";
import type { PlacedInput } from "./placed-inputs.js";
import { warningOptions } from "../options/warnings.js";

export interface JobOptions extends CommonOptions {
  /** Threads that may assemble, this one included; 1 unless given. */
  readonly jobs?: number;
}

/** Number of threads, besides this one, that have enough work. `expansion`: bytes of sources per byte of a file. */
export function helpersFor(
  placed: readonly PlacedInput[],
  host: Host,
  { jobs = 1 }: JobOptions,
  expansion = 1,
): number {
  if (jobs === 1) return 0;
  const sizes = placed.map(({ name, isLibrary, isLazy }) => (isLibrary || isLazy ? 0 : (host.sizeOf(name) ?? 0)));
  const bytes = expansion * sizes.reduce((sum, size) => sum + size, 0);
  return Math.min(jobs - 1, Math.floor(bytes / host.threads.worthwhileBytes));
}

export async function openAssemblerPool(
  { helpers, wantsPacked }: Pick<PoolOptions, "helpers" | "wantsPacked">,
  { threads, sizeOf }: Host,
  options: JobOptions,
): Promise<AssemblerPool> {
  const { createAssemblerPool } = await import("../assembly/assembler-pool.js");
  const optimiseAsUsual = optimiseSmall();
  const pool = createAssemblerPool({
    helpers,
    wantsPacked,
    start: threads.start,
    check: checkOptions(options),
    warnings: warningOptions(options.W ?? []),
  });
  return {
    ...pool,
    add(job) {
      const { name, bytes } = job.source;
      // The size of a source from a pipe or a compressed entry is known only now.
      if (sizeOf(name) === undefined) slowGrowthFor(bytes.length);
      return pool.add(job);
    },
    async close() {
      optimiseAsUsual();
      await pool.close();
    },
  };
}

/** A pool that is created with the first source. */
export interface LazyPool {
  readonly open: () => Promise<AssemblerPool>;
  /** All results so far. */
  readonly results: () => Promise<readonly Assembled[]>;
  readonly close: () => Promise<void>;
}

export function createLazyPool(openNow: () => Promise<AssemblerPool>): LazyPool {
  let pool: AssemblerPool | undefined;
  return {
    open: async () => (pool ??= await openNow()),
    results: async () => (await pool?.results()) ?? [],
    close: async () => void (await pool?.close()),
  };
}
