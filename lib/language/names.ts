// Resolves the names of a document: a walk over its tree that finds the declaration of each name. Scopes are PTX's (ISA sections
// 4.4, 5.4, 7.1). A block sees earlier declarations in it and in the blocks around it; labels are visible in all of their block.
// The checker's own resolution stops at errors; this one continues in unfinished text.

import { familyPrefix } from "../check/scope.js";
import { specialRegister } from "../isa/special-registers.table.js";
import type {
  BlockStatement,
  Declarator,
  Initializer,
  Instruction,
  Linkage,
  Name,
  Operand,
  Parameter,
  PrototypeDeclaration,
  TargetList,
  VariableDeclaration,
  DeclarationType,
} from "../ptx/tree.js";
import type { AnyFunction, Item, LanguageDocument } from "./document.js";

export type SymbolKind =
  | "kernel"
  | "function"
  | "variable"
  | "parameter"
  | "register"
  | "label"
  | "prototype"
  | "targets"
  | "special register";

/** One declaration of a symbol: its name and its syntax. */
export interface Declaration {
  readonly name: Name;
  readonly isDefinition: boolean;
  readonly syntax:
    | { readonly kind: "variable"; readonly type: DeclarationType; readonly declarator: Declarator; readonly linkage?: Linkage } // prettier-ignore
    | { readonly kind: "parameter"; readonly parameter: Parameter; readonly among: readonly Parameter[] }
    | { readonly kind: "function"; readonly declaration: AnyFunction }
    | { readonly kind: "label" }
    | PrototypeDeclaration
    | TargetList;
}

export interface NamedSymbol {
  readonly text: string;
  readonly kind: SymbolKind;
  /** Several if a module declares a name before its definition; none for a special register. */
  readonly declarations: readonly Declaration[];
  /** The function to which the symbol is local; undefined at module scope. */
  readonly owner: AnyFunction | undefined;
  /** For a symbol at module scope: the strongest linkage of its declarations. */
  readonly linkage?: Linkage;
  /** The number of names that `%r<100>` declares. */
  readonly count?: bigint;
  /** For a member such as `%r7`: the symbol `%r`, which has a count. */
  readonly family?: NamedSymbol;
}

export type Role = "declaration" | "reference";

/** `implied`: the text does not spell the name, as in `.branchtargets L<3>`. */
export type Visit = (name: Name, symbol: NamedSymbol | undefined, role: Role, implied: boolean) => void;

export interface Scope {
  readonly parent: Scope | undefined;
  readonly names: Map<string, NamedSymbol>;
}

/** Whether two symbols of one document are the same. */
export function isSame(a: NamedSymbol, b: NamedSymbol): boolean {
  return a.text === b.text && a.declarations[0]?.name.start === b.declarations[0]?.name.start;
}

// --------------------------------------------------------------------------------------------------------- module scope

/** The symbols at module scope, in order of first declaration. */
export function moduleSymbols(document: LanguageDocument): ReadonlyMap<string, NamedSymbol> {
  const known = symbolsOf.get(document);
  if (known !== undefined) return known;
  const symbols = new Map<string, NamedSymbol>();
  for (const item of document.items()) declareItem(item, symbols);
  symbolsOf.set(document, symbols);
  return symbols;
}

const symbolsOf = new WeakMap<LanguageDocument, ReadonlyMap<string, NamedSymbol>>();

function declareItem(item: Item, symbols: Map<string, NamedSymbol>): void {
  if (item.kind === "variable") {
    for (const declarator of item.declarators) addModuleSymbol(variableSymbol(item, declarator, undefined), symbols);
  } else if (item.kind === "function") {
    const { name, linkage, entry, body } = item;
    addModuleSymbol(
      {
        text: name.text,
        kind: entry ? "kernel" : "function",
        declarations: [{ name, isDefinition: body !== undefined, syntax: { kind: "function", declaration: item } }],
        owner: undefined,
        ...(linkage === undefined ? {} : { linkage }),
      },
      symbols,
    );
  }
}

function addModuleSymbol(symbol: NamedSymbol, symbols: Map<string, NamedSymbol>): void {
  const before = symbols.get(symbol.text);
  if (before === undefined) {
    symbols.set(symbol.text, symbol);
    return;
  }
  // The definition's linkage takes precedence over a declaration's .extern.
  const linkage = before.linkage === undefined || before.linkage === "extern" ? symbol.linkage : before.linkage;
  symbols.set(symbol.text, {
    ...before,
    declarations: [...before.declarations, ...symbol.declarations],
    ...((linkage ?? before.linkage) === undefined ? {} : { linkage: (linkage ?? before.linkage)! }),
  });
}

function variableSymbol(
  { type, linkage }: VariableDeclaration,
  declarator: Declarator,
  owner: AnyFunction | undefined,
): NamedSymbol {
  const { name, count } = declarator;
  const syntax = { kind: "variable" as const, type, declarator, ...(linkage === undefined ? {} : { linkage }) };
  return {
    text: name.text,
    kind: type.space === "reg" ? "register" : type.space === "param" ? "parameter" : "variable",
    declarations: [{ name, isDefinition: linkage !== "extern", syntax }],
    owner,
    ...(linkage === undefined ? {} : { linkage }),
    ...(count === undefined ? {} : { count }),
  };
}

// ----------------------------------------------------------------------------------------------------------------- walk

