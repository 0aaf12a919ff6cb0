// The checker: turns a syntax tree into a CheckedModule in one walk over the module's items in order (PTX requires names to be
// declared before use). Each error is reported at its place; its consequences are not reported.
//
// For text, it parses one body at a time and drops it after checking. That takes a tenth of a whole tree's memory and half the
// time (the tree's nodes die young). After a syntax error it starts again with the whole tree, so that syntax errors are reported
// first and the names that they hide are known.

import { InternalError } from "../base/assert.js";
import { createSink, type DiagnosticSink } from "../diag/sink.js";
import { emptyCode, type Code, type Parameter, type Prototype } from "../isa/code.js";
import { ptxOf } from "../nvvm/front.js";
import type { NvvmOptions } from "../nvvm/options.js";
import type { InstructionReader, OutlineReader } from "../ptx/outline.js";
import { openModule, parseModule } from "../ptx/parse.js";
import type { Source } from "../ptx/source-text.js";
import { originPlace } from "../ptx/source.js";
import type {
  AliasDirective,
  AnyInstruction,
  BlockStatement,
  FunctionDeclaration,
  Module,
  ModuleItem,
  Name,
  Outline,
  SectionDirective,
  UnreadBody,
} from "../ptx/tree.js";
import type { FunctionContext } from "./builder.js";
import { checkBody } from "./function.js";
import { functionSymbol, hasPossibleLinkage } from "./function-symbol.js";
import { otherSize, type AddressSize } from "./address-size.js";
import { checkHeader, statedSize, type Header } from "./header.js";
import { checkConstantBank, checkParameterBytes, withinFunctionLimit } from "./limits.js";
import { nameCacheOf, type CrossModuleCache } from "./cross-module-cache.js";
import type { CheckedModule, FunctionSymbol, ModuleSymbol } from "./module.js";
import { checkPrototype } from "./parameters.js";
import { checkPragma } from "./pragma.js";
import { matchCacheOf } from "./match-cache.js";
import { createReporter, type Reporter } from "./reporter.js";
import { requireFeature } from "./require.js";
import { checkSectionData } from "./section-data.js";
import { createSignature } from "./signature.js";
import { createSymbolTable, functionDifference } from "./symbols.js";
import { checkVariables, type VariableContext } from "./variables.js";
import { checkDeclared } from "./declared.js";
import { noteOrder, orderOf } from "./static-order.js";
import { checkWholeProgram, noteCode, usedFunctions } from "./whole-program.js";

/** Checks besides the rules of PTX. */
export interface CheckOptions {
  /** Largest initialised variable in bytes; 256 MiB by default. */
  readonly maxImageBytes?: number;
  /**
   * Receives each function's code as soon as it is checked; the module then has `emptyCode` in its place. Callers that encode the
   * code or want only diagnostics need not keep all code at once. Code is five times the text, and long-lived objects cost the
   * garbage collector more than checking takes. If a body has a syntax error, checking restarts, and the last call for a symbol
   * counts.
   */
  readonly onCode?: OnCode;
  /** A `.version` newer than all known ones is read as the newest known one, with a warning instead of an error. */
  readonly assumeVersion?: boolean;
  /** How NVVM IR is compiled; a function is called only if a text is NVVM IR. */
  readonly nvvm?: NvvmOptions | (() => NvvmOptions);
  /** Called when a module is checked again from its start: earlier calls of `onCode` for it are void. */
  readonly onRestart?: () => void;
  /** Memory that is reused if many modules are checked one after the other. */
  readonly memory?: CrossModuleCache;
}

/** `symbol` indexes `symbols`, which holds the module's symbols declared so far. */
export type OnCode = (symbol: number, code: Code, symbols: readonly ModuleSymbol[]) => void;

const defaultMaxImageBytes = 256 * 2 ** 20;

type AnyBody = BlockStatement | UnreadBody;
type AnyBlock = BlockStatement<AnyInstruction>;

