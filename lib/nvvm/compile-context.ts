// What the passes that make PTX of a verified module share.

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

/** What the parts of a module are compiled with. */
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
  /** Functions of which something else than their definition speaks, so that they are declared. */
  readonly declared: Set<Function>;
  /** Something needs that PTX version, 71 of 7.1, at least. */
  readonly needVersion: (version: number) => void;
}
