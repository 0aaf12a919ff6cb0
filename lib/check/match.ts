// Second half of checking an instruction: matches resolved operands with the places of a table row, and makes the decoded
// operands. If the row does not match, the result is an OperandMismatch, and the next reading of the same spelling is tried. The
// caller reports the OperandMismatch of the reading that matched most operands.

import { registerOperand, sinkOperand, symbolBase, variableBase, type Operand } from "../isa/instruction.js";
import { takesElements, type OperandShape } from "../isa/opcode.js";
import type { DataType } from "../isa/types.table.js";
import type { Ranged } from "../ptx/source-text.js";
import { mix } from "./agree.js";
import { immediateFloatBits } from "./initializer.js";
import {
  fits,
  isMismatch,
  matchSpecial,
  matchSymbol,
  matchValue,
  mismatch,
  type OperandMismatch,
} from "./match-value.js";
import type { Resolved } from "./resolve.js";

/** Matches operands with the row's places in order, skipping optional places that they do not fit. */
export function matchOperands(
  shapes: readonly OperandShape[],
  operands: readonly Resolved[],
  at: Ranged,
): readonly (Operand | undefined)[] | OperandMismatch {
  const matched: (Operand | undefined)[] = [];
  let next = 0;
  let skipped: OperandMismatch | undefined;
  for (const [i, shape] of shapes.entries()) {
    if (shape.presence === "absent") {
      matched.push(undefined);
      continue;
    }
    const operand = operands[next];
    // Optional operands at the start (the results of call) are skipped by kind, those at the end if operands are missing.
    const laterRequired = shapes.slice(i + 1).filter((s) => s.presence === "required").length;
    if (shape.presence === "optional" && (operand === undefined || operands.length - next <= laterRequired)) {
      matched.push(undefined);
      continue;
    }
    if (operand === undefined) {
      return {
        ...mismatch("operand-count", at, `operand '${shape.spec.name}' is missing: ${countText(shapes)}`),
        fitted: next,
      };
    }
    const result = matchOperand(shape, operand);
    if (!isMismatch(result)) {
      matched.push(result);
      next++;
    } else if (shape.presence === "optional") {
      skipped ??= { ...result, fitted: next };
      matched.push(undefined);
    } else return { ...result, fitted: next };
  }
  if (next < operands.length) {
    return (
      skipped ?? {
        ...mismatch("operand-count", operands[next]!.node, `one operand too many: ${countText(shapes)}`),
        fitted: next,
      }
    );
  }
  return matched;
}

function countText(shapes: readonly OperandShape[]): string {
  const most = shapes.filter((shape) => shape.presence !== "absent").length;
  const least = shapes.filter((shape) => shape.presence === "required").length;
  return `the instruction takes ${least === most ? most : `${least} to ${most}`}`;
}

function matchOperand(shape: OperandShape, operand: Resolved): Operand | OperandMismatch {
  if (shape.pair !== undefined) {
    if (operand.kind === "pair") {
      const first = matchSingle(shape, operand.first);
      const second = matchSingle(shape.pair, operand.second);
      return isMismatch(first) ? first : isMismatch(second) ? second : { kind: "pair", first, second };
    }
    if (shape.spec.pair?.optional !== true)
      return mismatch("operand-kind", operand.node, `'${shape.spec.name}' is a pair of registers, d|p`);
  } else if (operand.kind === "pair")
    return mismatch("operand-kind", operand.node, `'${shape.spec.name}' is not a pair`);
  return matchSingle(shape, operand);
}

