// First half of checking an instruction: resolves the names of each operand. The second half (match.ts) compares the result with
// the isa table. Resolving once per operand instead of once per candidate row avoids repeated messages and costs less.

import type { FrameVariable, Register } from "../isa/code.js";
import { absoluteBase, registerOperand, symbolBase, variableBase, type Base } from "../isa/instruction.js";
import { specialRegister, type SpecialRegister } from "../isa/special-registers.table.js";
import type { Expression, NameOperand, Operand as OperandNode } from "../ptx/tree.js";
import { foldConstant, type Constant } from "../ptx/constant.js";
import { elementSize } from "./layout.js";
import type { ModuleSymbol } from "./module.js";
import { findBinding } from "./scope.js";
import type { NameContext } from "./symbols.js";
import { reportUnknown } from "./unknown.js";

/** An operand with its names resolved; `node` locates it. */
export type Resolved = { readonly node: OperandNode } & (
  | {
      readonly kind: "register";
      readonly index: number;
      readonly register: Register;
      readonly selector: string | undefined;
    }
  | { readonly kind: "special"; readonly special: SpecialRegister; readonly component: string | undefined }
  | { readonly kind: "constant"; readonly value: Constant }
  | { readonly kind: "symbol"; readonly index: number; readonly symbol: ModuleSymbol; readonly offset: bigint }
  | { readonly kind: "variable"; readonly index: number; readonly variable: FrameVariable; readonly offset: bigint }
  | { readonly kind: "label"; readonly target: number }
  | { readonly kind: "table"; readonly table: "branch-targets" | "call-targets" | "prototypes"; readonly index: number }
  | { readonly kind: "vector"; readonly elements: readonly Resolved[] }
  | { readonly kind: "list"; readonly elements: readonly Resolved[] }
  | { readonly kind: "pair"; readonly first: Resolved; readonly second: Resolved }
  | { readonly kind: "not"; readonly operand: Resolved }
  | { readonly kind: "negate"; readonly operand: Resolved }
  /** `%rd1+8`, which is valid in an address only. */
  | { readonly kind: "register-offset"; readonly index: number; readonly register: Register; readonly offset: bigint }
  | {
      readonly kind: "address";
      readonly base: Base;
      readonly of: Resolved;
      readonly offset: bigint;
      readonly rest: readonly Resolved[];
    }
  | { readonly kind: "sink" }
);

/** Resolves an operand; undefined after a report. */
export function resolveOperand(node: OperandNode, context: NameContext): Resolved | undefined {
  switch (node.kind) {
    case "sink":
      return { kind: "sink", node };
    case "constant": {
      const value = constantOf(node.value, context);
      return value && { kind: "constant", value, node };
    }
    case "name":
      return resolveName(node, context);
    case "element":
      return resolveElement(node, context);
    case "not":
    case "negate": {
      const operand = resolveOperand(node.operand, context);
      return operand && { kind: node.kind, operand, node };
    }
    case "pair": {
      const first = resolveOperand(node.first, context);
      const second = resolveOperand(node.second, context);
      return first && second && { kind: "pair", first, second, node };
    }
    case "vector":
    case "list": {
      const elements = resolveAll(node.elements, context);
      return elements && { kind: node.kind, elements, node };
    }
    case "address": {
      const of = resolveOperand(node.base, context);
      const rest = resolveAll(node.rest, context);
      const base = of && addressBase(of, context);
      return of && rest && base && { kind: "address", base: base.base, offset: base.offset, of, rest, node };
    }
  }
}

export function resolveAll(nodes: readonly OperandNode[], context: NameContext): readonly Resolved[] | undefined {
  const resolved: Resolved[] = [];
  let complete = true;
  for (const node of nodes) {
    const one = resolveOperand(node, context);
    if (one === undefined) complete = false;
    else resolved.push(one);
  }
  return complete ? resolved : undefined;
}

function constantOf(expression: Expression, context: NameContext): Constant | undefined {
  return foldConstant(expression, (at, message, oddity) =>
    context.reporter.report(oddity ?? "constant-expression", at, message),
  );
}

