// The work of a thread of `ptxkit sweep`: links the program once, and runs points of it. It carries the contents of all files
// that the specification names, so that it can run where those files do not exist.

import path from "node:path";
import { linkSources } from "../../lib/link/link-sources.js";
import { runPoint, type SweepProgram } from "../../lib/report/sweep/run-point.js";
import type { SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import { launchFiles, readSweep, type SweepPoint, type SweepSpec } from "../../lib/report/sweep/sweep-spec.js";
import { modelNamed } from "../run/gpu.js";

export interface SweepWork {
  /** The specification's text. */
  readonly text: string;
  /** Contents of the files named in the specification: inputs, GPU models, data of the launch. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** A file that a specification names. */
export const fileWithin = (folder: string, name: string): string =>
  path.isAbsolute(name) ? name : path.join(folder, name);

/** The work of a specification. Throws what `read` throws, and UsageError if a GPU is neither a model nor a model file. */
export function gatherWork(text: string, spec: SweepSpec, read: (name: string) => Uint8Array): SweepWork {
  const files: Record<string, Uint8Array> = {};
  // A copy with a buffer of its own: threads and databases receive only these bytes, not the file reader's block.
  const kept = (name: string): Uint8Array => (files[name] ??= Uint8Array.from(read(name)));
  for (const gpu of spec.gpus) modelNamed(gpu, kept);
  for (const name of [...spec.inputs, ...launchFiles(spec)]) kept(name);
  return { text, files };
}

/** Links the program. Throws what linking throws. */
export function createSweepProgram({ text, files }: SweepWork): SweepProgram {
  const answer = readSweep(text);
  if (!answer.ok) throw new RangeError(answer.problem);
  const { spec } = answer;
  const read = (name: string): Uint8Array => {
    const bytes = Object.hasOwn(files, name) ? files[name] : undefined;
    if (bytes === undefined) throw new RangeError(`${name} is not a file of the sweep`);
    return bytes;
  };
  return {
    spec,
    image: linkSources(Object.fromEntries(spec.inputs.map((name) => [name, read(name)]))),
    modelOf: (name) => modelNamed(name, read),
    readFile: read,
  };
}

/** Links the program; the returned function runs a point. Throws what linking throws. */
export function createSweepRunner(work: SweepWork): (point: SweepPoint) => Promise<SweepResult> {
  const program = createSweepProgram(work);
  return (point) => runPoint(program, point);
}
