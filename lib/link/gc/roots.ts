// The roots of --gc-sections: kernels, .visible variables (including texture, sampler and surface references and banks of
// constants, which hosts also find by name), and the names of -u. `kernelsUsed` and `variablesUsed` limit the first two to
// matching names, like nvlink's options of the same names; those match parts of names, and ignore names that no input has.
// A byte for each symbol marks candidates, of objects (roots.ts) and of columns (link/gc/root-candidates.ts).

import { compileGlobList } from "../../base/glob-list.js";

/** What garbage collection begins from, besides kernels. */
export interface RootOptions {
  /** Whether .visible variables are roots; true unless given. */
  readonly keepExports?: boolean;
  /** Names that count as referred to (-u). */
  readonly undefined?: readonly string[];
  /** Patterns: what others see of their names counts as referred to (--undefined-glob). */
  readonly undefinedGlobs?: readonly string[];
  /** The same as `undefined`, and some input must define them for others (--require-defined). */
  readonly required?: readonly string[];
  /** Whether a later link may refer to what others see (-r): those definitions are roots then, unless `keepExports` is false. */
  readonly forLater?: boolean;
  /** Names that --defsym gives others to; the linker adds these itself. */
  readonly defsym?: readonly string[];
  /** Patterns: the kernels that are roots; all unless given. */
  readonly kernelsUsed?: readonly string[];
  /** Patterns: the variables that are roots, whatever `keepExports` says. */
  readonly variablesUsed?: readonly string[];
}

/** Properties of symbols that make them roots, one bit each. */
export const CANDIDATE = {
  /** No other module sees its name. */
  local: 1,
  /** It has a place, or will have one, or is a reference that its module has: those have no place. */
  defined: 2,
  /** With code. */
  kernel: 4,
  /** One that is in the image, or a reference, which is bound there. */
  variable: 8,
  visible: 16,
  /** A bank of constants that a launch fills by its name. */
  filled: 32,
  /** What need not be defined, so that what each module says of it counts in the end: a function, or what a launch provides. */
  awaited: 64,
} as const;

/** The resolved symbols, in link order. */
export interface Candidates {
  readonly count: number;
  /** Of each its bits of `CANDIDATE`. */
  readonly traits: Uint8Array;
  nameOf(symbol: number): string;
  /** Those that have one of the names, with it. */
  named(names: ReadonlySet<string>): ReadonlyMap<number, string>;
}

/** Why a symbol is a root, in words that follow "kept because it is ". */
export type Roots = ReadonlyMap<number, string>;

/** The roots by symbol, ascending. */
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
      // Variables by whose name a host may ask.
      if (is("visible")) roots.set(i, "a .visible variable");
      else if (is("filled")) roots.set(i, "a driver-filled constant variable");
    }
  }
  return roots;
}

/** What names in full make roots: what modules share of a name, or every static of it where there is none. */
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

/** The first pattern that a name fits. */
function picker(patterns: readonly string[]): (name: string) => string | undefined {
  const { fitting } = compileGlobList(patterns);
  return (name) => patterns[fitting(name).reduce((first, each) => Math.min(first, each), Infinity)];
}

// ------------------------------------------------------------------------------------------------------- missing names

/** What options name and no input has. */
export interface MissingRoots {
  /** Patterns. */
  readonly kernels: readonly string[];
  readonly variables: readonly string[];
  /** Names that some input must define for others. */
  readonly required: readonly string[];
}

/** Whether options name roots that have to be there. */
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

/** The patterns that fit no symbol of that trait. */
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
