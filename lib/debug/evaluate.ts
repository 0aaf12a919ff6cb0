// Evaluates expressions for a stopped lane. A result is a number of a PTX type, or a whole variable; values in a register or in
// memory can be assigned to.

import { plainName } from "../base/source-name.js";
import { dataType, type DataType } from "../isa/types.table.js";
import { spaceOf } from "../load/address-space.js";
import type { LoadedFunction } from "../load/process.js";
import { specialRegister } from "../exec/machine/special.js";
import { arithmeticType, commonType, comparisons, ofFloats, ofIntegers, signedOf } from "./arithmetic.js";
import { assign } from "./assign.js";
import { ExpressionError, parseExpression, type Expression } from "./expression.js";
import { bytesAtAddress, extentsOf, type MemoryContext, type NamedMemory } from "./memory.js";
import type { Result, Scope, SourceObject } from "./result.js";
import { elementAt, memberNamed, pointee, resultOf } from "./source/objects.js";
import type { PointerType, SourceType } from "./source/types.js";
import { bitsOfNumber, elementNames, numberOf, registerValue, typeBytes, valueIn, type Value } from "./values.js";

const boolean = (is: boolean): Result => ({ kind: "value", value: { type: dataType("pred")!, bits: is ? 1n : 0n } });

/** Throws ExpressionError. */
export const evaluateText = (text: string, scope: Scope): Result => evaluate(parseExpression(text), scope);

/** Throws ExpressionError. */
export function evaluate(expression: Expression, scope: Scope): Result {
  switch (expression.kind) {
    case "number":
      return made(expression.type, expression.value);
    case "name":
      return named(expression.name, scope);
    case "unary":
      return unary(expression.operator, expression.of, scope);
    case "binary":
      return binary(expression.operator, expression.left, expression.right, scope);
    case "choice":
      return evaluate(isTrue(evaluate(expression.test, scope)) ? expression.yes : expression.no, scope);
    case "cast":
      return cast(evaluate(expression.of, scope), expression.type, expression.isPointer, scope);
    case "index":
      return index(evaluate(expression.of, scope), wholeOf(evaluate(expression.index, scope)), scope);
    case "member":
      return member(expression.of, expression.name, scope);
    case "lane": {
      const lane = Number(wholeOf(evaluate(expression.lane, scope)));
      if (lane < 0 || lane > 31) throw new ExpressionError(`a warp has the lanes 0 to 31, and no ${lane}`);
      return evaluate(expression.of, scope.inLane(lane));
    }
    case "assign":
      return assign(evaluate(expression.to, scope), valueOf(evaluate(expression.value, scope)));
  }
}

function made(type: DataType, number: number | bigint, pointsTo?: DataType): Result {
  const bits = bitsOfNumber(type, number);
  if (bits === undefined) throw new ExpressionError(`.${type.name} has no such value`);
  return { kind: "value", value: { type, bits }, ...(pointsTo === undefined ? {} : { pointsTo }) };
}

// --------------------------------------------------------------------------------------------------------------- names

function named(name: string, scope: Scope): Result {
  const { frame, lane } = scope;
  const found = registerNamed(frame.program.fn, name);
  if (found !== undefined) {
    const { register, element } = found;
    const part = element === undefined ? {} : { element };
    const value = registerValue(frame, register, lane, undefined, element);
    return { kind: "value", value, place: { kind: "register", frame, register, lane, ...part } };
  }
  const source = scope.source.find(name);
  if (source !== undefined) return resultOf(source);
  const held = scope.registerOf(name);
  if (held !== undefined)
    return {
      kind: "value",
      value: registerValue(frame, held, lane),
      place: { kind: "register", frame, register: held, lane },
    };
  const memory = memoryNamed(scope.memories, name);
  if (memory !== undefined) return ofMemory(memory, scope.context);
  const own = ownMember(name, scope);
  if (own !== undefined) return resultOf(own);
  const special = name.startsWith("%") || name === "WARP_SZ" ? specialRegister(name) : undefined;
  if (special !== undefined)
    return made(dataType(special.bits === 64 ? "u64" : "u32")!, BigInt(special.value(frame, lane)));
  throw new ExpressionError(
    name.startsWith("%")
      ? `there is no register '${name}' in ${frame.program.fn.name}`
      : `there is no variable, parameter or buffer '${name}'`,
  );
}

