// A module as lines that are equal if two readers made equal trees: without places, with values numbered, constants in
// one form, and metadata to a depth of a few levels.

import { createSink } from "../../../lib/diag/sink.js";
import type { Attribute, Function, GlobalValue } from "../../../lib/nvvm/ir/global.js";
import type { Instruction } from "../../../lib/nvvm/ir/instruction.js";
import { fieldOf, type Attachment, type Metadata, type MetadataField } from "../../../lib/nvvm/ir/metadata.js";
import type { Module } from "../../../lib/nvvm/ir/module.js";
import { typeText, type Type } from "../../../lib/nvvm/ir/type.js";
import type { Constant, Value } from "../../../lib/nvvm/ir/value.js";

/** Fields of debug nodes that the reader of bitcode keeps. */
const keptFields: Readonly<Record<string, readonly string[]>> = {
  DILocation: ["line", "column", "scope", "inlinedAt"],
  DIFile: ["filename", "directory"],
  DISubprogram: ["scope", "name", "linkageName", "file", "line"],
  DILexicalBlock: ["scope", "file", "line", "column"],
  DILexicalBlockFile: ["scope", "file", "discriminator"],
  DICompileUnit: ["file", "producer"],
};

/** Attributes whose value is written differently in text and bitcode. */
const worded = new Set(["memory", "range", "initializes", "nofpclass", "captures", "allockind", "allocsize", "uwtable", "vscale_range"]); // prettier-ignore

const typeWord = (type: Type | undefined): string => (type === undefined ? "" : typeText(type));

export function dumpModule(module: Module): readonly string[] {
  const { dataLayout, triple, moduleAssembly } = module;
  const lines = [
    `layout ${dataLayout?.text ?? ""}`,
    `triple ${triple?.text ?? ""}`,
    `source ${module.sourceFilename ?? ""}`,
  ];
  for (const { text } of moduleAssembly)
    for (const line of text.split("\n")) if (line !== "") lines.push(`asm ${line}`);
  for (const type of module.types.structs)
    lines.push(
      `struct ${typeText(type)} ${type.packed ? "packed " : ""}${(type.fields ?? []).map(typeText).join(", ")}`,
    );
  for (const global of module.globals.values()) lines.push(...dumpGlobal(global));
  for (const { name, nodes } of module.namedMetadata.values())
    lines.push(`!${name} ${nodes.map((node) => metadata(node, 4)).join(" ")}`);
  return lines;
}

function attribute({ name, value, type, text }: Attribute): string {
  const shown = worded.has(name) ? "" : (value ?? "");
  return `${name}${shown === "" ? "" : `=${shown}`}${type === undefined ? "" : `(${typeText(type)})`}${text === undefined ? "" : `"${text}"`}`;
}

/** In text of some versions, a function's alignment is among its attributes. */
const attributeList = (list: readonly Attribute[]): string => `[${list.map(attribute).toSorted().join(" ")}]`;

function dumpGlobal(global: GlobalValue): readonly string[] {
  const { kind, name, type, linkage, visibility, threadLocal, valueType } = global;
  const head = [kind, name, typeWord(type), typeWord(valueType), linkage, visibility, threadLocal ? "tls" : ""].join(
    " ",
  );
  const attached = attachments(global.attachments);
  switch (global.kind) {
    case "variable": {
      const { constant, externallyInitialized, initializer, align, section, attributes } = global;
      const words = [
        constant ? "constant" : "global",
        externallyInitialized ? "external" : "",
        align ?? "",
        section ?? "",
      ];
      return [
        `${head} ${words.join(" ")} ${attributeList(attributes)} = ${initializer === undefined ? "" : constantText(initializer)} ${attached}`,
      ];
    }
    case "function":
      return [...dumpFunction(global, head, attached)];
    default:
      return [`${head} = ${constantText(global.aliasee)}`];
  }
}

function dumpFunction(of: Function, head: string, attached: string): readonly string[] {
  const { convention, resultAttributes, argumentAttributes, attributes, align, section, garbageCollector } = of;
  const lines = [
    [
      head,
      convention,
      attributeList(resultAttributes),
      argumentAttributes.map(attributeList).join(""),
      attributeList(attributes),
    ]
      .concat([`${align ?? ""}`, section ?? "", garbageCollector ?? "", attached])
      .join(" "),
  ];
  if (of.body === undefined) return lines;
  const sink = createSink();
  const body = of.body.read(sink);
  if (body === undefined) return [...lines, `  unreadable: ${sink.all[0]?.message}`];
  for (const { name, type } of of.arguments) lines.push(`  argument ${name ?? ""} ${typeText(type)}`);
  for (const block of body.blocks) {
    lines.push(`  block ${block.index} ${block.name ?? ""}`);
    for (const instruction of block.instructions) lines.push(`    ${dumpInstruction(instruction)}`);
  }
  return lines;
}

