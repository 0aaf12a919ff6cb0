// The C translation of a random kernel, compiled and run; and the kernel itself on ptxkit's engines. Both answer with the same
// bytes: what `out` holds, the slices, the counters.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSink } from "../../../lib/diag/sink.js";
import { openDevice } from "../../../lib/exec/device.js";
import type { EngineName } from "../../../lib/exec/launch.js";
import type { LaunchResult } from "../../../lib/exec/result.js";
import { linkObjects } from "../../../lib/link/link.js";
import { assembleInput } from "../../../lib/link/open-input.js";
import { testdata } from "../../oracle/programs.js";
import { type KernelData, outputBytes } from "./kernel.js";
import type { KernelTree } from "./tree.js";

export interface Outcome {
  readonly bytes: Uint8Array;
  /** Why there are none. */
  readonly failure?: string;
  readonly result?: LaunchResult;
}

const failed = (failure: string): Outcome => ({ bytes: new Uint8Array(), failure });

/** Warp instructions after which a kernel is taken for endless. */
const MOST_INSTRUCTIONS = 20_000_000;

/** Runs a kernel's PTX on ptxkit: by one of its engines, the fast one compiling everything at first sight. */
export async function runPtx(
  ptx: string,
  shape: Pick<KernelTree, "blocks" | "block">,
  data: KernelData,
  engine: EngineName,
): Promise<Outcome> {
  const sink = createSink();
  const input = assembleInput({ name: "random.ptx", bytes: Buffer.from(ptx) }, sink);
  const image = input?.kind === "object" && sink.errorCount === 0 ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined || sink.errorCount > 0)
    return failed(sink.all.map(({ message, place }) => `${message} ${JSON.stringify(place)}`).join("\n"));
  const device = openDevice(image, { hotAfter: 0 });
  device.write(device.symbol("in"), data.input);
  device.write(device.symbol("counters"), data.counters);
  const [out, slices] = [device.alloc(outputBytes(shape)), device.alloc(data.slices)];
  const result = await device.launch("k", {
    grid: shape.blocks,
    block: shape.block,
    args: [out, slices, data.blob],
    maxInstructions: MOST_INSTRUCTIONS,
    engine,
  });
  if (result.fault !== undefined) return { ...failed(JSON.stringify(result.fault)), result };
  const parts = [
    device.read(out, new Uint8Array(out.size)),
    device.read(slices, new Uint8Array(slices.size)),
    device.read(device.symbol("counters"), new Uint8Array(data.counters.length)),
  ];
  return { bytes: Buffer.concat(parts), result };
}

export interface CHost {
  run(c: string, data: KernelData): Outcome;
  close(): void;
}

/** A folder in which C is compiled; undefined where there is no gcc. */
export function openCHost(): CHost | undefined {
  if (spawnSync("gcc", ["--version"]).status !== 0) return undefined;
  const base = join(tmpdir(), "ptxkit-random");
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(join(base, "c-"));
  const [source, program] = [join(folder, "kernel.c"), join(folder, "kernel")];
  const flags = "-O1 -w -ffp-contract=off -frounding-math -mfma -fno-strict-aliasing -I".split(" ");
  return {
    run(c, { input, counters, blob, slices }) {
      writeFileSync(source, c);
      const compiled = spawnSync(
        "gcc",
        [...flags, fileURLToPath(new URL("exec/", testdata)), source, "-o", program, "-lm"],
        { encoding: "utf8" },
      );
      if (compiled.status !== 0) return failed(`gcc: ${compiled.stderr}`);
      const ran = spawnSync(program, {
        input: Buffer.concat([input, counters, blob, slices]),
        maxBuffer: 2 ** 28,
        timeout: 60_000,
      });
      return ran.status === 0 ? { bytes: ran.stdout } : failed(`C: ${ran.signal ?? ran.status} ${String(ran.stderr)}`);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