/** Visits every name of a document, roughly in text order. `wanted` decides whether a function's body is visited. */
export function visitNames(
  document: LanguageDocument,
  visit: Visit,
  wanted: (declaration: AnyFunction) => boolean = () => true,
): void {
  const module: Scope = { parent: undefined, names: new Map(moduleSymbols(document)) };
  for (const item of document.items()) {
    if (item.kind === "variable") {
      for (const { name, initializer } of item.declarators) {
        visit(name, module.names.get(name.text), "declaration", false);
        if (initializer !== undefined) visitInitializer(initializer, module, visit);
      }
    } else if (item.kind === "alias") {
      for (const name of [item.alias, item.aliasee]) visit(name, module.names.get(name.text), "reference", false);
    } else if (item.kind === "function") {
      visit(item.name, module.names.get(item.name.text), "declaration", false);
      if (wanted(item)) visitFunction(document, item, module, visit);
    }
  }
}

function visitFunction(document: LanguageDocument, declaration: AnyFunction, module: Scope, visit: Visit): void {
  const scope: Scope = { parent: module, names: new Map() };
  for (const among of [declaration.returns, declaration.parameters]) {
    for (const parameter of among) {
      const { name } = parameter.declarator;
      if (name.text === "_") continue;
      const isRegister = parameter.type.space === "reg";
      declare(
        {
          text: name.text,
          kind: isRegister ? "register" : "parameter",
          declarations: [{ name, isDefinition: true, syntax: { kind: "parameter", parameter, among } }],
          owner: declaration,
        },
        name,
        scope,
        visit,
      );
    }
  }
  const body = document.bodyOf(declaration);
  if (body !== undefined) visitBlock(body, { scope, visit, owner: declaration });
}

function declare(symbol: NamedSymbol, name: Name, scope: Scope, visit: Visit): void {
  scope.names.set(symbol.text, symbol);
  visit(name, symbol, "declaration", false);
}

interface Walk {
  readonly scope: Scope;
  readonly visit: Visit;
  readonly owner: AnyFunction;
}

function visitBlock(block: BlockStatement, outer: Walk): void {
  const scope: Scope = { parent: outer.scope, names: new Map() };
  const walk = { ...outer, scope };
  for (const statement of block.statements) {
    switch (statement.kind) {
      case "label":
      case "prototype":
      case "branch-targets":
      case "call-targets":
        if (!scope.names.has(statement.name.text)) scope.names.set(statement.name.text, labelSymbol(statement, outer));
        break;
      default:
    }
  }
  for (const statement of block.statements) {
    switch (statement.kind) {
      case "block":
        visitBlock(statement, walk);
        break;
      case "variable":
        for (const declarator of statement.declarators) {
          declare(variableSymbol(statement, declarator, walk.owner), declarator.name, scope, walk.visit);
          if (declarator.initializer !== undefined) visitInitializer(declarator.initializer, scope, walk.visit);
        }
        break;
      case "instruction":
        visitInstruction(statement, walk);
        break;
      case "function":
        visitName(statement.name, walk, "declaration");
        break;
      case "label":
      case "prototype":
        visitName(statement.name, walk, "declaration");
        break;
      case "branch-targets":
      case "call-targets":
        visitName(statement.name, walk, "declaration");
        for (const target of statement.targets) visitName(target, walk);
        break;
      case "location":
      case "pragma":
      case "target":
    }
  }
}

type Labelled = { readonly kind: "label"; readonly name: Name } | PrototypeDeclaration | TargetList;

function labelSymbol(statement: Labelled, { owner }: Walk): NamedSymbol {
  const { name, kind } = statement;
  return {
    text: name.text,
    kind: kind === "label" || kind === "prototype" ? kind : "targets",
    declarations: [{ name, isDefinition: true, syntax: kind === "label" ? { kind } : statement }],
    owner,
  };
}

function visitName(name: Name, { scope, visit }: Walk, role: Role = "reference"): void {
  visit(name, lookUp(scope, name.text), role, name.end - name.start !== name.text.length);
}

function visitInstruction({ guard, operands }: Instruction, walk: Walk): void {
  if (guard !== undefined) visitName(guard.name, walk);
  for (const operand of operands) visitOperand(operand, walk);
}

function visitOperand(operand: Operand, walk: Walk): void {
  switch (operand.kind) {
    case "name":
      return visitName(operand.name, walk);
    case "vector":
    case "list":
      for (const element of operand.elements) visitOperand(element, walk);
      return;
    case "address":
      visitOperand(operand.base, walk);
      for (const item of operand.rest) visitOperand(item, walk);
      return;
    case "pair":
      visitOperand(operand.first, walk);
      return visitOperand(operand.second, walk);
    case "negate":
    case "not":
      return visitOperand(operand.operand, walk);
    case "element":
      visitName(operand.array, walk);
      return visitOperand(operand.index, walk);
    case "constant":
    case "sink":
  }
}

function visitInitializer(initializer: Initializer, scope: Scope, visit: Visit): void {
  switch (initializer.kind) {
    case "list":
      for (const element of initializer.elements) visitInitializer(element, scope, visit);
      return;
    case "mask":
      return visitInitializer(initializer.value, scope, visit);
    case "address":
      visit(initializer.name, lookUp(scope, initializer.name.text), "reference", false);
      return;
    case "constant":
    case "field":
  }
}

/** Finds the symbol of a name in a scope and the scopes around it. */
export function lookUp(scope: Scope, text: string): NamedSymbol | undefined {
  const prefix = familyPrefix(text);
  for (let one: Scope | undefined = scope; one !== undefined; one = one.parent) {
    const own = one.names.get(text);
    if (own !== undefined && own.count === undefined) return own;
    const family = prefix === text ? undefined : one.names.get(prefix);
    if (family?.count !== undefined && BigInt(text.slice(prefix.length)) < family.count) return memberOf(family, text);
  }
  return specialRegister(text) === undefined
    ? undefined
    : { text, kind: "special register", declarations: [], owner: undefined };
}

function memberOf(family: NamedSymbol, text: string): NamedSymbol {
  const { kind, declarations, owner } = family;
  return { text, kind, declarations, owner, family };
}
