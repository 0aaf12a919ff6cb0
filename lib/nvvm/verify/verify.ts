// The verifier of NVVM IR: a module by its declarations and metadata, and each body when it is read (NVVM IR 1.0;
// docs/nvvm.md). rules.table.ts has the text of each rule and the versions to which it applies.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Body, Function } from "../ir/global.js";
import type { Module } from "../ir/module.js";
import type { NvvmOptions } from "../options.js";
import { checkAnnotations } from "./annotations.js";
import { checkBody } from "./body.js";
import { layoutBits, tripleBits } from "../ir/layout-string.js";
import { layoutFault } from "./data-layout.js";
import { reporterOf, factsOf, type Reporter } from "./facts.js";
import { checkAlias, checkConstantSize, checkFunction, checkVariable } from "./globals.js";
import { isReserved } from "./globals.js";
import { structRange } from "./tokens.js";
import { isEndless } from "./type-depth.js";
import { checkType } from "./types.js";
import { isKnown, versionNodes, versionOf } from "./version.js";

/**
 * Verifies everything but bodies. Errors go to the sink; a module without errors may be compiled. False if bodies must not be
 * verified.
 */
export function verifyModule(module: Module, { annotations }: NvvmOptions, sink: DiagnosticSink): boolean {
  const reporter = reporterOf(factsOf(module, annotations), sink);
  checkVersion(reporter);
  checkTarget(reporter);
  if (!checkStructs(reporter)) return false;
  for (const variable of module.variables) checkVariable(variable, reporter);
  for (const fn of module.functions) checkFunction(fn, reporter);
  for (const alias of module.aliases) checkAlias(alias, reporter);
  checkConstantSize(module.variables, reporter);
  checkAnnotations(reporter);
  return true;
}

/** Named structures at their definitions. False if sizes cannot be computed: types that contain themselves have none. */
function checkStructs(reporter: Reporter): boolean {
  const { structs } = reporter.module.types;
  const endless = structs.filter((struct) => isEndless(struct, reporter));
  for (const struct of endless.length > 0 ? endless.slice(0, 1) : structs)
    checkType(struct, () => structRange(struct.name, reporter.module), reporter);
  for (const { name } of structs)
    if (name !== undefined && isReserved(name)) reporter.report("reserved", structRange(name, reporter.module), [name]);
  return endless.length === 0;
}

/** Verifies one body, after `verifyModule`. */
export function verifyBody(
  fn: Function,
  body: Body,
  { module }: { readonly module: Module; readonly options?: NvvmOptions },
  sink: DiagnosticSink,
): void {
  const reporter = reporterOf(factsOf(module), sink);
  if (!reporter.hasEndlessTypes()) checkBody(fn, body, reporter);
}

function checkVersion({ module, report }: Reporter): void {
  for (const node of versionNodes(module)) {
    if (node?.kind !== "node") continue;
    const version = versionOf(node);
    if (version === undefined) report("version-form", node);
    else if (!isKnown(version)) report("version", node, [`${version.major}.${version.minor}`]);
  }
}

function checkTarget({ module, report }: Reporter): void {
  const { triple, dataLayout } = module;
  const bits = triple === undefined || triple.text === "" ? undefined : tripleBits(triple.text);
  if (triple !== undefined && triple.text !== "" && bits === undefined)
    return void report("triple", triple, [triple.text]);
  if (dataLayout === undefined) return;
  const fault = layoutFault(dataLayout.text);
  if (fault !== undefined) return void report("layout", dataLayout, [dataLayout.text, fault]);
  const pointers = layoutBits(dataLayout.text);
  if (bits !== undefined && pointers !== undefined && bits !== pointers)
    report("layout-triple", dataLayout, [pointers, bits]);
}
