// Prints an object or image as one PTX module that ptxas accepts and that has the same meaning. declaration-order.ts gives the
// order. Properties of an image that PTX cannot express are approximated: allocated commons are plain variables, and static
// symbols of several modules that share a name get a number. ../dwarf/debug-text.ts handles DWARF, and with it `debug` and
// inlined positions.

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import type { Result } from "../../../formats/bytes/result.js";
import { ok } from "../../../formats/bytes/result.js";
import type { Code, FrameVariable, Parameter } from "../../isa/code.js";
import { dialectOf, inDialect, type Dialect } from "../../isa/dialect.js";
import { versionText } from "../../isa/requirement.js";
import { withCalleesAlignment } from "../code/call-alignment.js";
import { planDeclarations, type Step } from "./declaration-order.js";
import type { DebugFunction, DebugFunctions } from "../dwarf/debug-names.js";
import { debugTextOf, NO_DEBUG_TEXT, type DebugText } from "../dwarf/debug-text.js";
import { addressSizeOf, type CodeSymbol, type ObjectFile, type ObjectSymbol, type VariableSymbol } from "../object.js";
import { withModuleRegisters, withNames, withUniqueNames } from "../code/local-names.js";
import { printBody, printFrame, printRegisters, printTables } from "./print-body.js";
import { codeNames } from "./print-code.js";
import { asPrinted } from "./old-platform.js";
import { printInitializer, printLayout, printParameter } from "./print-data.js";
import { declarationsOf, decodedCode, makeContext, type Context } from "./print-context.js";
import { checkAddend, checkAttributes, checkFunction, checkName, checkString } from "./printable.js";
import { printedOf, type PrintedObject } from "./printed.js";
import { printFields } from "../code/reference-fields.js";
import { slotFaults } from "../code/slot-fit.js";
import { slotText } from "../code/slot-names.js";
import type { StoredSlot } from "../code/slots.js";
import { strippedCode } from "../strip.js";

export interface DisassembleOptions {
  /** Names whose declarations are omitted if nothing refers to them. */
  readonly settled?: ReadonlySet<string>;
  /** Called if debug sections of several modules cannot be put into one text. */
  readonly onDebugDropped?: (dropped: DroppedDebug) => void;
}

export interface DroppedDebug {
  /** Whether all debug sections are dropped, or only some by which debuggers find the others. */
  readonly isAll: boolean;
  /** The reason, or a description of the dropped sections. */
  readonly why: string;
}

/** The text, or the error of a malformed function. */
export function disassemble(object: ObjectFile): Result<string> {
  const parts: string[] = [];
  const printing = disassembled(object);
  for (let next = printing.next(); ; next = printing.next()) {
    if (next.done === true) return next.value.ok ? ok(parts.join("")) : next.value;
    parts.push(next.value);
  }
}

/** A text in parts, each created on demand. Returns whether it is complete, or the error of a malformed function. */
export type Printing = Generator<string, Result<void>, undefined>;

/** The text in parts, one declaration or function at a time: code is decoded on demand, and not kept. */
const disassembled = (object: ObjectFile, options: DisassembleOptions = {}): Printing =>
  printed(printedOf(asPrinted(object)), options);

/** Prints an object prepared for printing. */
export function* printed(object: PrintedObject, options: DisassembleOptions = {}): Printing {
  const parts = partsOf(object, options);
  for (;;) {
    const next = decoding(() => parts.next());
    if (!next.ok) return next;
    if (next.value.done === true) return ok(undefined);
    yield next.value.value;
  }
}

function* partsOf(
  object: PrintedObject,
  { settled = new Set(), onDebugDropped = () => {} }: DisassembleOptions,
): Generator<string, void, undefined> {
  const plain = makeContext(object);
  const steps = planDeclarations(declarationsOf(plain, settled));
  const announced = new Set<number>();
  for (const { kind, symbol } of steps) if (kind === "announce") announced.add(symbol);
  const debug = debugTextIn(plain, steps);
  if (!debug.ok) onDebugDropped({ isAll: true, why: debug.error.what });
  else if (debug.value.omitted !== undefined) onDebugDropped({ isAll: false, why: debug.value.omitted });
  const context = { ...plain, announced, debug: debug.ok ? debug.value : NO_DEBUG_TEXT };
  yield linesText(printHead(context));
  for (const step of steps) yield linesText(printStep(context, step));
  for (const [alias, function_] of context.aliases)
    yield linesText([`.alias ${context.nameOf(alias)}, ${context.nameOf(function_)};`]);
  yield* context.debug.sections();
}