function matchSingle(shape: OperandShape, operand: Resolved): Operand | OperandMismatch {
  const { spec } = shape;
  switch (spec.kind) {
    case "value":
    case "register":
    case "immediate":
      if (operand.kind === "sink" && spec.discardable && spec.access !== "read") return { kind: "sink" };
      if (shape.count !== undefined) return matchVector(shape, operand);
      // `ld.v2 {_, %r1}` discards an element; a load that discards everything is an error.
      if (operand.kind === "sink" && spec.count !== undefined) {
        return mismatch("operand-kind", operand.node, `'_' can only replace an element of a vector`);
      }
      // A single value may have braces: `ld.u32 {%r1}, [a]`.
      if (operand.kind === "vector" && operand.elements.length === 1 && spec.count !== undefined) {
        return matchValue(shape, operand.elements[0]!);
      }
      return matchValue(shape, operand);
    case "address":
      return matchAddress(shape, operand);
    case "list":
      return operand.kind === "list"
        ? matchList(operand.elements)
        : mismatch("operand-kind", operand.node, "expected a list in parentheses");
    case "label":
      return operand.kind === "label"
        ? { kind: "label", target: operand.target }
        : mismatch("operand-kind", operand.node, "expected a label", "name a label of this function");
    case "labels":
      return operand.kind === "table" && operand.table === "branch-targets"
        ? { kind: "table", table: operand.table, index: operand.index }
        : mismatch("operand-kind", operand.node, "expected the name of a .branchtargets list");
    case "prototype":
      return operand.kind === "table" && operand.table !== "branch-targets"
        ? { kind: "table", table: operand.table, index: operand.index }
        : mismatch("operand-kind", operand.node, "expected the name of a .callprototype or .calltargets");
    case "callee":
      return matchCallee(operand);
    case "symbol":
      return matchSymbol(shape, operand);
    case "sink":
      return operand.kind === "sink" ? sinkOperand : mismatch("operand-kind", operand.node, "only '_' is allowed here");
  }
}

// -------------------------------------------------------------------------------------------------------------- vectors

function matchVector(shape: OperandShape, operand: Resolved): Operand | OperandMismatch {
  const { spec } = shape;
  if (operand.kind === "register" && operand.register.vector > 1 && operand.selector === undefined)
    return wholeVector(shape, operand);
  if (operand.kind === "special" && operand.special.vector && operand.component === undefined && shape.count === 4) {
    const parts = [..."xyzw"].map((component) => matchSpecial(shape, { ...operand, component }));
    return (
      parts.find(isMismatch) ?? { kind: "vector", elements: parts.filter((part): part is Operand => !isMismatch(part)) }
    );
  }
  if (operand.kind === "vector") return matchElements(shape, operand);
  if (shape.bare) return matchValue(shape, operand);
  return mismatch(
    "operand-kind",
    operand.node,
    `'${spec.name}' is a vector: ${shape.count === "any" ? "registers" : `${shape.count} registers`} in braces`,
    "write the registers in braces: {%r1, %r2}",
  );
}

type ResolvedVector = Resolved & { readonly kind: "vector" };

/** Matches a vector in braces. */
function matchElements(shape: OperandShape, { elements, node }: ResolvedVector): Operand | OperandMismatch {
  const { spec, type } = shape;
  if (!takesElements(shape, elements.length))
    return mismatch("operand-count", node, `'${spec.name}' has ${shape.count} elements; ${elements.length} are given`);
  let elementType = type;
  if (spec.type.kind === "split" && type !== undefined) {
    elementType = partType(type, elements);
    if (elementType === undefined)
      return mismatch("operand-type", node, `these elements do not make up a .${type.name}`);
  }
  const takesSinks =
    spec.access === "write" || (spec.discardable && type !== undefined && type.bits * elements.length === 256);
  if (takesSinks && elements.every(({ kind }) => kind === "sink"))
    return mismatch("operand-kind", node, `every element of '${spec.name}' is '_': at least one must be a register`);
  const made: Operand[] = [];
  for (const [i, element] of elements.entries()) {
    const result = element.kind === "sink" && takesSinks ? sinkOperand : matchElement(shape, elementType, element, i);
    if (isMismatch(result)) return result;
    made.push(result);
  }
  const types = elements.flatMap((element) => (element.kind === "register" ? element.register.type : []));
  if (shape.elements === undefined && !mix(types))
    return mismatch("operand-type", node, `the registers in '${spec.name}' have types that do not agree`);
  return { kind: "vector", elements: made };
}

function matchElement(
  shape: OperandShape,
  type: DataType | undefined,
  element: Resolved,
  i: number,
): Operand | OperandMismatch {
  const result = matchValue({ ...shape, type: shape.elements?.[i] ?? type, count: undefined }, element);
  if (isMismatch(result)) return result;
  const allowed = shape.allowed?.[i];
  if (result.kind !== "immediate" || allowed?.includes(result.bits) !== false) return result;
  const message = `${result.bits} is not a value that element ${i + 1} of '${shape.spec.name}' can have: ${allowed.join(" or ")}`;
  return mismatch("operand-range", element.node, message);
}

