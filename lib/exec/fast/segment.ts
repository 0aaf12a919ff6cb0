// Splits a block into segments: runs of instructions that four lanes execute one after the other before the next four begin. That
// equals executing each instruction for all lanes only while no lane sees another one's stores. A segment therefore ends before
// an access that may read or overwrite bytes of a store in it, or overwrite bytes of a load in it.
// After a lane's miss, the interpreter executes the segment again for this lane and those after it; so no store that is visible
// from outside may precede an instruction that may fault. An atomic access, which must not execute twice, is the only access of
// its segment. Instructions without lowering are between segments.

import type { Guard, Instruction } from "../../isa/instruction.js";
import type { AccessPlan } from "./access-plan.js";
import type { AtomicPlan } from "./atomic-plan.js";
import type { Emit } from "./lower/lowering.js";

/** How generated code executes an instruction. Where it is undefined, generated code calls the interpreter. */
export type Lowered =
  | { readonly kind: "emit"; readonly emit: Emit }
  | { readonly kind: "access"; readonly plan: AccessPlan }
  | { readonly kind: "atomic"; readonly plan: AtomicPlan };

export type Piece =
  | { readonly kind: "segment"; readonly from: number; readonly to: number }
  | { readonly kind: "step"; readonly pc: number };

interface Touched {
  globalLoads: boolean;
  globalStores: boolean;
  sharedLoads: boolean;
  sharedStores: boolean;
  localLoads: boolean;
  /**
   * A local store may have overwritten bytes that the segment loaded: a lane that misses loads again and must find the old ones.
   */
  localOverwritten: boolean;
  mayFault: boolean;
  any: boolean;
  atomic: boolean;
  /** Predicates that guarded an instruction: they keep their value in the segment, for counting. */
  readonly guards: Set<number>;
}

const untouched = (): Touched => ({
  globalLoads: false,
  globalStores: false,
  sharedLoads: false,
  sharedStores: false,
  localLoads: false,
  localOverwritten: false,
  mayFault: false,
  any: false,
  atomic: false,
  guards: new Set(),
});

/** The pieces of [from, to). `writesOf` names the registers that an instruction writes. */
export function piecesOf(
  instructions: readonly Instruction[],
  from: number,
  to: number,
  loweredOf: (pc: number) => Lowered | undefined,
  writesOf: (pc: number) => readonly number[],
): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = from;
  let touched = untouched();
  const cut = (pc: number): void => {
    if (pc > start) pieces.push({ kind: "segment", from: start, to: pc });
    start = pc;
    touched = untouched();
  };
  for (let pc = from; pc < to; pc++) {
    const lowered = loweredOf(pc);
    if (lowered === undefined) {
      cut(pc);
      pieces.push({ kind: "step", pc });
      start = pc + 1;
      continue;
    }
    if (interferes(lowered, touched) || writesOf(pc).some((register) => touched.guards.has(register))) cut(pc);
    if (lowered.kind !== "emit") touched.any = true;
    if (lowered.kind === "atomic") touched.atomic = true;
    if (lowered.kind === "access") touch(lowered.plan, touched);
    note(instructions[pc]!.guard, touched);
  }
  cut(to);
  return pieces;
}

function interferes(lowered: Lowered, touched: Touched): boolean {
  if (lowered.kind === "emit") return false;
  return touched.atomic || (lowered.kind === "atomic" ? touched.any : conflicts(lowered.plan, touched));
}

function conflicts({ isStore, touches, mayFault }: AccessPlan, touched: Touched): boolean {
  if (mayFault && touched.localOverwritten) return true;
  if (isStore)
    return (
      (touches.global && (touched.globalLoads || touched.globalStores || touched.mayFault)) ||
      (touches.shared && (touched.sharedLoads || touched.sharedStores))
    );
  return (touches.global && touched.globalStores) || (touches.shared && touched.sharedStores);
}

function touch({ isStore, touches, mayFault }: AccessPlan, touched: Touched): void {
  if (isStore) {
    touched.globalStores ||= touches.global;
    touched.sharedStores ||= touches.shared;
    touched.localOverwritten ||= touches.local && touched.localLoads;
  } else {
    touched.globalLoads ||= touches.global;
    touched.sharedLoads ||= touches.shared;
    touched.localLoads ||= touches.local;
  }
  touched.mayFault ||= mayFault;
}

function note(guard: Guard | undefined, touched: Touched): void {
  if (guard !== undefined) touched.guards.add(guard.register);
}
