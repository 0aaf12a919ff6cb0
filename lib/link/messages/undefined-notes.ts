// Notes on the modules that refer to an undefined symbol: why an archive member is in the link at all, and that only dead code
// refers to the name. Computed only if a link fails.

import type { Note } from "../../diag/diagnostic.js";
import type { ReadInputs } from "../model/linked.js";
import type { ReferencePlace } from "../model/reference-place.js";
import type { RootOptions } from "../gc/roots.js";

export interface NoteOptions {
  readonly gcSections?: boolean;
  readonly roots?: RootOptions;
  /** Explains why an input is in the link, if it is a member that was extracted for a name. */
  readonly extractionReason?: (input: string) => readonly Note[];
}

/** A place of a reference, with the index of its input. */
export interface PlacedReference extends ReferencePlace {
  readonly object: number;
}

/** Notes for a name, from its references; `object`: the index of the first input that refers to it. */
export type Noter = (object: number, references: readonly PlacedReference[]) => readonly Note[];

/** Whether --gc-sections would keep a symbol of an object that contains a reference. */
export type IsReached = (object: number, index: number) => boolean;

/** `reached`: called at most once, if needed. */
export function createNoter(
  inputs: ReadInputs,
  reached: () => IsReached,
  { gcSections = false, extractionReason = () => [] }: NoteOptions,
): Noter {
  let isReached: IsReached | undefined;
  const keeps = ({ object, index }: PlacedReference): boolean => index < 0 || (isReached ??= reached())(object, index);
  return (object, references) => {
    const isDead = !gcSections && !references.some(keeps);
    const what = references.length === 0 ? "nothing refers to it" : "no kernel or other root reaches what refers to it";
    return [
      ...extractionReason(inputs.at(object)!.name),
      ...(isDead ? [{ message: `${what}: with --gc-sections it may stay undefined` }] : []),
    ];
  };
}
