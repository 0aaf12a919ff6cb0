// What else an undefined symbol's message says of the modules that refer to it: why a member of an archive is in the link at
// all, and that only dead code refers to the name. Worked out only where a link fails.

import type { Note } from "../diag/diagnostic.js";
import type { ObjectSymbol } from "../object/object.js";
import type { Inputs } from "./inputs.js";
import { findLive } from "./live.js";
import type { ReferencePlace } from "./reference-place.js";
import type { Resolution } from "./resolve.js";
import { findRoots } from "./root-candidates.js";
import type { RootOptions } from "./roots.js";

export interface NoteOptions {
  readonly gcSections?: boolean;
  readonly roots?: RootOptions;
  /** Why an input is in the link, where it is a member that was taken for a name. */
  readonly whyTaken?: (input: string) => readonly Note[];
}

/** Notes for a name by what refers to it; `object`: the number of the first input that does. */
export type Noter = (object: number, references: readonly ReferencePlace[]) => readonly Note[];

export function createNoter(
  inputs: Inputs,
  resolution: Resolution,
  { gcSections = false, roots = {}, whyTaken = () => [] }: NoteOptions,
): Noter {
  let reached: ReadonlySet<ObjectSymbol> | undefined;
  const isReached = (symbol: ObjectSymbol | undefined): boolean => {
    reached ??= findReached(inputs, resolution, roots);
    return symbol === undefined || reached.size === 0 || reached.has(symbol);
  };
  return (object, references) => {
    const isDead = !gcSections && !references.some(({ holder }) => isReached(holder));
    const what = references.length === 0 ? "nothing refers to it" : "no kernel or other root reaches what refers to it";
    return [
      ...whyTaken(inputs[object]!.name),
      ...(isDead ? [{ message: `${what}: with --gc-sections it may stay undefined` }] : []),
    ];
  };
}

/** The definitions that --gc-sections would keep. */
function findReached(inputs: Inputs, resolution: Resolution, roots: RootOptions): ReadonlySet<ObjectSymbol> {
  const { merged } = resolution;
  const { live } = findLive(inputs, resolution, findRoots(merged, roots));
  return new Set(merged.flatMap(({ chosen }, i) => (live[i] === 1 ? [chosen.symbol] : [])));
}
