// What is learned of names while modules are checked one after the other: it is kept by the names' ids, and holds as long as the
// modules have one table of names (names.ts in ptx) and one version and target. Compilers name registers and spell opcodes alike
// in all modules, which are small where there are many.

import type { Names } from "../ptx/names.js";
import { createReadingMemory, type ReadingMemory } from "../ptx/outline.js";
import type { Precedents, Step } from "./precedents.js";
import { createRegisterNames, type RegisterNames } from "./scope.js";
import { createSignature, type Signature } from "./signature.js";

export interface Learned {
  readonly names: Names | undefined;
  /** Undefined where nothing is. */
  readonly precedents: Precedents | undefined;
  /** By name id: where the precedents of a spelling begin. */
  readonly steps: (Step | undefined)[];
  readonly registerNames: RegisterNames;
}

/** Memory for checking modules one after the other. */
export interface CheckingMemory extends ReadingMemory {
  learned: Learned;
  /** Its arrays have grown. */
  readonly signature: Signature;
}

export const createCheckingMemory = (): CheckingMemory => ({
  ...createReadingMemory(),
  learned: newLearned(undefined, undefined),
  signature: createSignature(),
});

/** What is known of these names; nothing where they are not those of the module before. A tree has no names with ids. */
export function learnedOf(
  memory: CheckingMemory | undefined,
  names: Names | undefined,
  precedents: Precedents,
): Learned {
  const known = memory?.learned;
  if (known?.names === names && known?.precedents === precedents) return known;
  const learned = newLearned(names, precedents);
  if (memory !== undefined) memory.learned = learned;
  return learned;
}

/** The steps are never empty: from an array of nothing V8 learns nothing of what it will hold. */
const newLearned = (names: Learned["names"], precedents: Learned["precedents"]): Learned => ({
  names,
  precedents,
  steps: [undefined],
  registerNames: createRegisterNames(),
});