/** The type of each of n elements that together have the size of `whole`: they agree with the bit type of their size. */
function partType(whole: DataType, elements: readonly Resolved[]): DataType | undefined {
  const bits = whole.bits / elements.length;
  const register = elements.find((element) => element.kind === "register");
  if (register?.kind === "register") return register.register.type.bits === bits ? register.register.type : undefined;
  return elements.length > 0 && bits >= 8 && Number.isInteger(bits) ? whole : undefined;
}

/** Matches a register declared as a vector, `.reg .v4 .f32 %v`: its elements become the operand's. */
function wholeVector(shape: OperandShape, operand: Resolved & { kind: "register" }): Operand | OperandMismatch {
  const { register, index } = operand;
  if (!takesElements(shape, register.vector)) {
    return mismatch(
      "operand-type",
      operand.node,
      `${register.name} has ${register.vector} elements; '${shape.spec.name}' has ${shape.count}`,
    );
  }
  if (shape.count !== "any" && !fits(shape, register.type)) {
    return mismatch(
      "operand-type",
      operand.node,
      `${register.name} is .${register.type.name}; '${shape.spec.name}' must be .${shape.type!.name}`,
    );
  }
  const elements = Array.from({ length: register.vector }, (_, i): Operand => ({
    kind: "register",
    register: index,
    selector: "xyzw"[i]!,
  }));
  return { kind: "vector", elements };
}

// ----------------------------------------------------------------------------------------------------------- addresses

function matchAddress(shape: OperandShape, operand: Resolved): Operand | OperandMismatch {
  if (operand.kind !== "address")
    return mismatch(
      "operand-kind",
      operand.node,
      `'${shape.spec.name}' is an address in brackets`,
      operand.kind === "register" && operand.register.type.bits === 64 && operand.register.type.class !== "float"
        ? `write [${operand.register.name}]`
        : "write a register or a variable in brackets: [%rd1+8]",
    );
  if (shape.rest.length === 0 && operand.rest.length > 0) {
    return mismatch("operand-kind", operand.rest[0]!.node, "these brackets contain only an address");
  }
  const isUnified = operand.node.kind === "address" && operand.node.unified === true;
  if (isUnified && shape.spec.selector === undefined)
    return mismatch("operand-kind", operand.node, "'.unified' cannot follow this address");
  const rest = shape.rest.length === 0 ? [] : matchOperands(shape.rest, operand.rest, operand.node);
  if (isMismatch(rest as object)) return rest as OperandMismatch;
  if (isUnified) return { kind: "address", base: operand.base, offset: operand.offset, rest: [], unified: true };
  return {
    kind: "address",
    base: operand.base,
    offset: operand.offset,
    rest: (rest as readonly (Operand | undefined)[]).filter((item) => item !== undefined),
  };
}

// ---------------------------------------------------------------------------------------------------------------- calls

function matchCallee(operand: Resolved): Operand | OperandMismatch {
  if (operand.kind === "register") return registerOperand(operand.index);
  if (operand.kind === "symbol" && operand.symbol.kind === "function") {
    return { kind: "address-of", base: symbolBase(operand.index), offset: 0n };
  }
  return mismatch(
    "operand-kind",
    operand.node,
    "the callee must be a function, or a register with a function's address",
    "name a function that is declared above; for one whose address is in a register, name its prototype last",
  );
}

/** Arguments and results are checked against the prototype afterwards (call.ts). */
function matchList(elements: readonly Resolved[]): Operand | OperandMismatch {
  const made: Operand[] = [];
  for (const element of elements) {
    switch (element.kind) {
      case "register":
        made.push(registerOperand(element.index));
        break;
      case "variable":
        made.push({ kind: "address-of", base: variableBase(element.index), offset: element.offset });
        break;
      case "constant":
        made.push({
          kind: "immediate",
          bits:
            element.value.kind === "integer"
              ? BigInt.asUintN(64, element.value.value)
              : immediateFloatBits(element.value, 32)!,
        });
        break;
      case "sink":
        made.push(sinkOperand);
        break;
      default:
        return mismatch("operand-kind", element.node, "an argument is a .param variable, a register or a constant");
    }
  }
  return { kind: "list", elements: made };
}
