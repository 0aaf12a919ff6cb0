// The work of a thread of `ptxkit sweep`: links the program once, and runs points of it.

import path from "node:path";
import { linkSources } from "../lib/link/link-sources.js";
import { runPoint, type SweepProgram } from "../lib/report/sweep/run-point.js";
import type { SweepResult } from "../lib/report/sweep/sweep-rows.js";
import { readSweep, type SweepPoint } from "../lib/report/sweep/sweep-spec.js";
import { modelNamed } from "./gpu.js";

export interface SweepWork {
  /** The specification's text, and the folder that its names are relative to. */
  readonly text: string;
  readonly folder: string;
  readonly sources: Readonly<Record<string, Uint8Array>>;
}

/** A file that a specification names. */
export const fileWithin = (folder: string, name: string): string =>
  path.isAbsolute(name) ? name : path.join(folder, name);

/** Throws what linking throws. */
export function createSweepRunner(
  { text, folder, sources }: SweepWork,
  read: (file: string) => Uint8Array,
): (point: SweepPoint) => Promise<SweepResult> {
  const answer = readSweep(text);
  if (!answer.ok) throw new RangeError(answer.problem);
  const within = (name: string): Uint8Array => read(fileWithin(folder, name));
  const program: SweepProgram = {
    spec: answer.spec,
    image: linkSources(sources),
    modelOf: (name) => modelNamed(name, within),
    readFile: within,
  };
  return (point) => runPoint(program, point);
}
