// !nvvmir.version (NVVM IR 1.0 section 3.8).

import type { Metadata, MetadataNode } from "../ir/metadata.js";
import type { Module } from "../ir/module.js";

export interface Version {
  readonly major: number;
  readonly minor: number;
}

export const versionNodes = (module: Module): readonly Metadata[] =>
  module.namedMetadata.get("nvvmir.version")?.nodes ?? [];

/** The version in a metadata node; undefined if it does not have the form of a version. */
export function versionOf(node: MetadataNode): Version | undefined {
  const numbers = node.operands.map((operand) =>
    operand?.kind === "value" && operand.value.kind === "integer" && operand.value.type.bits === 32
      ? Number(operand.value.value)
      : undefined,
  );
  const [major, minor] = numbers;
  if (numbers.includes(undefined) || (numbers.length !== 2 && numbers.length !== 4)) return undefined;
  return { major: major!, minor: minor! };
}

/** The version of the module; undefined if it has none. */
export function readVersion(module: Module): Version | undefined {
  const [node] = versionNodes(module);
  return node?.kind === "node" ? versionOf(node) : undefined;
}

/** 1.0 to 1.11, and 2.0 to 3.2. */
export const isKnown = ({ major, minor }: Version): boolean =>
  (major === 1 && minor <= 11) || major === 2 || (major === 3 && minor <= 2);
