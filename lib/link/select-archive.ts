// Before the linker's passes: which members of archives go into the link, after lld and mold. A member is taken when it
// defines a name that is undefined so far, wherever the archive stands on the command line, and takes its place in
// command-line order; so an archive may stand before what needs it, archives may need each other, and --start-group is
// nothing. Of several members that define a name the first one counts, strong or weak. A `.common` definition takes the
// first member with a strong one, as lld's does. A member is taken once. docs/linking.md, "Archives".
// References are what an object has as undefined: functions that its code or data refer to, and every .extern variable.
// Rejected: only what is reached from kernels counts. A link without --gc-sections keeps all, and with it, it would have to
// be told what could have been reached, which depends on the members.
// Linear in the inputs and in the definitions of the members, which are read only where something is missing.

import { compileGlob } from "../base/glob.js";
import type { Note } from "../diag/diagnostic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { RelocObject } from "../object/object.js";
import { subjectText } from "./describe.js";
import { isFromDriver, isLocal } from "./inputs.js";
import type { LazyInput } from "./lazy-input.js";
import type { DefinedName } from "./member-names.js";
import type { Input } from "./open-input.js";
import { claimOf, claims, type Claim } from "./resolve.js";
import { wrapReferences } from "./wrap.js";

/** What stands at one place of the command line. */
export type Candidate =
  { readonly kind: "taken"; readonly inputs: readonly Input[] } | { readonly kind: "lazy"; readonly input: LazyInput };

/** A name that is referred to without any module, and the option that says so. */
export interface NameRoot {
  readonly name: string;
  readonly by: string;
}

export interface SelectOptions {
  readonly roots?: readonly NameRoot[];
  /** Patterns: what members define of such names is referred to (--undefined-glob). */
  readonly globs?: readonly string[];
  /** Names that options define (--defsym). */
  readonly defined?: readonly string[];
  /** Names whose undefined references mean __wrap_NAME. */
  readonly wrap?: readonly string[];
}

/** Why a member was taken. */
export interface Extraction {
  readonly input: string;
  readonly symbol: string;
  /** The input, or the option, that refers to the symbol. */
  readonly by: string;
}

/** Links of the chain from a member to what the command line names that a message shows. */
const MOST_LINKS = 4;

/** Why a member is in the link, from the input that refers to it back to one that no archive gave; none for others. */
export function whyTaken(extractions: readonly Extraction[]): (input: string) => readonly Note[] {
  const byInput = new Map(extractions.map((extraction) => [extraction.input, extraction]));
  return (input) => {
    const notes: Note[] = [];
    for (let at = byInput.get(input); at !== undefined && notes.length < MOST_LINKS; at = byInput.get(at.by))
      notes.push({ message: `${at.input} is linked because ${at.by} refers to ${subjectText(at.symbol)}` });
    return notes;
  };
}

export interface Selection {
  /** In command-line order. */
  readonly inputs: readonly Input[];
  /** In the order of taking. */
  readonly extractions: readonly Extraction[];
  /** What was not taken, in command-line order. */
  readonly left: readonly LazyInput[];
}

/** A reference to a name; of a common definition, which only a strong one of a member can better. */
interface Need {
  readonly name: string;
  readonly by: string;
  readonly isCommon: boolean;
}

export function selectInputs(
  candidates: readonly Candidate[],
  options: SelectOptions,
  sink: DiagnosticSink,
): Selection {
  const defined = new Map<string, Claim>((options.defined ?? []).map((name) => [name, "strong"]));
  const needs: Need[] = (options.roots ?? []).map((root) => ({ ...root, isCommon: false }));
  const take = (inputs: readonly Input[]): void => {
    for (const input of inputs)
      if (input.kind === "object") addNames(wrapReferences([input.object], options.wrap ?? [])[0]!, defined, needs);
  };
  for (const candidate of candidates) if (candidate.kind === "taken") take(candidate.inputs);

  const extracted = new Map<number, readonly Input[]>();
  const extractions: Extraction[] = [];
  const { globs = [] } = options;
  let definers = globs.length === 0 ? undefined : findDefiners(candidates);
  for (const glob of globs) {
    const fits = compileGlob(glob);
    for (const name of definers!.any.keys())
      if (fits(name)) needs.push({ name, by: `--undefined-glob=${glob}`, isCommon: false });
  }
  // A list that is added to while it is walked is walked to its end.
  for (const { name, by, isCommon } of needs) {
    const claim = defined.get(name) ?? "declared";
    if (claim !== (isCommon ? "common" : "declared")) continue;
    definers ??= findDefiners(candidates);
    const at = (isCommon ? definers.strong : definers.any).get(name);
    const candidate = at === undefined || extracted.has(at) ? undefined : candidates[at];
    if (candidate?.kind !== "lazy") continue;
    const inputs = candidate.input.open(
      withNote(sink, `${candidate.input.name} is taken for '${name}', which ${by} needs`),
    );
    extracted.set(at!, inputs);
    extractions.push({ input: candidate.input.name, symbol: name, by });
    take(inputs);
  }
  return {
    inputs: candidates.flatMap((candidate, i) =>
      candidate.kind === "taken" ? candidate.inputs : (extracted.get(i) ?? []),
    ),
    extractions,
    left: candidates.flatMap((candidate, i) =>
      candidate.kind === "lazy" && !extracted.has(i) ? [candidate.input] : [],
    ),
  };
}

