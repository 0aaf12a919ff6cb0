// The module's names: declares them in order, and decides whether a name may be declared again. PTX ISA 9.0 section 11.6 (linking
// directives); where the manual is silent, ptxas 13.0 decides (its verdicts on redeclarations are recorded in testdata/check).

import type { Layout, Parameter, Prototype } from "../isa/code.js";
import { specialRegister } from "../isa/special-registers.table.js";
import type { Name, Outline } from "../ptx/tree.js";
import type { FunctionSymbol, Linkage, ModuleSymbol, OpaqueReference, Variable } from "./module.js";
import type { Reporter } from "./reporter.js";
import type { RegisterFile, RegisterNames, Scope } from "./scope.js";

export interface SymbolTable {
  /** In order of first declaration. */
  readonly symbols: readonly ModuleSymbol[];
  find(name: string): { readonly index: number; readonly symbol: ModuleSymbol } | undefined;
  /** Adds a name, or merges it with its earlier declaration. Returns the symbol's index, or undefined after a report. */
  declare(symbol: ModuleSymbol, name: Name): number | undefined;
  /** Records a name whose declaration was wrong: its uses are not reported. */
  declareFaulty(name: string): void;
  /** Whether an unknown name must not be reported. */
  isFaulty(name: string): boolean;
  /** A declaration of the name after this place in the module. */
  declaredBelow(name: string): Name | undefined;
  /** Names that were registers of functions so far, perhaps in earlier modules. */
  readonly registerNames: RegisterNames;
  /** Completes a declared symbol with its code or its initial value. */
  complete(index: number, symbol: ModuleSymbol): void;
}

/** `incomplete`: declarations may be missing, so that no name is reported as undeclared. */
export function createSymbolTable(
  reporter: Reporter,
  incomplete: boolean,
  registerNames: RegisterNames,
  items: Outline["items"] = [],
): SymbolTable {
  const names: DeclaredNames = { reporter, symbols: [], byName: new Map(), defined: [] };
  const { symbols, byName } = names;
  const faulty = new Set<string>();
  return {
    symbols,
    registerNames,
    find(name) {
      const index = byName.get(name);
      return index === undefined ? undefined : { index, symbol: symbols[index]! };
    },
    declaredBelow(name) {
      for (const item of items) {
        if (item.kind === "function" && item.name.text === name) return item.name;
        const found = item.kind === "variable" ? item.declarators.find((one) => one.name.text === name) : undefined;
        if (found !== undefined) return found.name;
      }
      return undefined;
    },
    declareFaulty(name) {
      faulty.add(name);
    },
    isFaulty(name) {
      return incomplete || faulty.has(name);
    },
    complete(index, symbol) {
      symbols[index] = symbol;
    },
    declare: (symbol, name) => declareSymbol(names, symbol, name),
  };
}

interface DeclaredNames {
  readonly reporter: Reporter;
  readonly symbols: ModuleSymbol[];
  readonly byName: Map<string, number>;
  /** By symbol; a function with a body is defined even while that body is checked. */
  readonly defined: boolean[];
}

function declareSymbol(names: DeclaredNames, symbol: ModuleSymbol, name: Name): number | undefined {
  const { reporter, symbols, byName, defined } = names;
  const index = byName.get(symbol.name);
  if (index === undefined) {
    if (symbol.name.startsWith("%") && specialRegister(symbol.name) !== undefined) {
      reporter.report("redeclaration", name, `'${symbol.name}' is a special register`);
      return undefined;
    }
    byName.set(symbol.name, symbols.length);
    defined.push(isDefinition(symbol));
    return symbols.push(symbol) - 1;
  }
  const earlier = symbols[index]!;
  const conflict = redeclarationConflict(earlier, symbol, defined[index] === true);
  if (conflict !== undefined) {
    reporter.report("redeclaration", name, `'${symbol.name}' ${conflict}`, {
      notes: [{ message: "declared here before", place: earlier.place }],
    });
    return undefined;
  }
  if (isDefinition(symbol)) {
    defined[index] = true;
    symbols[index] = mergedWith(symbol, earlier);
  }
  return index;
}

/** The reason why two declarations cannot be of one symbol, as text that follows the symbol's name. */
function redeclarationConflict(earlier: ModuleSymbol, symbol: ModuleSymbol, isDefined: boolean): string | undefined {
  const areFunctions = symbol.kind === "function" && earlier.kind === "function";
  if (areFunctions && isDefined && !isDefinition(symbol)) return "is declared again after its definition";
  if (earlier.kind !== symbol.kind) return `is both a ${kindText(earlier)} and a ${kindText(symbol)}`;
  if (isDefined && isDefinition(symbol)) return "is defined twice";
  return areFunctions
    ? functionConflict(earlier, symbol)
    : variableConflict(earlier as Variable | OpaqueReference, symbol as Variable | OpaqueReference);
}

function functionConflict(earlier: FunctionSymbol, symbol: FunctionSymbol): string | undefined {
  const difference = functionDifference(earlier, symbol);
  if (difference !== undefined) return `is declared with ${difference}`;
  if (isDefinition(symbol) && earlier.linkage === "extern") return "is declared .extern and defined in the same module";
  const takesPrototypes = symbol.linkage === "static" && isPrototyped(earlier.linkage);
  return symbol.linkage === earlier.linkage || takesPrototypes
    ? undefined
    : `has ${linkageText(earlier.linkage)} in one declaration and ${linkageText(symbol.linkage)} in another`;
}