/** Additional fields of each kind of instruction, by name; types as text, blocks by number. */
function extras(instruction: Instruction): string {
  const shown: string[] = [];
  for (const [key, value] of Object.entries(instruction) as [string, unknown][]) {
    if (common.has(key) || value === undefined) continue;
    if (key === "attributes" || key === "resultAttributes") shown.push(`${key}${attributeList(value as Attribute[])}`);
    else if (key === "argumentAttributes") shown.push((value as Attribute[][]).map(attributeList).join(""));
    else if (key === "functionType" || key === "sourceType" || key === "allocatedType")
      shown.push(typeText(value as Type));
    else if (key === "callee" || key === "defaultTarget") shown.push(valueText(value as Value));
    else if (key === "targets" || key === "incoming") shown.push((value as Value[]).map(valueText).join(","));
    else if (key === "cases")
      shown.push(
        (value as { value: Value; target: Value }[])
          .map((one) => `${valueText(one.value)}:${valueText(one.target)}`)
          .join(","),
      );
    else shown.push(`${key}=${String(value)}`);
  }
  return shown.toSorted().join(" ");
}

const common = new Set([
  "kind", "opcode", "type", "name", "index", "operands", "operandStarts", "flags", "attachments", "start", "end", "calleeStart",
]); // prettier-ignore

function dumpInstruction(instruction: Instruction): string {
  const { index, name, opcode, type, flags, operands } = instruction;
  const words = [`%${index}`, name ?? "", opcode, typeText(type), `${flags}`, operands.map(valueText).join(", ")];
  return `${words.join(" ")} ${extras(instruction)} ${attachments(instruction.attachments)}`;
}

function attachments(list: readonly Attachment[]): string {
  return list
    .map(({ name, node }) => `!${name} ${metadata(node, name === "dbg" ? 4 : 2)}`)
    .toSorted()
    .join(" ");
}

function valueText(value: Value): string {
  switch (value.kind) {
    case "argument":
      return `%a${value.index}`;
    case "instruction":
      return `%${value.index}`;
    case "block":
      return `b${value.index}`;
    case "asm":
      return `asm(${value.sideEffect} ${value.alignStack} ${value.intelDialect} ${value.unwind} ${JSON.stringify(value.text)} ${value.constraints})`;
    case "metadata":
      return metadata(value.metadata, 3);
    default:
      return constantText(value);
  }
}

const isZero = (constant: Constant): boolean =>
  constant.kind === "zero" ||
  constant.kind === "null" ||
  (constant.kind === "integer" && constant.value === 0n) ||
  (constant.kind === "float" && constant.bits === 0n) ||
  (constant.kind === "bytes" && constant.bytes.every((byte) => byte === 0)) ||
  (constant.kind === "aggregate" && constant.elements.every(isZero));

function constantText(constant: Constant): string {
  if ("name" in constant) return `@${constant.name}`;
  const type = typeText(constant.type);
  if (isZero(constant)) return `${type} 0`;
  switch (constant.kind) {
    case "integer":
      return `${type} ${constant.value}`;
    case "float":
      return `${type} 0x${constant.bits.toString(16)}`;
    case "aggregate":
      return `${type} {${constant.elements.map(constantText).join(", ")}}`;
    case "bytes":
      return `${type} {${Array.from(constant.bytes, (byte) => `i8 ${byte}`).join(", ")}}`;
    case "expression": {
      const { opcode, operands, predicate, sourceType } = constant;
      return `${type} ${opcode} ${predicate ?? ""} ${typeWord(sourceType)} (${operands.map(constantText).join(", ")})`;
    }
    default:
      return `${type} ${constant.kind}`;
  }
}

function metadata(of: Metadata, depth: number): string {
  if (of === null) return "null";
  if (of.kind === "string") return JSON.stringify(of.text);
  if (of.kind === "value") return valueText(of.value);
  if (depth === 0) return "…";
  if (of.tag === undefined)
    return `${of.distinct ? "distinct " : ""}{${of.operands.map((each) => metadata(each, depth - 1)).join(", ")}}`;
  const names = keptFields[of.tag] ?? [];
  const shown = names.flatMap((name) => {
    const field = fieldOf(of, name);
    return field === undefined || field === 0n ? [] : [`${name}: ${fieldText(field, depth - 1)}`];
  });
  return `${of.tag}(${shown.join(", ")})`;
}

function fieldText(field: MetadataField, depth: number): string {
  if (typeof field === "bigint") return `${field}`;
  if (field !== null && field.kind === "word") return field.word;
  return metadata(field, depth);
}
