// Registers whose values some instructions observe: as a guard or address, in a branch, memory access or call, or as a source of
// another such register. A counter that a loop increments and does not test is not observed: whatever its value, the loop takes
// the same path.

import type { Instruction } from "../../isa/instruction.js";
import { registersOf } from "../operands/registers.js";
import type { Program } from "../state/frame.js";
import type { Step } from "../state/step.js";

/** Whether the instruction only computes its results from registers of its own lane. */
function onlyComputes({ opcode }: Instruction, { lanes, members, memory }: Step): boolean {
  const { traits } = opcode.form;
  const onlyWritesRegisters = ![
    ...(["load", "store", "atomic", "asynchronous", "branch", "branch-table", "call"] as const),
    ...(["return", "exit", "synchronizes", "barrier"] as const),
  ].some((trait) => traits.has(trait));
  return (
    onlyWritesRegisters && lanes !== undefined && members === undefined && !memory && computing.has(opcode.form.opcode)
  );
}

/** Opcodes of loop counters and conditions. All others count as observers, which is safe. */
const computing: ReadonlySet<string> = new Set([
  "mov",
  "add",
  "sub",
  "mul",
  "mad",
  "and",
  "or",
  "xor",
  "not",
  "shl",
  "shr",
  "min",
  "max",
  "selp",
  "setp",
  "cvt",
]);

/** Ranges of words of a frame, as [first, end). */
export type WordRanges = readonly (readonly [number, number])[];

/** Words of registers that the instructions at `executed` do not observe. */
export function unobservedWords(program: Program, executed: ReadonlySet<number>): WordRanges {
  const { fn, steps, registerCount, registerPlace, promoted, shared } = program;
  const { instructions } = fn.code;
  // Other functions can see registers of the module.
  if (shared.length > 0) return [];
  const observable = new Set<number>();
  for (const register of promoted) if (register !== undefined) observable.add(register);
  const uses = [...executed].flatMap((pc) => {
    const instruction = instructions[pc];
    return instruction === undefined
      ? []
      : [{ ...registersOf(instruction), isPlain: onlyComputes(instruction, steps[pc]!) }];
  });
  for (let size = -1; size !== observable.size;) {
    size = observable.size;
    for (const { reads, writes, isPlain } of uses)
      if (!isPlain || writes.some((register) => observable.has(register)))
        for (const register of reads) observable.add(register);
  }
  const words: (readonly [number, number])[] = [];
  for (let register = 0; register < registerCount; register++) {
    if (observable.has(register)) continue;
    const { word, stride } = registerPlace(register);
    words.push([word, word + Math.max(1, 32 * stride)]);
  }
  return words;
}
