// Declarations of variables, functions and aliases (NVVM IR 1.0 chapters 2 and 7, sections 3.1 to 3.11, 10.1, 14.1).

import type { Alias, Function, GlobalValue, GlobalVariable, Linkage } from "../ir/global.js";
import { typeText, type Type } from "../ir/type.js";
import type { Constant, Value } from "../ir/value.js";
import { checkSignatureAttributes } from "./attributes.js";
import { checkConstant } from "./constants.js";
import type { Reporter } from "./facts.js";
import { checkIntrinsicDeclaration } from "./intrinsic.js";
import { isGlobal } from "./marks.js";
import { wordIn } from "./tokens.js";
import { checkType, isFirstClass } from "./types.js";

const plainName = /^[a-zA-Z$_][a-zA-Z$_0-9]*$/;

/** Names of types and values reserved for the compiler (chapter 2). */
export const isReserved = (name: string): boolean => /^(?:llvm\.)?nvvm\./.test(name);

const nameRange = ({ name, nameStart }: GlobalValue) => ({ start: nameStart, end: nameStart + name.length + 1 });

function checkName(global: GlobalValue, reporter: Reporter): void {
  const { name } = global;
  if (isReserved(name) && !name.startsWith("llvm.")) reporter.report("reserved", nameRange(global), [name]);
  else if (!name.startsWith("llvm.") && !plainName.test(name)) reporter.report("name", nameRange(global), [name]);
}

/** Valid linkages of declarations. */
const ofDeclarations: ReadonlySet<Linkage> = new Set<Linkage>(["external", "extern_weak", "dllimport"]);
const notOfFunctions: ReadonlySet<Linkage> = new Set<Linkage>(["common", "appending"]);

function checkLinkage(global: GlobalVariable | Function, isDefined: boolean, reporter: Reporter): void {
  const { linkage } = global;
  if (linkage === "external" || (isDefined && (linkage === "internal" || linkage === "private"))) return;
  const at = wordIn(reporter.module, { start: global.start, end: global.end }, linkage);
  if (linkage === "dllimport" || linkage === "dllexport") reporter.report("dll", at, [linkage]);
  else if (linkage === "extern_weak") reporter.report("linkage-extern-weak", at);
  else if (linkage === "appending" && global.kind === "variable" && !global.name.startsWith("llvm."))
    reporter.report("linkage-appending", at);
  else if (global.kind === "function" && notOfFunctions.has(linkage))
    reporter.report("linkage-function", at, [linkage]);
  else if (!isDefined && !ofDeclarations.has(linkage)) reporter.report("linkage-declaration", at, [linkage]);
}

const isUsed = (name: string): boolean => name === "llvm.used" || name === "llvm.compiler.used";

const isConstructors = (name: string): boolean => name === "llvm.global_ctors" || name === "llvm.global_dtors";

const isUndefined = ({ kind }: Constant): boolean => kind === "undef" || kind === "poison";
const isZero = (value: Constant): boolean =>
  value.kind === "zero" ||
  value.kind === "null" ||
  (value.kind === "integer" && value.value === 0n) ||
  (value.kind === "float" && value.bits === 0n);

export function checkVariable(variable: GlobalVariable, reporter: Reporter): void {
  const { name, valueType, type, initializer, linkage } = variable;
  const at = nameRange(variable);
  checkName(variable, reporter);
  if (checkType(valueType, variable, reporter)) return;
  if (!isFirstClass(valueType)) return void reporter.report("variable-type", at, [typeText(valueType)]);
  checkLinkage(variable, initializer !== undefined, reporter);
  if (name.startsWith("llvm.")) return checkIntrinsicVariable(variable, reporter);
  if (variable.threadLocal) reporter.report("thread-local", wordIn(reporter.module, variable, "thread_local"));
  if (variable.section !== undefined && variable.section !== "llvm.metadata")
    reporter.report("variable-section", wordIn(reporter.module, variable, "section"));
  const { space } = type;
  if (space !== 0 && space !== 1 && space !== 3 && space !== 4)
    reporter.report("variable-space", wordIn(reporter.module, variable, "addrspace"), [space]);
  if (initializer === undefined) return;
  if (linkage === "common" && (!isZero(initializer) || variable.constant)) reporter.report("linkage-common", at);
  if (space === 3 && !isUndefined(initializer)) reporter.report("shared-value", at);
  checkConstant(initializer, variable, reporter);
  checkHandleType(variable, reporter);
}

function checkHandleType(variable: GlobalVariable, reporter: Reporter): void {
  const what = reporter.handles.get(variable);
  if (what === undefined) return;
  const { valueType, type } = variable;
  if (type.space !== 1 || valueType.kind !== "integer" || valueType.bits !== 64)
    reporter.report("texture-type", nameRange(variable), [what, variable.name]);
}

