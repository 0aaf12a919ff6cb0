// The checker: syntax tree in, CheckedModule out, in one walk over the module's items in their order (PTX wants names
// declared before use). Each kind of fault is reported where it stands; what follows from a fault is not reported again.

import type { DiagnosticSink } from "../diag/sink.js";
import { emptyCode, type Prototype } from "../isa/code.js";
import type {
  AliasDirective,
  Attribute,
  Declarator,
  FunctionDeclaration,
  Module,
  ModuleItem,
  Name,
  SectionDirective,
  VariableDeclaration,
} from "../ptx/tree.js";
import type { FunctionContext } from "./builder.js";
import { checkBody } from "./function.js";
import { checkHeader, type Header } from "./header.js";
import { foldInitializer } from "./initializer.js";
import { layoutOf, requireComplete } from "./layout.js";
import { checkConstantBank, checkDirectives, checkParameterBytes } from "./limits.js";
import type { CheckedModule, FunctionSymbol, Linkage, ModuleSymbol, VariableSpace } from "./module.js";
import { checkParameters, checkReturns } from "./parameters.js";
import { createReporter, type Reporter } from "./reporter.js";
import { requireFeature } from "./require.js";
import { createSymbolTable, type SymbolTable } from "./symbols.js";

export interface CheckOptions {
  /** Largest initialised variable, bytes; 256 MiB unless given. */
  readonly maxImageBytes?: number;
}

const defaultMaxImageBytes = 256 * 2 ** 20;

interface Context {
  readonly header: Header;
  readonly reporter: Reporter;
  readonly table: SymbolTable;
  readonly maxImageBytes: number;
  /** Functions declared without a body: their symbols, with the first such declaration. */
  readonly declaredOnly: Map<number, Name>;
  /** Function-scope statics so far, by name: the n of `$__name__n`. */
  readonly staticCounts: Map<string, number>;
  initialisedBytes: number;
}

/** Checks a module. The result is whole only when the sink's error count did not grow. */
export function checkModule(module: Module, sink: DiagnosticSink, options: CheckOptions = {}): CheckedModule {
  const reporter = createReporter(module.source, sink);
  const header = checkHeader(module, reporter);
  const context: Context = {
    header,
    reporter,
    table: createSymbolTable(reporter, module.incomplete === true),
    maxImageBytes: options.maxImageBytes ?? defaultMaxImageBytes,
    declaredOnly: new Map(),
    staticCounts: new Map(),
    initialisedBytes: 0,
  };
  const files: { index: number; path: string }[] = [];
  const debugSections: SectionDirective[] = [];

  for (const item of module.items) checkItem(item, context, files, debugSections);
  const target = module.items.find((item) => item.kind === "target");
  if (target !== undefined && debugSections.length === 0 && header.targetOptions.includes("debug")) {
    reporter.report("unsupported-target", target, "the target says 'debug', and the module has no debug information");
  }

  for (const [index, name] of context.declaredOnly) {
    const symbol = context.table.symbols[index]!;
    if (
      symbol.kind !== "function" ||
      symbol.linkage === "extern" ||
      symbol.code !== undefined ||
      symbol.alias !== undefined
    )
      continue;
    reporter.report("undefined-function", name, `'${symbol.name}' is declared but not defined in this module`, {
      remedy: "declare it .extern when another module defines it",
    });
  }
  checkConstantBank(context.table.symbols, reporter);
  return {
    name: module.source.name,
    version: header.version,
    target: header.target,
    targetOptions: header.targetOptions,
    symbols: context.table.symbols,
    files,
    debugSections,
  };
}

function checkItem(
  item: ModuleItem,
  context: Context,
  files: { index: number; path: string }[],
  debugSections: SectionDirective[],
): void {
  switch (item.kind) {
    case "variable":
      checkVariables(item, context, undefined);
      return;
    case "function":
      checkFunction(item, context);
      return;
    case "alias":
      checkAlias(item, context);
      return;
    case "file":
      files.push({ index: item.index, path: item.path });
      return;
    case "section":
      debugSections.push(item);
      return;
    case "version":
    case "target":
    case "address-size":
    case "location":
      return;
    case "pragma":
      requireFeature(".pragma", item, context.header, context.reporter);
      return;
  }
}

// ------------------------------------------------------------------------------------------------------------ variables

/** Declares the variables of one declaration; `scope` is the function they stand in. Names with their symbols. */
function checkVariables(
  declaration: VariableDeclaration,
  context: Context,
  scope: string | undefined,
): readonly (readonly [Name, number])[] {
  const { table } = context;
  const { space } = declaration.type;
  const declared = declarationFits(declaration, space, context)
    ? declaration.declarators.flatMap((declarator) => {
        const index = checkVariable(declaration, declarator, space, context, scope);
        return index === undefined ? [] : [[declarator.name, index] as const];
      })
    : [];
  if (scope === undefined) {
    const sound = new Set(declared.map(([name]) => name));
    for (const { name } of declaration.declarators) if (!sound.has(name)) table.declareFaulty(name.text);
  }
  return declared;
}