/** What an object that is in the link defines, and what it needs. */
function addNames({ name: by, symbols }: RelocObject, defined: Map<string, Claim>, needs: Need[]): void {
  for (const symbol of symbols) {
    if (isLocal(symbol) || isFromDriver(symbol)) continue;
    const { name, kind, linkage } = symbol;
    // References have no place; what tells the module that has one from those that use it is `.extern`.
    const claim = kind === "reference" && linkage !== "extern" ? "strong" : claimOf(symbol);
    if (claims.indexOf(claim) > claims.indexOf(defined.get(name) ?? "declared")) defined.set(name, claim);
    if (claim === "declared" || claim === "common") needs.push({ name, by, isCommon: claim === "common" });
  }
}

/** The first candidate that defines a name, and the first that defines it strongly. */
interface Definers {
  readonly any: ReadonlyMap<string, number>;
  readonly strong: ReadonlyMap<string, number>;
}

function findDefiners(candidates: readonly Candidate[]): Definers {
  const [any, strong] = [new Map<string, number>(), new Map<string, number>()];
  candidates.forEach((candidate, i) => {
    if (candidate.kind !== "lazy") return;
    for (const { names } of candidate.input.modules())
      for (const { name, claim } of names) {
        if (claim === "static") continue;
        if (!any.has(name)) any.set(name, i);
        if (claim === "strong" && !strong.has(name)) strong.set(name, i);
      }
  });
  return { any, strong };
}

/** The sink, each report with one more note. */
function withNote(sink: DiagnosticSink, message: string): DiagnosticSink {
  return {
    all: sink.all,
    get errorCount() {
      return sink.errorCount;
    },
    report: (code, text, place, details = {}) =>
      sink.report(code, text, place, { ...details, notes: [...(details.notes ?? []), { message }] }),
  };
}

/** Reports a link of nothing, and one that has no kernel (where it should) although members that were not taken have some. */
export function checkKernels({ inputs, left }: Selection, wantsKernels: boolean, sink: DiagnosticSink): void {
  const hasKernels = inputs.some((input) => input.kind === "image" || input.object.kernels.length > 0);
  if (hasKernels || left.length === 0 || (inputs.length > 0 && !wantsKernels)) return;
  const kernels = left.flatMap((input) =>
    input.modules().flatMap(({ names }) => names.flatMap((each) => (each.isKernel ? [{ ...each, input }] : []))),
  );
  if (inputs.length === 0) {
    const message = "there is nothing to link: nothing refers to what the archives define";
    sink.report("no-input", message, undefined, { notes: kernelNotes(kernels), remedy });
  } else if (kernels.length > 0) {
    const members = new Set(kernels.map(({ input }) => input)).size;
    const which = members === 1 ? "a member that was not taken has" : `${members} members that were not taken have`;
    sink.report("kernels-left-out", `the image has no kernel, but ${which} some`, undefined, {
      notes: kernelNotes(kernels),
      remedy,
    });
  }
}

const remedy = "no code refers to a kernel: take its member with -u KERNEL, or every member with --whole-archive";

/** Kernels that a message shows. */
const MOST_KERNELS = 3;

function kernelNotes(kernels: readonly (DefinedName & { readonly input: LazyInput })[]) {
  const shown = kernels.slice(0, MOST_KERNELS);
  const more = kernels.length - shown.length;
  return [
    ...shown.map(({ name, place }) => ({ message: `kernel ${subjectText(name)} is here`, place: place() })),
    ...(more > 0 ? [{ message: `${more} more kernels are in members that were not taken` }] : []),
  ];
}
