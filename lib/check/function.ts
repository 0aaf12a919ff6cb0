// Checks one function body and makes its Code. A walk over its blocks declares registers, variables, labels, prototypes and
// target lists in their scopes, and checks each instruction. PTX ISA 9.0 chapters 4, 5 and 7.

import type { Code, ModuleRegister, Parameter, Prototype, SourceLocation } from "../isa/code.js";
import type { Instruction } from "../isa/instruction.js";
import type {
  AnyInstruction,
  BlockStatement,
  FunctionDeclaration,
  Instruction as InstructionNode,
  Location,
  Name,
  Parameter as ParameterNode,
  Pragma,
  PrototypeDeclaration,
  Statement,
  UnparsedInstructions,
} from "../ptx/tree.js";
import { bind, declareInFrame, declareVariable, reportTwice, type Owner } from "./body-variables.js";
import { createBuilder, type Builder, type FunctionContext } from "./builder.js";
import { calleesOf } from "./callees.js";
import { needsLint } from "./lint/candidates.js";
import { lintBody } from "./lint/lint-body.js";
import { expandElement, stepsBefore } from "./element.js";
import { checkBodyPointers } from "./function-address.js";
import { checkTargetNames } from "./header.js";
import { checkInstruction, checkUnparsed } from "./instruction.js";
import { countBody, declareLabels, reportLabel, type Counted } from "./labels.js";
import { checkPrototype } from "./parameters.js";
import { checkDirectives } from "./limits.js";
import { checkPragma } from "./pragma.js";
import { moveLabels } from "./register-sum.js";
import { requireFeature } from "./require.js";
import { createScope, declareRegister, findBinding, type RegisterFile, type Scope } from "./scope.js";
import type { NameContext } from "./symbols.js";

/** The code of a function with a body. Wrong instructions are reported and omitted. */
export function checkBody(
  declaration: FunctionDeclaration<unknown>,
  prototype: Prototype,
  body: AnyBlock,
  context: FunctionContext,
): Code {
  const { reporter } = context;
  const errors = reporter.errorCount();
  const { instructions: count, labels: labelled } = countBody(body);
  const builder = createBuilder(context, count);
  const outer = moduleScope(context.moduleRegisters);
  const scope = createScope(outer);
  declareFormals(declaration, prototype, scope, builder, context);
  const owner: Owner = { name: declaration.name.text, entry: declaration.entry };
  walkBlock(body, scope, labelled, builder, context, owner);
  if (builder.additions.length > 0) moveLabels(builder);
  if (builder.statics.length > 1) context.orderStatics(builder.statics);
  const { instructions, variables, labels, branchTargets, callTargets, prototypes, locations, pragmas } = builder;
  const { registers } = builder.registers;
  const own = {
    registers,
    variables,
    instructions,
    labels,
    branchTargets,
    callTargets,
    prototypes,
    locations,
    pragmas,
  };
  const code = outer === undefined ? own : { ...own, moduleRegisters: usedRegisters(builder.registers, context) };
  if (builder.pointers.length > 0 && isWhole(code))
    checkBodyPointers(builder.pointers, code, context.module.symbols, reporter);
  // No warnings if there are errors: a warning may concern code that the error removed.
  const isAsWritten = builder.additions.length === 0;
  const whole = isAsWritten && reporter.errorCount() === errors && isWhole(code);
  if (whole && needsLint(builder.lint, code)) lintBody(body, code, context);
  return code;
}

/** A scope with the module's registers, which a function's own names hide; undefined if there are none. */
function moduleScope(registers: FunctionContext["moduleRegisters"]): Scope | undefined {
  if (registers.length === 0) return undefined;
  const scope = createScope(undefined);
  for (const { name, layout } of registers) declareRegister(scope, name, layout.type, layout.vector);
  return scope;
}

