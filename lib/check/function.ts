// Checks one function body and makes its Code: declarations, labels, prototypes, and every instruction matched to a row of
// the isa table. PTX ISA 9.0 chapters 6, 7 and 9.

import type { Code, FrameVariable, Parameter, Prototype, SourceLocation } from "../isa/code.js";
import type { Guard, Instruction } from "../isa/instruction.js";
import { hasModifier, modifier, resolveOpcode, type Opcode } from "../isa/opcode.js";
import { clauseText, unmetClause, versionText, type Requirement } from "../isa/requirement.js";
import { explainSpelling } from "../isa/suggest.js";
import type {
  Block,
  FunctionDeclaration,
  Instruction as InstructionNode,
  Location,
  Name,
  Ranged,
  Statement,
  VariableDeclaration,
} from "../ptx/tree.js";
import { checkCall } from "./call.js";
import { checkTargetNames, type Header } from "./header.js";
import { layoutOf, requireComplete } from "./layout.js";
import { isMisfit, matchOperands, type Misfit } from "./match.js";
import type { Reporter } from "./reporter.js";
import { resolveAll, type NameContext, type Resolved } from "./resolve.js";
import { createScope, declareRegister, findBinding, type Binding, type RegisterFile, type Scope } from "./scope.js";
import type { SymbolTable } from "./symbols.js";

export interface FunctionContext {
  readonly header: Header;
  readonly module: SymbolTable;
  readonly reporter: Reporter;
  /** Declares a .shared, .global or .const variable of the body; its symbol's index, or undefined after a report. */
  declareStatic(declaration: VariableDeclaration, scope: string): readonly (readonly [Name, number])[];
  /** Declares a function by a prototype inside the body, which ptxas lets the rest of the module see. */
  declareFunction(declaration: FunctionDeclaration): void;
  /** Folds a prototype's parameter list. */
  parameters(nodes: FunctionDeclaration["parameters"], entry: boolean): readonly Parameter[];
}

/** Mutable while the body is walked; becomes the Code. */
interface Builder {
  readonly registers: RegisterFile;
  readonly variables: FrameVariable[];
  readonly instructions: Instruction[];
  readonly labels: { name: string; target: number }[];
  readonly branchTargets: { name: string; targets: number[] }[];
  readonly callTargets: { name: string; symbols: number[] }[];
  readonly prototypes: { name: string; prototype: Prototype }[];
  readonly locations: SourceLocation[];
  readonly pragmas: { before: number; text: string }[];
  location: number;
}

/** The code of a function with a body. Faulty instructions are reported and left out. */
export function checkBody(
  declaration: FunctionDeclaration,
  prototype: Prototype,
  body: Block,
  context: FunctionContext,
): Code {
  const builder: Builder = {
    registers: { registers: [], taken: new Set() },
    variables: [],
    instructions: [],
    labels: [],
    branchTargets: [],
    callTargets: [],
    prototypes: [],
    locations: [],
    pragmas: [],
    location: -1,
  };
  const scope = createScope(undefined);
  declareFormals(declaration, prototype, scope, builder, context);
  const targets = labelTargets(body);
  walkBlock(body, scope, targets, builder, context, declaration.name.text);
  const { registers, location: _, ...rest } = builder;
  return { ...rest, registers: registers.registers };
}

function declareFormals(
  declaration: FunctionDeclaration,
  prototype: Prototype,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
): void {
  const lists = [
    ["return", prototype.returns, declaration.returns],
    ["parameter", prototype.parameters, declaration.parameters],
  ] as const;
  for (const [kind, formals, nodes] of lists) {
    formals.forEach((formal, i) => {
      const name = nodes[i]!.declarator.name;
      if (formal.space === "reg") {
        declareRegister(scope, name.text, formal.layout.type, formal.layout.vector);
        const binding = findBinding(scope, name.text, builder.registers);
        const register = binding?.kind === "register" ? binding.index : 0;
        builder.variables.push({ name: formal.name, kind, layout: formal.layout, register });
        return;
      }
      const variable: FrameVariable = { name: formal.name, kind, layout: formal.layout };
      bind(scope, name, { kind: "variable", index: builder.variables.push(variable) - 1, variable }, context);
    });
  }
}

