// Machine blocks as lines of PTX: registers are numbered by class, jump targets get labels, a jump to the next block is
// omitted.

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

/** Types whose operands of that class are floats. */
const floatType: Readonly<Record<string, RegisterClass>> = { f32: "b32", f64: "b64" };

/** A literal as an operand of that type. */
function literalText(value: Literal, type: string): string {
  if (floatType[type] === value.class) {
    const digits = value.class === "b32" ? 8 : 16;
    return `0${value.class === "b32" ? "f" : "d"}${value.bits.toString(16).toUpperCase().padStart(digits, "0")}`;
  }
  return value.class === "p" ? `${value.bits}` : `${signedOf(value)}`;
}

/** Follows blocks that only jump. */
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

/** Exits with their final targets; a plain jump if all lead to one block. */
function finalExits(block: MachineBlock): readonly Exit[] {
  const exits = block.exits.map((exit) => ({ ...exit, target: finalTarget(exit.target) }));
  if (block.table !== undefined || exits.length < 2) return exits;
  const last = exits.at(-1)!;
  const first = exits.findLastIndex(({ target }) => target !== last.target);
  return [...exits.slice(0, first + 1), last];
}

/** The state of printing one function. */
interface State {
  readonly exits: ReadonlyMap<MachineBlock, readonly Exit[]>;
  readonly names: Map<Register, string>;
  readonly counts: Record<RegisterClass, number>;
  readonly labelled: Set<MachineBlock>;
  /** Declarations of the targets of indexed jumps. */
  readonly tables: string[];
  readonly lines: PtxLine[];
}

export function printBlocks(layout: readonly MachineBlock[], declarations: readonly string[]): readonly PtxLine[] {
  const state: State = {
    exits: new Map(layout.map((block) => [block, finalExits(block)])),
    names: new Map(),
    counts: { p: 0, b16: 0, b32: 0, b64: 0, b128: 0 },
    labelled: new Set(),
    tables: [],
    lines: [],
  };
  const shown = reachedBlocks(layout, state);
  // Jumps first: they determine which blocks need labels.
  const jumps = shown.map((block, i) => jumpsOf(block, shown[i + 1], state));
  shown.forEach((block, i) => void printBlock(block, jumps[i]!, state));
  const { counts, tables, lines } = state;
  const registers = (Object.keys(counts) as RegisterClass[]).flatMap((kind) =>
    counts[kind] === 0 ? [] : [`.reg .${types[kind]} ${prefixes[kind]}<${counts[kind] + 1}>;`],
  );
  return [
    ...[...declarations, ...registers, ...tables].map((text): PtxLine => ({ text, at: -1, from: undefined })),
    ...lines,
  ];
}

/** The targets of jumps, in their order. */
function reachedBlocks(layout: readonly MachineBlock[], { exits }: State): readonly MachineBlock[] {
  const reached = new Set<MachineBlock>([layout[0]!]);
  const work = [layout[0]!];
  for (let block = work.pop(); block !== undefined; block = work.pop()) {
    for (const { target } of exits.get(block)!) {
      if (reached.has(target)) continue;
      reached.add(target);
      work.push(target);
    }
  }
  return layout.filter((block) => reached.has(block));
}

function nameOf({ names, counts }: State, register: Register): string {
  let name = names.get(register);
  if (name === undefined) names.set(register, (name = `${prefixes[register.class]}${++counts[register.class]}`));
  return name;
}

/** An operand as an instruction of that type expects it. */
function textOf(state: State, operand: Operand, type: string): string {
  switch (operand.kind) {
    case "register":
      return nameOf(state, operand);
    case "literal":
      return literalText(operand, type);
    case "word":
      return operand.text;
    case "address": {
      const offset = operand.offset === 0 ? "" : `+${operand.offset}`;
      return `[${textOf(state, operand.base, "b64")}${offset}]`;
    }
    case "group":
      return `{${operand.elements.map((one) => textOf(state, one, type)).join(", ")}}`;
  }
}

type Jump = readonly [guard: string, target: string];

