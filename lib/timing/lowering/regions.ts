// Regions of straight-line code as the compiler sees them: they end at labels, branches and calls. Barriers and fences do not
// end a region: accesses to memory do not cross them, arithmetic does (memory-facts.ts). Neither do short forward branches:
// ptxas predicates the instructions that they jump over (in our kernels' machine code, 11 of 12 branches of a reduction in
// shared memory are gone, 8 of 12 of a breadth-first search). The code before and after such a branch is one region, which is
// scheduled as a whole.

import { isClock } from "../../exec/machine/special.js";
import { firstFrom } from "../../base/first-from.js";
import type { Code } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import type { LoweredInstruction } from "./lowered.js";
import { operandRegisters } from "./operands.js";
import { isUnrolled } from "./unroll.js";

export interface Regions {
  /** For each instruction, the last one of its region. */
  readonly ends: readonly number[];
  /** For each instruction, the predicate registers of the short branches that jump over it. */
  readonly guards: readonly (readonly number[])[];
  /** For each instruction, the arm of an if and else that it belongs to: LoweredInstruction.arm. */
  readonly arms: Int32Array;
  /** For each instruction, whether a later branch goes back to it or before it. */
  readonly inLoop: Uint8Array;
  /** Comparisons at the beginning of a loop that no iteration changes: the compiler moves them before it. */
  readonly invariant: ReadonlySet<number>;
  /** Branches that become predicates. */
  readonly short: ReadonlySet<number>;
  /** First instructions of loops that the compiler unrolls. */
  readonly unrolled: ReadonlySet<number>;
}

/**
 * Maximum number of machine instructions that a branch may jump over to be predicated. ptxas 13.0 predicates up to six additions,
 * products, moves or transcendentals, in each arm of an if and else.
 */
const MAX_PREDICATED = 6;
/** Maximum number of instructions of a region. */
const MAX_INSTRUCTIONS = 1024;

type Lowered = Pick<LoweredInstruction, "kind" | "ops" | "form" | "instruction" | "order">;

export function findRegions(code: Code, lowered: readonly Lowered[]): Regions {
  const short = shortBranches(code, lowered);
  const count = lowered.length;
  const begins = new Uint8Array(count + 1);
  lowered.forEach((one, i) => {
    if (short.has(i)) return;
    const target = targetOf(one);
    if (target !== undefined) begins[target] = 1;
    if (endsRegion(one)) begins[i + 1] = 1;
    // The compiler moves nothing across a read of a clock, and a model that runs in step must stop there.
    if (readsClock(one.instruction)) begins[i] = begins[i + 1] = 1;
  });
  for (const { targets } of code.branchTargets) for (const target of targets) begins[target] = 1;
  const ends: number[] = [];
  const unrolled = new Set<number>();
  for (let from = 0; from < count;) {
    let to = from + 1;
    while (to < count && begins[to] === 0 && to - from < MAX_INSTRUCTIONS) to++;
    if (isUnrolled(code, lowered, from, to - 1)) unrolled.add(from);
    for (; from < to; from++) ends.push(to - 1);
  }
  const guards: number[][] = lowered.map(() => []);
  const arms = new Int32Array(count);
  for (const at of [...short].sort((a, b) => a - b)) {
    const target = targetOf(lowered[at]!)!;
    if (isElse(lowered, short, target)) {
      arms.fill(at + 1, at + 1, target - 1);
      arms.fill(-at - 1, target, targetOf(lowered[target - 1]!));
    }
    // Code under an unconditional branch, as in the else part of an if, depends on the branch's predicates.
    const { guard } = lowered[at]!.instruction;
    const deciding = guard === undefined ? guards[at]! : [guard.register];
    for (let i = at + 1; i < target; i++)
      for (const register of deciding) if (!guards[i]!.includes(register)) guards[i]!.push(register);
  }
  const inLoop = new Uint8Array(count);
  const invariant = new Set<number>();
  const writes = writesOf(lowered);
  lowered.forEach((one, i) => {
    const target = targetOf(one);
    if (target === undefined || target > i) return;
    inLoop.fill(1, target, i + 1);
    for (const test of invariantTests(lowered, writes, target, ends[target]!, i)) invariant.add(test);
  });
  return { ends, guards, arms, inLoop, invariant, short, unrolled };
}

/** For each register, the instructions that write it, in ascending order. */
function writesOf(lowered: readonly Lowered[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  lowered.forEach(({ instruction }, i) => {
    for (const register of operandRegisters(instruction).writes) {
      const known = found.get(register);
      if (known === undefined) found.set(register, [i]);
      else known.push(i);
    }
  });
  return found;
}

/** Comparisons in the first region of the loop from `from` to `to`, whose operands the loop does not write. */
function invariantTests(
  lowered: readonly Lowered[],
  writes: ReadonlyMap<number, readonly number[]>,
  from: number,
  regionEnd: number,
  to: number,
): readonly number[] {
  const isWritten = (register: number): boolean => {
    const of = writes.get(register) ?? [];
    const next = of[firstFrom(of, (i) => i >= from)];
    return next !== undefined && next <= to;
  };
  const tests: number[] = [];
  for (let i = from; i <= Math.min(regionEnd, to); i++) {
    const { form, instruction } = lowered[i]!;
    if (!/^setp(\.|$)/.test(form) || instruction.guard !== undefined) continue;
    const { reads } = operandRegisters(instruction);
    if (reads.length > 0 && !reads.some(isWritten)) tests.push(i);
  }
  return tests;
}

/** Whether the code from `target` on is an else part: the branch before it, which jumps over it, is unconditional. */
function isElse(lowered: readonly Lowered[], short: ReadonlySet<number>, target: number): boolean {
  return short.has(target - 1) && lowered[target - 1]!.instruction.guard === undefined;
}

const readsClock = ({ operands }: Instruction): boolean =>
  operands.some((operand) => operand?.kind === "special" && isClock(operand.name));

function targetOf({ form, instruction }: Lowered): number | undefined {
  if (form !== "bra") return undefined;
  const label = instruction.operands.find((operand) => operand?.kind === "label");
  return label?.kind === "label" ? label.target : undefined;
}

function endsRegion({ kind, ops }: Lowered): boolean {
  switch (kind) {
    case "math":
      // The slow path of a division: a rare call.
      return ops.some(({ holds }) => holds);
    case "branch":
    case "call":
    case "exit":
    case "poll":
    case "signal":
      return true;
    default:
      return false;
  }
}

/** Forward branches over few instructions, none of which ends a region or is jumped to from elsewhere. */
function shortBranches(code: Code, lowered: readonly Lowered[]): ReadonlySet<number> {
  const targets = lowered.map(targetOf);
  const short = new Set<number>();
  targets.forEach((target, at) => {
    if (target === undefined || target <= at || target >= lowered.length) return;
    let ops = 0;
    for (let i = at + 1; i < target; i++) ops += Math.min(lowered[i]!.ops.length, MAX_PREDICATED);
    if (ops <= MAX_PREDICATED) short.add(at);
  });
  const tables = new Set(code.branchTargets.flatMap(({ targets: labels }) => [...labels]));
  const isWhole = (at: number): boolean => {
    for (let i = at + 1; i < targets[at]!; i++) {
      if (endsRegion(lowered[i]!) && !short.has(i)) return false;
      if (tables.has(i)) return false;
    }
    return true;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const at of short) {
      const jumpedInto = targets.some(
        (target, from) => target !== undefined && !short.has(from) && target > at && target < targets[at]!,
      );
      if (isWhole(at) && !jumpedInto) continue;
      short.delete(at);
      changed = true;
    }
  }
  return short;
}
