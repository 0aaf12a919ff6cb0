// What warps replay: a plan is a stretch of one region in the order in which the compiler would issue it; a passage is a plan with
// what one warp did on the way: which instructions were off, and which of its accesses belongs to which step. Both are made once
// and shared by all warps and blocks that went the same way.

import { accessesMemory } from "../accesses.js";
import type { Program } from "../lowering.js";
import { fuse } from "./fuse.js";
import { listSchedule } from "./list.js";
import { rename } from "./rename.js";
import { draftOf, expand, type Draft, type Step } from "./step.js";

export interface Passage {
  readonly steps: readonly Step[];
  /** Per step: no lane's guard held, so nothing was done. Undefined: all were on. */
  readonly off: Uint8Array | undefined;
  /** Per step: which of the passage's accesses is its own; -1 for none. */
  readonly accessOf: Int16Array;
  readonly accesses: number;
}

export interface Planner {
  /** The passage from instruction `from` to `to`, of which those at `off` (counted from `from`) did nothing. */
  readonly passage: (from: number, to: number, off: readonly number[]) => number;
  readonly passages: readonly Passage[];
}

/** Instructions between two numbers that a key holds. */
const KEY = 2 ** 20;

export function createPlanner(program: Program): Planner {
  const plans = new Map<number, readonly Step[]>();
  const whole = new Map<number, number>();
  const partial = new Map<string, number>();
  const passages: Passage[] = [];

  function planOf(from: number, to: number): readonly Step[] {
    const key = from * KEY + (to - from);
    let plan = plans.get(key);
    if (plan === undefined) {
      plan = planRegion(program, from, to);
      plans.set(key, plan);
    }
    return plan;
  }

  function add(from: number, to: number, off: readonly number[]): number {
    const steps = planOf(from, to);
    const isOff = new Set(off);
    const ordinals = new Map<number, number>();
    for (let position = 0; position <= to - from; position++)
      if (!isOff.has(position) && accessesMemory(program.instructions[from + position]!))
        ordinals.set(position, ordinals.size);
    passages.push({
      steps,
      off: off.length === 0 ? undefined : Uint8Array.from(steps, ({ position }) => (isOff.has(position) ? 1 : 0)),
      accessOf: Int16Array.from(steps, ({ position }) => ordinals.get(position) ?? -1),
      accesses: ordinals.size,
    });
    return passages.length - 1;
  }

  return {
    passages,
    passage: (from, to, off) => {
      const key = from * KEY + (to - from);
      if (off.length === 0) {
        let found = whole.get(key);
        if (found === undefined) {
          found = add(from, to, off);
          whole.set(key, found);
        }
        return found;
      }
      const text = `${key} ${off.join(" ")}`;
      let found = partial.get(text);
      if (found === undefined) {
        found = add(from, to, off);
        partial.set(text, found);
      }
      return found;
    },
  };
}

function planRegion(program: Program, from: number, to: number): readonly Step[] {
  const drafts: Draft[] = [];
  let used = 0;
  const temporary = (): number => program.slots + (used++ % program.renamedSlots);
  for (let i = from; i <= to; i++) drafts.push(draftOf(program.instructions[i]!, i - from));
  fuse(drafts, program);
  const machine = drafts.flatMap((draft) => expand(draft, temporary));
  const guards = rename(machine, program, temporary);
  const order = listSchedule(machine, guards, program, program.regionEnds[from] === to);
  return order.flatMap(({ at, op, gap }): Step[] => {
    const { instruction, kind, sources, results, position } = machine[at]!;
    // Constants are always there.
    if (kind === "free" && sources.length === 0) return [];
    return [
      {
        instruction,
        kind,
        op,
        gap,
        sources: Uint16Array.from(sources),
        results: Uint16Array.from(results),
        guards: Uint16Array.from(guards[at]!),
        position,
      },
    ];
  });
}
