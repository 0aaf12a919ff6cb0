// Runs a program of testdata/programs: links its modules, runs its launches, and hands back what a test compares.

import { readFileSync } from "node:fs";
import path from "node:path";
import { createSink } from "../../lib/diag/sink.js";
import { createPrograms } from "../../lib/exec/bind.js";
import { createLaunch } from "../../lib/exec/launch.js";
import type { LaunchResult } from "../../lib/exec/result.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { findVariable, variableBytes } from "../../lib/load/load.js";
import { packParameters } from "../../lib/load/parameters.js";
import type { Process } from "../../lib/load/process.js";
import { loadSources } from "./pipeline.js";

export interface ProgramRun {
  readonly results: readonly LaunchResult[];
  readonly outputs: ReadonlyMap<string, Uint8Array>;
  readonly printf: string;
}

export async function runProgram(folder: string, maxInstructions = Infinity): Promise<ProgramRun> {
  const read = (name: string): Uint8Array => readFileSync(path.join(folder, name));
  const program = JSON.parse(readFileSync(path.join(folder, "program.json"), "utf8")) as { modules: string[] };
  const process = loadSources(program.modules.map((name) => ({ name, bytes: read(name) })));
  const sink = createSink();
  const spec = readLaunchSpec({ name: "launch.json", bytes: read("launch.json") }, sink, { readFile: read });
  if (spec === undefined) throw new Error(sink.all[0]?.message);

  const buffers = new Map(
    [...spec.buffers].map(([name, data]) => {
      const region = process.memory.allocate(data.bytes.length);
      region.bytes.set(data.bytes);
      return [name, region];
    }),
  );
  for (const { name, data } of spec.symbols) symbolBytes(process, name).set(data.bytes);
  const programs = createPrograms(process);
  const results: LaunchResult[] = [];
  for (const launch of spec.launches) {
    const kernel = process.kernels.get(launch.kernel);
    if (kernel === undefined) throw new Error(`no kernel ${launch.kernel}`);
    const values = launch.arguments.map((argument) => {
      if (argument.kind !== "buffer") return argument.bytes;
      const address = new DataView(new ArrayBuffer(8));
      address.setBigUint64(0, BigInt(buffers.get(argument.buffer)!.base + argument.offset), true);
      return new Uint8Array(address.buffer);
    });
    const packed = packParameters(kernel, values);
    if (!packed.ok) throw new Error(packed.message);
    const { grid, block, cluster, sharedBytes } = launch;
    const config = { grid, block, cluster, sharedBytes, parameters: packed.bytes };
    const result = await createLaunch(process, kernel, config, { programs, maxInstructions }).run();
    results.push(result);
    if (result.fault !== undefined) break;
  }
  const outputs = new Map(
    spec.outputs.map(({ name, kind, target }) => [
      name,
      kind === "buffer" ? buffers.get(target)!.bytes : symbolBytes(process, target),
    ]),
  );
  return { results, outputs, printf: results.map((r) => r.printf).join("") };
}

function symbolBytes(process: Process, name: string): Uint8Array {
  const variable = findVariable(process, name);
  if (variable === undefined || variable === "ambiguous") throw new Error(`symbol ${name}: ${String(variable)}`);
  return variableBytes(process, variable);
}
