// Kernels and textures of a module: the annotations that the verifier needs before it checks uses (NVVM IR 1.0 chapter 11).

import type { Function, GlobalValue, GlobalVariable } from "../ir/global.js";
import type { Metadata } from "../ir/metadata.js";
import type { Module } from "../ir/module.js";
import type { NamedAnnotations } from "../options.js";
import type { Value } from "../ir/value.js";

export interface Marks {
  readonly kernels: ReadonlySet<Function>;
  readonly handles: ReadonlyMap<GlobalVariable, string>;
  /** Bytes of `align` annotations, by function and position; 0 is the result. */
  readonly alignments: ReadonlyMap<Function, ReadonlyMap<number, number>>;
}

/** The global that a metadata operand refers to, through casts. */
export function annotatedGlobal(metadata: Metadata | undefined): GlobalValue | undefined {
  let value: Value | undefined = metadata?.kind === "value" ? metadata.value : undefined;
  while (value?.kind === "expression") value = value.operands[0];
  return value !== undefined && isGlobal(value) ? value : undefined;
}

export const isGlobal = (value: Value): value is GlobalValue =>
  value.kind === "function" || value.kind === "variable" || value.kind === "alias" || value.kind === "ifunc";

/** A property's number; undefined if it is not one. */
export const annotationValue = (metadata: Metadata | undefined): number | undefined =>
  metadata?.kind === "value" && metadata.value.kind === "integer" ? Number(metadata.value.value) : undefined;

const handleWords: ReadonlySet<string> = new Set(["texture", "surface", "sampler"]);

export function findMarks(module: Module, elsewhere: NamedAnnotations): Marks {
  const kernels = new Set<Function>();
  const handles = new Map<GlobalVariable, string>();
  const alignments = new Map<Function, Map<number, number>>();
  for (const fn of module.functions) if (fn.convention === "ptx_kernel" || fn.convention === "cc71") kernels.add(fn);
  for (const node of module.namedMetadata.get("nvvm.annotations")?.nodes ?? []) {
    if (node?.kind !== "node") continue;
    const global = annotatedGlobal(node.operands[0]);
    for (let i = 1; i + 1 < node.operands.length; i += 2) {
      const name = node.operands[i];
      const value = annotationValue(node.operands[i + 1]);
      if (global === undefined || name?.kind !== "string" || !value) continue;
      if (global.kind === "function" && name.text === "kernel") kernels.add(global);
      if (global.kind === "function" && name.text === "align") {
        let own = alignments.get(global);
        if (own === undefined) alignments.set(global, (own = new Map()));
        own.set(value >>> 16, value & 0xffff);
      }
      if (global.kind === "variable" && handleWords.has(name.text)) handles.set(global, name.text);
    }
  }
  for (const fn of module.functions) {
    const said = fn.body !== undefined && Object.hasOwn(elsewhere, fn.name) ? elsewhere[fn.name]! : [];
    if (said.some(({ name, value }) => name === "kernel" && value !== 0)) kernels.add(fn);
  }
  return { kernels, handles, alignments };
}
