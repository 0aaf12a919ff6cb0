// What warps replay: a plan is a stretch of one region in the order in which the compiler would issue it; a passage is a plan with
// what one warp did on the way: which instructions were off, and which of its accesses belongs to which step. Both are made once
// and shared by all warps and blocks that went the same way.

import { accessesMemory } from "../accesses.js";
import type { Program } from "../lowering.js";
import { dropRepeatedReads, fuse } from "./fuse.js";
import { listSchedule } from "./list.js";
import { rename } from "./rename.js";
import { draftOf, expand, type Draft, type MachineDraft, type Step } from "./step.js";
import { onlyInLastCopy, UNROLLED } from "./unroll.js";

export interface Passage {
  readonly steps: readonly Step[];
  /** Per step: no lane's guard held, so nothing was done. Undefined: all were on. */
  readonly off: Uint8Array | undefined;
  /** Per step: which of the passage's accesses is its own; -1 for none. */
  readonly accessOf: Int16Array;
  readonly accesses: number;
  /** Index of its first machine instruction in the code, and the instructions of the code so far. */
  readonly address: number;
  readonly codeEnd: number;
  /** Lanes part at its branch; lanes that had parted come together before it. */
  readonly diverges: boolean;
  readonly converges: boolean;
}

export interface Planner {
  /**
   * The passage from instruction `from` to `to`, of which those at `off` (counted from `from`) did nothing. `lanes`: 1 where lanes
   * part at its end, 2 where they come together before it, 3 for both.
   */
  readonly passage: (from: number, to: number, off: readonly number[], lanes?: number) => number;
  /** The code of UNROLLED iterations of a loop whose body is `passage`; undefined where the compiler does not unroll it. */
  readonly unrolled: (passage: number) => number | undefined;
  readonly passages: readonly Passage[];
}

/** Instructions between two numbers that a key holds. */
const KEY = 2 ** 20;

export function createPlanner(program: Program): Planner {
  const plans = new Map<number, readonly Step[]>();
  const whole = new Map<number, number>();
  const partial = new Map<string, number>();
  const passages: Passage[] = [];
  const addresses = new Map<readonly Step[], number>();
  let codeEnd = 0;

  function addressOf(steps: readonly Step[]): number {
    const known = addresses.get(steps);
    if (known !== undefined) return known;
    const address = codeEnd;
    addresses.set(steps, address);
    codeEnd += steps.length;
    return address;
  }

  /** By the passage of one turn. */
  const loops = new Map<number, number>();

  function planOf(from: number, to: number): readonly Step[] {
    const key = from * KEY + (to - from);
    let plan = plans.get(key);
    if (plan === undefined) {
      plan = planRegion(program, from, to, 1);
      plans.set(key, plan);
    }
    return plan;
  }

  function addUnrolled(from: number, to: number): number {
    const steps = planRegion(program, from, to, UNROLLED);
    const positions = Array.from({ length: UNROLLED * (to - from + 1) }, (_, i) => i);
    const ordinals = new Map(
      positions
        .filter((position) => accessesMemory(program.instructions[from + (position % (to - from + 1))]!))
        .map((position, ordinal) => [position, ordinal]),
    );
    passages.push({
      steps,
      off: undefined,
      accessOf: Int16Array.from(steps, ({ position }) => ordinals.get(position) ?? -1),
      accesses: ordinals.size,
      address: addressOf(steps),
      codeEnd,
      diverges: false,
      converges: false,
    });
    return passages.length - 1;
  }

  function add(from: number, to: number, off: readonly number[], lanes: number): number {
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
      address: addressOf(steps),
      codeEnd,
      diverges: (lanes & 1) !== 0,
      converges: (lanes & 2) !== 0,
    });
    return passages.length - 1;
  }

  return {
    passages,
    unrolled: (passage) => loops.get(passage),
    passage: (from, to, off, lanes = 0) => {
      const key = from * KEY + (to - from);
      if (off.length === 0 && lanes === 0) {
        let found = whole.get(key);
        if (found === undefined) {
          found = add(from, to, off, 0);
          whole.set(key, found);
          if (program.unrolled.has(from) && program.regionEnds[from] === to) loops.set(found, addUnrolled(from, to));
        }
        return found;
      }
      const text = `${key} ${lanes} ${off.join(" ")}`;
      let found = partial.get(text);
      if (found === undefined) {
        found = add(from, to, off, lanes);
        partial.set(text, found);
      }
      return found;
    },
  };
}

/** The region's steps, of `copies` turns in a row where it is a loop. */
function planRegion(program: Program, from: number, to: number, copies: number): readonly Step[] {
  const drafts: Draft[] = [];
  let used = 0;
  const temporary = (): number => program.slots + (used++ % program.renamedSlots);
  const length = to - from + 1;
  const inLast = copies === 1 ? undefined : onlyInLastCopy(program.instructions.slice(from, to + 1));
  for (let copy = 0; copy < copies; copy++)
    for (let i = 0; i < length; i++)
      if (copy === copies - 1 || inLast?.has(i) === false)
        drafts.push(draftOf(program.instructions[from + i]!, copy * length + i));
  dropRepeatedReads(drafts);
  rename(drafts, temporary);
  fuse(drafts, program);
  const machine = drafts.flatMap((draft) => expand(draft, temporary));
  const order = listSchedule(machine, program, program.regionEnds[from] === to, mostFarOf(machine, copies));
  return order.flatMap(({ at, op, gap }): Step[] => {
    const { instruction, kind, sources, results, guards, position } = machine[at]!;
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
        guards: Uint16Array.from(guards),
        position,
      },
    ];
  });
}

/** Of an unrolled loop, loads of two copies are under way at a time: registers that ptxas 13.0 reports for one to eight in a body. */
function mostFarOf(machine: readonly MachineDraft[], copies: number): number {
  if (copies === 1) return Infinity;
  const far = machine.filter(({ kind, instruction }) => kind === "load" && instruction.order.space === "global");
  return (2 * far.reduce((sum, { results }) => sum + results.length, 0)) / copies;
}