/** Whether the space can have variables here, with that linkage. */
function declarationFits(
  declaration: VariableDeclaration,
  space: string,
  { reporter, header }: Context,
): space is VariableSpace {
  if (space !== "global" && space !== "const" && space !== "shared") {
    reporter.report("variable-space", declaration.type, `a .${space} variable cannot be declared at module scope`, {
      remedy: "declare it inside a function",
    });
    return false;
  }
  if (declaration.type.bank !== undefined) {
    reporter.report("variable-space", declaration.type, "explicit constant banks ended with PTX ISA 2.2", {
      remedy: "write .const alone",
    });
    return false;
  }
  if (declaration.linkage === "common" && space !== "global") {
    reporter.report("linkage", declaration, `.common is for .global variables, not .${space} ones`);
    return false;
  }
  requireFeature(`.${declaration.linkage}`, declaration, header, reporter);
  return true;
}

function checkVariable(
  declaration: VariableDeclaration,
  declarator: Declarator,
  space: VariableSpace,
  context: Context,
  scope: string | undefined,
): number | undefined {
  const { reporter, table } = context;
  let layout = layoutOf(declaration.type, declarator, context.header, reporter);
  if (layout === undefined) return undefined;
  const linkage: Linkage = declaration.linkage ?? "static";
  const name = scope === undefined ? declarator.name.text : staticName(declarator.name.text, context);
  const declared = { name, linkage, place: reporter.place(declarator.name) };

  if (layout.type.class === "opaque") {
    if (space !== "global") {
      reporter.report("variable-space", declaration.type, `.${layout.type.name} variables are declared in .global`);
      return undefined;
    }
    if (layout.type.name === "samplerref" && !context.header.targetOptions.includes("texmode_independent")) {
      reporter.report("variable-space", declaration.type, ".samplerref needs independent texturing", {
        remedy: "write .target " + context.header.target.name + ", texmode_independent",
      });
      return undefined;
    }
    const type = layout.type.name as "texref" | "samplerref" | "surfref";
    return table.declare({ ...declared, kind: "reference", type, layout }, declarator.name);
  }
  if (layout.type.class === "predicate") {
    reporter.report("variable-space", declarator, "predicates live in registers only");
    return undefined;
  }

  const { initializer } = declarator;
  let initial;
  if (initializer !== undefined) {
    if (linkage === "extern" || space === "shared") {
      const why =
        linkage === "extern"
          ? "an .extern variable is initialised where it is defined"
          : "a .shared variable has no initial value";
      reporter.report("initializer-space", initializer, why);
      return undefined;
    }
    const folded = foldInitializer(
      layout,
      initializer,
      table,
      context.header,
      reporter,
      context.maxImageBytes - context.initialisedBytes,
    );
    if (folded === undefined) {
      // The name exists all the same: uses of it are not faults of their own.
      return table.declare({ ...declared, kind: "variable", space, layout, managed: false }, declarator.name);
    }
    ({ layout, initial } = folded);
    context.initialisedBytes += layout.size;
  }
  const open = linkage === "extern" || (space === "shared" && scope !== undefined && declaration.linkage === "extern");
  if (!open && !requireComplete(layout, declarator, declarator.name, reporter)) return undefined;

  const attributes = checkAttributes(declaration.type.attributes, name, space, context);
  const symbol: ModuleSymbol = {
    ...declared,
    kind: "variable",
    space,
    layout,
    managed: attributes.managed,
    ...(attributes.unified === undefined ? {} : { unified: attributes.unified }),
    ...(scope === undefined ? {} : { scope }),
    ...(initial === undefined ? {} : { initial }),
  };
  const count =
    declarator.count === undefined ? undefined : Number(declarator.count > 65536n ? 65536n : declarator.count);
  if (count === undefined) return table.declare(symbol, declarator.name);
  const indices = Array.from({ length: count }, (_, i) =>
    table.declare({ ...symbol, name: `${name}${i}` }, declarator.name),
  );
  return indices[0];
}

/** ptxas names a variable x of a function body `$__x__n`, n counting those of the same name from 0. */
function staticName(name: string, context: Context): string {
  const n = context.staticCounts.get(name) ?? 0;
  context.staticCounts.set(name, n + 1);
  return `$__${name}__${n}`;
}