/** A block's jumps; one to `next`, which follows, is omitted. */
function jumpsOf(block: MachineBlock, next: MachineBlock | undefined, state: State): readonly Jump[] {
  const list = state.exits.get(block)!;
  const label = (target: MachineBlock): string => {
    state.labelled.add(target);
    return `$L${target.id}`;
  };
  if (block.table !== undefined) {
    state.tables.push(`$T${block.id}: .branchtargets ${list.map(({ target }) => label(target)).join(", ")};`);
    return [];
  }
  const texts: Jump[] = [];
  const guardText = ({ guard, negated }: Exit, turned = false): string =>
    guard === undefined ? "" : `@${negated !== turned ? "!" : ""}${nameOf(state, guard)} `;
  list.forEach((exit, k) => {
    const following = list[k + 1];
    if (exit.guard === undefined) {
      if (exit.target !== next) texts.push(["", label(exit.target)]);
    } else if (k === list.length - 2 && exit.target === next && following!.target !== next) {
      texts.push([guardText(exit, true), label(following!.target)]);
    } else texts.push([guardText(exit), label(exit.target)]);
  });
  // The last guarded jump was inverted: the jump after it is not needed.
  const turned = list.length >= 2 && list.at(-2)!.target === next && list.at(-1)!.target !== next;
  return turned ? texts.slice(0, -1) : texts;
}

function printBlock(block: MachineBlock, jumps: readonly Jump[], state: State): void {
  const { lines, labelled } = state;
  const { from, table } = block;
  const at = from?.start ?? -1;
  if (labelled.has(block)) lines.push({ text: `$L${block.id}:`, at: -1, from: undefined });
  for (const instruction of block.instructions) printInstruction(instruction, state);
  if (table !== undefined) lines.push({ text: `brx.idx ${textOf(state, table, "u32")}, $T${block.id};`, at, from });
  for (const [guard, target] of jumps) lines.push({ text: `${guard}bra ${target};`, at, from });
}

function printInstruction(instruction: MachineInstruction, state: State): void {
  const { op, results, operands, guard, negated, from, places } = instruction;
  const at = from?.start ?? -1;
  const prefix = guard === undefined ? "" : `@${negated ? "!" : ""}${nameOf(state, guard)} `;
  if (places !== undefined || op.includes("$") || /[;{}]$/.test(op)) return printLines(instruction, prefix, state);
  const type = op.slice(op.lastIndexOf(".") + 1);
  const names = results.map((result) => nameOf(state, result));
  const texts = names.length > 1 ? [`{${names.join(", ")}}`] : names;
  for (const operand of operands) texts.push(textOf(state, operand, type));
  state.lines.push({ text: `${prefix}${op}${texts.length === 0 ? "" : ` ${texts.join(", ")}`};`, at, from });
}

/** A line with placeholders for results and operands (`$0`), split into text and numbers. */
interface NumberedLine {
  /** One more than the numbers. */
  readonly words: readonly string[];
  readonly numbers: readonly number[];
  /** The last part of the opcode. */
  readonly type: string;
}

/** By the text of the lines: many instructions have the same. */
const numbered = new Map<string, readonly NumberedLine[]>();
/** Immediate operands are part of the text, and there can be any number of them. */
const MAX_NUMBERED = 4096;

function numberedLines(op: string): readonly NumberedLine[] {
  const known = numbered.get(op);
  if (known !== undefined) return known;
  if (numbered.size >= MAX_NUMBERED) numbered.clear();
  const made = op.split("\n").map(takeApart);
  numbered.set(op, made);
  return made;
}

function takeApart(line: string): NumberedLine {
  const type = /^[^ ]*\.(\w+) /.exec(line)?.[1] ?? "";
  const words: string[] = [""];
  const numbers: number[] = [];
  // The captured digits are every other part.
  line.split(/\$(\d+|\$)/).forEach((part, i) => {
    if (i % 2 === 0) words[words.length - 1] += part;
    else if (part === "$") words[words.length - 1] += "$";
    else {
      numbers.push(Number(part));
      words.push("");
    }
  });
  return { words, numbers, type };
}

function printLines({ op, results, operands, from, places }: MachineInstruction, prefix: string, state: State): void {
  const at = from?.start ?? -1;
  numberedLines(op).forEach(({ words, numbers, type }, i) => {
    let text = prefix + words[0]!;
    numbers.forEach((number, k) => {
      text +=
        number < results.length
          ? nameOf(state, results[number]!)
          : textOf(state, operands[number - results.length]!, type);
      text += words[k + 1]!;
    });
    state.lines.push({ text, at: places?.(i) ?? at, from });
  });
}