/** The registers of the module that the function has used. */
function usedRegisters(file: RegisterFile, { moduleRegisters }: FunctionContext): readonly ModuleRegister[] {
  return moduleRegisters.flatMap(({ name, symbol }) => {
    const known = file.names.byText.get(name.text);
    return known?.file === file ? [{ register: known.index, symbol }] : [];
  });
}

function declareFormals(
  declaration: FunctionDeclaration<unknown>,
  prototype: Prototype,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
): void {
  declareList("return", prototype.returns, declaration.returns, scope, builder, context);
  declareList("parameter", prototype.parameters, declaration.parameters, scope, builder, context);
}

function declareList(
  kind: "return" | "parameter",
  formals: readonly Parameter[],
  nodes: readonly ParameterNode[],
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
): void {
  for (let i = 0; i < formals.length; i++) {
    const { name, space, layout } = formals[i]!;
    const at = nodes[i]!.declarator.name;
    if (space === "param") declareInFrame(at, kind, layout, scope, builder, context);
    else if (declareRegister(scope, at, layout.type, layout.vector)) {
      const binding = findBinding(scope, name, builder.registers);
      const register = binding?.kind === "register" ? binding.index : 0;
      builder.variables.push({ name, kind, layout, register });
    } else reportTwice(at, scope, context);
  }
}

type AnyBlock = BlockStatement<AnyInstruction>;

function walkBlock(
  block: AnyBlock,
  scope: Scope,
  labelled: Counted["labels"],
  builder: Builder,
  context: FunctionContext,
  owner: Owner,
): void {
  const labels = labelled?.get(block);
  if (labels !== undefined) declareLabels(labels, scope);
  const seenLabels = labels === undefined ? undefined : new Map<string, Name>();
  const { module, reporter } = context;
  const isOutermost = scope.parent === undefined;
  const names: NameContext = { scope, isOutermost, registers: builder.registers, module, reporter };
  const { statements } = block;
  for (let i = 0; i < statements.length; i++) {
    const statement = statements[i]!;
    switch (statement.kind) {
      case "unparsed":
        addUnparsed(statement, names, builder, context);
        break;
      case "instruction":
        addInstruction(statement, names, builder, context);
        break;
      case "block":
        walkBlock(statement, createScope(scope), labelled, builder, context, owner);
        break;
      case "label":
        if (seenLabels?.has(statement.name.text) === true || scope.names.get(statement.name.text)?.kind !== "label")
          reportLabel(statement.name, seenLabels?.get(statement.name.text), scope, reporter);
        seenLabels?.set(statement.name.text, statement.name);
        builder.labels.push({ name: statement.name.text, target: builder.count });
        break;
      case "location":
        setLocation(statement, builder, context);
        break;
      case "pragma":
        addPragma(statement, builder, context, owner);
        break;
      case "variable":
        declareVariable(statement, scope, builder, context, owner);
        break;
      case "prototype":
        declarePrototype(statement, scope, builder, context);
        break;
      case "branch-targets":
      case "call-targets":
        declareTargets(statement, names, builder, context);
        break;
      case "function":
        context.declareFunction(statement);
        break;
      case "target":
        checkTargetNames(statement, reporter);
        break;
    }
  }
  for (const symbol of scope.statics ?? noSymbols) builder.statics.push(symbol);
}

const noSymbols: readonly number[] = [];

/** Appends an instruction; undefined for a wrong one. */
function put(builder: Builder, instruction: Instruction | undefined): void {
  builder.instructions[builder.count++] = instruction ?? placeholder;
}

function addUnparsed(
  { token: first, count }: UnparsedInstructions,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): void {
  const unparsed = context.unparsed!;
  const { reader } = unparsed;
  let token = first;
  for (let i = 0; i < count; i++) {
    // Statements after a wrong one are read when the whole text is parsed.
    unparsed.failed ||= !reader.read(token);
    if (unparsed.failed) put(builder, undefined);
    else {
      token = reader.records.semicolon + 1;
      put(builder, checkUnparsed(names, builder, context));
    }
  }
}