function bind(scope: Scope, name: Name, binding: Binding, context: FunctionContext): void {
  if (name.text === "_") return;
  if (scope.names.has(name.text) || scope.singles.has(name.text)) {
    context.reporter.report("redeclaration", name, `'${name.text}' is declared twice in this scope`);
    return;
  }
  scope.names.set(name.text, binding);
}

/** Labels may be used before they stand, so a first walk counts instructions: each block's labels with their targets. */
function labelTargets(body: Block): ReadonlyMap<Block, ReadonlyMap<string, number>> {
  const found = new Map<Block, Map<string, number>>();
  let instructions = 0;
  const walk = (block: Block): void => {
    const labels = new Map<string, number>();
    found.set(block, labels);
    for (const statement of block.statements) {
      if (statement.kind === "instruction") instructions++;
      else if (statement.kind === "label" && !labels.has(statement.name.text))
        labels.set(statement.name.text, instructions);
      else if (statement.kind === "block") walk(statement);
    }
  };
  walk(body);
  return found;
}

function walkBlock(
  block: Block,
  scope: Scope,
  targets: ReadonlyMap<Block, ReadonlyMap<string, number>>,
  builder: Builder,
  context: FunctionContext,
  functionName: string,
): void {
  for (const [name, target] of targets.get(block)!) scope.names.set(name, { kind: "label", target });
  const seenLabels = new Set<string>();
  const names: NameContext = {
    scope,
    registers: builder.registers,
    module: context.module,
    reporter: context.reporter,
  };
  for (const statement of block.statements) {
    switch (statement.kind) {
      case "instruction":
        builder.instructions.push(checkInstruction(statement, names, builder, context) ?? placeholder);
        break;
      case "block":
        walkBlock(statement, createScope(scope), targets, builder, context, functionName);
        break;
      case "label":
        if (seenLabels.has(statement.name.text)) {
          context.reporter.report("redeclaration", statement.name, `label '${statement.name.text}' stands twice`);
        }
        seenLabels.add(statement.name.text);
        builder.labels.push({ name: statement.name.text, target: builder.instructions.length });
        break;
      case "location":
        setLocation(statement, builder);
        break;
      case "pragma":
        for (const text of statement.strings) builder.pragmas.push({ before: builder.instructions.length, text });
        break;
      case "variable":
        declareVariable(statement, scope, builder, context, functionName);
        break;
      case "prototype": {
        const prototype: Prototype = {
          returns: context.parameters(statement.returns, false),
          parameters: context.parameters(statement.parameters, false),
          noreturn: statement.directives.some((directive) => directive.name === "noreturn"),
        };
        const index = builder.prototypes.push({ name: statement.name.text, prototype }) - 1;
        bind(scope, statement.name, { kind: "table", table: "prototypes", index }, context);
        break;
      }
      case "branch-targets":
      case "call-targets":
        declareTargets(statement, names, builder, context);
        break;
      case "function":
        context.declareFunction(statement);
        break;
      case "target":
        checkTargetNames(statement, context.reporter);
        break;
    }
  }
}

/** Stands where a faulty instruction stood, so that labels keep their targets; code with errors goes no further. */
const placeholder = undefined as unknown as Instruction;

function setLocation(node: Location, builder: Builder): void {
  const { file, line, column, functionName, inlinedAt } = node;
  builder.location =
    builder.locations.push({
      file,
      line,
      column,
      ...(functionName === undefined
        ? {}
        : { functionName: { label: functionName.label, offset: Number(functionName.offset) } }),
      ...(inlinedAt === undefined ? {} : { inlinedAt }),
    }) - 1;
}

