// The roots of --gc-sections: kernels, .visible variables (including texture, sampler and surface references and banks of
// constants, which hosts also find by name), and the names of -u. `kernelsUsed` and `variablesUsed` limit the first two to
// matching names, like nvlink's options of the same names; those match parts of names, and ignore names that no input has. A byte
// for each symbol marks the candidates (root-candidates.ts).

import { compileGlobList } from "../../base/glob-list.js";

/** Options for roots besides kernels. */
export interface RootOptions {
  /** Whether .visible variables are roots; default true. */
  readonly keepExports?: boolean;
  /** Names that are referred to (-u). */
  readonly undefined?: readonly string[];
  /** Patterns: matching names that other modules see are referred to (--undefined-glob). */
  readonly undefinedGlobs?: readonly string[];
  /** Like `undefined`, but some input must define each name for others (--require-defined). */
  readonly required?: readonly string[];
  /** Whether a later link may refer to visible definitions (-r): they are roots then, unless `keepExports` is false. */
  readonly forLater?: boolean;
  /** Names that --defsym refers to; the linker adds them itself. */
  readonly defsym?: readonly string[];
  /** Patterns: the kernels that are roots; default: all. */
  readonly kernelsUsed?: readonly string[];
  /** Patterns: the variables that are roots, regardless of `keepExports`. */
  readonly variablesUsed?: readonly string[];
}

/** Properties of symbols that make them roots, one bit each. */
export const CANDIDATE = {
  /** No other module sees its name. */
  local: 1,
  /** It is defined: it has an address, will have one, or is a reference that its module defines (references have no address). */
  defined: 2,
  /** A kernel with code. */
  kernel: 4,
  /** A variable in the image, or a reference, which is bound there. */
  variable: 8,
  visible: 16,
  /** A bank of constants that a launch fills by name. */
  filled: 32,
  /** It need not be defined, so each module's declaration counts: a function, or memory that a launch provides. */
  awaited: 64,
} as const;

/** The resolved symbols, in link order. */
export interface Candidates {
  readonly count: number;
  /** The bits of `CANDIDATE` for each symbol. */
  readonly traits: Uint8Array;
  nameOf(symbol: number): string;
  /** The symbols that have one of the names, each with its name. */
  named(names: ReadonlySet<string>): ReadonlyMap<number, string>;
}

/** The reason why each root is one, as text that follows "kept because it is ". */
export type Roots = ReadonlyMap<number, string>;

/** The roots by symbol, ascending, with the reasons. */
export function chooseRoots(candidates: Candidates, options: RootOptions): Roots {
  const { count, traits, nameOf } = candidates;
  const { keepExports = true, forLater = false, kernelsUsed, variablesUsed, undefinedGlobs = [] } = options;
  const roots = new Map<number, string>();
  const isWanted = undefinedGlobs.length === 0 ? undefined : picker(undefinedGlobs);
  const wantsKernel = kernelsUsed && picker(kernelsUsed);
  const wantsVariable = variablesUsed && picker(variablesUsed);
  const named = namedRoots(candidates, options);
  for (let i = 0; i < count; i++) {
    const own = traits[i]!;
    const is = (trait: keyof typeof CANDIDATE): boolean => (own & CANDIDATE[trait]) !== 0;
    const why = named.get(i);
    const pattern = isWanted !== undefined && is("defined") && !is("local") ? isWanted(nameOf(i)) : undefined;
    if (why !== undefined) roots.set(i, why);
    else if (pattern !== undefined) roots.set(i, `named by --undefined-glob=${pattern}`);
    else if (is("kernel")) {
      const used = wantsKernel?.(nameOf(i));
      if (wantsKernel === undefined) roots.set(i, "a kernel");
      else if (used !== undefined) roots.set(i, `a kernel that --kernels-used=${used} names`);
    } else if (forLater && keepExports && !is("local") && is("defined")) {
      roots.set(i, "visible to later links");
    } else if (forLater && keepExports && is("awaited")) {
      roots.set(i, "declared for later links");
    } else if (wantsVariable !== undefined) {
      const used = is("variable") ? wantsVariable(nameOf(i)) : undefined;
      if (used !== undefined) roots.set(i, `a variable that --variables-used=${used} names`);
    } else if (keepExports && is("variable")) {
      // Hosts may look up these variables by name.
      if (is("visible")) roots.set(i, "a .visible variable");
      else if (is("filled")) roots.set(i, "a driver-filled constant variable");
    }
  }
  return roots;
}

/** Roots given by full names: the symbol that modules share, or all static symbols of that name if there is none. */
function namedRoots(candidates: Candidates, options: RootOptions): Roots {
  const named = new Map<string, string>();
  for (const name of options.defsym ?? []) named.set(name, "named by --defsym");
  for (const name of options.undefined ?? []) named.set(name, "named by -u");
  for (const name of options.required ?? []) named.set(name, "named by --require-defined");
  if (named.size === 0) return new Map();
  const found = candidates.named(new Set(named.keys()));
  const isLocal = (i: number): boolean => (candidates.traits[i]! & CANDIDATE.local) !== 0;
  const isShared = new Set([...found].flatMap(([i, name]) => (isLocal(i) ? [] : [name])));
  return new Map(
    [...found].flatMap(([i, name]) => (isLocal(i) && isShared.has(name) ? [] : [[i, named.get(name)!] as const])),
  );
}

/** Returns the first pattern that a name matches. */
function picker(patterns: readonly string[]): (name: string) => string | undefined {
  const { fitting } = compileGlobList(patterns);
  return (name) => patterns[fitting(name).reduce((first, each) => Math.min(first, each), Infinity)];
}

// ------------------------------------------------------------------------------------------------------- missing names

/** Roots that options name and no input has. */
export interface MissingRoots {
  /** Patterns without a match. */
  readonly kernels: readonly string[];
  readonly variables: readonly string[];
  /** Names that some input must define for others. */
  readonly required: readonly string[];
}

/** Whether options name roots that must exist. */
export const namesRoots = ({ kernelsUsed, variablesUsed, required }: RootOptions): boolean =>
  (kernelsUsed ?? variablesUsed ?? required) !== undefined;

export function missingRoots(candidates: Candidates, options: RootOptions): MissingRoots {
  const { kernelsUsed = [], variablesUsed = [], required = [] } = options;
  return {
    kernels: unfitted(candidates, CANDIDATE.kernel, kernelsUsed),
    variables: unfitted(candidates, CANDIDATE.variable, variablesUsed),
    required: undefinedOf(candidates, required),
  };
}

/** The patterns that no symbol with that property matches. */
function unfitted({ count, traits, nameOf }: Candidates, trait: number, patterns: readonly string[]) {
  if (patterns.length === 0) return [];
  const distinct = [...new Set(patterns)];
  const { fitting } = compileGlobList(distinct);
  const unfitted = new Set(distinct);
  for (let i = 0; i < count; i++)
    if ((traits[i]! & trait) !== 0) for (const each of fitting(nameOf(i))) unfitted.delete(distinct[each]!);
  return [...unfitted];
}

function undefinedOf(candidates: Candidates, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const isDefined = ([i]: readonly [number, string]): boolean =>
    (candidates.traits[i]! & (CANDIDATE.local | CANDIDATE.defined)) === CANDIDATE.defined;
  const defined = new Set([...candidates.named(new Set(names))].filter(isDefined).map(([, name]) => name));
  return names.filter((name) => !defined.has(name));
}