/** llvm.used and similar. */
function checkIntrinsicVariable(variable: GlobalVariable, reporter: Reporter): void {
  const { name, valueType } = variable;
  const at = nameRange(variable);
  if (isConstructors(name)) {
    // A linker may leave an empty list.
    const isEmpty = valueType.kind === "array" && valueType.count === 0;
    if (!isEmpty || reporter.holds("variable-section")) reporter.report("constructors", at, [name]);
  } else if (!isUsed(name)) {
    // Instrumentation and debugger support use such names, too; they do not affect kernels.
    if (variable.section !== "llvm.metadata") reporter.report("intrinsic-variable", at, [name]);
  } else if (valueType.kind !== "array" || valueType.element.kind !== "pointer" || !listsGlobals(variable))
    reporter.report("used", at, [name]);
}

/** Whether the list contains only functions and variables, through casts. */
function listsGlobals({ initializer }: GlobalVariable): boolean {
  if (initializer === undefined) return true;
  return initializer.kind === "aggregate" && initializer.elements.every((element) => isGlobal(stripCasts(element)));
}

function stripCasts(constant: Constant): Constant {
  let value = constant;
  while (value.kind === "expression" && value.operands[0] !== undefined) value = value.operands[0];
  return value;
}

export function checkFunction(fn: Function, reporter: Reporter): void {
  const { name, valueType, body } = fn;
  const at = nameRange(fn);
  checkName(fn, reporter);
  const head = body === undefined ? fn : { start: fn.start, end: body.start };
  if (checkType(valueType, head, reporter)) return;
  const isIntrinsic = name.startsWith("llvm.");
  checkPrototype(fn, isIntrinsic, reporter);
  checkLinkage(fn, body !== undefined, reporter);
  if (valueType.variadic && body !== undefined) reporter.report("variadic", wordIn(reporter.module, head, "..."));
  if (fn.section !== undefined) reporter.report("function-section", wordIn(reporter.module, head, "section"));
  if (fn.align !== undefined) reporter.report("function-align", wordIn(reporter.module, head, "align"));
  if (fn.garbageCollector !== undefined) reporter.report("gc", wordIn(reporter.module, head, "gc"));
  if (isIntrinsic) {
    if (body !== undefined) reporter.report("intrinsic-defined", at, [name]);
    else checkIntrinsicDeclaration(fn, at, reporter);
    return;
  }
  checkSignatureAttributes(fn, reporter);
  if (!reporter.kernels.has(fn)) return;
  if (valueType.result.kind !== "void") reporter.report("kernel-returns", at, [name, typeText(valueType.result)]);
  if (valueType.variadic) reporter.report("kernel-variadic", at);
}

function checkPrototype(
  { valueType, arguments: list, name, nameStart }: Function,
  isIntrinsic: boolean,
  reporter: Reporter,
): void {
  const { result, parameters } = valueType;
  const at = { start: nameStart, end: nameStart + name.length + 1 };
  const isWrong = (type: Type): boolean =>
    !isFirstClass(type)
      ? !(isIntrinsic && type.kind === "metadata")
      : type.kind === "struct" && type.fields === undefined;
  if (result.kind !== "void" && isWrong(result)) reporter.report("result-type", at, [typeText(result)]);
  for (const [index, type] of parameters.entries())
    if (isWrong(type)) reporter.report("parameter-type", list[index] ?? at, [typeText(type)]);
}

export function checkAlias(alias: Alias, reporter: Reporter): void {
  checkName(alias, reporter);
  const at = nameRange(alias);
  if (alias.kind === "ifunc") return void reporter.report("ifunc", at);
  if (checkType(alias.valueType, alias, reporter)) return;
  const seen = new Set<Value>();
  let value: Constant = alias.aliasee;
  for (;;) {
    if (seen.has(value))
      return void reporter.report("alias", at, ["it refers to itself"], {
        remedy: "name a function or variable",
      });
    seen.add(value);
    if (value.kind === "expression" && value.operands[0] !== undefined) value = value.operands[0];
    else if (value.kind === "alias" || value.kind === "ifunc") value = value.aliasee;
    else break;
  }
  const isDefined =
    (value.kind === "function" && value.body !== undefined) ||
    (value.kind === "variable" && value.initializer !== undefined);
  if (!isDefined)
    reporter.report("alias", at, [
      value.kind === "function" || value.kind === "variable"
        ? `'${value.name}' is only declared`
        : "it refers to a number",
    ]);
}

/** Bytes of a block's constant memory. */
const MAX_CONSTANT = 65_536;

export function checkConstantSize(variables: readonly GlobalVariable[], reporter: Reporter): void {
  let bytes = 0;
  for (const variable of variables) {
    if (variable.type.space !== 4 || variable.initializer === undefined) continue;
    bytes += reporter.layout.allocSize(variable.valueType) ?? 0;
    if (bytes > MAX_CONSTANT) return void reporter.report("constant-size", nameRange(variable), [bytes]);
  }
}
