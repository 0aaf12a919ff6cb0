// State that the passes from a verified module to PTX share.

import type { DiagnosticSink } from "../diag/sink.js";
import type { Locations } from "./debug.js";
import type { Annotations } from "./globals/annotations.js";
import type { Names } from "./globals/names.js";
import type { VariableOrder } from "./globals/order.js";
import type { Function } from "./ir/global.js";
import type { DataLayout } from "./ir/layout.js";
import type { Module } from "./ir/module.js";
import type { NvvmOptions } from "./options.js";
import type { CompileTarget } from "./target.js";

/** The context in which the parts of a module are compiled. */
export interface CompileContext {
  readonly module: Module;
  readonly options: NvvmOptions;
  readonly sink: DiagnosticSink;
  readonly target: CompileTarget;
  readonly layout: DataLayout;
  readonly annotations: Annotations;
  readonly nameOf: Names;
  readonly locations: Locations;
  readonly order: VariableOrder;
  /** Functions with references other than their definition, which are therefore declared. */
  readonly declared: Set<Function>;
  /** Requires at least that PTX version, 71 for 7.1. */
  readonly needVersion: (version: number) => void;
}
