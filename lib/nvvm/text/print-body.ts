// A function's body as IR text: names, or numbers in the order of the text.

import type { Body, Function } from "../ir/global.js";
import type { BasicBlock, Instruction } from "../ir/instruction.js";
import type { Metadata } from "../ir/metadata.js";
import type { Argument } from "../ir/value.js";
import { instructionText, type BodyPrinter } from "./print-instruction.js";
import { constantText } from "./print-constant.js";
import type { MetadataPrinter } from "./print-metadata.js";
import { labelText, valueName, type PrintOptions, type TypePrinter } from "./print-type.js";

type Numbered = Argument | Instruction | BasicBlock;

/** Numbers of unnamed values. */
function numbersOf(fn: Function, body: Body | undefined): ReadonlyMap<Numbered, number> {
  const numbers = new Map<Numbered, number>();
  const add = (value: Numbered): void => {
    if (value.name === undefined) numbers.set(value, numbers.size);
  };
  fn.arguments.forEach(add);
  for (const block of body?.blocks ?? []) {
    add(block);
    for (const instruction of block.instructions) if (instruction.type.kind !== "void") add(instruction);
  }
  return numbers;
}

export function createBodyPrinter(
  options: PrintOptions,
  types: TypePrinter,
  metadata: MetadataPrinter,
  fn: Function,
  body: Body | undefined,
): BodyPrinter {
  const numbers = numbersOf(fn, body);
  let made: Set<string> | undefined;
  let count = 0;
  const nameOf = (value: Numbered): string =>
    value.name === undefined ? `%${numbers.get(value)}` : valueName(value.name);
  const printer: BodyPrinter = {
    options,
    types,
    metadata,
    value(value) {
      switch (value.kind) {
        case "argument":
        case "instruction":
        case "block":
          return nameOf(value);
        case "metadata":
          return metadata.text(innerMetadata(value.metadata), printer.typed);
        case "asm":
          return "";
        default:
          return constantText(types, value);
      }
    },
    typed: (value) => `${types.text(value.type)} ${printer.value(value)}`,
    block: nameOf,
    freshName() {
      made ??= new Set(
        (body?.blocks ?? []).flatMap((block) => [
          block.name ?? "",
          ...block.instructions.map(({ name }) => name ?? ""),
        ]),
      );
      while (made.has(`pair.${count}`)) count++;
      return `%pair.${count++}`;
    },
  };
  return printer;
}

/** A value that dialect A wraps in a node, `metadata !{i32 %x}`, is metadata itself in later dialects. */
function innerMetadata(metadata: Metadata): Metadata {
  if (metadata?.kind !== "node" || metadata.id !== undefined || metadata.tag !== undefined) return metadata;
  const [only, ...others] = metadata.operands;
  return only?.kind === "value" && others.length === 0 ? only : metadata;
}

/** The lines between the braces; undefined if the tree of an instruction is incomplete. */
export function bodyLines(printer: BodyPrinter, body: Body): readonly string[] | undefined {
  const lines: string[] = [];
  for (const [i, block] of body.blocks.entries()) {
    if (block.name !== undefined) lines.push(`${labelText(block.name)}:`);
    else if (i > 0) lines.push(`${printer.block(block).slice(1)}:`);
    for (const instruction of block.instructions) {
      const text = instructionText(printer, instruction);
      if (text === undefined) return undefined;
      for (const line of text) lines.push(`  ${line}`);
    }
  }
  return lines;
}
