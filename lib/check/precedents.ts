// What has been found right before: for a module's version and target, a spelling and a signature (signature.ts), the row and
// how the operands lie in its places. nvcc-made text says the same few hundred things over and over, so that nearly every
// instruction follows a precedent and is never held against the table at all. Only what passed every check without a report
// makes one; the first of its kind, and all that is at fault, go the long way.
//
// A precedent is a fact of the isa table, the same in all modules, so precedents outlive the module: a memo of a pure function
// over constant tables, as in isa/opcode.ts. The signatures of one spelling are a tree of their codes.
//
// Rejected: a table made beforehand (all rows by all types, of which a program meets a hundredth), and one for each module
// (the modules of a linked program are small and alike: a third of their instructions would be the first of their kind).

import type { Opcode } from "../isa/opcode.js";
import { versionText } from "../isa/requirement.js";
import type { CallPlaces } from "./call.js";
import type { LintTraits } from "./lint/candidates.js";
import type { Platform } from "./require.js";
import type { Signature } from "./signature.js";

export interface Precedent {
  readonly opcode: Opcode;
  /** For each place of the row, which operand stands there; -1 where none does. */
  readonly places: readonly number[];
  /** For each place: integers from 0 up to here, and not with it, stand in it as they are. */
  readonly limits: readonly number[];
  /** Of a call. */
  readonly call: CallPlaces | undefined;
  readonly lint: LintTraits;
}

/** A signature's first codes, or all of them. The steps that may follow hang on `child` in a list. */
export interface Step {
  readonly code: number;
  child: Step | undefined;
  sibling: Step | undefined;
  precedent: Precedent | undefined;
}

/** The precedents of one version and target, by spelling. */
export interface Precedents {
  readonly bySpelling: Map<string, Step>;
  /** How many more steps may be made. */
  room: number;
}

const memo = new Map<string, Precedents>();
/** Real programs need some thousands of steps. */
export const mostSteps = 1 << 16;
const mostPlatforms = 16;

/** What is known for modules of that version, target and size of addresses. */
export function precedentsOf({
  version,
  target,
  addresses,
}: Pick<Platform, "version" | "target" | "addresses">): Precedents {
  const key = `${versionText(version)} ${target.name} ${addresses.size ?? "any"}`;
  let known = memo.get(key);
  if (known === undefined) {
    if (memo.size >= mostPlatforms) memo.clear();
    known = { bySpelling: new Map(), room: mostSteps };
    memo.set(key, known);
  }
  return known;
}

/** The precedent that a spelling's steps lead to. */
export function follow(first: Step | undefined, { codes, length }: Signature): Precedent | undefined {
  let step = first;
  for (let i = 0; i < length && step !== undefined; i++) {
    const code = codes[i]!;
    step = step.child;
    while (step !== undefined && step.code !== code) step = step.sibling;
  }
  return step?.precedent;
}

/** Remembers what was found right; nothing when there is no room. */
export function setPrecedent(
  precedents: Precedents,
  spelling: string,
  { codes, length }: Signature,
  precedent: Precedent,
): void {
  if (precedents.room <= length) return;
  let step = precedents.bySpelling.get(spelling);
  if (step === undefined) {
    step = makeStep(precedents, 0, undefined);
    precedents.bySpelling.set(spelling, step);
  }
  for (let i = 0; i < length; i++) {
    const code = codes[i]!;
    let next: Step | undefined = step.child;
    while (next !== undefined && next.code !== code) next = next.sibling;
    next ??= step.child = makeStep(precedents, code, step.child);
    step = next;
  }
  step.precedent = precedent;
}

function makeStep(precedents: Precedents, code: number, sibling: Step | undefined): Step {
  precedents.room--;
  return { code, child: undefined, sibling, precedent: undefined };
}