/** A member of the object on which the current C++ function was called. */
function ownMember(name: string, { source, context }: Scope): SourceObject | undefined {
  const object = source.find("this");
  if (object === undefined || object.place.kind === "none") return undefined;
  const result = resultOf(object);
  return result.kind === "value" && result.declared?.kind === "pointer"
    ? memberNamed(pointee(result.value, result.declared, context, "(*this)"), name)
    : undefined;
}

/** `x.y`, or `x->y`: a member in C++, an element of a vector in PTX. */
function member(of: Expression, name: string, scope: Scope): Result {
  const register = of.kind === "name" ? registerNamed(scope.frame.program.fn, `${of.name}.${name}`) : undefined;
  if (register !== undefined && of.kind === "name") return named(`${of.name}.${name}`, scope);
  const result = evaluate(of, scope);
  if (result.kind === "memory") {
    const at = elementNames.findIndex((each) => each === name);
    const element = result.memory.dimensions.length === 0 ? elementOf(result.memory, at) : undefined;
    if (element !== undefined) return ofMemory(element, result.context);
  }
  const object = objectOf(result, scope);
  const found = object && memberNamed(object, name);
  if (found !== undefined) return resultOf(found);
  throw new ExpressionError(
    object === undefined ? `'.${name}' takes a structure` : `${object.type.name} has no '${name}'`,
  );
}

/** The structure that a result is, or to which it points. */
function objectOf(result: Result, { context }: Scope): SourceObject | undefined {
  if (result.kind === "object") return result.object;
  return result.kind === "value" && result.declared?.kind === "pointer"
    ? pointee(result.value, result.declared, context)
    : undefined;
}

/** Finds memory by its name in PTX, then by its name in the C++ source. */
export const memoryNamed = (memories: readonly NamedMemory[], name: string): NamedMemory | undefined =>
  memories.find((each) => each.name === name) ?? memories.find((each) => plainName(each.name) === name);

interface RegisterName {
  readonly register: number;
  readonly element?: string;
}

/** Cached lookups of register names, by function. */
const registerNames = new WeakMap<LoadedFunction, Map<string, RegisterName | undefined>>();

/** Finds a register: `%r1`, or `%v.x` of a vector. */
function registerNamed(fn: LoadedFunction, name: string): RegisterName | undefined {
  let known = registerNames.get(fn);
  if (known === undefined) registerNames.set(fn, (known = new Map<string, RegisterName | undefined>()));
  if (!known.has(name)) {
    const find = (wanted: string): number =>
      fn.code.registers.findIndex((each) => each.name === wanted || `%${each.name}` === wanted);
    const [, base = name, element] = /^(.+)\.([xyzw])$/.exec(name) ?? [];
    const [whole, part] = [find(name), element === undefined ? -1 : find(base)];
    known.set(name, whole >= 0 ? { register: whole } : part >= 0 ? { register: part, element: element! } : undefined);
  }
  return known.get(name);
}

/** The value of a variable with one element; otherwise the whole variable. */
export function ofMemory(memory: NamedMemory, context: MemoryContext): Result {
  return memory.dimensions.length === 0 && memory.vector === 1 && memory.size === typeBytes(memory.type)
    ? atAddress(memory.type, memory.address, context)
    : { kind: "memory", memory, context };
}

function atAddress(type: DataType, address: number, context: MemoryContext): Result {
  const bytes = bytesAtAddress(context, address, typeBytes(type));
  if (bytes === undefined || bytes.length < typeBytes(type))
    throw new ExpressionError(`0x${address.toString(16)} is in no memory`);
  return { kind: "value", value: valueIn(type, bytes), place: { kind: "memory", context, address } };
}

// ----------------------------------------------------------------------------------------------------------- operators

/** The number of a result; for an array, its address. Throws ExpressionError. */
export function valueOf(result: Result): Value {
  if (result.kind === "value") return result.value;
  if (result.kind === "object") return { type: dataType("u64")!, bits: BigInt(addressOf(result.object)) };
  // As in C, an array's value is its address.
  return { type: dataType("u64")!, bits: BigInt(result.memory.address) };
}

