// What `__nvvm_reflect` answers for a module: the target, and how float arithmetic is lowered.

import type { Module } from "./ir/module.js";
import { ftzFlag, type ReflectOptions } from "./lower/reflect.js";
import type { NvvmOptions } from "./options.js";
import { targetOf } from "./target.js";

/** `ftz`, unless the options say, is the module's flag. */
export function reflectOptionsOf(module: Module, options: NvvmOptions): ReflectOptions {
  const { ftz = ftzFlag(module) ?? false, precDiv = true, precSqrt = true } = options;
  return { arch: targetOf(module, options).sm, ftz, precDiv, precSqrt };
}
