// What --gc-sections begins from: kernels, .visible variables (texture, sampler and surface references and banks of
// constants among them, as a host finds those by name too), and what -u names. `kernelsUsed` and `variablesUsed` narrow the
// first two to what their patterns fit, as nvlink's options of the same names do; it takes parts of names, and says nothing
// of a name that no input has.

import { compileGlob, isGlob } from "../base/glob.js";
import { nearest } from "../base/nearest.js";
import type { Note } from "../diag/diagnostic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { ObjectSymbol } from "../object/object.js";
import { symbolText } from "./describe.js";
import { isDynamicShared, isFromDriver, isLocal, placeOf, type Inputs } from "./inputs.js";
import { claimOf, type Merged } from "./resolve.js";
import type { Suggester } from "./suggest.js";

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

/** Why a symbol is a root, in words that follow "kept because it is ". */
export type Roots = ReadonlyMap<number, string>;

/** The roots by merged symbol, ascending. */
export function findRoots(merged: readonly Merged[], options: RootOptions): Roots {
  const { keepExports = true, forLater = false, kernelsUsed, variablesUsed } = options;
  const roots = new Map<number, string>();
  const isWanted = picker(options.undefinedGlobs ?? []);
  const wantsKernel = kernelsUsed && picker(kernelsUsed);
  const wantsVariable = variablesUsed && picker(variablesUsed);
  const named = new Map<string, string>();
  for (const name of options.defsym ?? []) named.set(name, "named by --defsym");
  for (const name of options.undefined ?? []) named.set(name, "named by -u");
  for (const name of options.required ?? []) named.set(name, "named by --require-defined");
  const isExported = exportedNames(merged, named);
  merged.forEach((each, i) => {
    const { name } = each;
    const { symbol } = each.chosen;
    const why = named.get(name);
    const pattern = isSharedDefinition(symbol) ? isWanted(name) : undefined;
    if (why !== undefined && (!isLocal(symbol) || !isExported.has(name))) roots.set(i, why);
    else if (pattern !== undefined) roots.set(i, `named by --undefined-glob=${pattern}`);
    else if (isKernel(each)) {
      const used = wantsKernel?.(name);
      if (wantsKernel === undefined) roots.set(i, "a kernel");
      else if (used !== undefined) roots.set(i, `a kernel that --kernels-used=${used} names`);
    } else if (forLater && keepExports && !isLocal(symbol) && claimOf(symbol) !== "declared") {
      roots.set(i, "visible to later links");
    } else if (wantsVariable !== undefined) {
      const used = isVariable(each) ? wantsVariable(name) : undefined;
      if (used !== undefined) roots.set(i, `a variable that --variables-used=${used} names`);
    } else if (keepExports && isHostVariable(each)) roots.set(i, `a ${linkageText(each)} variable`);
  });
  return roots;
}

/** Reports names and patterns that fit nothing, and required names that no input defines. */
export function checkRoots(
  inputs: Inputs,
  merged: readonly Merged[],
  options: RootOptions,
  suggester: () => Suggester,
  sink: DiagnosticSink,
): void {
  checkPatterns(inputs, merged.filter(isKernel), options.kernelsUsed, ["--kernels-used", "kernel"], sink);
  checkPatterns(inputs, merged.filter(isVariable), options.variablesUsed, ["--variables-used", "variable"], sink);
  const required = options.required ?? [];
  if (required.length === 0) return;
  const defined = new Set(
    merged.flatMap(({ name, chosen: { symbol } }) =>
      isLocal(symbol) || (claimOf(symbol) === "declared" && symbol.kind !== "reference") ? [] : [name],
    ),
  );
  const suggest = suggester();
  for (const name of required.filter((each) => !defined.has(each))) {
    const { notes, remedy, meant } = suggest(name);
    const message = `undefined symbol: ${name}, which --require-defined names`;
    sink.report("undefined-symbol", message, undefined, { notes, remedy, ...(meant === undefined ? {} : { meant }) });
  }
}

// ------------------------------------------------------------------------------------------------------- what may be one

const isKernel = ({ chosen: { symbol } }: Merged): boolean =>
  symbol.kind === "function" && symbol.entry && claimOf(symbol) !== "declared";

/** A reference has no place; what tells the module that has one from those that use it is `.extern`. */
function isSharedDefinition(symbol: ObjectSymbol): boolean {
  if (isLocal(symbol)) return false;
  return symbol.kind === "reference" ? symbol.linkage !== "extern" : claimOf(symbol) !== "declared";
}

/** Variables that stand in the image, and references, which are bound there. */
function isVariable({ chosen: { symbol } }: Merged): boolean {
  if (symbol.kind === "reference") return true;
  return (
    symbol.kind === "variable" && (claimOf(symbol) !== "declared" || (isFromDriver(symbol) && !isDynamicShared(symbol)))
  );
}

/** Variables by whose name a host may ask. */
function isHostVariable(each: Merged): boolean {
  const { symbol } = each.chosen;
  if (!isVariable(each)) return false;
  return symbol.linkage === "visible" || (symbol.kind === "variable" && claimOf(symbol) === "declared");
}

const linkageText = ({ chosen: { symbol } }: Merged): string =>
  symbol.linkage === "visible" ? ".visible" : "driver-filled constant";

/** Of these names, the ones that some symbol has for all modules. */
function exportedNames(merged: readonly Merged[], names: ReadonlyMap<string, string>): ReadonlySet<string> {
  if (names.size === 0) return new Set();
  return new Set(merged.flatMap(({ name, chosen: { symbol } }) => (names.has(name) && !isLocal(symbol) ? [name] : [])));
}

// --------------------------------------------------------------------------------------------------------------- patterns

/** The first pattern that a name fits. */
function picker(patterns: readonly string[]): (name: string) => string | undefined {
  const tests = patterns.map((pattern) => ({ pattern, test: compileGlob(pattern) }));
  return (name) => tests.find(({ test }) => test(name))?.pattern;
}

function checkPatterns(
  inputs: Inputs,
  candidates: readonly Merged[],
  patterns: readonly string[] | undefined,
  [option, what]: readonly [option: string, what: string],
  sink: DiagnosticSink,
): void {
  for (const pattern of patterns ?? []) {
    const test = compileGlob(pattern);
    if (candidates.some(({ name }) => test(name))) continue;
    const near = isGlob(pattern) ? [] : nearest(pattern, [...new Set(candidates.map(({ name }) => name))]);
    const notes = near.flatMap((name) =>
      candidates
        .filter((each) => each.name === name)
        .map(({ chosen }): Note => {
          return { message: `${symbolText(name)} is defined here`, place: placeOf(inputs, chosen) };
        }),
    );
    sink.report("unknown-root", `${option}=${pattern} names no ${what} of the inputs`, undefined, {
      notes,
      remedy:
        near[0] === undefined
          ? `give ${what} names as the inputs have them; * stands for any text`
          : `did you mean ${symbolText(near[0])}?`,
    });
  }
}