/** The address of an object. An array converts to it implicitly, a structure only with `&`. Throws ExpressionError. */
function addressOf({ name, type, place }: SourceObject, isWanted = type.kind === "array"): number {
  if (isWanted && place.kind === "memory") return place.address;
  throw new ExpressionError(
    isWanted ? "only a value in memory has an address" : `${name || type.name} is not a number`,
  );
}

/** A value of a pointer type of C++. */
const pointerTo = (target: SourceType, address: number | bigint): Result => {
  const type = dataType("u64")!;
  const name = `${target.name}${target.name.endsWith("*") ? "*" : " *"}`;
  const declared: PointerType = { kind: "pointer", name, size: 8, data: type, target: () => target };
  return { kind: "value", value: { type, bits: BigInt.asUintN(64, BigInt(address)) }, declared };
};

function numeric(result: Result): number | bigint {
  const number = numberOf(valueOf(result));
  if (number === undefined) throw new ExpressionError(`.${valueOf(result).type.name} is not a number`);
  return number;
}

function wholeOf(result: Result): bigint {
  const number = numeric(result);
  if (typeof number === "bigint") return number;
  if (!Number.isInteger(number)) throw new ExpressionError(`${number} is not a whole number`);
  return BigInt(number);
}

export const isTrue = (result: Result): boolean => {
  const number = numeric(result);
  return typeof number === "bigint" ? number !== 0n : number !== 0;
};

function unary(operator: string, of: Expression, scope: Scope): Result {
  const result = evaluate(of, scope);
  switch (operator) {
    case "*":
      return dereference(result, scope);
    case "&": {
      if (result.kind === "memory") return made(dataType("u64")!, BigInt(result.memory.address), result.memory.type);
      if (result.kind === "object") return pointerTo(result.object.type, addressOf(result.object, true));
      if (result.place?.kind !== "memory") throw new ExpressionError("only a value in memory has an address");
      return result.declared === undefined
        ? made(dataType("u64")!, BigInt(result.place.address), result.value.type)
        : pointerTo(result.declared, result.place.address);
    }
    case "!":
      return boolean(!isTrue(result));
    case "~":
      return made(valueOf(result).type, ~wholeOf(result));
    default: {
      const number = numeric(result);
      const type = arithmeticType(valueOf(result).type);
      return operator === "+" ? made(type, number) : made(signedOf(type), -number);
    }
  }
}

/** The value at an address. Its type is the pointer's or, without one, the declared type of the memory there. */
function dereference(result: Result, scope: Scope): Result {
  if (result.kind !== "value" || result.declared?.kind === "pointer") return index(result, 0n, scope);
  const address = Number(result.value.bits);
  const type = result.pointsTo ?? memoryAt(address, scope)?.type ?? dataType("b32")!;
  return atAddress(type, address, scope.context);
}

export function memoryAt(address: number, { memories }: Scope): NamedMemory | undefined {
  return memories.find((each) => address >= each.address && address < each.address + each.size);
}

function binary(operator: string, leftOf: Expression, rightOf: Expression, scope: Scope): Result {
  const left = evaluate(leftOf, scope);
  if (operator === "&&") return boolean(isTrue(left) && isTrue(evaluate(rightOf, scope)));
  if (operator === "||") return boolean(isTrue(left) || isTrue(evaluate(rightOf, scope)));
  const right = evaluate(rightOf, scope);
  const isFloat = [left, right].some((each) => valueOf(each).type.class === "float");
  const source = pointedTo(left);
  if (source !== undefined && (operator === "+" || operator === "-") && !isFloat && pointedTo(right) === undefined) {
    const step = BigInt(Math.max(1, source.size)) * wholeOf(right);
    return pointerTo(source, wholeOf(left) + (operator === "+" ? step : -step));
  }
  const pointsTo = left.kind === "value" ? left.pointsTo : left.kind === "memory" ? left.memory.type : undefined;
  if (pointsTo !== undefined && (operator === "+" || operator === "-") && !isFloat) {
    const step = BigInt(typeBytes(pointsTo)) * wholeOf(right);
    return made(dataType("u64")!, wholeOf(left) + (operator === "+" ? step : -step), pointsTo);
  }
  const compared = comparisons[operator];
  const [a, b] = isFloat ? [Number(numeric(left)), Number(numeric(right))] : [wholeOf(left), wholeOf(right)];
  if (compared !== undefined) return boolean(compared(a, b));
  const type = commonType(valueOf(left).type, valueOf(right).type);
  if (isFloat) {
    const operation = ofFloats[operator];
    if (operation === undefined) throw new ExpressionError(`'${operator}' takes whole numbers`);
    return made(type, operation(Number(a), Number(b)));
  }
  if ((operator === "/" || operator === "%") && b === 0n) throw new ExpressionError("division by zero");
  return made(type, ofIntegers[operator]!(BigInt(a), BigInt(b)));
}

