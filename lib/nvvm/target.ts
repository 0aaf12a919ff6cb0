// The target that a module is compiled for, its PTX version, and the width of its pointers.

import { newestVersion, knownTarget } from "../isa/targets.table.js";
import { parseTarget } from "../isa/requirement.js";
import type { Module } from "./ir/module.js";
import type { NvvmOptions } from "./options.js";

export interface CompileTarget {
  /** "sm_90a" */
  readonly name: string;
  /** Its number: 90. */
  readonly sm: number;
  /** The first PTX version with the target, 6.0 at least: 78 for 7.8. */
  readonly version: number;
}

/** The version written if nothing newer is needed. */
const OLDEST_VERSION = 60;
/** The oldest target of current drivers, which also replaces older ones. */
const DEFAULT = "sm_75";

/** The target of the options; otherwise the newest "target-cpu" of the functions, at least sm_75. */
export function targetOf(module: Module, { arch }: NvvmOptions): CompileTarget {
  const name = arch ?? newestCpu(module);
  const { sm } = parseTarget(name)!;
  return { name, sm, version: Math.max(OLDEST_VERSION, Math.min(knownTarget(name)?.since ?? 0, newestVersion)) };
}

function newestCpu({ functions }: Module): string {
  let newest = DEFAULT;
  for (const { attributes } of functions)
    for (const { name, text } of attributes) {
      if (name !== "target-cpu" || text === undefined || knownTarget(text) === undefined) continue;
      if (parseTarget(text)!.sm > parseTarget(newest)!.sm) newest = text;
    }
  return newest;
}
