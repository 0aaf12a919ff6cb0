// Metadata as IR text: numbered nodes by their number, others inline.

import type { Attachment, Metadata, MetadataField, MetadataNode } from "../ir/metadata.js";
import type { Value } from "../ir/value.js";
import { metadataName, quoted } from "./print-type.js";

/** Fields whose strings are words; a string in any other field is metadata itself (`baseType: !"_ZTS1A"`, as in LLVM 3.8). */
const textFields: ReadonlySet<string> = new Set([
  ...["name", "linkageName", "filename", "directory", "checksum", "source", "producer", "flags", "splitDebugFilename"],
  ...["sysroot", "sdk", "identifier", "header", "configMacros", "includePath", "apinotes", "setter", "getter", "value"],
  ...["targetFuncName", "isysroot"],
]);

const isText = (tag: string, name: string): boolean =>
  textFields.has(name) && !(tag === "DITemplateValueParameter" && name === "value");

/** Prints a value after its type. */
export type ValuePrinter = (value: Value) => string;

/** Numbers the module's numbered nodes, in order of occurrence. */
export interface MetadataPrinter {
  text(metadata: Metadata, value: ValuePrinter): string;
  /** After an instruction: each after a comma and a blank. */
  attachments(list: readonly Attachment[], value: ValuePrinter, separator: string): string;
  /** Definitions of all nodes that occurred, and of those that they refer to. */
  definitions(value: ValuePrinter): readonly string[];
}

export function createMetadataPrinter(replaced: ReadonlyMap<MetadataNode, MetadataNode> = new Map()): MetadataPrinter {
  const numbers = new Map<MetadataNode, number>();

  const text = (metadata: Metadata, value: ValuePrinter): string => {
    if (metadata === null) return "null";
    if (metadata.kind === "string") return `!${quoted(metadata.text)}`;
    if (metadata.kind === "value") return value(metadata.value);
    if (metadata.id === undefined) return nodeText(metadata, value);
    let number = numbers.get(metadata);
    if (number === undefined) numbers.set(metadata, (number = numbers.size));
    return `!${number}`;
  };

  const nodeText = (node: MetadataNode, value: ValuePrinter): string => {
    const { tag, operands, fields } = replaced.get(node) ?? node;
    const distinct = node.distinct ? "distinct " : "";
    if (tag === undefined) return `${distinct}!{${operands.map((operand) => text(operand, value)).join(", ")}}`;
    const list = fields.values.map((field, i) => {
      const name = fields.names[i]!;
      const own = fieldText(field, value);
      if (/^\d/.test(name)) return own;
      if (own.startsWith('"') && !isText(tag, name)) return `${name}: !${own}`;
      // A list without a node's sign.
      return tag === "GenericDINode" && name === "operands" ? `operands: ${own.slice(1)}` : `${name}: ${own}`;
    });
    return `${distinct}!${metadataName(tag)}(${list.join(", ")})`;
  };

  const fieldText = (field: MetadataField, value: ValuePrinter): string => {
    if (typeof field === "bigint") return String(field);
    if (field?.kind === "word") return field.word;
    if (field?.kind === "string") return quoted(field.text);
    return text(field, value);
  };

  return {
    text,
    attachments: (list, value, separator) =>
      list.map(({ name, node }) => `${separator}!${metadataName(name)} ${text(node, value)}`).join(""),
    definitions(value) {
      const lines: string[] = [];
      // The map grows while its nodes are printed.
      for (const [node, number] of numbers) lines.push(`!${number} = ${nodeText(node, value)}`);
      return lines;
    },
  };
}