interface Context extends VariableContext, Omit<FunctionContext, "moduleRegisters"> {
  /** Returns the statements of a body; undefined if it has a syntax error. */
  readonly read: (body: AnyBody) => AnyBlock | undefined;
  readonly onCode: OnCode | undefined;
  /** Functions declared without a body: their symbols, with the first such declaration. */
  readonly declaredOnly: Map<number, Name>;
  /** Functions that code refers to; undefined if they need not be known. */
  readonly used: Set<number> | undefined;
  /** For each body whose inner blocks declare .global and .const variables: their symbols in ptxas's order. */
  readonly reordered: (readonly number[])[];
}

/** Checks a module's text, PTX or NVVM IR. The result is complete only if the sink's error count did not grow. */
export const checkSource = (source: Source, sink: DiagnosticSink, options: CheckOptions = {}): CheckedModule =>
  checkText(ptxOf(source, options.nvvm, sink), sink, options, undefined);

/** `size` is the address size, if a first pass has found it and the text does not declare it. */
function checkText(
  source: Source,
  sink: DiagnosticSink,
  options: CheckOptions,
  size: AddressSize | undefined,
): CheckedModule {
  const reader = openModule(source, options.memory);
  if (reader === undefined) return checkModule(parseModule(source, sink), sink, options);
  const found = createSink();
  const read = (body: AnyBody): AnyBlock | undefined => (body.kind === "block" ? body : reader.scanBody(body));
  const checked = checkOutline(reader.outline, read, reader, found, options, size);
  if (checked === undefined) return checkModule(parseModule(source, sink), sink, options);
  if (checked === "narrow") {
    options.onRestart?.();
    return checkText(source, sink, options, 32);
  }
  forward(found, sink);
  return checked;
}

/** Checks a module's tree. The result is complete only if the sink's error count did not grow. */
export function checkModule(module: Module, sink: DiagnosticSink, options: CheckOptions = {}): CheckedModule {
  const read = (body: AnyBody): BlockStatement | undefined => (body.kind === "block" ? body : undefined);
  const check = (into: DiagnosticSink, size?: AddressSize): CheckedModule | "narrow" => {
    const checked = checkOutline(module, read, undefined, into, options, size);
    if (checked === undefined) throw new InternalError("a whole tree has an unread body");
    return checked;
  };
  const found = statedSize(module) === undefined ? createSink() : sink;
  const checked = check(found);
  if (checked === "narrow") {
    options.onRestart?.();
    return check(sink, 32) as CheckedModule;
  }
  if (found !== sink) forward(found, sink);
  return checked;
}

function forward(found: DiagnosticSink, sink: DiagnosticSink): void {
  for (const { code, message, place, ...details } of found.all) sink.report(code, message, place, details);
}

/**
 * Checks declarations, and bodies as they occur. Returns undefined if one cannot be read, and "narrow" if the module must be
 * checked again with 32-bit addresses.
 */
function checkOutline(
  module: Outline,
  read: Context["read"],
  reader: Pick<OutlineReader, "instructions" | "forget"> | undefined,
  sink: DiagnosticSink,
  options: CheckOptions,
  size: AddressSize | undefined,
): CheckedModule | "narrow" | undefined {
  const reporter = createReporter(module.source, sink);
  const header = checkHeader(module, reporter, options.assumeVersion, size);
  const context = createContext(module, header, reporter, read, reader?.instructions, options);
  const { symbols } = context.module;
  const files: Files = new Map();
  const debugSections: SectionDirective[] = [];

  const items = withinFunctionLimit(module.items, reporter);
  // Only the whole tree contains the syntax errors of items beyond the limit.
  if (items !== module.items && module.items.some(isUnread)) return undefined;
  if (!checkItems(items, context, files, debugSections, reader?.forget)) return undefined;
  if (header.addresses.narrowUses > 0) return "narrow";
  const lacksSections = debugSections.length === 0 && header.targetOptions.includes("debug");
  const directive = lacksSections ? module.items.find((item) => item.kind === "target") : undefined;
  if (directive !== undefined)
    reporter.report("unsupported-target", directive, ".target has 'debug', but the module has no debug information");

  checkDeclared(symbols, context.declaredOnly, reporter);
  checkWholeProgram(symbols, context.declaredOnly, context.used, header, reporter);
  checkConstantBank(symbols, reporter);
  const { version, target, targetOptions, targetLine } = header;
  const { name } = module.source;
  const listed = Array.from(files.values());
  const head = { name, version, target, targetOptions, targetLine, ...otherSize(header.addresses) };
  const { origin } = module.source;
  const aliases = origin?.aliases?.map((alias) => ({ ...alias, place: originPlace(origin, alias) }));
  const checked = { ...head, symbols, files: listed, debugSections, ...(aliases && { aliases }) };
  return context.reordered.length === 0 ? checked : { ...checked, order: orderOf(symbols.length, context.reordered) };
}