function declareVariable(
  statement: VariableDeclaration,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
  functionName: string,
): void {
  const { space } = statement.type;
  if (space === "shared" || space === "global" || space === "const") {
    for (const [name, index] of context.declareStatic(statement, functionName))
      bind(scope, name, { kind: "symbol", index }, context);
    return;
  }
  for (const declarator of statement.declarators) {
    const layout = layoutOf(statement.type, declarator, context.reporter);
    if (layout === undefined) continue;
    const { name } = declarator;
    if (declarator.initializer !== undefined) {
      context.reporter.report(
        "initializer-space",
        declarator.initializer,
        `a .${space} variable cannot have an initial value`,
      );
    }
    if (space === "reg") {
      if (layout.dimensions.length > 0) {
        context.reporter.report("register-array", declarator, `registers have no arrays`, {
          remedy: `write ${name.text}<N> for N registers`,
        });
      } else if (layout.type.bits === 8 && layout.type.class === "opaque") {
        context.reporter.report("register-array", declarator, `a register cannot be of type .${layout.type.name}`);
      } else if (
        !declareRegister(scope, name.text, layout.type, layout.vector, declarator.count) ||
        scope.names.has(name.text)
      ) {
        context.reporter.report("redeclaration", name, `register '${name.text}' is declared twice in this scope`);
      }
      continue;
    }
    if (space !== "local" && space !== "param") {
      context.reporter.report(
        "variable-space",
        statement.type,
        `a .${space} variable cannot be declared in a function`,
      );
      continue;
    }
    if (!requireComplete(layout, declarator, declarator, context.reporter)) continue;
    const copies = declarator.count === undefined ? [name.text] : familyNames(name.text, declarator.count);
    for (const text of copies) {
      const variable: FrameVariable = { name: text, kind: space, layout };
      bind(
        scope,
        { ...name, text },
        { kind: "variable", index: builder.variables.push(variable) - 1, variable },
        context,
      );
    }
  }
}

/** `.local .u32 a<4>`: variables of a frame are few, so they are made at once, within reason. */
function familyNames(name: string, count: bigint): readonly string[] {
  return Array.from({ length: Number(count > 65536n ? 65536n : count) }, (_, i) => `${name}${i}`);
}

function declareTargets(
  statement: Extract<Statement, { kind: "branch-targets" | "call-targets" }>,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): void {
  const branch = statement.kind === "branch-targets";
  const numbers = statement.targets.flatMap((target) => {
    const binding = branch ? findBinding(names.scope, target.text, names.registers) : undefined;
    if (binding?.kind === "label") return [binding.target];
    const symbol = branch ? undefined : context.module.find(target.text);
    if (symbol?.symbol.kind === "function") return [symbol.index];
    context.reporter.report("unknown-name", target, `'${target.text}' is not a ${branch ? "label here" : "function"}`);
    return [];
  });
  const name = statement.name.text;
  const index = branch
    ? builder.branchTargets.push({ name, targets: numbers }) - 1
    : builder.callTargets.push({ name, symbols: numbers }) - 1;
  bind(names.scope, statement.name, { kind: "table", table: statement.kind, index }, context);
}

// --------------------------------------------------------------------------------------------------------- instructions

function checkInstruction(
  node: InstructionNode,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): Instruction | undefined {
  const guard = node.guard === undefined ? undefined : checkGuard(node.guard, names);
  const operands = resolveAll(node.operands, names);
  const readings = resolveOpcode(node.opcode.text);
  if (readings.length === 0) {
    const why = explainSpelling(node.opcode.text);
    context.reporter.report(
      "unknown-instruction",
      node.opcode,
      why.message,
      why.remedy === undefined ? {} : { remedy: why.remedy },
    );
    return undefined;
  }
  if (operands === undefined || (node.guard !== undefined && guard === undefined)) return undefined;
  let best: Misfit | undefined;
  for (const opcode of readings) {
    const matched = matchOperands(opcode.operands, operands, node.opcode);
    if (isMisfit(matched)) {
      if (best === undefined || matched.fitted > best.fitted) best = matched;
      continue;
    }
    const instruction: Instruction = {
      opcode,
      guard,
      operands: matched,
      line: context.reporter.line(node),
      location: builder.location,
    };
    checkRequirement(opcode, operands, node, context);
    checkSpaces(opcode, operands, builder, context);
    if (opcode.form.operands.some((spec) => spec.kind === "callee")) {
      checkCall(instruction, node, {
        code: {
          registers: builder.registers.registers,
          variables: builder.variables,
          prototypes: builder.prototypes,
          callTargets: builder.callTargets,
        },
        symbols: context.module.symbols,
        reporter: context.reporter,
      });
    }
    return instruction;
  }
  if (best !== undefined) {
    context.reporter.report(best.code, best.at, `${node.opcode.text}: ${best.message}`, {
      notes: [{ message: `the form is: ${readings[0]!.form.syntax}` }],
    });
  }
  return undefined;
}