const linesText = (lines: readonly string[]): string => (lines.length === 0 ? "" : `${lines.join("\n")}\n`);

function debugTextIn(context: Context, steps: readonly Step[]): Result<DebugText> {
  const { object, files, nameOf, aliases } = context;
  const { modules, symbols, debugSections } = object;
  if (debugSections.length === 0) return ok(NO_DEBUG_TEXT);
  const declared = new Set(steps.map(({ symbol }) => symbol));
  return debugTextOf({
    modules,
    symbols,
    debugSections,
    files,
    nameOf,
    isDeclared: (symbol) => declared.has(symbol) || aliases.has(symbol),
    functions: () => debugFunctions(context),
  });
}

/**
 * Inside a decoder: the functions with their labels and variables. Code is not kept: that of all functions takes fifty times the
 * bytes of their names.
 */
function debugFunctions(context: Context): DebugFunctions {
  const { object, functions, scoped } = context;
  const others = new Set<string>();
  const all = functions.map((symbol): DebugFunction => {
    const { code } = decodedCode(context, symbol);
    for (const list of [code.registers, code.branchTargets, code.callTargets, code.prototypes])
      for (const { name } of list) others.add(name);
    const inside = (scoped.get(symbol) ?? []).map((variable) => plainName(object.symbols.at(variable)!.name));
    const frame = code.variables.flatMap(({ name, register }) => (register === undefined ? [name] : []));
    return { symbol, labels: code.labels.map(({ name }) => name), variables: [...inside, ...frame] };
  });
  return { all, others };
}

/** The defaults under which code of an older module was written, if they differ from those of the printed version and target. */
function dialectIn({ modules, symbols, version, target }: PrintedObject, symbol: number): Dialect | undefined {
  const module = modules[symbols.at(symbol)!.origin.module];
  const isOwn = module === undefined || (module.version === version && module.target.name === target.name);
  return isOwn ? undefined : dialectOf(module.version, module.target);
}

/** PTX ISA 9.0 section 11.1.3. */
const addressSizeSince = 23;

/** .address_size; omitted for older versions, and for modules that do not declare it. */
function addressSizeText({ modules, version }: PrintedObject): readonly string[] {
  const isSpecified = modules.length === 0 || modules.some(({ addressSize }) => addressSize !== "any");
  return isSpecified && version >= addressSizeSince ? [`.address_size ${addressSizeOf({ modules })}`] : [];
}

function printHead({ object, files, debug }: Context): readonly string[] {
  const all = new Set(object.modules.flatMap(({ targetOptions }) => targetOptions));
  if (!debug.hasSections) all.delete("debug");
  if (object.type === "relocatable") for (const { path } of files.all) checkString(path, "name of a file");
  return [
    `.version ${versionText(object.version)}`,
    `.target ${[object.target.name, ...all].join(", ")}`,
    ...addressSizeText(object),
    ...files.all.map(({ index, path }) => `.file ${index} "${path}"`),
  ];
}

/** Rejects invalid declarations of an object, which would make the text invalid. */
function checkSymbol(symbol: ObjectSymbol): void {
  checkName(symbol.name, 0);
  if (symbol.kind === "function") checkFunction(symbol);
  else if (symbol.kind === "variable") checkAttributes(symbol);
}

function printStep(context: Context, { kind, symbol: index }: Step): readonly string[] {
  const symbol = context.object.symbols.at(index)!;
  if (context.object.type === "relocatable") checkSymbol(symbol);
  switch (kind) {
    case "announce": {
      if (symbol.kind !== "variable") return [];
      const declarator = printLayout(symbol.layout, context.nameOf(index));
      return [`.extern .${symbol.space} ${attributeText(symbol)}${declarator};`];
    }
    case "declare":
      // PTX has no aliases for variables: references to one are printed as references to the variable itself.
      if (symbol.kind === "variable" && symbol.alias === true) return [];
      return [
        symbol.kind === "function" ? `${printFunctionHead(context, symbol, index)};` : printVariable(context, index),
      ];
    case "define":
      return printFunction(context, symbol as CodeSymbol, index);
  }
}

// ----------------------------------------------------------------------------------------------------------- variables