function createContext(
  module: Outline,
  header: Header,
  reporter: Reporter,
  read: Context["read"],
  reader: InstructionReader | undefined,
  { maxImageBytes = defaultMaxImageBytes, onCode, memory }: CheckOptions,
): Context {
  const matchCache = matchCacheOf(header);
  const nameCache = nameCacheOf(reader && memory, reader?.names, matchCache);
  const context: Context = {
    header,
    reporter,
    read,
    unparsed: reader && { reader, tries: nameCache.tries, failed: false },
    module: createSymbolTable(reporter, module.incomplete === true, nameCache.registerNames, module.items),
    matchCache,
    signature: memory?.signature ?? createSignature(),
    maxImageBytes,
    onCode,
    declaredOnly: new Map(),
    used: usedFunctions(header),
    staticCounts: new Map(),
    initialisedBytes: 0,
    moduleRegisters: [],
    reordered: [],
    orderStatics: (statics) => noteOrder(statics, context.reordered),
    declareFunction: (nested) => checkFunction(nested, undefined, context),
    declareStatic: (variables, scope) => checkVariables(variables, context, scope),
  };
  return context;
}

/** `.file` entries by their numbers. */
type Files = Map<number, CheckedModule["files"][number]>;

function isUnread(item: ModuleItem<AnyBody>): boolean {
  return item.kind === "function" && item.body?.kind === "unread";
}

/** False if a body could not be read. Nodes of checked functions and variables are released. */
function checkItems(
  items: Outline["items"],
  context: Context,
  files: Files,
  debugSections: SectionDirective[],
  forget: OutlineReader["forget"] | undefined,
): boolean {
  for (let i = 0; i < items.length; i++) {
    const { kind } = items[i]!;
    if (!checkItem(items[i]!, context, files, debugSections)) return false;
    if (kind === "function" || kind === "variable") forget?.(i);
  }
  return true;
}

function checkItem(
  item: ModuleItem<AnyBody>,
  context: Context,
  files: Files,
  debugSections: SectionDirective[],
): boolean {
  switch (item.kind) {
    case "variable":
      checkVariables(item, context, undefined);
      return true;
    case "function": {
      const body = item.body === undefined ? undefined : context.read(item.body);
      if (item.body !== undefined && body === undefined) return false;
      checkFunction(item, body, context);
      return context.unparsed?.failed !== true;
    }
    case "alias":
      checkAlias(item, context);
      return true;
    case "file":
      if (files.has(item.index)) {
        context.reporter.report(
          "location",
          item,
          `file number ${item.index} is already used by a .file directive above`,
        );
      }
      files.set(item.index, { index: item.index, path: item.path });
      return true;
    case "section":
      requireFeature(item.legacy === true ? "@@DWARF" : ".section", item, context.header, context.reporter);
      checkSectionData(item, context.header, context.reporter);
      debugSections.push(item);
      return true;
    case "version":
    case "target":
    case "address-size":
    case "location":
      return true;
    case "pragma":
      checkPragma(item, "module", context.header, context.reporter);
      return true;
  }
}

// ------------------------------------------------------------------------------------------------------------ functions

