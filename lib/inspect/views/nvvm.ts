// Properties of NVVM IR before it is compiled: dialect, version, data layout, annotations. Its kernels, functions and variables
// are those of the PTX generated from it (module.ts, kernels-own.ts).

import { annotated } from "../../nvvm/globals/annotations.js";
import type { Module } from "../../nvvm/ir/module.js";
import type { Metadata } from "../../nvvm/ir/metadata.js";

export interface NvvmView {
  readonly form: "text" | "bitcode";
  /** The kind of pointers: "typed" or "opaque"; "NVVM IR 1.0" if its own spellings occur. */
  readonly dialect: "NVVM IR 1.0" | "typed pointers" | "opaque pointers" | "no pointers";
  /** From !nvvmir.version: "1.0", or with debug information "2.0 (debug 3.1)"; undefined if the module has none. */
  readonly version?: string;
  readonly triple?: string;
  readonly layout?: string;
  readonly sourceFilename?: string;
  readonly annotations: readonly AnnotationView[];
}

export interface AnnotationView {
  /** The name in the module. */
  readonly name: string;
  readonly property: string;
  readonly value: number;
}

export function nvvmView(module: Module): NvvmView {
  const { form, spellings, triple, dataLayout, sourceFilename } = module;
  const version = versionOf(module);
  return {
    form,
    dialect: dialectOf(spellings),
    ...(version === undefined ? {} : { version }),
    ...(triple === undefined ? {} : { triple: triple.text }),
    ...(dataLayout === undefined ? {} : { layout: dataLayout.text }),
    ...(sourceFilename === undefined ? {} : { sourceFilename }),
    annotations: Array.from(annotated(module), ([global, { name: property, value }]) => ({
      name: global.name,
      property,
      value,
    })),
  };
}

function dialectOf({ first, typed, opaque }: Module["spellings"]): NvvmView["dialect"] {
  if (first !== undefined) return "NVVM IR 1.0";
  if (opaque !== undefined) return "opaque pointers";
  return typed === undefined ? "no pointers" : "typed pointers";
}

function versionOf({ namedMetadata }: Module): string | undefined {
  const [node] = namedMetadata.get("nvvmir.version")?.nodes ?? [];
  if (node?.kind !== "node") return undefined;
  const [major, minor, debugMajor, debugMinor] = node.operands.map(numberText);
  if (major === undefined || minor === undefined) return undefined;
  const debug = debugMajor === undefined || debugMinor === undefined ? "" : ` (debug ${debugMajor}.${debugMinor})`;
  return `${major}.${minor}${debug}`;
}

const numberText = (metadata: Metadata): string | undefined =>
  metadata?.kind === "value" && metadata.value.kind === "integer" ? String(metadata.value.value) : undefined;