function linkageText(object: PrintedObject, symbol: ObjectSymbol): string {
  const isUndefined = symbol.placement.kind === "undefined" && symbol.kind === "variable";
  if (isUndefined) return ".extern ";
  if (symbol.linkage === "static") return "";
  if (symbol.linkage === "extern" || symbol.linkage === "common") {
    if (symbol.kind === "function" || object.type === "relocatable") return `.${symbol.linkage} `;
    return ".visible ";
  }
  return `.${symbol.linkage} `;
}

function attributeText(symbol: VariableSymbol | CodeSymbol): string {
  const managed = symbol.kind === "variable" && symbol.managed ? [".managed"] : [];
  const unified = symbol.unified === undefined ? [] : [`.unified(${symbol.unified.join(", ")})`];
  const all = [...managed, ...unified];
  return all.length === 0 ? "" : `.attribute(${all.join(", ")}) `;
}

function printVariable(context: Context, index: number, localName?: string): string {
  const { object, nameOf } = context;
  const symbol = object.symbols.at(index)!;
  const name = localName ?? nameOf(index);
  if (symbol.kind === "reference") {
    // Section 5.1.8: before PTX 1.5 a texture has a state space instead of a type.
    const type = object.version < 15 ? ".tex .u64" : `.global .${symbol.type}`;
    return `${linkageText(object, symbol)}${type} ${name}${printFields(symbol.fields)};`;
  }
  if (symbol.kind === "function") return "";
  const isForced = symbol.linkage === "static" && context.announced.has(index);
  const linkage = localName !== undefined ? "" : isForced ? ".visible " : linkageText(object, symbol);
  const initial = symbol.initialised ? initialText(context, symbol) : "";
  return `${linkage}.${symbol.space} ${attributeText(symbol)}${printLayout(symbol.layout, name)}${initial};`;
}

function initialText({ object, tableOf, nameOf }: Context, symbol: VariableSymbol): string {
  if (symbol.placement.kind !== "section") return "";
  const { section, offset } = symbol.placement;
  const { data } = object.sections.at(section)!;
  if (data === undefined) return "";
  const table = tableOf(section);
  const shifted = {
    get(at: number) {
      const found = table.get(at + offset);
      if (found !== undefined && object.type === "relocatable") checkAddend(found, object.symbols.at(found.symbol)!);
      return found;
    },
  };
  return printInitializer(symbol, {
    bytes: data.subarray(offset, offset + symbol.layout.size),
    relocations: shifted,
    symbols: object.symbols,
    nameOf,
  });
}

// ----------------------------------------------------------------------------------------------------------- functions

function printFunctionHead(context: Context, symbol: CodeSymbol, index: number, code?: Code): string {
  const { prototype, entry } = symbol;
  const formals = code?.variables.filter(({ kind }) => kind === "return" || kind === "parameter") ?? [];
  let next = 0;
  const printed = (list: readonly Parameter[]): string =>
    list
      .map((parameter, i) => {
        const formal: FrameVariable | undefined = formals[next++];
        const register = formal?.register === undefined ? undefined : code!.registers[formal.register];
        return printParameter(
          parameter,
          register?.name ?? formal?.name ?? (code === undefined ? parameter.name : `_${i}`),
        );
      })
      .join(", ");
  const returns = prototype.returns.length === 0 ? "" : `(${printed(prototype.returns)}) `;
  const parameters = declaresParametersInBody(context.object, symbol) ? "" : `(${printed(prototype.parameters)})`;
  const kind = entry ? ".entry" : ".func";
  return `${linkageText(context.object, symbol)}${kind} ${attributeText(symbol)}${returns}${context.nameOf(index)}${parameters}${prototype.noreturn ? " .noreturn" : ""}`;
}

/** Section 11.1.3: before PTX 1.4 a kernel has no list of parameters. */
const declaresParametersInBody = ({ version }: PrintedObject, { entry }: CodeSymbol): boolean => entry && version < 14;

function printDirective({ name, values, strings }: CodeSymbol["directives"][number]): string {
  if (name === "pragma") return `.pragma ${strings.map((text) => `"${text}"`).join(", ")};`;
  return values.length === 0 ? `.${name}` : `.${name} ${values.join(", ")}`;
}

