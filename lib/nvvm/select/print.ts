// Machine blocks as lines of PTX: registers get numbers by class, blocks that something jumps to get labels, a jump to the
// block that follows is left out.

import type { RegisterClass } from "../lower/parts.js";
import {
  signedOf,
  type Exit,
  type Literal,
  type MachineBlock,
  type MachineInstruction,
  type Operand,
  type Register,
} from "./machine.js";
import type { PtxLine } from "./ptx-body.js";

const prefixes: Readonly<Record<RegisterClass, string>> = { p: "%p", b16: "%rs", b32: "%r", b64: "%rd", b128: "%rq" };
const types: Readonly<Record<RegisterClass, string>> = { p: "pred", b16: "b16", b32: "b32", b64: "b64", b128: "b128" };

/** Instructions whose operands of that class are floats. */
const floatType: Readonly<Record<string, RegisterClass>> = { f32: "b32", f64: "b64" };

/** A literal as an instruction of that type takes it. */
function literalText(value: Literal, type: string): string {
  if (floatType[type] === value.class) {
    const digits = value.class === "b32" ? 8 : 16;
    return `0${value.class === "b32" ? "f" : "d"}${value.bits.toString(16).toUpperCase().padStart(digits, "0")}`;
  }
  return value.class === "p" ? `${value.bits}` : `${signedOf(value)}`;
}

/** Follows blocks that do nothing but jump. */
function finalTarget(block: MachineBlock): MachineBlock {
  let at = block;
  for (let steps = 0; steps < 64; steps++) {
    const only = at.instructions.length === 0 && at.exits.length === 1 && at.table === undefined;
    const next = only ? at.exits[0]!.target : undefined;
    if (next === undefined || next === at) return at;
    at = next;
  }
  return at;
}

/** Exits with their final targets; where all lead to one block, a plain jump. */
function finalExits(block: MachineBlock): readonly Exit[] {
  const exits = block.exits.map((exit) => ({ ...exit, target: finalTarget(exit.target) }));
  if (block.table !== undefined || exits.length < 2) return exits;
  const last = exits.at(-1)!;
  const first = exits.findLastIndex(({ target }) => target !== last.target);
  return [...exits.slice(0, first + 1), last];
}

export function printBlocks(layout: readonly MachineBlock[], declarations: readonly string[]): readonly PtxLine[] {
  const exits = new Map(layout.map((block) => [block, finalExits(block)]));
  const reached = new Set<MachineBlock>([layout[0]!]);
  const work = [layout[0]!];
  for (let block = work.pop(); block !== undefined; block = work.pop()) {
    for (const { target } of exits.get(block)!) {
      if (reached.has(target)) continue;
      reached.add(target);
      work.push(target);
    }
  }
  const shown = layout.filter((block) => reached.has(block));

  const names = new Map<Register, string>();
  const counts: Record<RegisterClass, number> = { p: 0, b16: 0, b32: 0, b64: 0, b128: 0 };
  const nameOf = (register: Register): string => {
    let name = names.get(register);
    if (name === undefined) names.set(register, (name = `${prefixes[register.class]}${++counts[register.class]}`));
    return name;
  };
  function textOf(operand: Operand, type: string): string {
    switch (operand.kind) {
      case "register":
        return nameOf(operand);
      case "literal":
        return literalText(operand, type);
      case "word":
        return operand.text;
      case "address": {
        const offset = operand.offset === 0 ? "" : `+${operand.offset}`;
        return `[${textOf(operand.base, "b64")}${offset}]`;
      }
      case "group":
        return `{${operand.elements.map((one) => textOf(one, type)).join(", ")}}`;
    }
  }

  const lines: PtxLine[] = [];
  function printInstruction({ op, results, operands, guard, negated, from, places }: MachineInstruction): void {
    const at = from?.start ?? -1;
    const prefix = guard === undefined ? "" : `@${negated ? "!" : ""}${nameOf(guard)} `;
    if (places === undefined && !op.includes("$") && !/[;{}]$/.test(op)) {
      const type = op.slice(op.lastIndexOf(".") + 1);
      const result = results.length > 1 ? [`{${results.map(nameOf).join(", ")}}`] : results.map(nameOf);
      const texts = [...result, ...operands.map((operand) => textOf(operand, type))];
      lines.push({ text: `${prefix}${op}${texts.length === 0 ? "" : ` ${texts.join(", ")}`};`, at, from });
      return;
    }
    op.split("\n").forEach((line, i) => {
      const type = /^[^ ]*\.(\w+) /.exec(line)?.[1] ?? "";
      const text = line.replace(/\$(\d+|\$)/g, (_, digits: string) => {
        if (digits === "$") return "$";
        const index = Number(digits);
        return index < results.length ? nameOf(results[index]!) : textOf(operands[index - results.length]!, type);
      });
      lines.push({ text: `${prefix}${text}`, at: places?.(i) ?? at, from });
    });
  }

  const labelled = new Set<MachineBlock>();
  const tables: string[] = [];
  const label = (block: MachineBlock): string => {
    labelled.add(block);
    return `$L${block.id}`;
  };
  // Jumps first: they say which blocks need labels.
  const jumps = shown.map((block, i): readonly (readonly [guard: string, target: string])[] => {
    const list = exits.get(block)!;
    const next = shown[i + 1];
    if (block.table !== undefined) {
      tables.push(`$T${block.id}: .branchtargets ${list.map(({ target }) => label(target)).join(", ")};`);
      return [];
    }
    const texts: (readonly [string, string])[] = [];
    const guardText = ({ guard, negated }: Exit, turned = false): string =>
      guard === undefined ? "" : `@${negated !== turned ? "!" : ""}${nameOf(guard)} `;
    list.forEach((exit, k) => {
      const following = list[k + 1];
      if (exit.guard === undefined) {
        if (exit.target !== next) texts.push(["", label(exit.target)]);
      } else if (k === list.length - 2 && exit.target === next && following!.target !== next) {
        texts.push([guardText(exit, true), label(following!.target)]);
      } else texts.push([guardText(exit), label(exit.target)]);
    });
    // The last guarded jump was turned round: the jump behind it is not needed.
    const turned = list.length >= 2 && list.at(-2)!.target === next && list.at(-1)!.target !== next;
    return turned ? texts.slice(0, -1) : texts;
  });
  shown.forEach((block, i) => {
    const from = block.from;
    const at = from?.start ?? -1;
    if (labelled.has(block)) lines.push({ text: `$L${block.id}:`, at: -1, from: undefined });
    block.instructions.forEach(printInstruction);
    if (block.table !== undefined)
      lines.push({ text: `brx.idx ${textOf(block.table, "u32")}, $T${block.id};`, at, from });
    for (const [guard, target] of jumps[i]!) lines.push({ text: `${guard}bra ${target};`, at, from });
  });
  const registers = (Object.keys(counts) as RegisterClass[]).flatMap((kind) =>
    counts[kind] === 0 ? [] : [`.reg .${types[kind]} ${prefixes[kind]}<${counts[kind] + 1}>;`],
  );
  return [
    ...[...declarations, ...registers, ...tables].map((text): PtxLine => ({ text, at: -1, from: undefined })),
    ...lines,
  ];
}
