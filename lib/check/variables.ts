// Declares variables of a module, and the .shared, .global and .const ones of function bodies: PTX ISA 9.0 sections 5.1, 5.4 and
// 11.6.

import type { Layout } from "../isa/code.js";
import type { Attribute, Declarator, Name, VariableDeclaration } from "../ptx/tree.js";
import type { OpaqueTypeName } from "../isa/opaque-fields.table.js";
import type { Header } from "./header.js";
import type { BodyNames } from "./initializer-name.js";
import { foldInitializer, type FoldedInitializer } from "./initializer.js";
import { layoutOf, memoryFault, registerFault, requireComplete } from "./layout.js";
import type { Linkage, ModuleSymbol, Variable, VariableSpace } from "./module.js";
import { samplerFault } from "./texture-operands.js";
import { checkOpaqueInitializer } from "./opaque-initializer.js";
import type { Reporter } from "./reporter.js";
import { requireFeature, requireLinkage } from "./require.js";
import { familyNames } from "./scope.js";
import type { SymbolTable } from "./symbols.js";

export interface VariableContext {
  readonly header: Header;
  readonly reporter: Reporter;
  readonly module: SymbolTable;
  readonly maxImageBytes: number;
  /** Number of static variables in functions so far, by name: the n of `$__name__n`. */
  readonly staticCounts: Map<string, number>;
  initialisedBytes: number;
  /** `.reg` variables at module scope so far. */
  readonly moduleRegisters: ModuleRegister[];
}

/** A module-scope register: its name in functions, and its symbol. */
export interface ModuleRegister {
  readonly name: Name;
  readonly layout: Layout;
  readonly symbol: number;
}

/** The members common to all symbols. */
type Own = Pick<ModuleSymbol, "name" | "linkage" | "place">;

/** A name in the text, with its index among the module's symbols. */
export type Declared = readonly [name: Name, symbol: number];

/** The function body with the declaration. */
export interface VariableScope {
  readonly function: string;
  readonly names: BodyNames;
}

/** Declares the variables of one declaration, and returns the valid ones. */
export function checkVariables(
  declaration: VariableDeclaration,
  context: VariableContext,
  scope: VariableScope | undefined,
): readonly Declared[] {
  const space = declaredSpace(declaration, context, scope);
  const all: Declared[] = [];
  for (let i = 0; i < declaration.declarators.length; i++) {
    const declarator = declaration.declarators[i]!;
    const declared = space === undefined ? none : checkVariable(declaration, declarator, space, context, scope);
    if (declared.length === 0 && scope === undefined) context.module.declareFaulty(declarator.name.text);
    for (let j = 0; j < declared.length; j++) all.push(declared[j]!);
  }
  return all;
}

const none: readonly never[] = [];

/** The last version whose modules may omit the calling convention: section 7.1.1. */
const lastWithoutConvention = 23;

/** The state space of the declaration, if variables with that linkage can be in it; undefined after a report. */
function declaredSpace(
  declaration: VariableDeclaration,
  { reporter, header }: VariableContext,
  scope: VariableScope | undefined,
): VariableSpace | "tex" | undefined {
  const { type, linkage, declarators } = declaration;
  const refuse = (message: string, remedy: string): undefined => {
    reporter.report("variable-space", type, message, { remedy });
    return undefined;
  };
  let space: VariableSpace | "tex";
  switch (type.space) {
    case "global":
    case "shared":
      ({ space } = type);
      break;
    case "const": {
      if (type.bank === undefined) space = "const";
      else if (type.bank > 10n) return refuse(`there is no constant bank ${type.bank}`, "the banks are 0 to 10");
      else {
        requireFeature("an explicit constant bank", type, header, reporter);
        space = type.bank === 0n ? "const" : `const[${Number(type.bank)}]`;
      }
      if (space === "const") break;
      requireFeature("a constant bank other than 0", type, header, reporter);
      const isOpen = declarators.every(({ dimensions }) => dimensions.length > 0 && dimensions[0]!.size === undefined);
      if (linkage === "extern" && isOpen && scope === undefined) break;
      return refuse(
        `bank ${type.bank} is the driver's: only an .extern array without a size can be declared there`,
        "write .const[0], or .const alone, for variables of the module",
      );
    }
    case "local":
    case "reg":
      if (header.version > lastWithoutConvention)
        return refuse(`a .${type.space} variable cannot be declared at module scope`, "declare it inside a function");
      ({ space } = type);
      break;
    case "tex":
      requireFeature("a .tex variable", type, header, reporter);
      space = "tex";
      break;
    default:
      return refuse(`a .${type.space} variable cannot be declared at module scope`, "declare it inside a function");
  }
  if (linkage === "common" && space !== "global") {
    reporter.report("linkage", declaration, `.common is for .global variables, not .${space} ones`);
    return undefined;
  }
  requireLinkage(linkage, declaration, header, reporter);
  return space;
}

