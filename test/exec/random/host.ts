// Compiles and runs the C translation of a random kernel, and runs the kernel itself on ptxkit's engines, on one thread
// or several. Each gives the same bytes: `out`, the slices, the counters.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSink } from "../../../lib/diag/sink.js";
import type { LaunchResult } from "../../../lib/exec/state/result.js";
import type { EngineName } from "../../../lib/exec/state/launch.js";
import { linkObjects } from "../../../lib/link/link-objects.js";
import { assembleInput } from "../../../lib/link/inputs/open-input.js";
import type { LinkedImage } from "../../../lib/object/object.js";
import { testdata } from "../../oracle/programs.js";
import { crewOf } from "./crew.js";
import { type KernelData, outputBytes, type Shape } from "./shape.js";
import { bindTextures } from "./textures.js";
import { isInstalled } from "../../installed.js";

export interface Outcome {
  readonly bytes: Uint8Array;
  /** The reason for a failure. */
  readonly failure?: string;
  readonly results: readonly LaunchResult[];
  /** Host threads besides the first that executed some of it. */
  readonly helped: number;
}

/** The engine, the number of host threads including this one, and the number of executions before code is generated. */
export interface Way {
  readonly engine: EngineName;
  readonly threads?: number;
  readonly hotAfter?: number;
}

const failed = (failure: string): Outcome => ({ bytes: new Uint8Array(), failure, results: [], helped: 0 });

/** Warp instructions after which a kernel is considered endless. */
const MAX_INSTRUCTIONS = 20_000_000;

/** The linked module of the kernel, or the messages. */
export function linkPtx(ptx: string): LinkedImage | string {
  const sink = createSink();
  const input = assembleInput({ name: "random.ptx", bytes: Buffer.from(ptx) }, sink);
  const image =
    input?.kind === "object" && sink.errorCount === 0
      ? linkObjects([input.object], { allowUndefined: (name) => name === "missing" }, sink)
      : undefined;
  return image === undefined || sink.errorCount > 0
    ? sink.all.map(({ message, place }) => `${message} ${JSON.stringify(place)}`).join("\n")
    : image;
}

/** How a run is stopped. */
export interface Stop {
  readonly maxInstructions?: number;
  readonly signal?: AbortSignal;
}

/** A kernel on a device of its own, for repeated runs. */
export interface Runner {
  /** Runs the kernel's launches on the initial memory, until one faults. */
  run(stop?: Stop): Promise<Outcome>;
  close(): Promise<void>;
}

export async function openRunner(image: LinkedImage, shape: Shape, data: KernelData, way: Way): Promise<Runner> {
  const { engine, threads = 1, hotAfter = 0 } = way;
  const crew = await crewOf(image, threads, hotAfter);
  const { device } = crew;
  if (shape.textured === true) bindTextures(device);
  const size = outputBytes(shape);
  const [out, slices] = [device.alloc(shape.launches * size), device.alloc(data.slices.length)];
  const nothing = new Uint8Array(out.size);
  return {
    async run(stop = {}) {
      device.write(device.symbol("counters"), data.counters);
      device.write(out, nothing);
      device.write(slices, data.slices);
      const results: LaunchResult[] = [];
      let helped = 0;
      for (let launch = 0; launch < shape.launches && results.at(-1)?.fault === undefined; launch++) {
        device.write(device.symbol("in"), raised(data.input, launch));
        const result = await device.launch("k", {
          grid: shape.grid,
          block: shape.block,
          args: [device.part(out, launch * size, size), slices, raised(data.blob, launch)],
          maxInstructions: MAX_INSTRUCTIONS,
          engine,
          onProgress: crew.onProgress,
          ...stop,
        });
        results.push(result);
        helped = Math.max(helped, crew.helped());
      }
      const bytes = Buffer.concat([
        device.read(out, new Uint8Array(out.size)),
        device.read(slices, new Uint8Array(slices.size)),
        device.read(device.symbol("counters"), new Uint8Array(data.counters.length)),
      ]);
      const fault = results.at(-1)?.fault;
      return { bytes, results, helped, ...(fault === undefined ? {} : { failure: JSON.stringify(fault) }) };
    },
    close: () => device.close(),
  };
}

/** Runs a kernel's launches on ptxkit, once. */
export async function runImage(image: LinkedImage, shape: Shape, data: KernelData, way: Way): Promise<Outcome> {
  const runner = await openRunner(image, shape, data, way);
  const outcome = await runner.run();
  await runner.close();
  return outcome;
}

const raised = (bytes: Uint8Array, by: number): Uint8Array => bytes.map((byte) => byte + by);

/** The same for a text. */
export async function runPtx(ptx: string, shape: Shape, data: KernelData, way: Way): Promise<Outcome> {
  const image = linkPtx(ptx);
  return typeof image === "string" ? failed(image) : runImage(image, shape, data, way);
}

export interface CHost {
  run(c: string, data: KernelData): Outcome;
  close(): void;
}

/** Compiles and runs C in a temporary folder; undefined without gcc. */
export function openCHost(): CHost | undefined {
  if (!isInstalled("gcc")) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-random-"));
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
        timeout: 600_000,
      });
      return ran.status === 0
        ? { bytes: ran.stdout, results: [], helped: 0 }
        : failed(`C: ${ran.signal ?? ran.status} ${String(ran.stderr)}`);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