function checkGuard(node: NonNullable<InstructionNode["guard"]>, names: NameContext): Guard | undefined {
  const binding = findBinding(names.scope, node.name.text, names.registers);
  if (binding?.kind === "register" && binding.register.type.class === "predicate") {
    return { register: binding.index, negated: node.negated };
  }
  names.reporter.report(
    binding === undefined ? "unknown-name" : "operand-type",
    node.name,
    binding === undefined
      ? `'${node.name.text}' is not declared`
      : `the guard '${node.name.text}' is not a predicate register`,
    { remedy: `declare it: .reg .pred ${node.name.text};` },
  );
  return undefined;
}

/** That the module's version and target have the instruction, and the special registers that it reads. */
function checkRequirement(
  opcode: Opcode,
  operands: readonly Resolved[],
  node: InstructionNode,
  { header, reporter }: FunctionContext,
): void {
  const demand = (name: string, needs: Requirement, at: Ranged): void => {
    const unmet = unmetClause(header.version, header.target, needs);
    if (unmet === undefined) return;
    const module = `this module is PTX ${versionText(header.version)} for ${header.target.name}`;
    reporter.report("requires", at, `${name} needs ${clauseText(unmet)}; ${module}`);
  };
  demand(opcode.spelling, opcode.needs, node.opcode);
  for (const operand of operands.flatMap((o) => (o.kind === "vector" ? o.elements : o)))
    if (operand.kind === "special") demand(operand.special.name, operand.special.needs, operand.node);
}

/** Global and generic addresses have 64 bits; offsets in the windows of the other spaces fit 32. */
function checkWideAddress(operands: readonly Resolved[], builder: Builder, reporter: Reporter): void {
  for (const operand of operands) {
    if (operand.kind !== "address" || operand.base.kind !== "register") continue;
    const { name, type } = builder.registers.registers[operand.base.register]!;
    if (type.bits === 64) continue;
    reporter.report(
      "operand-type",
      operand.of.node,
      `${name} is .${type.name}; a global or generic address has 64 bits`,
      {
        remedy: "widen it with cvt.u64.u32, or compute it in a .b64 register",
      },
    );
  }
}

const windowOf: Readonly<Record<string, string>> = {
  "shared::cta": "shared",
  "shared::cluster": "shared",
  "param::entry": "param",
  "param::func": "param",
};

/** A named variable must be in the state space that the instruction names. */
function checkSpaces(
  opcode: Opcode,
  operands: readonly Resolved[],
  builder: Builder,
  { reporter }: FunctionContext,
): void {
  if (!opcode.form.slots.some((slot) => slot.name === "ss")) return;
  const written = modifier(opcode, "ss");
  if (written === undefined || written === "global") checkWideAddress(operands, builder, reporter);
  if (written === undefined) return;
  const space = windowOf[written] ?? written;
  for (const operand of operands) {
    if (operand.kind !== "address") continue;
    const { of } = operand;
    const actual =
      of.kind === "variable"
        ? of.variable.kind === "local"
          ? "local"
          : "param"
        : of.kind === "symbol" && of.symbol.kind === "variable"
          ? of.symbol.space
          : undefined;
    if (actual === undefined || actual === space) continue;
    const name = of.kind === "variable" ? of.variable.name : of.kind === "symbol" ? of.symbol.name : "";
    reporter.report("operand-space", of.node, `'${name}' is in .${actual}, and the instruction accesses .${written}`);
  }
  if (space === "param" && opcode.form.opcode === "st" && hasModifier(opcode, "param")) {
    for (const operand of operands) {
      if (operand.kind === "address" && operand.of.kind === "variable" && operand.of.variable.kind === "parameter") {
        reporter.report(
          "operand-space",
          operand.of.node,
          `'${operand.of.variable.name}' is an input parameter and cannot be written`,
        );
      }
    }
  }
}
