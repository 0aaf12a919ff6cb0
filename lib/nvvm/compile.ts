// One module of NVVM IR to PTX text: first what every function needs, then variables with referents before their users, then
// functions in the order of the text. Locations of the PTX are those of the NVVM IR (Source.origin).

import type { DiagnosticSink } from "../diag/sink.js";
import { versionText } from "../isa/requirement.js";
import type { Source } from "../ptx/source-text.js";
import { placeOf } from "../ptx/source.js";
import { compileAliases, type AliasTexts } from "./aliases.js";
import type { CompileContext } from "./compile-context.js";
import { compileFunctions, type FunctionTexts } from "./functions.js";
import { readAnnotations } from "./globals/annotations.js";
import { createNames } from "./globals/names.js";
import { orderVariables } from "./globals/order.js";
import { variableLines } from "./globals/variables.js";
import { isFull } from "./error-limit.js";
import type { Function } from "./ir/global.js";
import { layoutOf } from "./ir/layout-string.js";
import type { Module } from "./ir/module.js";
import { createLocations } from "./debug.js";
import { assemblyLines } from "./module-assembly.js";
import type { NvvmOptions } from "./options.js";
import { madeSource, type MadeText } from "./ptx-writer.js";
import { targetOf } from "./target.js";
import { aliasedVariables, variableAliases } from "./variable-aliases.js";
import { verifyBody, verifyModule } from "./verify/verify.js";

/** The PTX of a module; undefined after errors. `wanted`: the functions to compile; default: all. */
export function compileModule(
  module: Module,
  options: NvvmOptions,
  sink: DiagnosticSink,
  wanted?: ReadonlySet<Function>,
): Source | undefined {
  if (isFull(sink)) return undefined;
  const errorsBefore = sink.errorCount;
  const isReadable = verifyModule(module, options, sink);
  if (sink.errorCount > errorsBefore) {
    if (isReadable) verifyBodies(module, options, sink);
    return undefined;
  }
  const layout = layoutOf(module);
  if (layout.pointerBits === 32) reportNarrow(module, sink);
  const target = targetOf(module, options);
  let version = target.version;
  const needVersion = (needed: number): void => void (version = Math.max(version, needed));
  const ordered = orderVariables(
    module.variables.filter(({ name }) => !isIntrinsic(name)),
    layout,
  );
  const order = { ...ordered, ahead: new Set([...ordered.ahead, ...aliasedVariables(module)]) };
  const context: CompileContext = {
    module,
    options,
    sink,
    target,
    layout,
    annotations: readAnnotations(module, options, sink),
    nameOf: createNames(module),
    locations: createLocations(needVersion),
    order,
    declared: new Set(order.functions),
    needVersion,
  };
  const assembly = assemblyLines(module, needVersion);
  const variables = variableLines(context);
  const functions = compileFunctions(context, wanted);
  const aliases = compileAliases(context);
  const ofVariables = variableAliases(context);
  if (sink.errorCount > errorsBefore) return undefined;
  const lines = [...headLines(version, context), ...assembly, ...bodyLines(variables, functions, aliases, context)];
  return madeSource(lines, module.source, module.form === "text", ofVariables);
}

/** NVIDIA's current tools refuse the output for modules of 32-bit addresses. */
function reportNarrow({ dataLayout, triple, source }: Module, sink: DiagnosticSink): void {
  const stated = dataLayout === undefined || dataLayout.text === "" ? triple : dataLayout;
  const message = "the module has 32-bit addresses, which ptxas of CUDA 12 and later rejects";
  sink.report("nvvm-32-bit", message, stated === undefined ? undefined : placeOf(source, stated));
}

/** Reports errors in bodies if there are other errors already. */
function verifyBodies(module: Module, options: NvvmOptions, sink: DiagnosticSink): void {
  for (const fn of module.functions) {
    const body = fn.body?.read(sink);
    if (body !== undefined) verifyBody(fn, body, { module, options }, sink);
  }
}

/** Variables and functions that only the compiler knows: llvm.used and similar. */
const isIntrinsic = (name: string): boolean => name.startsWith("llvm.") || name.startsWith("nvvm.");

function headLines(version: number, { target, layout, locations }: CompileContext): readonly MadeText[] {
  const lines = [
    `.version ${versionText(version)}`,
    `.target ${target.name}`,
    `.address_size ${layout.pointerBits}`,
    ...locations.files(),
  ];
  return lines.map(anywhere);
}

/** A line without an origin in the module. */
const anywhere = (text: string): MadeText => ({ text, at: 0 });

function bodyLines(
  variables: readonly MadeText[],
  { prototypes, helpers, definitions }: FunctionTexts,
  aliases: AliasTexts,
  { locations }: CompileContext,
): readonly MadeText[] {
  return [
    ...prototypes,
    ...aliases.prototypes,
    ...variables,
    ...helpers.map(anywhere),
    ...definitions,
    ...aliases.directives,
    ...locations.strings().map(anywhere),
  ];
}
