// Properties of a module's functions and variables other than linkage and type: !nvvm.annotations (NVVM IR 1.0 chapter 11), the
// string attributes `nvvm.*` of later dialects, and the calling convention of kernels. The verifier reports errors in single
// annotations.

import { placeOf } from "../../ptx/source.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { Function, GlobalValue, GlobalVariable } from "../ir/global.js";
import type { Metadata } from "../ir/metadata.js";
import type { Module } from "../ir/module.js";
import type { Constant, Value } from "../ir/value.js";
import type { NamedAnnotations, NvvmOptions, Property } from "../options.js";
import type { VariableRole } from "./variable.js";

export interface Annotations {
  isKernel(fn: Function): boolean;
  /** A property's value; the last of several. */
  valueOf(global: GlobalValue, property: string): number | undefined;
  /** Bytes by position of `align` annotations; 0 is the result. */
  alignmentsOf(fn: Function): ReadonlyMap<number, number> | undefined;
  roleOf(variable: GlobalVariable): VariableRole;
}

/** The properties in a module's metadata, in its order. */
export function* annotated(module: Module): Generator<readonly [GlobalValue, Property]> {
  for (const node of module.namedMetadata.get("nvvm.annotations")?.nodes ?? []) {
    if (node?.kind !== "node") continue;
    const [first, ...rest] = node.operands;
    const global = globalOf(first);
    if (global === undefined) continue;
    for (let i = 0; i + 1 < rest.length; i += 2) {
      const [name, value] = [rest[i], numberOf(rest[i + 1])];
      if (name?.kind === "string" && value !== undefined) yield [global, { name: name.text, value }];
    }
  }
}

function globalOf(metadata: Metadata | undefined): GlobalValue | undefined {
  let value: Value | undefined = metadata?.kind === "value" ? metadata.value : undefined;
  while (value?.kind === "expression") value = value.operands[0];
  return value !== undefined && isGlobal(value) ? value : undefined;
}

const isGlobal = (value: Value): value is GlobalValue & Constant =>
  value.kind === "function" || value.kind === "variable" || value.kind === "alias" || value.kind === "ifunc";

const numberOf = (metadata: Metadata | undefined): number | undefined =>
  metadata?.kind === "value" && metadata.value.kind === "integer" ? Number(metadata.value.value) : undefined;

const isDeclared = (global: GlobalValue): boolean =>
  (global.kind === "function" && global.body === undefined) ||
  (global.kind === "variable" && global.initializer === undefined);

/** A module's annotations of names that it only declares, which apply to the module that defines them. */
export function annotationsOfDeclared(module: Module): NamedAnnotations {
  const found: Record<string, Property[]> = Object.create(null) as Record<string, Property[]>;
  for (const [global, property] of annotated(module)) {
    if (!isDeclared(global)) continue;
    (found[global.name] ??= []).push({ ...property, file: module.source.name });
  }
  return found;
}

/** String attributes of later dialects, by the properties that they express. */
const attributeNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["nvvm.maxntid", ["maxntidx", "maxntidy", "maxntidz"]],
  ["nvvm.reqntid", ["reqntidx", "reqntidy", "reqntidz"]],
  ["nvvm.cluster_dim", ["cluster_dim_x", "cluster_dim_y", "cluster_dim_z"]],
  ["nvvm.minctasm", ["minctasm"]],
  ["nvvm.maxnreg", ["maxnreg"]],
  ["nvvm.maxclusterrank", ["maxclusterrank"]],
]);

function* attributeProperties({ attributes }: Function): Generator<Property> {
  for (const { name, text } of attributes) {
    const properties = attributeNames.get(name);
    if (properties === undefined) continue;
    const values = (text ?? "").split(",").map(Number);
    for (const [i, property] of properties.entries())
      if (Number.isInteger(values[i])) yield { name: property, value: values[i]! };
  }
}

/** A kernel's convention; LLVM numbers it 71. */
const KERNEL_CONVENTIONS: ReadonlySet<string> = new Set(["ptx_kernel", "cc71"]);

/** All annotations of one module, including those that others make for its definitions; contradictions are reported. */
export function readAnnotations(
  module: Module,
  { annotations: others = {}, alone: isAlone = false }: NvvmOptions,
  sink: DiagnosticSink,
): Annotations {
  const known = new Map<GlobalValue, Map<string, readonly Property[]>>();
  const add = (global: GlobalValue, property: Property): void => {
    let own = known.get(global);
    if (own === undefined) known.set(global, (own = new Map<string, readonly Property[]>()));
    own.set(property.name, [...(own.get(property.name) ?? []), property]);
  };
  for (const [global, property] of annotated(module)) add(global, property);
  if (isAlone) reportElsewhere(module, sink);
  for (const fn of module.functions) for (const property of attributeProperties(fn)) add(fn, property);
  for (const [name, properties] of Object.entries(others)) {
    const global = module.globals.get(name);
    if (global === undefined || isDeclared(global)) continue;
    for (const property of properties) {
      if (property.file === module.source.name) continue;
      const before = known.get(global)?.get(property.name)?.at(-1);
      if (before !== undefined && before.value !== property.value && property.name !== "align")
        reportConflict(module, global, before, property, sink);
      add(global, property);
    }
  }
  const valuesOf = (global: GlobalValue, property: string): readonly Property[] =>
    known.get(global)?.get(property) ?? [];
  const valueOf = (global: GlobalValue, property: string): number | undefined =>
    valuesOf(global, property).at(-1)?.value;
  return {
    valueOf,
    isKernel: (fn) => KERNEL_CONVENTIONS.has(fn.convention) || (valueOf(fn, "kernel") ?? 0) !== 0,
    alignmentsOf(fn) {
      const values = valuesOf(fn, "align");
      return values.length === 0 ? undefined : new Map(values.map(({ value }) => [value >>> 16, value & 0xffff]));
    },
    roleOf: (variable) => ({
      reference: references.find(([property]) => (valueOf(variable, property) ?? 0) !== 0)?.[1],
      managed: (valueOf(variable, "managed") ?? 0) !== 0,
    }),
  };
}

/** Reports annotations without effect: the module is compiled before another defines the name. */
function reportElsewhere(module: Module, sink: DiagnosticSink): void {
  for (const [name, properties] of Object.entries(annotationsOfDeclared(module))) {
    const { nameStart, kind } = module.globals.get(name)!;
    const at = { start: nameStart, end: nameStart + 1 + name.length };
    const said = properties.map(({ name: property }) => `'${property}'`).join(", ");
    const message = `'${name}' is only declared here, so its ${said} has no effect: another module defines the ${kind}`;
    sink.report("nvvm-annotation-elsewhere", message, placeOf(module.source, at));
  }
}

const references = [
  ["texture", "texref"],
  ["surface", "surfref"],
  ["sampler", "samplerref"],
] as const;

function reportConflict(
  module: Module,
  { name, nameStart }: GlobalValue,
  own: Property,
  other: Property,
  sink: DiagnosticSink,
): void {
  const at = { start: nameStart, end: nameStart + 1 + name.length };
  const message = `'${name}' has the property '${own.name}' of ${own.value} here, and of ${other.value} in ${other.file}`;
  sink.report("nvvm-annotation", message, placeOf(module.source, at), {
    remedy: "give the property one value in all modules (NVVM IR 1.0 section 11.2)",
  });
}