/** Appends an instruction, or the instructions that it expands to. */
function addInstruction(
  statement: InstructionNode,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): void {
  if (stepsBefore(statement) === 0) put(builder, checkInstruction(statement, names, builder, context));
  else
    for (const one of expandElement(statement, names) ?? [undefined])
      put(builder, one && checkInstruction(one, names, builder, context));
}

function addPragma(statement: Pragma, builder: Builder, { header, reporter }: FunctionContext, owner: Owner): void {
  checkPragma(statement, owner.entry ? "kernel-body" : "function-body", header, reporter);
  for (const text of statement.strings) builder.pragmas.push({ before: builder.count, text });
}

function declarePrototype(
  statement: PrototypeDeclaration,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
): void {
  const { header, reporter } = context;
  const { name, directives, returns } = statement;
  requireFeature(".callprototype", statement, header, reporter);
  const prototype = checkPrototype(statement, "prototype", context);
  checkDirectives(directives, false, header, reporter);
  if (prototype.noreturn && returns.length > 0)
    reporter.report("directive", statement, "a .noreturn prototype has no result");
  const index = builder.prototypes.push({ name: name.text, prototype }) - 1;
  bind(scope, name, { kind: "table", table: "prototypes", index }, context);
}

/** Replaces a wrong instruction, so that labels keep their targets; such code is never returned as valid. */
const placeholder = undefined as unknown as Instruction;

/** Whether the code has no wrong instruction. Some errors are reported only at the end of the module. */
export function isWhole({ instructions }: Code): boolean {
  return !instructions.includes(placeholder);
}

function setLocation(node: Location, builder: Builder, { reporter }: FunctionContext): void {
  const { inlinedAt } = node;
  if (inlinedAt !== undefined) {
    builder.placesSeen ??= new Set(builder.locations.map(placeText));
    const text = placeText(inlinedAt);
    if (!builder.placesSeen.has(text))
      reporter.report("location", node, `inlined_at names ${text}, which no .loc above has`);
  }
  builder.placesSeen?.add(placeText(node));
  builder.location = builder.locations.push(locationOf(node)) - 1;
}

const placeText = ({ file, line, column }: Pick<Location, "file" | "line" | "column">): string =>
  `${file} ${line} ${column}`;

/** Object literals without spreading: after a spread, Node 20's engine creates a hidden class for each value. */
function locationOf({ file, line, column, functionName: of, inlinedAt }: Location): SourceLocation {
  const functionName = of && { label: of.label, offset: Number(of.offset) };
  if (functionName === undefined) return inlinedAt ? { file, line, column, inlinedAt } : { file, line, column };
  return inlinedAt ? { file, line, column, functionName, inlinedAt } : { file, line, column, functionName };
}

function declareTargets(
  statement: Extract<Statement, { kind: "branch-targets" | "call-targets" }>,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): void {
  const branch = statement.kind === "branch-targets";
  requireFeature(branch ? ".branchtargets" : ".calltargets", statement, context.header, context.reporter);
  const numbers = statement.targets.flatMap((target) => {
    const binding = branch ? findBinding(names.scope, target.text, names.registers) : undefined;
    if (binding?.kind === "label") return [binding.target];
    const symbol = branch ? undefined : context.module.find(target.text);
    if (symbol?.symbol.kind === "function") return [symbol.index];
    context.reporter.report("unknown-name", target, `'${target.text}' is not a ${branch ? "label here" : "function"}`);
    return [];
  });
  const name = statement.name.text;
  if (!branch) {
    const called = numbers.map((number) => context.module.symbols[number]!);
    builder.callees.push(calleesOf(called.flatMap((one) => (one.kind === "function" ? [one.prototype] : []))));
  }
  const index = branch
    ? builder.branchTargets.push({ name, targets: numbers }) - 1
    : builder.callTargets.push({ name, symbols: numbers }) - 1;
  bind(names.scope, statement.name, { kind: "table", table: statement.kind, index }, context);
}