function checkAttributes(
  attributes: readonly Attribute[],
  name: string,
  space: VariableSpace,
  { reporter, header }: Context,
): { managed: boolean; unified: readonly [bigint, bigint] | undefined } {
  let managed = false;
  let unified: readonly [bigint, bigint] | undefined;
  for (const attribute of attributes) {
    requireFeature(".attribute", attribute, header, reporter);
    requireFeature(`.${attribute.name}`, attribute, header, reporter);
    if (attribute.name === "managed" && space === "global") managed = true;
    else if (attribute.name === "unified" && attribute.arguments.length === 2) {
      unified = [attribute.arguments[0]!, attribute.arguments[1]!];
    } else if (attribute.name === "unified") reporter.report("attribute", attribute, ".unified takes two numbers");
    else reporter.report("attribute", attribute, `'${name}' in .${space} cannot be .${attribute.name}`);
  }
  return { managed, unified };
}

// ------------------------------------------------------------------------------------------------------------ functions

function checkFunction(declaration: FunctionDeclaration, context: Context): void {
  const { reporter, table, header } = context;
  const list = { platform: header, reporter };
  const owner = declaration.entry ? "kernel" : declaration.body === undefined ? "declaration" : "function";
  const prototype: Prototype = {
    returns: checkReturns(declaration.returns, owner, list),
    parameters: checkParameters(declaration.parameters, owner, list),
    noreturn: declaration.directives.some((directive) => directive.name === "noreturn"),
  };
  const whole =
    prototype.returns.length === declaration.returns.length &&
    prototype.parameters.length === declaration.parameters.length;
  if (declaration.linkage === "common") {
    reporter.report("linkage", declaration, "a function cannot be .common");
    return;
  }
  if (declaration.linkage === "extern" && declaration.body !== undefined) {
    reporter.report("linkage", declaration.name, `'${declaration.name.text}' is .extern and has a body`, {
      remedy: "leave .extern out where the function is defined",
    });
    return;
  }
  checkDirectives(declaration.directives, declaration.entry, header, reporter);
  for (const attribute of declaration.attributes) requireFeature(`.${attribute.name}`, attribute, header, reporter);
  requireFeature(`.${declaration.linkage}`, declaration, header, reporter);
  const { text } = declaration.name;
  const unified = declaration.attributes.find((attribute) => attribute.name === "unified")?.arguments;
  const symbol: FunctionSymbol = {
    kind: "function",
    name: text,
    linkage: declaration.linkage ?? "static",
    place: reporter.place(declaration.name),
    entry: declaration.entry,
    prototype,
    directives: declaration.directives.map(({ name, values, strings }) => ({
      name,
      values: values.map(Number),
      strings,
    })),
    ...(unified?.length === 2 ? { unified: [unified[0]!, unified[1]!] as const } : {}),
  };
  if (declaration.entry) checkParameterBytes(symbol, header.version, declaration.name, reporter);
  // A function may call itself, so its name is declared before its body is checked; `code` marks it as defined.
  const body = declaration.body;
  const index = table.declare(body === undefined ? symbol : { ...symbol, code: emptyCode }, declaration.name);
  if (index !== undefined && body === undefined && !context.declaredOnly.has(index))
    context.declaredOnly.set(index, declaration.name);
  if (!whole) table.declareFaulty(text);
  if (index === undefined || body === undefined || !whole) return;
  const functionContext: FunctionContext = {
    header,
    module: table,
    reporter,
    declareFunction: (nested) => checkFunction(nested, context),
    declareStatic: (variables, scope) => checkVariables(variables, context, scope),
  };
  const code = checkBody(declaration, prototype, body, functionContext);
  table.complete(index, { ...symbol, code });
}

/** `.alias a, b`: a is declared without a body above, b is defined above; their prototypes agree. Section 11.? .alias. */
function checkAlias(item: AliasDirective, { header, reporter, table }: Context): void {
  requireFeature(".alias", item, header, reporter);
  const alias = table.find(item.alias.text);
  const aliasee = table.find(item.aliasee.text);
  for (const [name, found] of [
    [item.alias, alias],
    [item.aliasee, aliasee],
  ] as const) {
    if (found === undefined) reporter.report("unknown-name", name, `'${name.text}' is not declared`);
    else if (found.symbol.kind !== "function" || found.symbol.entry) {
      reporter.report("alias", name, `'${name.text}' is not a device function`);
      return;
    }
  }
  if (alias?.symbol.kind !== "function" || aliasee?.symbol.kind !== "function") return;
  if (alias.symbol.code !== undefined)
    reporter.report("alias", item.alias, `'${item.alias.text}' has a body of its own`);
  else if (aliasee.symbol.code === undefined)
    reporter.report("alias", item.aliasee, `'${item.aliasee.text}' is not defined in this module`);
  else table.complete(alias.index, { ...alias.symbol, alias: aliasee.index });
}
