// Reports an undeclared name with the probable intention: a register beyond the end of its family, a name declared later, a word
// of CUDA C++, or a similar name.

import { nearest } from "../base/nearest.js";
import type { Note } from "../diag/diagnostic.js";
import type { Details } from "../diag/sink.js";
import { otherNames } from "../isa/foreign-words.table.js";
import { specialRegisters } from "../isa/special-registers.table.js";
import type { Name } from "../ptx/tree.js";
import { declareFaulty, familyPrefix, type Scope } from "./scope.js";
import type { SymbolTable, NameContext } from "./symbols.js";

/** Reports an undeclared name, once per function. `remedy` is for names without a similar one. */
export function reportUnknown(name: Name, context: NameContext, remedy?: string): void {
  const { module, reporter } = context;
  const details = module.isFaulty(name.text) ? undefined : explain(name.text, context, remedy);
  const outermost = scopesOf(context.scope).at(-1)!;
  const prefix = familyPrefix(name.text);
  declareFaulty(outermost, prefix, prefix !== name.text);
  if (details === undefined) return;
  const { message = "is not declared", ...rest } = details;
  reporter.report("unknown-name", name, `'${name.text}' ${message}`, rest);
}

/** Details for an undeclared name in an initialiser, which sees only module-scope names. */
export function explainModuleName(name: string, module: Pick<SymbolTable, "symbols">): Details {
  const near = similar(name, [], [], module.symbols);
  if (near.length > 0) return meant(near);
  const remedy = "declare the variable or function, .extern if it is in another module, above";
  return { remedy };
}

interface Explained {
  readonly message?: string;
  readonly notes?: readonly Note[];
  readonly remedy?: string;
  readonly replacements?: readonly string[];
}

const meant = (near: readonly string[]): Explained => ({
  remedy: `did you mean ${near.map((one) => `'${one}'`).join(" or ")}?`,
  replacements: near,
});

function explain(name: string, context: NameContext, remedy: string | undefined): Explained {
  const { scope, registers, module, reporter } = context;
  const scopes = scopesOf(scope);
  const prefix = familyPrefix(name);
  const family = scopes.map(({ families }) => families?.get(prefix)).find((one) => one !== undefined);
  if (family !== undefined) {
    const note = { message: `${prefix}<${family.count}> is declared here`, place: reporter.place(family.at) };
    const last = BigInt(family.count) - 1n;
    return { message: `is not declared; its family has ${prefix}0 to ${prefix}${last}`, notes: [note] };
  }
  const below = module.declaredBelow(name);
  if (below !== undefined) {
    return {
      message: "is not declared above its use",
      notes: [{ message: "it is declared here", place: reporter.place(below) }],
      remedy: "move it up, or declare a function there by its prototype",
    };
  }
  const label = reporter.labelAt(name);
  if (label !== undefined) {
    return {
      message: "is a label of another block",
      notes: [{ message: "it is here", place: reporter.place(label) }],
      remedy: "a branch reaches the labels of its own block and of those around it, within its function",
    };
  }
  const other = otherNames[name];
  if (other !== undefined) return { remedy: `PTX has ${other}` };
  const near = similar(name, scopes, registers.registers, module.symbols);
  if (near.length > 0) return meant(near);
  return {
    remedy:
      remedy ?? (name.startsWith("%") ? `declare it, for example .reg ${usualType(name)} ${name};` : declareAbove),
  };
}

/** Types with which nvcc and LLVM declare registers of that name; all others have .b32. */
const usualTypes: Readonly<Record<string, string>> = {
  p: ".pred",
  rs: ".b16",
  h: ".b16",
  rd: ".b64",
  rl: ".b64",
  rq: ".b128",
  f: ".f32",
  fd: ".f64",
};

const usualType = (name: string): string => usualTypes[familyPrefix(name).slice(1)] ?? ".b32";

const declareAbove =
  "declare it above, .extern if it is in another module; a label must be in the same block or in one around it";

function scopesOf(scope: Scope): readonly Scope[] {
  return scope.parent === undefined ? [scope] : [scope, ...scopesOf(scope.parent)];
}

/** Limit of symbols that are compared, to bound the cost. */
const mostSymbols = 5000;

/** Similar visible names. Names of one letter have none. */
function similar(
  name: string,
  scopes: readonly Scope[],
  registers: readonly { readonly name: string }[],
  symbols: readonly { readonly name: string }[],
): readonly string[] {
  const prefix = familyPrefix(name);
  const number = name.slice(prefix.length);
  const names = new Set(symbols.slice(0, mostSymbols).map((symbol) => symbol.name));
  for (const { names: bound, singles, families } of scopes) {
    for (const [one, { kind }] of bound) if (kind !== "faulty") names.add(one);
    // Registers in use precede other members of families.
    for (const register of registers) names.add(register.name);
    for (const one of singles?.keys() ?? []) names.add(one);
    for (const [one, { count }] of families ?? []) if (number !== "" && BigInt(number) < count) names.add(one + number);
  }
  if (name.startsWith("%")) for (const special of specialRegisters) names.add(special.name);
  if (names.has(`%${name}`)) return [`%${name}`];
  return prefix.replace("%", "").length < 2 ? [] : nearest(name, [...names]);
}
