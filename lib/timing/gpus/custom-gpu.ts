// A user's own GPU: a JSON file that names the model it extends, and the differences. Keys are those of the model (model.ts);
// numbers have no sources.

import { findGpu, gpuModels } from "./gpus.js";
import type { GpuModel } from "./model.js";

export type CustomGpu =
  { readonly ok: true; readonly model: GpuModel } | { readonly ok: false; readonly problem: string };

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Parses the text of such a file. */
export function gpuFromJson(text: string): CustomGpu {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (error) {
    return { ok: false, problem: `it is not JSON: ${(error as Error).message}` };
  }
  if (!isObject(json)) return { ok: false, problem: "it is not a JSON object" };
  const { extends: base, ...changes } = json;
  const names = gpuModels.map(({ name }) => name).join(", ");
  const model = typeof base === "string" ? findGpu(base) : undefined;
  if (model === undefined) return { ok: false, problem: `"extends" has to name a model: ${names}` };
  const problem = problemOf(changes, model as unknown as Json, "");
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, model: merged(model as unknown as Json, changes) as unknown as GpuModel };
}

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Numbers of parts, of which a GPU has at least one. */
const counts: ReadonlySet<string> = new Set([
  "sms",
  "subcores",
  "limits.warps",
  "limits.threads",
  "limits.blocks",
  "limits.registers",
  "limits.registerUnit",
  "limits.sharedUnitBytes",
  "lsu.queueEntries",
  "l1.ways",
  "l2.partitions",
  "l2.ways",
  "l2.slices",
  "dram.channels",
]);

/** Sizes and rates that are divided by. */
const positive: ReadonlySet<string> = new Set([
  "clockMHz",
  "l1.unifiedKiB",
  "l2.mebibytes",
  "l2.nearMebibytes",
  "l2.bytesPerCycle",
  "l2.portBytesPerCycle",
  "l2.storeBytesPerCycle",
  "l2.fillBytesPerCycle",
  "dram.gigabytesPerSecond",
  "dram.efficiency",
]);

function numberProblem(value: Json, at: string): string | undefined {
  const isNumber = typeof value === "number" && Number.isFinite(value) && value >= 0;
  if (counts.has(at))
    return isNumber && Number.isInteger(value) && value >= 1
      ? undefined
      : `"${at}" has to be a whole number of at least 1`;
  if (positive.has(at)) return isNumber && value > 0 ? undefined : `"${at}" has to be a number above 0`;
  return isNumber ? undefined : `"${at}" has to be a number that is not negative`;
}

/** The error in `changes` to `model`; undefined if there is none. */
function problemOf(changes: Json, model: Json, at: string): string | undefined {
  if (isObject(model)) {
    if (!isObject(changes)) return `"${at}" has to be an object`;
    for (const [name, value] of Object.entries(changes)) {
      const path = at === "" ? name : `${at}.${name}`;
      if (!Object.hasOwn(model, name)) return `a model has no "${path}"`;
      const problem = problemOf(value, model[name]!, path);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (typeof model === "number") return numberProblem(changes, at);
  if (Array.isArray(model))
    return Array.isArray(changes) && changes.length > 0 && changes.every((each) => typeof each === "number")
      ? undefined
      : `"${at}" has to be a list of numbers`;
  return typeof changes === typeof model ? undefined : `"${at}" has to be a ${typeof model}`;
}

function merged(model: Json, changes: Json | undefined): Json {
  if (!isObject(model) || !isObject(changes)) return changes ?? model;
  return Object.fromEntries(Object.entries(model).map(([name, value]) => [name, merged(value, changes[name])]));
}
