// NVVM IR 1.0 to 2.0: the forms that current tools require instead of the document's (reference: libNVVM 13, which refuses
// versions before 2.0, their triples and layouts, and the names of the half conversions).

import type { MetadataNode } from "../ir/metadata.js";
import type { Module } from "../ir/module.js";

const layouts = {
  32: "e-p:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64",
  64: "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64",
} as const;

/** NVIDIA's layout and triple, with as many bits as the module's. */
export function upgradedTarget({ dataLayout, triple }: Module): { readonly layout: string; readonly triple: string } {
  const bits = /(?:^|-)p:32:/.test(dataLayout?.text ?? "") || /^nvptx-/.test(triple?.text ?? "") ? 32 : 64;
  return { layout: layouts[bits], triple: bits === 32 ? "nvptx-nvidia-cuda" : "nvptx64-nvidia-cuda" };
}

/** The node for version 2.0, for a module without a version. */
export function versionNode(module: Module): MetadataNode {
  const place = { start: 0, end: 0 };
  const i32 = module.types.integer(32);
  const number = (value: bigint) =>
    ({ kind: "value", value: { kind: "integer", type: i32, value }, ...place }) as const;
  return {
    kind: "node",
    id: -1,
    distinct: false,
    tag: undefined,
    operands: [number(2n), number(0n)],
    fields: { names: [], values: [] },
    ...place,
  };
}

/** Nodes of !nvvmir.version, changed to 2.0. */
export function upgradedNodes(module: Module): ReadonlyMap<MetadataNode, MetadataNode> {
  const replaced = new Map<MetadataNode, MetadataNode>();
  for (const node of module.namedMetadata.get("nvvmir.version")?.nodes ?? [])
    if (node?.kind === "node") replaced.set(node, { ...versionNode(module), id: node.id });
  return replaced;
}

/** Names of intrinsics that were renamed since. */
export const upgradedNames: ReadonlyMap<string, string> = new Map([
  ["llvm.convert.to.fp16", "llvm.convert.to.fp16.f32"],
  ["llvm.convert.from.fp16", "llvm.convert.from.fp16.f32"],
]);
