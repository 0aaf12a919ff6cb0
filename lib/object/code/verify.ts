// Checks that decoded operands are valid, so that the engines can rely on it for code from files too: every operand has a kind
// and type that its place in the instruction allows. These are the checker's rules (check/match.ts) without its messages. Calls
// are not compared with prototypes here, because the callee is not known.

import { agrees, agreesWider } from "../../check/agree.js";
import type { Register } from "../../isa/code.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { takesElements, type OperandShape } from "../../isa/opcode.js";
import { selectorSets } from "../../isa/selectors.js";
import { specialRegister } from "../../isa/special-registers.table.js";
import type { DataType } from "../../isa/types.table.js";
import type { SymbolSlot } from "./slots.js";

/** The declarations to which operands refer. */
export interface VerifyContext {
  readonly registers: readonly Register[];
  readonly slots: readonly SymbolSlot[];
}

/** Whether the instruction's guard and operands fit its opcode. */
export function isWellFormed({ opcode, guard, operands }: Instruction, context: VerifyContext): boolean {
  const predicate = guard === undefined ? undefined : context.registers[guard.register]!;
  if (predicate !== undefined && (predicate.type.class !== "predicate" || predicate.vector !== 1)) return false;
  return opcode.operands.every((shape, i) => {
    const operand = operands[i];
    if (operand === undefined) return shape.presence !== "required";
    return shape.presence !== "absent" && fitsPlace(shape, operand, context);
  });
}

function fitsPlace(shape: OperandShape, operand: Operand, context: VerifyContext): boolean {
  if (operand.kind !== "pair") return shape.spec.pair?.optional !== false && fitsSingle(shape, operand, context);
  const { pair } = shape;
  return pair !== undefined && fitsSingle(shape, operand.first, context) && fitsSingle(pair, operand.second, context);
}

function fitsSingle(shape: OperandShape, operand: Operand, context: VerifyContext): boolean {
  switch (shape.spec.kind) {
    case "value":
    case "register":
    case "immediate":
      return shape.count === undefined
        ? fitsValue(shape, operand, shape.type, context)
        : fitsVector(shape, operand, context);
    case "address":
      return (
        operand.kind === "address" &&
        (operand.unified !== true || shape.spec.selector === "unified") &&
        fitsAddress(shape, operand, context)
      );
    case "list":
      return operand.kind === "list" && operand.elements.every((element) => isArgument(element, context));
    case "label":
      return operand.kind === "label";
    case "labels":
      return operand.kind === "table" && operand.table === "branch-targets";
    case "prototype":
      return operand.kind === "table" && operand.table !== "branch-targets";
    case "callee":
      return operand.kind === "register" ? isAddress(operand.register, context) : isFunction(operand, context);
    case "symbol":
      return operand.kind === "address-of" && isName(operand);
    case "sink":
      return operand.kind === "sink";
  }
}

// --------------------------------------------------------------------------------------------------------------- values

function fitsValue(shape: OperandShape, operand: Operand, type: DataType | undefined, context: VerifyContext): boolean {
  const { spec, wider } = shape;
  switch (operand.kind) {
    case "register": {
      const register = context.registers[operand.register]!;
      if (operand.negated === true && !spec.negatable && !spec.signed) return false;
      if (!fitsSelector(register, operand.selector, spec.selector)) return false;
      const fits = type === undefined || (wider ? agreesWider : agrees)(register.type, type);
      return spec.kind !== "immediate" && fits;
    }
    case "immediate":
      return (
        spec.kind !== "register" &&
        operand.bits < 1n << BigInt(type === undefined || type.bits === 0 ? 64 : type.bits) &&
        (spec.values === undefined ||
          spec.values(BigInt.asIntN(type?.bits ?? 64, operand.bits)) ||
          spec.values(operand.bits))
      );
    case "special":
      return spec.special && isSpecial(operand.name);
    case "address-of":
      return (spec.addressOf && isName(operand)) || (spec.functionOf && isFunction(operand, context));
    case "sink":
      return spec.discardable || spec.access === "write";
    default:
      return false;
  }
}

/** Elements of vector registers are named x to w; other selectors belong to video instructions. */
function fitsSelector(register: Register, selector: string | undefined, set: string | undefined): boolean {
  if (register.vector > 1) {
    const element = selector === undefined || selector.length !== 1 ? -1 : "xyzw".indexOf(selector);
    return element >= 0 && element < register.vector;
  }
  return selector === undefined || (set !== undefined && selectorSets[set]!.test(selector));
}

/**
 * Whether a name is a special register: "tid.x". It must be in the table, with a component exactly if the register has
 * components.
 */
function isSpecial(name: string): boolean {
  const [stem, component, ...rest] = name.split(".");
  const row = specialRegister(`%${stem}`);
  if (row === undefined || rest.length > 0) return false;
  return row.vector ? component !== undefined && /^[xyzw]$/.test(component) : component === undefined;
}

function fitsVector(shape: OperandShape, operand: Operand, context: VerifyContext): boolean {
  if (operand.kind !== "vector") return shape.count === 1 && fitsValue(shape, operand, shape.type, context);
  const { elements } = operand;
  if (elements.length === 0 || !takesElements(shape, elements.length)) return false;
  const isSplit = shape.spec.type.kind === "split" && shape.type !== undefined;
  if (!isSplit) return elements.every((e, i) => fitsValue(shape, e, shape.elements?.[i] ?? shape.type, context));
  const bits = shape.type.bits / elements.length;
  return elements.every((element) => {
    if (element.kind === "register" && context.registers[element.register]!.type.bits !== bits) return false;
    return fitsValue(shape, element, undefined, context);
  });
}

// ------------------------------------------------------------------------------------------------- addresses and symbols

function isAddress(register: number, { registers }: VerifyContext): boolean {
  const { type, vector } = registers[register]!;
  return vector === 1 && (type.bits === 64 || type.bits === 32) && type.class !== "float" && type.class !== "predicate";
}

/** Whether the operand is a symbol or a frame variable, not an address in a register. */
function isName({ base }: Operand & { kind: "address-of" }): boolean {
  return base.kind === "symbol" || base.kind === "variable";
}

function isFunction(operand: Operand, { slots }: VerifyContext): boolean {
  if (operand.kind !== "address-of" || operand.base.kind !== "symbol") return false;
  const { space } = slots[operand.base.symbol]!;
  return operand.offset === 0n && (space === "function" || space === "kernel");
}

/** Whether an operand can be an argument or result of a call: a register, `.param` variable, constant or `_`. */
function isArgument(operand: Operand, { registers }: VerifyContext): boolean {
  switch (operand.kind) {
    case "register":
      return fitsSelector(registers[operand.register]!, operand.selector, undefined) || operand.selector === undefined;
    case "address-of":
      return operand.base.kind === "variable";
    default:
      return operand.kind === "immediate" || operand.kind === "sink";
  }
}

/** The items after the address have the row's order; omitted ones leave no gap. */
function fitsAddress(shape: OperandShape, operand: Operand & { kind: "address" }, context: VerifyContext): boolean {
  const { base, rest } = operand;
  if (base.kind === "register" && !isAddress(base.register, context)) return false;
  let next = 0;
  for (const place of shape.rest) {
    const item = rest[next];
    if (item !== undefined && place.presence !== "absent" && fitsPlace(place, item, context)) next++;
    else if (place.presence === "required") return false;
  }
  return next === rest.length;
}