function checkVariable(
  declaration: VariableDeclaration,
  declarator: Declarator,
  space: VariableSpace | "tex",
  context: VariableContext,
  scope: VariableScope | undefined,
): readonly Declared[] {
  const { header, reporter } = context;
  const { type } = declaration;
  const layout = layoutOf(type, declarator, header, reporter);
  if (layout === undefined) return [];
  const linkage: Linkage = declaration.linkage ?? "static";
  const { name: at } = declarator;
  const own: Own = { name: at.text, linkage, place: reporter.place(at) };
  const declare = (symbol: ModuleSymbol): readonly Declared[] => declareSymbol(symbol, declarator, context, scope);

  if (space === "tex") {
    const fault = textureFault(layout, declarator);
    if (fault !== undefined) reporter.report("variable-space", declarator, fault);
    return fault === undefined ? declare({ ...own, kind: "reference", type: "texref", layout }) : [];
  }
  if (layout.type.class === "opaque") {
    const fault =
      scope !== undefined
        ? `.${layout.type.name} variables are declared outside functions, or are parameters of kernels`
        : linkage === "common"
          ? `a .${layout.type.name} cannot be .common`
          : referenceFault(layout, space, header);
    if (fault !== undefined) reporter.report("variable-space", type, fault);
    else if (linkage !== "extern" && !requireComplete(layout, declarator, at, reporter)) return [];
    if (fault !== undefined) return [];
    const { initializer } = declarator;
    if (initializer !== undefined && linkage === "extern")
      reporter.report("initializer-space", initializer, "an .extern variable has no initial value");
    const fields = initializer === undefined ? [] : checkOpaqueInitializer(layout, initializer, reporter);
    const reference = { kind: "reference", type: layout.type.name as OpaqueTypeName, layout } as const;
    return declare({ ...own, ...reference, ...(fields.length === 0 ? {} : { fields }) });
  }
  const fault = space === "reg" ? registerFault(layout) : memoryFault(layout, space);
  if (fault !== undefined) {
    reporter.report("variable-space", declarator, fault);
    return [];
  }
  if (space === "reg") return declareRegisters(own, layout, declarator, context);
  const folded = foldInitial(layout, declarator, linkage, space, context, scope);
  // The name is declared even if its initialiser is wrong, so that its uses are not errors.
  if (folded === undefined) return declare({ ...own, kind: "variable", space, layout, managed: false });
  if (linkage !== "extern" && !requireComplete(folded.layout, declarator, at, reporter)) return [];
  const { managed, unified } = checkAttributes(type.attributes, at.text, space, context);
  const plain = variableSymbol(own, space, folded, managed);
  return declare(
    unified === undefined && scope === undefined
      ? plain
      : {
          ...(unified === undefined ? {} : { unified }),
          ...(scope === undefined ? {} : { scope: scope.function }),
          ...plain,
        },
  );
}

/** Creates the symbol in one object literal: spreading would dominate in modules with a million variables. */
function variableSymbol(
  { name, linkage, place }: Own,
  space: VariableSpace,
  { layout, initial }: FoldedInitializer,
  managed: boolean,
): Variable {
  return initial === undefined
    ? { name, linkage, place, kind: "variable", space, layout, managed }
    : { name, linkage, place, kind: "variable", space, layout, managed, initial };
}

