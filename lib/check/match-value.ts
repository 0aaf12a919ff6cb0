// Matches one value with an operand of a table row: a register, a constant or a special register, perhaps with a selector or a
// sign. match.ts assigns operands to the row's places.

import {
  immediateOperand,
  registerOperand,
  sinkOperand,
  symbolBase,
  variableBase,
  type Operand,
} from "../isa/instruction.js";
import type { OperandShape } from "../isa/opcode.js";
import { specialName } from "../isa/special-registers.table.js";
import { selectorSets } from "../isa/selectors.js";
import type { DataType } from "../isa/types.table.js";
import type { Ranged } from "../ptx/source-text.js";
import { agrees, agreesWider } from "./agree.js";
import { f32OfBits, type Constant } from "../ptx/constant.js";
import { immediateFloatBits } from "./initializer.js";
import type { Resolved } from "./resolve.js";
import type { CodeName } from "../diag/codes.table.js";

/** Why a row does not match: the place, the message, and the number of operands that did match. */
export interface OperandMismatch {
  readonly kind: "mismatch";
  readonly code: CodeName;
  readonly at: Ranged;
  readonly message: string;
  readonly remedy?: string;
  readonly fitted: number;
}

export const isMismatch = (value: object): value is OperandMismatch =>
  (value as Partial<OperandMismatch>).kind === "mismatch";

/** A mismatch at the first operand. */
export function mismatch(code: CodeName, at: Ranged, message: string, remedy?: string): OperandMismatch {
  return { kind: "mismatch", code, at, message, fitted: 0, ...(remedy === undefined ? {} : { remedy }) };
}

/** Whether the place accepts an operand of `type`. */
export function fits(shape: OperandShape, type: DataType): boolean {
  const { type: wanted } = shape;
  const { kind } = shape.spec.type;
  // The address of a sampler, or its name; texture-operands.ts checks further.
  if (wanted?.class === "opaque") return type.bits === 64 && type.class !== "float";
  // If the instruction itself implies .u32, without a type modifier, ptxas does not accept an .f16x2 as untyped bits.
  if (type.name === "f16x2" && wanted?.class !== "bits" && (kind === "fixed" || kind === "rule"))
    return type === wanted;
  if (shape.spec.exact) return type === wanted;
  return wanted === undefined || (shape.wider ? agreesWider(type, wanted) : agrees(type, wanted));
}

type ResolvedAs<Kind extends Resolved["kind"]> = Resolved & { readonly kind: Kind };

/** Matches a register, constant or special register as a single value. */
export function matchValue(shape: OperandShape, operand: Resolved): Operand | OperandMismatch {
  const { spec } = shape;
  switch (operand.kind) {
    case "register":
      return matchRegister(shape, operand);
    case "sink":
      return spec.discardable && spec.access !== "read"
        ? sinkOperand
        : mismatch("operand-kind", operand.node, `'_' cannot replace '${spec.name}'`);
    case "constant":
      return spec.kind === "register"
        ? registerWanted(shape, operand)
        : matchConstant(shape, operand.value, operand.node);
    case "special":
      return matchSpecial(shape, operand);
    case "not":
    case "negate":
      return matchNegated(shape, operand);
    case "symbol":
    case "variable":
      return spec.addressOf || (spec.functionOf && isFunction(operand))
        ? matchSymbol(shape, operand)
        : mismatch(
            "operand-kind",
            operand.node,
            `'${spec.name}' must be a register or a constant, not a ${isFunction(operand) ? "function" : "variable"}`,
            variableRemedy(operand),
          );
    default:
      return mismatch(
        "operand-kind",
        operand.node,
        `'${spec.name}' must be ${spec.kind === "register" ? "a register" : "a register or a constant"}`,
      );
  }
}

