// Replaces phis by copies. First a phi's result and its incoming values share one register if their live ranges do not overlap.
// The others become copies at the end of the predecessor: parallel in meaning, in an order (and with temporaries) that preserves
// it. An edge from a block with other successors gets a block of its own if a copy would overwrite a value that those still read.

import { append, refill } from "../../base/lists.js";
import { createClasses, type Classes } from "./congruence.js";
import { livenessOf, predecessorsOf } from "./liveness.js";
import type { Emitter } from "./emitter.js";
import { mapRegisters, type MachineBlock, type MachineInstruction, type Register, type Scalar } from "./machine.js";

interface Copy {
  readonly target: Register;
  readonly source: Scalar;
}

/** Orders copies that happen simultaneously. `temporary` creates a register. */
export function ordered(copies: readonly Copy[], temporary: (like: Register) => Register): readonly Copy[] {
  /** The remaining copies, by target. */
  const left = new Map(copies.filter(({ target, source }) => target !== source).map((copy) => [copy.target, copy]));
  /** Number of these that read a register. */
  const readers = new Map<Scalar, number>();
  for (const { source } of left.values()) readers.set(source, (readers.get(source) ?? 0) + 1);
  const made: Copy[] = [];
  const make = (first: Copy): void => {
    for (let copy: Copy | undefined = first; copy !== undefined;) {
      made.push(copy);
      left.delete(copy.target);
      const count: number = readers.get(copy.source)! - 1;
      readers.set(copy.source, count);
      // The register has no reader any more and may be overwritten.
      copy = count === 0 && copy.source.kind === "register" ? left.get(copy.source) : undefined;
    }
  };
  for (const copy of [...left.values()]) if (left.has(copy.target) && (readers.get(copy.target) ?? 0) === 0) make(copy);
  // The rest are cycles in which each register is read once: the first target's old value is kept in a temporary.
  for (const { target } of [...left.values()]) {
    const reader = left.has(target) ? [...cycle(left, target)].at(-1) : undefined;
    if (reader === undefined) continue;
    const saved = temporary(target);
    made.push({ target: saved, source: target });
    left.set(reader.target, { target: reader.target, source: saved });
    readers.set(target, 0);
    readers.set(saved, 1);
    make(left.get(target)!);
  }
  return made;
}

/** The copies of a cycle, from the one to a register up to the one that reads it. */
function* cycle(left: ReadonlyMap<Register, Copy>, start: Register): Generator<Copy> {
  let copy = left.get(start)!;
  for (; copy.source !== start; copy = left.get(copy.source as Register)!) yield copy;
  yield copy;
}

const leaderOf = (classes: Classes, value: Scalar): Scalar =>
  value.kind === "register" ? classes.leader(value) : value;

function classesOf(layout: readonly MachineBlock[]): Classes {
  const classes = createClasses(livenessOf(layout, predecessorsOf(layout)));
  for (const { phis } of layout)
    for (const { result, incoming } of phis) for (const value of incoming.values()) classes.unite(result, value);
  for (const { instructions } of layout)
    for (const { results, operands, tied = [] } of instructions)
      for (const [result, operand] of tied) classes.unite(results[result]!, operands[operand]!);
  return classes;
}

/** The blocks in their order, without phis; `layout` is their order before. */
export function leaveSsa(layout: readonly MachineBlock[], emitter: Emitter): readonly MachineBlock[] {
  if (layout.every(({ phis, instructions }) => phis.length === 0 && instructions.every(({ tied }) => !tied?.length)))
    return layout;
  const classes = classesOf(layout);
  const result: MachineBlock[] = [];
  for (const block of layout) {
    rename(block, classes, emitter);
    result.push(block, ...leaveBlock(block, classes, emitter));
  }
  for (const block of result) block.phis.splice(0);
  return result;
}

/** Replaces the registers of a block by their representatives, and inserts copies of tied operands. */
function rename(block: MachineBlock, classes: Classes, emitter: Emitter): void {
  const leading = (register: Register): Register => classes.leader(register);
  const renamed: MachineInstruction[] = [];
  for (const instruction of block.instructions) {
    const one: MachineInstruction = {
      ...instruction,
      results: instruction.results.map(leading),
      operands: instruction.operands.map((operand) => mapRegisters(operand, leading)),
      guard: instruction.guard === undefined ? undefined : leading(instruction.guard),
    };
    if (one.tied !== undefined) append(renamed, tiedCopies(one, emitter));
    if (one.op !== "") renamed.push(one);
  }
  refill(block.instructions, renamed);
  block.exits = block.exits.map((exit) => ({
    ...exit,
    guard: exit.guard === undefined ? undefined : leading(exit.guard),
  }));
  if (block.table !== undefined) block.table = leaderOf(classes, block.table);
}