/** The target type of a C++ pointer, or the element type of an array. */
function pointedTo(result: Result): SourceType | undefined {
  if (result.kind === "object") return result.object.type.kind === "array" ? result.object.type.element : undefined;
  return result.kind === "value" && result.declared?.kind === "pointer" ? result.declared.target() : undefined;
}

function cast(result: Result, type: DataType, isPointer: boolean, scope: Scope): Result {
  // A cast of an array to another element type: nvcc declares arrays as bytes.
  if (isPointer && result.kind === "memory") {
    const { memory, context } = result;
    return { kind: "memory", context, memory: { ...memory, type, vector: 1, dimensions: [undefined] } };
  }
  if (isPointer && result.kind === "object" && result.object.type.kind === "array") {
    const { name, type: array, context } = result.object;
    const address = addressOf(result.object);
    const space = spaceOf(address, context.process.space) ?? "global";
    const size = array.size || (memoryAt(address, scope)?.size ?? 0);
    const memory: NamedMemory = {
      name,
      space,
      address,
      size,
      type,
      vector: 1,
      dimensions: [undefined],
      isBuffer: false,
    };
    return { kind: "memory", context, memory };
  }
  if (isPointer) return made(dataType("u64")!, wholeOf(result), type);
  const value = valueOf(result);
  // Bits are reinterpreted as a type of the same size: registers of nvcc's code have bit types.
  const isSameBits = value.type.class === "bits" && value.type.bits === type.bits;
  if (isSameBits || type.lanes > 1)
    return { kind: "value", value: { type, bits: BigInt.asUintN(type.bits, value.bits) } };
  return made(type, numeric(result));
}

function index(result: Result, at: bigint, scope: Scope): Result {
  if (result.kind === "object") {
    const element = elementAt(result.object, Number(at));
    if (element !== undefined) return resultOf(element);
    const { name, type } = result.object;
    throw new ExpressionError(type.kind === "array" ? `${name} ends before [${at}]` : `${name} is not an array`);
  }
  if (result.kind === "value" && result.declared?.kind === "pointer") {
    const first = pointee(result.value, result.declared, scope.context);
    const address = Number(result.value.bits) + Number(at) * first.type.size;
    return resultOf({ ...first, name: `0x${address.toString(16)}`, place: { kind: "memory", address } });
  }
  if (result.kind === "value") {
    const { pointsTo } = result;
    const base = Number(result.value.bits);
    const type = pointsTo ?? memoryAt(base, scope)?.type;
    if (type === undefined)
      throw new ExpressionError("only arrays and pointers can be indexed: cast it, ((f32*)%rd1)[0]");
    return atAddress(type, base + Number(at) * typeBytes(type), scope.context);
  }
  const { memory, context } = result;
  const element = elementOf(memory, Number(at));
  if (element === undefined) throw new ExpressionError(`${memory.name} ends before [${at}]`);
  return ofMemory(element, context);
}

/** One element of the outermost dimension, or of a vector. */
export function elementOf(memory: NamedMemory, at: number): NamedMemory | undefined {
  const [outer, ...inner] = extentsOf(memory);
  const unit = typeBytes(memory.type);
  const count = outer ?? memory.vector;
  if (!Number.isInteger(at) || at < 0 || at >= count) return undefined;
  const size = outer === undefined ? unit : inner.reduce((product, each) => product * each, unit * memory.vector);
  const name = outer === undefined ? `${memory.name}.${elementNames[at] ?? at}` : `${memory.name}[${at}]`;
  const vector = outer === undefined ? 1 : memory.vector;
  return { ...memory, name, address: memory.address + at * size, size, vector, dimensions: inner };
}
