// A module of which only the needed parts are compiled: libdevice, and modules after --start-lib. Only the needed bodies are
// read and folded.

import type { DiagnosticSink } from "../diag/sink.js";
import type { Body, Function, GlobalValue, GlobalVariable } from "./ir/global.js";
import type { Module } from "./ir/module.js";
import type { Value } from "./ir/value.js";
import { foldBody } from "./lower/fold.js";
import { reflectValue, type ReflectOptions } from "./lower/reflect.js";

/** NVIDIA's device libraries have a triple of their own. */
export const isDeviceLibrary = ({ triple }: Module): boolean =>
  triple?.text.startsWith("nvptx64-nvidia-gpulibs") ?? false;

export interface LibraryOptions {
  /** Undefined: branches that depend on `__nvvm_reflect` are kept, with everything that they need. */
  readonly reflect: ReflectOptions | undefined;
  /** Functions requested by name keep their linkage; their callees are made internal, unless "kept". */
  readonly others: "internal" | "kept";
}

/**
 * The part of a module that `names` need. The module's own functions get their new linkage, so the module must not be used for
 * anything else; bodies are kept as they were read, folded.
 */
export function neededOf(
  module: Module,
  names: Iterable<string>,
  options: LibraryOptions,
  sink: DiagnosticSink,
): Module {
  const asked = new Set(names);
  const kept = new Set<GlobalValue>();
  const pending: Value[] = [];
  for (const name of asked) {
    const global = module.globals.get(name);
    if (global !== undefined) pending.push(global);
  }
  const seen = new Set<Value>(pending);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    for (const part of partsOf(value, options, kept, sink)) {
      if (seen.has(part)) continue;
      // Instructions and arguments have no parts other than those that their body lists.
      if (!isGlobalOrNested(part)) continue;
      seen.add(part);
      pending.push(part);
    }
  }
  if (options.others === "internal") for (const global of kept) makeInternal(global, asked);
  const keep = <T extends GlobalValue>(list: readonly T[]): readonly T[] => list.filter((global) => kept.has(global));
  return {
    ...module,
    variables: keep(module.variables),
    functions: keep(module.functions),
    aliases: keep(module.aliases),
    globals: new Map([...module.globals].filter(([, global]) => kept.has(global))),
  };
}

const nested: ReadonlySet<Value["kind"]> = new Set([
  "variable", "function", "alias", "ifunc", "aggregate", "expression",
]); // prettier-ignore

const isGlobalOrNested = (value: Value): boolean => nested.has(value.kind);

/** The operands of a global or constant; globals are added to `kept`. */
function partsOf(
  value: Value,
  options: LibraryOptions,
  kept: Set<GlobalValue>,
  sink: DiagnosticSink,
): readonly Value[] {
  switch (value.kind) {
    case "aggregate":
      return value.elements;
    case "expression":
      return value.operands;
    case "variable":
      kept.add(value);
      return value.initializer === undefined ? [] : [value.initializer];
    case "alias":
    case "ifunc":
      kept.add(value);
      return [value.aliasee];
    case "function":
      kept.add(value);
      return bodyParts(value, options, sink);
    default:
      return [];
  }
}

function bodyParts(fn: Function, { reflect }: LibraryOptions, sink: DiagnosticSink): readonly Value[] {
  const lazy = fn.body;
  const body = lazy?.read(sink);
  if (lazy === undefined || body === undefined) return [];
  if (reflect !== undefined) foldBody(body, (instruction) => reflectValue(instruction, reflect));
  (fn as { body: Function["body"] }).body = { start: lazy.start, end: lazy.end, read: () => body };
  return operandsOf(body);
}

function operandsOf(body: Body): readonly Value[] {
  const found: Value[] = [];
  const reached = new Set([0]);
  for (const index of reached) {
    for (const instruction of body.blocks[index]!.instructions) {
      for (const operand of instruction.operands) if (isGlobalOrNested(operand)) found.push(operand);
      if ("callee" in instruction && isGlobalOrNested(instruction.callee)) found.push(instruction.callee);
      if ("targets" in instruction) for (const { index: target } of instruction.targets) reached.add(target);
      if (instruction.opcode !== "switch") continue;
      reached.add(instruction.defaultTarget.index);
      for (const { target } of instruction.cases) reached.add(target.index);
    }
  }
  return found;
}

const declared = (global: Function | GlobalVariable): boolean =>
  global.kind === "function" ? global.body === undefined : global.initializer === undefined;

function makeInternal(global: GlobalValue, asked: ReadonlySet<string>): void {
  if (asked.has(global.name) || (global.kind !== "function" && global.kind !== "variable") || declared(global)) return;
  if (global.linkage === "private") return;
  (global as { linkage: GlobalValue["linkage"] }).linkage = "internal";
}
