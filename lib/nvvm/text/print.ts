// A module as IR text: in its own spelling or in another that libNVVM or llvm-as accepts, and from NVVM IR 1.0 to 2.0. The
// output is input for those tools; parts that they do not need (comdats, use lists, summaries) are omitted.

import { append } from "../../base/lists.js";
import { createSink } from "../../diag/sink.js";
import type { Alias, Function, GlobalValue, GlobalVariable } from "../ir/global.js";
import type { Module } from "../ir/module.js";
import type { StructType } from "../ir/type.js";
import { attributesText } from "./print-attributes.js";
import { bodyLines, createBodyPrinter } from "./print-body.js";
import { constantText, typedConstant } from "./print-constant.js";
import { conventionText } from "./print-instruction.js";
import { createMetadataPrinter, type MetadataPrinter, type ValuePrinter } from "./print-metadata.js";
import {
  createTypePrinter,
  localName,
  metadataName,
  quoted,
  valueName,
  type PrintOptions,
  type TypePrinter,
} from "./print-type.js";
import { upgradedNames, upgradedNodes, upgradedTarget, versionNode } from "./upgrade.js";

export type { PrintOptions } from "./print-type.js";

interface Printer {
  readonly options: PrintOptions;
  readonly types: TypePrinter;
  readonly metadata: MetadataPrinter;
  readonly value: ValuePrinter;
}

/**
 * The text of a module whose bodies have no faults. Undefined if it has instructions with an incomplete tree (exceptions,
 * operand bundles), or opaque pointers where typed ones are requested.
 */
export function printModule(module: Module, options: PrintOptions): string | undefined {
  if (!options.opaque && module.spellings.opaque !== undefined) return undefined;
  const types = createTypePrinter(options, options.upgrade ? upgradedNames : undefined);
  const metadata = createMetadataPrinter(options.upgrade ? upgradedNodes(module) : undefined);
  const value: ValuePrinter = (of) =>
    of.kind === "metadata" ||
    of.kind === "asm" ||
    of.kind === "argument" ||
    of.kind === "instruction" ||
    of.kind === "block"
      ? "null"
      : typedConstant(types, of);
  const p: Printer = { options, types, metadata, value };
  const lines = headLines(p, module);
  const all: readonly GlobalValue[] = [...module.variables, ...module.aliases, ...module.functions];
  for (const global of all.toSorted((a, b) => a.start - b.start)) {
    const made = globalLines(p, global);
    if (made === undefined) return undefined;
    append(lines, made);
  }
  for (const { name, nodes } of module.namedMetadata.values())
    lines.push(`!${metadataName(name)} = !{${nodes.map((node) => metadata.text(node, value)).join(", ")}}`);
  if (options.upgrade && !module.namedMetadata.has("nvvmir.version"))
    lines.push(`!nvvmir.version = !{${metadata.text(versionNode(module), value)}}`);
  append(lines, metadata.definitions(value));
  return `${lines.join("\n")}\n`;
}

function headLines({ types, options }: Printer, module: Module): string[] {
  const { layout, triple } = options.upgrade
    ? upgradedTarget(module)
    : { layout: module.dataLayout?.text, triple: module.triple?.text };
  return [
    ...(module.sourceFilename === undefined ? [] : [`source_filename = ${quoted(module.sourceFilename)}`]),
    ...(layout === undefined ? [] : [`target datalayout = ${quoted(layout)}`]),
    ...(triple === undefined ? [] : [`target triple = ${quoted(triple)}`]),
    ...module.moduleAssembly.map(({ text }) => `module asm ${quoted(text)}`),
    ...[...module.types.structs].sort(byName).map((type) => typeLine(types, type)),
  ];
}

const byName = ({ name: a = "" }: StructType, { name: b = "" }: StructType): number => (a < b ? -1 : 1);

const typeLine = (types: TypePrinter, type: StructType): string =>
  `${localName(type.name!)} = type ${types.definition(type)}`;

function globalLines(p: Printer, global: GlobalValue): readonly string[] | undefined {
  switch (global.kind) {
    case "variable":
      return [variableLine(p, global)];
    case "function":
      return functionLines(p, global);
    default:
      return [aliasLine(p, global)];
  }
}