function matchRegister(shape: OperandShape, operand: ResolvedAs<"register">): Operand | OperandMismatch {
  const { spec, type: wanted } = shape;
  const { register, index, node } = operand;
  const { type } = register;
  let { selector } = operand;
  if (register.vector > 1) {
    const element = selector === undefined ? -1 : "xyzwrgba".indexOf(selector) % 4;
    if (element < 0 || element >= register.vector)
      return mismatch(
        "operand-type",
        node,
        `${register.name} is a vector of ${register.vector}; name one element, such as ${register.name}.x`,
      );
    selector = "xyzw"[element]!;
  } else if (selector !== undefined && (spec.selector === undefined || !selectorSets[spec.selector]!.test(selector)))
    return mismatch("operand-kind", node, `'.${selector}' cannot follow this operand`);
  if (spec.kind === "immediate") return mismatch("operand-kind", node, `'${spec.name}' must be a constant`);
  if (!fits(shape, type))
    return mismatch(
      "operand-type",
      node,
      `${register.name} is .${type.name}; '${spec.name}' must be .${wanted!.name}`,
      conversionRemedy(type, wanted!, spec.access !== "read"),
    );
  return selector === undefined ? registerOperand(index) : { kind: "register", register: index, selector };
}

function registerWanted({ spec, type }: OperandShape, { node }: ResolvedAs<"constant">): OperandMismatch {
  const remedy =
    spec.access === "read"
      ? `move it into a register first, with mov${type === undefined ? "" : `.${type.name}`}`
      : "name the register that takes the result";
  return mismatch("operand-kind", node, `'${spec.name}' must be a register`, remedy);
}

/** Matches an operand after `!` or `-`. */
function matchNegated(shape: OperandShape, operand: ResolvedAs<"not" | "negate">): Operand | OperandMismatch {
  const { spec, type } = shape;
  const isNot = operand.kind === "not";
  const isAllowed = isNot ? spec.negatable && type?.class === "predicate" : spec.signed;
  if (!isAllowed)
    return mismatch(
      "operand-kind",
      operand.node,
      `operand '${spec.name}' cannot be ${isNot ? "inverted with '!'" : "negated with '-'"}`,
      isNot
        ? "invert the value first, with not"
        : `negate the value first, with neg${type?.class === "signed" || type?.class === "float" ? `.${type.name}` : ""}`,
    );
  const inner = matchValue(shape, operand.operand);
  if (isMismatch(inner)) return inner;
  if (inner.kind === "register") return { ...inner, negated: true };
  if (inner.kind === "immediate") return { kind: "immediate", bits: inner.bits === 0n ? 1n : 0n };
  return mismatch("operand-kind", operand.node, "only a register can be negated");
}

type Named = Resolved & { readonly kind: "symbol" | "variable" };

const isFunction = (operand: Named): boolean => operand.kind === "symbol" && operand.symbol.kind === "function";

/** The remedy for a variable used as a value: load a parameter, take the address of any other variable. */
function variableRemedy(operand: Named): string {
  if (isFunction(operand)) return "take its address first, with mov";
  const isParameter = operand.kind === "variable" && operand.variable.kind !== "local";
  return isParameter
    ? `load its value first, with ld.param.${operand.variable.layout.type.name}`
    : "load its value first, with ld, or take its address, with mov";
}

/** Matches a special register, whose type must agree with the place's. */
export function matchSpecial(shape: OperandShape, operand: Resolved & { kind: "special" }): Operand | OperandMismatch {
  const { special, component } = operand;
  if (shape.spec.special === false) {
    return mismatch(
      "operand-kind",
      operand.node,
      `special register ${special.name} can be read by mov and cvt only`,
      `read it into a register first, with mov.${special.type.name}`,
    );
  }
  if (special.vector && component === undefined) {
    return mismatch(
      "operand-kind",
      operand.node,
      `${special.name} is a vector; name one component, such as ${special.name}.x`,
      `write ${special.name}.x`,
    );
  }
  if (component !== undefined && (!special.vector || !/^[xyzw]$/.test(component))) {
    return mismatch("operand-kind", operand.node, `${special.name} has no component '.${component}'`);
  }
  const agreeing =
    shape.type === undefined ||
    special.type.bits === shape.type.bits ||
    (shape.wider && special.type.class !== "predicate" && special.type.bits > shape.type.bits) ||
    special.alsoBits.includes(shape.type.bits);
  if (!agreeing || shape.type?.class === "float") {
    return mismatch(
      "operand-type",
      operand.node,
      `${special.name} is .${special.type.name}; '${shape.spec.name}' is .${shape.type!.name}`,
    );
  }
  return { kind: "special", name: specialName(special, component) };
}