function printFunction(context: Context, symbol: CodeSymbol, index: number): readonly string[] {
  const { code: asDecoded, slots } = decodedCode(context, index);
  const asWritten = context.object.isStripped ? strippedCode(asDecoded) : asDecoded;
  const section = context.textOf[index]!;
  checkSlots(context.object, symbol.name, section, slots);
  checkNames(context.object, symbol, section, asDecoded);
  const targets = context.object.targetsOf(section, slots);
  const renamed = context.debug.renamed.get(index);
  const written = withNames(inDialect(asWritten, dialectIn(context.object, index)), renamed);
  const decoded = withCalleesAlignment(written, (slot) => {
    const callee = context.object.symbols.at(targets[slot]!.symbol ?? context.object.symbols.length);
    return callee?.kind === "function" ? callee.prototype : undefined;
  });
  const local = localNames(context, index, decoded, renamed);
  if (context.object.type === "relocatable")
    for (const variable of local.keys()) {
      const inside = context.object.symbols.at(variable)!;
      checkName(plainName(inside.name), 0, symbol.name);
      if (inside.kind === "variable") checkAttributes(inside);
    }
  const nameOf = (of: number): string => local.get(of) ?? context.nameOf(of);
  const symbols = targets.flatMap((target) => (target.symbol === undefined ? [] : [nameOf(target.symbol)]));
  const unique = withUniqueNames(decoded, new Set([...symbols, ...local.values()]));
  const code = withModuleRegisters(unique, (slot) => slotText(targets[slot]!, nameOf).name);
  const names = codeNames(code, (slot) => slotText(targets[slot]!, nameOf));
  const directives = symbol.directives.filter(({ name }) => name !== "noreturn").map(printDirective);
  return [
    printFunctionHead(context, symbol, index, code),
    ...directives,
    "{",
    ...[...local].map(([variable, name]) => `\t${printVariable(context, variable, name)}`),
    ...printRegisters(code).map((line) => `\t${line}`),
    ...printFrame(code, declaresParametersInBody(context.object, symbol)).map((line) => `\t${line}`),
    ...printTables(code, names).map((line) => `\t${line}`),
    ...printBody(code, names, {
      fileNumber: (file) => context.files.numberOf(symbol.origin.module, file),
      textLabel: (label) => context.debug.textLabel(symbol.origin.module, label),
    }),
    "}",
  ];
}

/** Rejects damaged names, which would change the text. */
function checkNames({ type, sections }: PrintedObject, { name }: CodeSymbol, section: number, code: Code): void {
  if (type !== "relocatable") return;
  const { fileOffset = 0 } = sections.at(section)!;
  const { registers, variables, labels, branchTargets, callTargets, prototypes } = code;
  for (const list of [[{ name }], registers, variables, labels, branchTargets, callTargets, prototypes])
    for (const { name: each } of list) checkName(each, fileOffset, name);
}

/**
 * Rejects code of an object whose relocations do not fit its slots, which would make the text invalid. Images are shown as far as
 * possible.
 */
function checkSlots(
  { type, sections, symbols, relocationsOf }: PrintedObject,
  name: string,
  section: number,
  slots: readonly StoredSlot[],
): void {
  if (type !== "relocatable") return;
  const [fault] = slotFaults(type, slots, relocationsOf(section), (index) => symbols.at(index)!);
  if (fault !== undefined)
    malformed("malformed", (sections.at(section)!.fileOffset ?? 0) + fault.offset, `${name}: ${fault.what}`);
}

/** The source name of a variable declared in a function, from which the symbol's name is derived. */
const plainName = (name: string): string => /^\$__(.+)__\d+$/s.exec(name)?.[1] ?? name;

/** Names of variables declared in functions: those of the source, or those that debug sections require, if they are free. */
function localNames(
  context: Context,
  index: number,
  code: Code,
  renamed: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<number, string> {
  const { object, scoped, taken: known } = context;
  const variables = scoped.get(index);
  if (variables === undefined) return new Map();
  const taken = new Set([
    ...code.registers.map(({ name }) => name),
    ...code.variables.map(({ name }) => name),
    ...code.labels.map(({ name }) => name),
  ]);
  return new Map(
    variables.map((variable) => {
      const { name } = object.symbols.at(variable)!;
      const plain = renamed?.get(plainName(name)) ?? plainName(name);
      const chosen = taken.has(plain) || known.has(plain) ? name : plain;
      taken.add(chosen);
      return [variable, chosen] as const;
    }),
  );
}
