// Replaces phis by copies. First a phi's result and its incoming values share one register if their live ranges do not overlap.
// The others become copies at the end of the predecessor: parallel in meaning, in an order (and with temporaries) that preserves
// it. An edge from a block with other successors gets a block of its own if a copy would overwrite a value that those still read.

import { append, refill } from "../../base/lists.js";
import { livenessOf, predecessorsOf } from "./liveness.js";
import type { Emitter } from "./emitter.js";
import {
  mapRegisters,
  type MachineBlock,
  type MachineInstruction,
  type Operand,
  type Phi,
  type Register,
  type Scalar,
} from "./machine.js";

interface Copy {
  readonly target: Register;
  readonly source: Scalar;
}

/** Puts copies that happen at once into an order. `temporary` makes a register. */
export function ordered(copies: readonly Copy[], temporary: (like: Register) => Register): readonly Copy[] {
  /** By target: the copies that are left. */
  const left = new Map(copies.filter(({ target, source }) => target !== source).map((copy) => [copy.target, copy]));
  /** How many of these read a register. */
  const readers = new Map<Scalar, number>();
  for (const { source } of left.values()) readers.set(source, (readers.get(source) ?? 0) + 1);
  const made: Copy[] = [];
  const make = (first: Copy): void => {
    for (let copy: Copy | undefined = first; copy !== undefined;) {
      made.push(copy);
      left.delete(copy.target);
      const count: number = readers.get(copy.source)! - 1;
      readers.set(copy.source, count);
      // Nothing reads it any more: it may be written.
      copy = count === 0 && copy.source.kind === "register" ? left.get(copy.source) : undefined;
    }
  };
  for (const copy of [...left.values()]) if (left.has(copy.target) && (readers.get(copy.target) ?? 0) === 0) make(copy);
  // What is left goes round in circles, each register read once: the first target's old value waits in a temporary.
  for (const { target } of [...left.values()]) {
    const reader = left.has(target) ? [...circle(left, target)].at(-1) : undefined;
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

/** The copies of a circle, from that to a register on to the one that reads it. */
function* circle(left: ReadonlyMap<Register, Copy>, start: Register): Generator<Copy> {
  let copy = left.get(start)!;
  for (; copy.source !== start; copy = left.get(copy.source as Register)!) yield copy;
  yield copy;
}

/** The blocks in their order, without phis; `layout` is what they have before. */
export function leaveSsa(layout: readonly MachineBlock[], emitter: Emitter): readonly MachineBlock[] {
  if (layout.every(({ phis, instructions }) => phis.length === 0 && instructions.every(({ tied }) => !tied?.length)))
    return layout;
  const predecessors = predecessorsOf(layout);
  const liveness = livenessOf(layout, predecessors);

  // Classes of registers that are one.
  const leaders = new Map<Register, Register>();
  const members = new Map<Register, Register[]>();
  const leader = (register: Register): Register => leaders.get(register) ?? register;
  const classOf = (register: Register): readonly Register[] => members.get(register) ?? [register];
  function unite(result: Register, value: Operand): void {
    if (value.kind !== "register" || value.mutable || value.class !== result.class) return;
    const a = leader(result);
    const b = leader(value);
    if (a === b) return;
    if (classOf(a).some((one) => classOf(b).some((other) => liveness.interfere(one, other)))) return;
    const both = [...classOf(a), ...classOf(b)];
    for (const one of both) leaders.set(one, a);
    members.set(a, both);
  }
  for (const { phis } of layout)
    for (const { result, incoming } of phis) for (const value of incoming.values()) unite(result, value);
  for (const { instructions } of layout)
    for (const { results, operands, tied = [] } of instructions)
      for (const [result, operand] of tied) unite(results[result]!, operands[operand]!);
  const isLiveInto = (register: Register, block: MachineBlock): boolean =>
    classOf(register).some((one) => liveness.isLiveInto(one, block));

  const rename = (instruction: MachineInstruction): MachineInstruction => ({
    ...instruction,
    results: instruction.results.map(leader),
    operands: instruction.operands.map((operand) => mapRegisters(operand, leader)),
    guard: instruction.guard === undefined ? undefined : leader(instruction.guard),
  });
  const renameScalar = (value: Scalar): Scalar => (value.kind === "register" ? leader(value) : value);

  const result: MachineBlock[] = [];
  let origin = 0;
  for (const block of layout) {
    origin = block.origin;
    const renamed = block.instructions
      .map(rename)
      .flatMap((one) => [...tiedCopies(one), ...(one.op === "" ? [] : [one])]);
    refill(block.instructions, renamed);
    block.exits = block.exits.map((exit) => ({
      ...exit,
      guard: exit.guard === undefined ? undefined : leader(exit.guard),
    }));
    if (block.table !== undefined) block.table = renameScalar(block.table);
    result.push(block);
    const targets = [...new Set(block.exits.map(({ target }) => target))];
    const guards = block.exits.map(({ guard }) => guard);
    for (const target of targets) {
      const copies = target.phis.flatMap((phi) => {
        const source = phi.incoming.get(block.origin);
        const copy = { target: leader(phi.result), source: renameScalar(source!) };
        return source === undefined || copy.source === copy.target ? [] : [copy];
      });
      if (copies.length === 0) continue;
      const others = targets.filter((one) => one !== target);
      const clashes = copies.some(
        (copy) =>
          (others.length > 0 && (guards.includes(copy.target) || block.table === copy.target)) ||
          others.some((other) => isLiveInto(copy.target, other) || other.phis.some((phi) => touches(phi, copy))),
      );
      let home = block;
      const wanted = clashes ? copies : copies.filter((copy) => !isThere(block, copy));
      if (clashes || (others.length > 0 && wanted.length > 2)) {
        home = emitter.newBlock(block.origin);
        home.from = block.from;
        home.exits = [{ guard: undefined, negated: false, target }];
        result.push(home);
        const split = home;
        block.exits = block.exits.map((exit) => (exit.target === target ? { ...exit, target: split } : exit));
      }
      append(home.instructions, movesOf(wanted, block.from));
    }
  }
  for (const block of result) block.phis.splice(0);
  return result;

  /** Copies that happen at once. */
  function movesOf(copies: readonly Copy[], from: MachineInstruction["from"]): readonly MachineInstruction[] {
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

  /** Gives results the values that they begin with, where they have another register. */
  function tiedCopies({ tied = [], results, operands, from }: MachineInstruction): readonly MachineInstruction[] {
    const copies = tied.map(([result, operand]) => ({ target: results[result]!, source: operands[operand] as Scalar }));
    return movesOf(
      copies.filter(({ target, source }) => target !== source),
      from,
    );
  }

  /** Whether another successor's phi reads what the copy writes, or wants another value in it. */
  function touches({ result: written, incoming }: Phi, copy: Copy): boolean {
    const value = incoming.get(origin);
    const source = value === undefined ? undefined : renameScalar(value);
    return source === copy.target || (leader(written) === copy.target && !isSame(source, copy.source));
  }
}

/** Whether the block's last copies have done that already, for another successor. */
function isThere({ instructions }: MachineBlock, { target, source }: Copy): boolean {
  const last = instructions.findLast(({ results }) => results.includes(target));
  return source.kind === "literal" && last?.op.startsWith("mov") === true && isSame(last.operands[0] as Scalar, source);
}

const isSame = (a: Scalar | undefined, b: Scalar): boolean =>
  a === b || (a?.kind === "literal" && b.kind === "literal" && a.bits === b.bits);