/** Matches a constant; the operand has its bits in the place's type. */
export function matchConstant(shape: OperandShape, value: Constant, at: Ranged): Operand | OperandMismatch {
  const { type } = shape;
  if (type === undefined) {
    if (value.kind !== "integer") return { kind: "immediate", bits: immediateFloatBits(value, 32)! };
    return immediateOperand(BigInt.asUintN(64, value.value));
  }
  const bits = constantBits(type, value);
  if (bits === undefined) {
    const what = value.kind === "integer" ? "an integer" : "a float";
    const remedy = value.kind === "integer" && type.class === "float" ? `write ${value.value}.0` : undefined;
    return mismatch(
      "operand-type",
      at,
      `'${shape.spec.name}' is .${type.name}; ${what} does not convert to it`,
      remedy,
    );
  }
  if (value.kind === "integer" && shape.spec.values?.(BigInt.asIntN(64, value.value)) === false) {
    return mismatch(
      "operand-range",
      at,
      `${value.value} is not a value that '${shape.spec.name}' can have: ${shape.spec.valuesText}`,
    );
  }
  if (value.kind !== "integer" && shape.spec.floats?.(floatOf(value)) === false) {
    const message = `this is not a value that '${shape.spec.name}' can have: ${shape.spec.valuesText}`;
    return mismatch("operand-range", at, message);
  }
  return immediateOperand(bits);
}

/** How to convert a register to another type: by its value, or by its bits. */
function conversionRemedy(from: DataType, to: DataType, isWritten: boolean): string | undefined {
  if (to.class === "predicate") return isWritten ? undefined : "compare it first, with setp";
  if (from.class === "predicate") return isWritten ? undefined : "make a number of it first, with selp";
  if (isWritten) return `write the result to a .${to.name} register`;
  if (to.lanes > 1 || from.lanes > 1 || to.class === "opaque" || from.bits > 64 || to.bits > 64) return undefined;
  const isFloat = (type: DataType): boolean => type.class === "float";
  const number = ({ class: kind, name, bits }: DataType): string => (kind === "bits" ? `u${bits}` : name);
  const rounding = isFloat(to) ? (isFloat(from) && to.bits > from.bits ? "" : ".rn") : isFloat(from) ? ".rzi" : "";
  const value = `cvt${rounding}.${number(to)}.${number(from)}`;
  return from.bits === to.bits && isFloat(from) !== isFloat(to)
    ? `convert its value with ${value}, or move its bits with mov.b${to.bits}`
    : `convert it first, with ${value}`;
}

const floatOf = (value: Constant & { readonly kind: "float" | "f32-bits" }): number =>
  value.kind === "float" ? value.value : f32OfBits(value.bits);

/** The bits of a constant in that type, with integers truncated; undefined if the type cannot have the value. */
export function constantBits(type: DataType, value: Constant): bigint | undefined {
  if (value.kind === "integer") {
    if (type.class === "float" || type.class === "opaque" || type.lanes > 1) return undefined;
    if (type.class === "predicate") return value.value === 0n ? 0n : 1n;
    return BigInt.asUintN(type.bits, value.value);
  }
  const exact = type.class === "bits" && value.kind === "f32-bits" && type.bits === 32;
  const double = type.class === "bits" && value.kind === "float" && type.bits === 64;
  const fits = type.name === "f32" || type.name === "f64" || exact || double;
  return fits ? immediateFloatBits(value, type.bits === 32 ? 32 : 64) : undefined;
}

/** Matches a name whose address, or number, is the value. */
export function matchSymbol(shape: OperandShape, operand: Resolved): Operand | OperandMismatch {
  if (shape.type !== undefined && shape.type.class === "float") {
    return mismatch("operand-type", operand.node, `an address is not a .${shape.type.name}`);
  }
  if (operand.kind === "symbol") {
    const { symbol, index, offset } = operand;
    if (symbol.kind === "function" && offset !== 0n) {
      return mismatch("operand-kind", operand.node, `the address of function '${symbol.name}' takes no offset`);
    }
    return { kind: "address-of", base: symbolBase(index), offset };
  }
  if (operand.kind === "variable") {
    const { variable, index, offset } = operand;
    if (variable.kind === "param") {
      return mismatch(
        "operand-kind",
        operand.node,
        `'${variable.name}' holds an argument of a call and has no address`,
      );
    }
    return { kind: "address-of", base: variableBase(index), offset };
  }
  return mismatch("operand-kind", operand.node, "expected the name of a variable or function");
}