/** Declares the names of a declarator: one symbol, or `count` symbols. In a function ptxas renames them. */
function declareSymbol(
  symbol: ModuleSymbol,
  { name, count }: Declarator,
  context: VariableContext,
  scope: VariableScope | undefined,
): readonly Declared[] {
  const { module } = context;
  if (count === undefined && scope === undefined) {
    const index = module.declare(symbol, name);
    return index === undefined ? none : [[name, index]];
  }
  const declared: Declared[] = [];
  for (const text of count === undefined ? [name.text] : familyNames(name.text, count)) {
    const index = module.declare({ ...symbol, name: scope === undefined ? text : staticName(text, context) }, name);
    if (index !== undefined) declared.push([{ ...name, text }, index]);
  }
  return declared;
}

/** Module-scope registers have bytes in each thread's memory, which hold them while another function runs. */
function declareRegisters(
  own: Own,
  layout: Layout,
  declarator: Declarator,
  context: VariableContext,
): readonly Declared[] {
  const { initializer } = declarator;
  if (initializer !== undefined) {
    context.reporter.report("initializer-space", initializer, "a .reg variable has no initial value");
    return [];
  }
  const stored = layout.type.class === "predicate" ? { ...layout, size: 1 } : layout;
  const symbol: Variable = { ...own, kind: "variable", space: "reg", layout: stored, managed: false };
  const declared = declareSymbol(symbol, declarator, context, undefined);
  for (const [name, index] of declared) context.moduleRegisters.push({ name, layout, symbol: index });
  return declared;
}

function referenceFault({ type }: Layout, space: VariableSpace, header: Header): string | undefined {
  return space === "global" ? samplerFault(type, header) : `.${type.name} variables are declared in .global`;
}

/** The fault of a .tex variable: `.tex .u32 t` is today's `.global .texref t`: section 5.1.8. */
function textureFault({ type, vector, dimensions }: Layout, { initializer }: Declarator): string | undefined {
  const isName = (type.name === "u32" || type.name === "u64") && vector === 1 && dimensions.length === 0;
  if (!isName) return "a .tex variable is a .u32 or a .u64";
  return initializer === undefined ? undefined : "a .tex variable has no initial value";
}

/** Folds the initial value, and completes the layout with it; undefined after a report. */
function foldInitial(
  layout: Layout,
  { initializer }: Declarator,
  linkage: Linkage,
  space: VariableSpace,
  context: VariableContext,
  scope: VariableScope | undefined,
): FoldedInitializer | undefined {
  const { header, reporter, module } = context;
  if (initializer === undefined) return { layout, initial: undefined };
  if (linkage === "extern" || (space !== "global" && space !== "const")) {
    const why =
      linkage === "extern"
        ? "an .extern variable is initialised where it is defined"
        : `a .${space} variable has no initial value`;
    reporter.report("initializer-space", initializer, why);
    return undefined;
  }
  const left = context.maxImageBytes - context.initialisedBytes;
  const lookup = scope === undefined ? module : { ...module, inBody: scope.names };
  const folded = foldInitializer(layout, initializer, lookup, header, reporter, left);
  context.initialisedBytes += folded?.layout.size ?? 0;
  return folded;
}

/** ptxas renames a variable x of a function body to `$__x__n`; n counts variables of that name from 0. */
function staticName(name: string, { staticCounts }: VariableContext): string {
  const n = staticCounts.get(name) ?? 0;
  staticCounts.set(name, n + 1);
  return `$__${name}__${n}`;
}

function checkAttributes(
  attributes: readonly Attribute[],
  name: string,
  space: VariableSpace,
  { reporter, header }: VariableContext,
): { managed: boolean; unified: readonly [bigint, bigint] | undefined } {
  let managed = false;
  let unified: readonly [bigint, bigint] | undefined;
  for (let i = 0; i < attributes.length; i++) {
    const attribute = attributes[i]!;
    requireFeature(".attribute", attribute, header, reporter);
    requireFeature(`.${attribute.name}`, attribute, header, reporter);
    if (attribute.name === "managed" && space === "global") managed = true;
    else if (attribute.name === "unified" && space === "global" && attribute.arguments.length === 2) {
      unified = [attribute.arguments[0]!, attribute.arguments[1]!];
    } else if (attribute.name === "unified" && space === "global")
      reporter.report("attribute", attribute, ".unified takes two numbers");
    else reporter.report("attribute", attribute, `'${name}' in .${space} cannot be .${attribute.name}`);
  }
  return { managed, unified };
}
