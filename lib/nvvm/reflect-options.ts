// The answers of `__nvvm_reflect` for a module: the target, and the lowering of float arithmetic.

import type { Module } from "./ir/module.js";
import { ftzFlag, type ReflectOptions } from "./lower/reflect.js";
import type { NvvmOptions } from "./options.js";
import { targetOf } from "./target.js";

/** `ftz` is the module's flag unless an option sets it. */
export function reflectOptionsOf(module: Module, options: NvvmOptions): ReflectOptions {
  const { ftz = ftzFlag(module) ?? false, precDiv = true, precSqrt = true } = options;
  return { arch: targetOf(module, options).sm, ftz, precDiv, precSqrt };
}
