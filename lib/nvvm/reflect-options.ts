// What `__nvvm_reflect` answers for a module: the target, and how float arithmetic is lowered.

import type { Module } from "./ir/module.js";
import type { ReflectOptions } from "./lower/reflect.js";
import type { NvvmOptions } from "./options.js";
import { targetOf } from "./target.js";

/** `ftz` unless the options say: the module flag nvvm-reflect-ftz. */
export function reflectOptionsOf(module: Module, options: NvvmOptions): ReflectOptions {
  const { ftz = flushes(module), precDiv = true, precSqrt = true } = options;
  return { arch: targetOf(module, options).sm, ftz, precDiv, precSqrt };
}

/** `!{i32 4, !"nvvm-reflect-ftz", i32 1}` among the module's flags. */
function flushes({ namedMetadata }: Module): boolean {
  for (const node of namedMetadata.get("llvm.module.flags")?.nodes ?? []) {
    if (node?.kind !== "node") continue;
    const [, name, value] = node.operands;
    if (name?.kind === "string" && name.text === "nvvm-reflect-ftz")
      return value?.kind === "value" && value.value.kind === "integer" && value.value.value !== 0n;
  }
  return false;
}