function resolveName(node: NameOperand, context: NameContext): Resolved | undefined {
  const { text } = node.name;
  const { reporter } = context;
  let offset = 0n;
  if (node.offset !== undefined) {
    const value = constantOf(node.offset, context);
    if (value === undefined) return undefined;
    if (value.kind !== "integer") {
      reporter.report("operand-type", node.offset, "an address offset is an integer");
      return undefined;
    }
    offset = BigInt.asIntN(64, value.value);
  }
  const binding = findBinding(context.scope, text, context.registers);
  if (binding !== undefined) {
    switch (binding.kind) {
      case "register":
        if (node.offset !== undefined)
          return { kind: "register-offset", index: binding.index, register: binding.register, offset, node };
        return { kind: "register", index: binding.index, register: binding.register, selector: node.selector, node };
      case "variable":
        return { kind: "variable", index: binding.index, variable: binding.variable, offset, node };
      case "symbol":
        return { kind: "symbol", index: binding.index, symbol: context.module.symbols[binding.index]!, offset, node };
      case "label":
      case "table":
        if (node.offset !== undefined) {
          reporter.report("operand-kind", node, `'${text}' is a ${binding.kind}, which takes no offset`);
          return undefined;
        }
        if (binding.kind === "label") return { kind: "label", target: binding.target, node };
        return { kind: "table", table: binding.table, index: binding.index, node };
      case "faulty":
        return undefined;
    }
  }
  const symbol = context.module.find(text);
  if (symbol !== undefined) return { kind: "symbol", index: symbol.index, symbol: symbol.symbol, offset, node };
  const special = specialRegister(text);
  if (special !== undefined && node.offset !== undefined) {
    reporter.report("operand-kind", node, `${special.name} is a special register, which takes no offset`, {
      remedy: "mov it to a register, and add there",
    });
    return undefined;
  }
  if (special !== undefined) return { kind: "special", special, component: node.selector, node };
  reportUnknown(node.name, context);
  return undefined;
}

/** `array[3]`: the address of an element, PTX ISA section 6.4.2. */
function resolveElement(node: OperandNode & { kind: "element" }, context: NameContext): Resolved | undefined {
  const array = resolveName({ kind: "name", name: node.array, start: node.start, end: node.end }, context);
  const index = resolveOperand(node.index, context);
  if (array === undefined || index === undefined) return undefined;
  if (
    index.kind !== "constant" ||
    index.value.kind !== "integer" ||
    (array.kind !== "symbol" && array.kind !== "variable")
  ) {
    const message = "an array element is written as a variable with an integer constant or a register as index";
    context.reporter.report("operand-kind", node, message, { remedy: "compute the address in a register" });
    return undefined;
  }
  const stride = strideOf(array);
  if (stride === undefined) {
    context.reporter.report("operand-kind", node, `'${node.array.text}' is not an array`);
    return undefined;
  }
  return { ...array, offset: array.offset + index.value.value * BigInt(stride), node };
}

/** Bytes from one element of an array to the next; undefined for other operands. */
export function strideOf(array: Resolved): number | undefined {
  if (array.kind !== "symbol" && array.kind !== "variable") return undefined;
  const declared = array.kind === "variable" ? array.variable : array.symbol;
  if (!("layout" in declared) || declared.layout.dimensions.length === 0) return undefined;
  return elementSize(declared.layout.type, declared.layout.vector);
}

interface AddressBase {
  readonly base: Base;
  readonly offset: bigint;
}

function addressBase(of: Resolved, context: NameContext): AddressBase | undefined {
  switch (of.kind) {
    case "register":
    case "register-offset": {
      const offset = of.kind === "register" ? 0n : of.offset;
      const { type, name } = of.register;
      if ((type.bits !== 64 && type.bits !== 32) || type.class === "float" || of.register.vector > 1) {
        context.reporter.report(
          "operand-type",
          of.node,
          `${name} is .${type.name}; an address register is an integer or bits of 64 (or 32) bits`,
        );
        return undefined;
      }
      return { base: registerOperand(of.index), offset };
    }
    case "symbol":
      return { base: symbolBase(of.index), offset: of.offset };
    case "variable":
      return { base: variableBase(of.index), offset: of.offset };
    case "constant":
      if (of.value.kind === "integer") return { base: absoluteBase, offset: of.value.value };
      break;
    default:
  }
  context.reporter.report(
    "operand-kind",
    of.node,
    "an address is a register, a variable or an integer, with an offset",
  );
  return undefined;
}