/** Checks a function whose body has been parsed, or a declaration without one. */
function checkFunction(declaration: FunctionDeclaration<unknown>, body: AnyBlock | undefined, context: Context): void {
  const { reporter, module, header, declaredOnly } = context;
  const owner = declaration.entry ? "kernel" : body === undefined ? "declaration" : "function";
  const prototype = checkPrototype(declaration, owner, context);
  const whole =
    prototype.returns.length === declaration.returns.length &&
    prototype.parameters.length === declaration.parameters.length;
  if (!hasPossibleLinkage(declaration, body !== undefined, reporter)) return;
  const symbol = functionSymbol(declaration, prototype, context);
  // A function may call itself, so that its name is declared before its body is checked; its code marks it as defined.
  const declared = body === undefined ? symbol : withCode(symbol, emptyCode, prototype);
  const index = module.declare(declared, declaration.name);
  if (index !== undefined && body === undefined && !declaredOnly.has(index)) declaredOnly.set(index, declaration.name);
  if (!whole) module.declareFaulty(symbol.name);
  // The conflict has been reported; the name must not be reported as undefined, too.
  if (index === undefined) declaredOnly.delete(module.find(symbol.name)?.index ?? -1);
  if (declaration.entry && body === undefined) checkParameterBytes(symbol, header, declaration.name, reporter);
  if (index !== undefined && body !== undefined && whole) define(index, symbol, declaration, body, context);
}

/** Checks the body of a declared function. */
function define(
  index: number,
  written: FunctionSymbol,
  declaration: FunctionDeclaration<unknown>,
  body: AnyBlock,
  context: Context,
): void {
  const { module, onCode } = context;
  // A prototype may have declared the linkage that the definition lacks.
  const { linkage } = module.symbols[index]!;
  const symbol = linkage === written.linkage ? written : { ...written, linkage };
  const code = checkBody(declaration, symbol.prototype, body, context);
  if (context.used !== undefined) noteCode(code, context.used);
  const kept = onCode === undefined ? code : emptyCode;
  const complete = withCode(symbol, kept, withBodyParameters(symbol.prototype, code));
  if (symbol.entry) checkParameterBytes(complete, context.header, declaration.name, context.reporter);
  onCode?.(index, code, module.symbols);
  module.complete(index, complete);
}

/** Creates the symbol in one object literal: a spread takes as long as the rest of a declaration. */
function withCode(symbol: FunctionSymbol, code: Code, prototype: Prototype): FunctionSymbol {
  const { kind, name, linkage, place, entry, directives, unified } = symbol;
  const defined = { kind, name, linkage, place, entry, prototype, directives, code };
  return unified === undefined ? defined : { ...defined, unified };
}

/** Before PTX 1.4 a kernel's parameters may be declared in its body; they belong to its signature, too. */
function withBodyParameters(prototype: Prototype, { variables }: Code): Prototype {
  let count = 0;
  for (let i = 0; i < variables.length; i++) if (variables[i]!.kind === "parameter") count++;
  if (count <= prototype.parameters.length) return prototype;
  const inBody = variables.filter(({ kind }) => kind === "parameter").slice(prototype.parameters.length);
  const parameters = inBody.map(({ name, layout }): Parameter => ({ name, space: "param", layout }));
  return { ...prototype, parameters: [...prototype.parameters, ...parameters] };
}

/** Checks `.alias a, b`: a is declared above without a body, b is defined above, and their prototypes agree. */
function checkAlias(item: AliasDirective, { header, reporter, module, declaredOnly }: Context): void {
  requireFeature(".alias", item, header, reporter);
  const alias = module.find(item.alias.text);
  const aliasee = module.find(item.aliasee.text);
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
  declaredOnly.delete(alias.index);
  const difference = functionDifference(alias.symbol, aliasee.symbol);
  if (alias.symbol.alias !== undefined)
    reporter.report("alias", item.alias, `'${item.alias.text}' is declared as an alias twice`);
  else if (difference !== undefined)
    reporter.report("alias", item, `'${item.alias.text}' and '${item.aliasee.text}' have ${difference}`);
  else if (aliasee.symbol.linkage === "weak")
    reporter.report(
      "alias",
      item.aliasee,
      `the alias refers to '${item.aliasee.text}', which is .weak: its definition is unknown before linking`,
    );
  else if (alias.symbol.code !== undefined)
    reporter.report("alias", item.alias, `the alias '${item.alias.text}' has a body, which is not allowed`);
  else if (aliasee.symbol.code === undefined)
    reporter.report("alias", item.aliasee, `'${item.aliasee.text}' is not defined in this module`);
  else module.complete(alias.index, { ...alias.symbol, alias: aliasee.index });
}