function variableConflict(earlier: Variable | OpaqueReference, symbol: Variable | OpaqueReference): string | undefined {
  const difference = variableDifference(earlier, symbol);
  if (difference !== undefined) return `is declared with ${difference}`;
  return earlier.linkage === "extern" && symbol.linkage === "static"
    ? "is declared .extern, but its definition is not .visible, .weak or .common"
    : undefined;
}

/**
 * Merges a definition with an earlier declaration: keeps the declaration's state space (variable) or linkage (function), and the
 * definition's alignment, as in ptxas.
 */
function mergedWith(definition: ModuleSymbol, earlier: ModuleSymbol): ModuleSymbol {
  if (definition.kind === "variable" && earlier.kind === "variable") return { ...definition, space: earlier.space };
  const keepsLinkage = definition.kind === "function" && definition.linkage !== earlier.linkage;
  return keepsLinkage ? { ...definition, linkage: earlier.linkage } : definition;
}

/** Whether a definition without a linkage directive takes this linkage from its prototype, as in ptxas. */
const isPrototyped = (linkage: Linkage): boolean => linkage === "visible" || linkage === "weak";

function isDefinition(symbol: ModuleSymbol): boolean {
  return symbol.kind === "function"
    ? symbol.code !== undefined || symbol.alias !== undefined
    : symbol.linkage !== "extern";
}

function kindText(symbol: ModuleSymbol): string {
  if (symbol.kind === "function") return symbol.entry ? "kernel" : "function";
  return symbol.kind === "reference" ? symbol.type : "variable";
}

const linkageText = (linkage: Linkage): string => (linkage === "static" ? "no linkage directive" : `.${linkage}`);

function variableDifference(a: Variable | OpaqueReference, b: Variable | OpaqueReference): string | undefined {
  if (a.kind === "variable" && b.kind === "variable") {
    if ((a.space === "shared") !== (b.space === "shared")) return `different state spaces, .${a.space} and .${b.space}`;
    return layoutDifference(a.layout, b.layout);
  }
  return a.kind === "reference" && b.kind === "reference" && a.type !== b.type ? "different types" : undefined;
}

/** The difference of two layouts: types, vectors and bounds must be equal; an unsized first dimension agrees with any. */
function layoutDifference(a: Layout, b: Layout): string | undefined {
  if (a.type !== b.type || a.vector !== b.vector) return `different types, ${typeText(a)} and ${typeText(b)}`;
  if (a.dimensions.length !== b.dimensions.length) return "different numbers of dimensions";
  const differs = a.dimensions.some(
    (n, i) => n !== undefined && b.dimensions[i] !== undefined && n !== b.dimensions[i],
  );
  return differs ? `different bounds, ${typeText(a)} and ${typeText(b)}` : undefined;
}

/** The type as text for messages: ".v2 .f32[4]". */
export function typeText(layout: Pick<Layout, "type" | "vector" | "dimensions">): string {
  const vector = layout.vector > 1 ? `.v${layout.vector} ` : "";
  return `${vector}.${layout.type.name}${layout.dimensions.map((n) => `[${n ?? ""}]`).join("")}`;
}

/** The difference, as text, that makes two declarations incompatible; undefined if they are compatible. */
export function functionDifference(a: FunctionSymbol, b: FunctionSymbol): string | undefined {
  if (a.entry !== b.entry) return ".entry in one place and .func in another";
  if (a.prototype.noreturn !== b.prototype.noreturn) return ".noreturn in one place only";
  const kept = ["abi_preserve", "abi_preserve_control"].find(
    (name) => directiveValue(a, name) !== directiveValue(b, name),
  );
  if (kept !== undefined) return `different .${kept}`;
  return prototypeDifference(a.prototype, b.prototype);
}

const directiveValue = ({ directives }: FunctionSymbol, wanted: string): number | undefined =>
  directives.find(({ name }) => name === wanted)?.values[0];

/** The difference between two prototypes, as text, or undefined. */
function prototypeDifference(a: Prototype, b: Prototype): string | undefined {
  return (
    listDifference("return value", a.returns, b.returns) ?? listDifference("parameter", a.parameters, b.parameters)
  );
}

function listDifference(what: string, a: readonly Parameter[], b: readonly Parameter[]): string | undefined {
  if (a.length !== b.length) return `${a.length} and ${b.length} ${what}s`;
  for (const [i, one] of a.entries()) {
    const other = b[i]!;
    const difference = layoutDifference(one.layout, other.layout);
    if (difference !== undefined) return `${difference}, as ${what} ${i + 1}`;
    if (one.space !== other.space)
      return `different state spaces, .${one.space} and .${other.space}, of ${what} ${i + 1}`;
    if (one.layout.align !== other.layout.align) {
      return `different alignments, ${one.layout.align} and ${other.layout.align} bytes, of ${what} ${i + 1}`;
    }
  }
  return undefined;
}

/** The names visible in a function. */
export interface NameContext {
  readonly scope: Scope;
  /** Whether `scope` is the outermost scope of the function. */
  readonly isOutermost: boolean;
  readonly registers: RegisterFile;
  readonly module: SymbolTable;
  readonly reporter: Reporter;
}