/** Linkages that were removed from LLVM. */
const linkageText = (linkage: string): string =>
  linkage === "linker_private" || linkage === "linker_private_weak" ? "private" : linkage;

function leadText({ linkage, visibility, threadLocal }: GlobalValue, isDeclaration: boolean): string {
  const isDll = linkage.startsWith("dll");
  const words = [
    ...(isDeclaration && (linkage === "external" || isDll) ? ["external"] : []),
    ...(linkage === "external" || isDll ? [] : [linkageText(linkage)]),
    ...(visibility === "default" || linkage === "private" || linkage === "internal" ? [] : [visibility]),
    ...(isDll ? [linkage] : []),
    ...(threadLocal ? ["thread_local"] : []),
  ];
  return words.map((word) => `${word} `).join("");
}

function variableLine(p: Printer, variable: GlobalVariable): string {
  const { types, metadata, value, options } = p;
  const { name, initializer, constant, valueType, type, align, section, externallyInitialized } = variable;
  const space = type.space === 0 ? "" : `addrspace(${type.space}) `;
  const what = `${space}${externallyInitialized ? "externally_initialized " : ""}${constant ? "constant" : "global"}`;
  const initial = initializer === undefined ? "" : ` ${constantText(types, initializer)}`;
  const tail = [
    ...(section === undefined ? [] : [`section ${quoted(section)}`]),
    ...(align === undefined ? [] : [`align ${align}`]),
  ];
  const clauses = tail.map((text) => `, ${text}`).join("");
  const attachments = metadata.attachments(variable.attachments, value, ", ");
  // Only strings are allowed outside groups; the others have no meaning for variables.
  const texts = variable.attributes.filter(({ text }) => text !== undefined);
  const attributes = attributesText(types, options, texts);
  const lead = leadText(variable, initializer === undefined);
  return `${types.global(name)} = ${lead}${what} ${types.text(valueType)}${initial}${clauses}${attachments}${attributes}`;
}

function aliasLine({ types }: Printer, alias: Alias): string {
  const { name, kind, valueType, aliasee } = alias;
  // An expression contains its own type.
  const of = aliasee.kind === "expression" ? constantText(types, aliasee) : typedConstant(types, aliasee);
  return `${types.global(name)} = ${leadText(alias, false)}${kind} ${types.text(valueType)}, ${of}`;
}

function functionLines(p: Printer, fn: Function): readonly string[] | undefined {
  const { types, options, metadata, value } = p;
  const body = fn.body?.read(createSink());
  if (fn.body !== undefined && body === undefined) return undefined;
  const printer = createBodyPrinter(options, types, metadata, fn, body);
  const attributes = (list: Function["attributes"]): string => attributesText(types, options, list);
  const parameters = fn.arguments.map((argument, i) => {
    const own = `${types.text(argument.type)}${attributesText(types, options, fn.argumentAttributes[i] ?? [], argument.type)}`;
    if (body === undefined) return own;
    return argument.name === undefined ? own : `${own} ${valueName(argument.name)}`;
  });
  if (fn.valueType.variadic) parameters.push("...");
  const attached = metadata.attachments(fn.attachments, value, " ");
  const convention = fn.convention === "ccc" ? "" : `${conventionText(fn.convention)} `;
  const lead = `${leadText(fn, false)}${convention}${attributes(fn.resultAttributes).trimStart()}`.trimEnd();
  const space = fn.type.space === 0 ? "" : ` addrspace(${fn.type.space})`;
  const tail = [
    ...(fn.section === undefined ? [] : [`section ${quoted(fn.section)}`]),
    ...(fn.align === undefined ? [] : [`align ${fn.align}`]),
    ...(fn.garbageCollector === undefined ? [] : [`gc ${quoted(fn.garbageCollector)}`]),
  ];
  const head = `${lead === "" ? "" : `${lead} `}${types.text(fn.valueType.result)} ${types.global(fn.name)}(${parameters.join(", ")})`;
  const rest = `${space}${attributes(fn.attributes.filter(({ name }) => name !== "align" && name !== "builtin"))}${tail.map((text) => ` ${text}`).join("")}`;
  if (body === undefined) return [`declare${attached} ${head}${rest}`];
  const lines = bodyLines(printer, body);
  if (lines === undefined) return undefined;
  return [`define ${head}${rest}${attached} {`, ...lines, "}"];
}
