// Declares the registers and frame variables of a function's body: PTX ISA 9.0 sections 5.1, 5.4 and 7.1. Its .shared, .global
// and .const variables belong to the module (variables.ts).

import type { FrameVariable, Layout } from "../isa/code.js";
import type { Declarator, Name, VariableDeclaration } from "../ptx/tree.js";
import type { Builder, FunctionContext } from "./builder.js";
import { bodyPointer } from "./function-address.js";
import { layoutOf, memoryFault, registerFault, requireComplete } from "./layout.js";
import { argumentAlignmentFault, refuseAttributes } from "./parameters.js";
import { requireFeature } from "./require.js";
import {
  declaredAt,
  declareFaulty,
  declareName,
  declareRegister,
  familyNames,
  findBinding,
  isDeclared,
  type Binding,
  type Scope,
} from "./scope.js";

/** The function that a body belongs to. */
export interface Owner {
  readonly name: string;
  readonly entry: boolean;
}

/** From this version on, .param variables of a body are arguments of calls; in older kernels they are the kernel's parameters. */
const firstWithCallParameters = 20;

/** Declares the names of a declaration statement in a body. */
export function declareVariable(
  statement: VariableDeclaration,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
  owner: Owner,
): void {
  const { space } = statement.type;
  if (space === "shared" || space === "global" || space === "const") {
    declareStatics(statement, scope, builder, context, owner);
    return;
  }
  for (let i = 0; i < statement.declarators.length; i++) {
    const declarator = statement.declarators[i]!;
    const layout = layoutOf(statement.type, declarator, context.header, context.reporter);
    const sound = layout !== undefined && declareOne(statement, declarator, layout, scope, builder, context, owner);
    if (!sound) declareFaulty(scope, declarator.name.text, declarator.count !== undefined);
  }
}

function declareStatics(
  statement: VariableDeclaration,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
  owner: Owner,
): void {
  const names = (name: string): Binding | undefined => findBinding(scope, name, builder.registers);
  const declared = context.declareStatic(statement, { function: owner.name, names });
  for (const [name, index] of declared) {
    bind(scope, name, { kind: "symbol", index }, context);
    const pointer = bodyPointer(index, name, context.module.symbols);
    if (pointer !== undefined) builder.pointers.push(pointer);
    // ptxas orders .shared variables by declaration.
    if (statement.type.space !== "shared") (scope.statics ??= []).push(index);
  }
  // After an invalid declarator its name is known to be faulty.
  for (const { name, count } of statement.declarators) declareFaulty(scope, name.text, count !== undefined);
}

/** Declares a register or a frame variable. False after a report; the name is then faulty. */
function declareOne(
  { type }: VariableDeclaration,
  declarator: Declarator,
  layout: Layout,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
  owner: Owner,
): boolean {
  const { header, reporter } = context;
  const { name, count, initializer } = declarator;
  const { space } = type;
  refuseAttributes(type, `a .${space} variable`, reporter);
  if (initializer !== undefined) {
    reporter.report("initializer-space", initializer, `a .${space} variable cannot have an initial value`);
  }
  switch (space) {
    case "reg": {
      const fault = registerFault(layout);
      if (fault !== undefined) {
        reporter.report(
          "register-type",
          declarator,
          fault,
          layout.dimensions.length > 0 ? { remedy: `write ${name.text}<N> for N registers` } : {},
        );
        return false;
      }
      if (!declareRegister(scope, name, layout.type, layout.vector, count)) reportTwice(name, scope, context);
      return true;
    }
    case "local":
    case "param": {
      const fault = memoryFault(layout, space) ?? (space === "param" ? argumentAlignmentFault(layout) : undefined);
      if (fault !== undefined) {
        reporter.report("variable-space", type, fault);
        return false;
      }
      if (!requireComplete(layout, declarator, declarator, reporter)) return false;
      const isParameter = space === "param" && owner.entry && header.version < firstWithCallParameters;
      if (space === "param") {
        const feature = isParameter ? "a kernel's parameter in its body" : "a .param variable in a function's body";
        requireFeature(feature, type, header, reporter);
      }
      const kind = isParameter ? "parameter" : space;
      if (count === undefined) declareInFrame(name, kind, layout, scope, builder, context);
      else declareFamily(name, count, kind, layout, scope, builder, context);
      return true;
    }
    default:
      reporter.report("variable-space", type, `a .${space} variable cannot be declared in a function`, {
        remedy: "declare it outside of functions",
      });
      return false;
  }
}

/** Declares the names of `.local .u32 a<4>`. Unlike registers, variables are all declared at once. */
function declareFamily(
  at: Name,
  count: bigint,
  kind: FrameVariable["kind"],
  layout: Layout,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
): void {
  for (const text of familyNames(at.text, count))
    declareInFrame({ ...at, text }, kind, layout, scope, builder, context);
}

/** Declares one variable of the frame. */
export function declareInFrame(
  at: Name,
  kind: FrameVariable["kind"],
  layout: Layout,
  scope: Scope,
  builder: Builder,
  context: FunctionContext,
): void {
  const variable: FrameVariable = { name: at.text, kind, layout };
  bind(scope, at, { kind: "variable", index: builder.variables.push(variable) - 1, variable, at }, context);
}

/** Binds a name in a scope, unless the scope has the name already. */
export function bind(scope: Scope, name: Name, binding: Binding, context: FunctionContext): void {
  if (name.text === "_") return;
  if (isDeclared(scope, name.text)) reportTwice(name, scope, context);
  else declareName(scope, name.text, binding);
}

export function reportTwice(name: Name, scope: Scope, { reporter }: FunctionContext): void {
  const at = declaredAt(scope, name.text);
  const notes = at === undefined ? [] : [{ message: "declared here before", place: reporter.place(at) }];
  reporter.report("redeclaration", name, `'${name.text}' is declared twice in this scope`, { notes });
}