/** Adds the copies for the phis of a block's successors; returns the blocks created for its exits. */
function leaveBlock(block: MachineBlock, classes: Classes, emitter: Emitter): readonly MachineBlock[] {
  const split: MachineBlock[] = [];
  const targets = [...new Set(block.exits.map(({ target }) => target))];
  const guards = block.exits.map(({ guard }) => guard);
  for (const target of targets) {
    const copies = copiesFor(target, block.origin, classes);
    if (copies.length === 0) continue;
    const others = targets.filter((one) => one !== target);
    const clashes = copies.some(
      (copy) =>
        (others.length > 0 && (guards.includes(copy.target) || block.table === copy.target)) ||
        others.some((other) => disturbs(copy, other, block.origin, classes)),
    );
    let home = block;
    const wanted = clashes ? copies : copies.filter((copy) => !isThere(block, copy));
    if (clashes || (others.length > 0 && wanted.length > 2)) {
      home = splitEdge(block, target, emitter);
      split.push(home);
    }
    append(home.instructions, movesOf(wanted, block.from, emitter));
  }
  return split;
}

/** The copies for a block's phis on the edge from a predecessor of that origin. */
function copiesFor({ phis }: MachineBlock, origin: number, classes: Classes): readonly Copy[] {
  const copies: Copy[] = [];
  for (const { result, incoming } of phis) {
    const value = incoming.get(origin);
    if (value === undefined) continue;
    const copy = { target: classes.leader(result), source: leaderOf(classes, value) };
    if (copy.source !== copy.target) copies.push(copy);
  }
  return copies;
}

/** Whether another successor still reads the overwritten register, or its phis need another value in it. */
function disturbs(copy: Copy, other: MachineBlock, origin: number, classes: Classes): boolean {
  if (classes.isLiveInto(copy.target, other)) return true;
  return other.phis.some(({ result, incoming }) => {
    const value = incoming.get(origin);
    const source = value === undefined ? undefined : leaderOf(classes, value);
    return source === copy.target || (classes.leader(result) === copy.target && !isSame(source, copy.source));
  });
}

/** A new block between a block and one of its successors. */
function splitEdge(block: MachineBlock, target: MachineBlock, emitter: Emitter): MachineBlock {
  const between = emitter.newBlock(block.origin);
  between.from = block.from;
  between.exits = [{ guard: undefined, negated: false, target }];
  block.exits = block.exits.map((exit) => (exit.target === target ? { ...exit, target: between } : exit));
  return between;
}

/** Copies that happen at once. */
function movesOf(
  copies: readonly Copy[],
  from: MachineInstruction["from"],
  emitter: Emitter,
): readonly MachineInstruction[] {
  return ordered(copies, (like) => emitter.register(like.class)).map(({ target, source }) => ({
    op: target.class === "p" ? "mov.pred" : `mov.${target.class}`,
    results: [target],
    operands: [source],
    guard: undefined,
    negated: false,
    effect: true,
    from,
  }));
}

/** Copies into results that are tied to operands in other registers. */
function tiedCopies(
  { tied = [], results, operands, from }: MachineInstruction,
  emitter: Emitter,
): readonly MachineInstruction[] {
  const copies = tied.map(([result, operand]) => ({ target: results[result]!, source: operands[operand] as Scalar }));
  return movesOf(
    copies.filter(({ target, source }) => target !== source),
    from,
    emitter,
  );
}

/** Whether the block's last copies include it already, for another successor. */
function isThere({ instructions }: MachineBlock, { target, source }: Copy): boolean {
  const last = instructions.findLast(({ results }) => results.includes(target));
  return source.kind === "literal" && last?.op.startsWith("mov") === true && isSame(last.operands[0] as Scalar, source);
}

const isSame = (a: Scalar | undefined, b: Scalar): boolean =>
  a === b || (a?.kind === "literal" && b.kind === "literal" && a.bits === b.bits);
