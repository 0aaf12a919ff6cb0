// Checks arguments and results of call against the callee's prototype: PTX ISA 9.0 sections 7.1 and 9.7.12.5.

import type { Code, FrameVariable, Layout, Parameter, Prototype, Register } from "../isa/code.js";
import type { Instruction, Operand } from "../isa/instruction.js";
import type { Opcode } from "../isa/opcode.js";
import type { Ranged } from "../ptx/source-text.js";
import type { Instruction as Statement, Operand as Node } from "../ptx/tree.js";
import { agrees, isInteger } from "./agree.js";
import { firstUnfit, isOpenArray, type Callees, type FormalLists } from "./callees.js";
import { foldConstant } from "../ptx/constant.js";
import { immediateFloatBits } from "./initializer.js";
import { constantBits } from "./match-value.js";
import type { ModuleSymbol } from "./module.js";
import { isNarrowValue } from "./narrow-parameters.js";
import type { Reporter } from "./reporter.js";
import type { Platform } from "./require.js";
import { typeText } from "./symbols.js";

export interface CallContext {
  readonly code: Pick<Code, "variables" | "prototypes"> & {
    /** The functions of each `.calltargets` list. */
    readonly callees: readonly Callees[];
  };
  readonly registers: Code["registers"];
  readonly symbols: readonly ModuleSymbol[];
  readonly platform: Platform;
  readonly reporter: Reporter;
}

/** Operand numbers of a call's row, by purpose. */
export interface CallPlaces {
  readonly results: number;
  readonly callee: number;
  readonly args: number;
  readonly table: number;
}

// Memoizes a pure function of the shared opcodes.
const known = new WeakMap<Opcode, CallPlaces | false>();

/** The operand numbers of a call; undefined for other instructions. */
export function callPlaces(opcode: Opcode): CallPlaces | undefined {
  let places = known.get(opcode);
  if (places === undefined) known.set(opcode, (places = findPlaces(opcode) ?? false));
  return places === false ? undefined : places;
}

function findPlaces({ form: { operands } }: Opcode): CallPlaces | undefined {
  if (!operands.some(({ kind }) => kind === "callee")) return undefined;
  const named = (wanted: string): number => operands.findIndex(({ name }) => name === wanted);
  return { results: named("d"), callee: named("f"), args: named("a"), table: named("t") };
}

/** The symbol of a direct call's callee; undefined for an indirect call. */
function calledSymbol(
  { operands }: Instruction,
  { callee: place }: CallPlaces,
  symbols: readonly ModuleSymbol[],
): ModuleSymbol | undefined {
  const callee = operands[place];
  return callee?.kind === "address-of" && callee.base.kind === "symbol" ? symbols[callee.base.symbol] : undefined;
}

/** Fast path: whether a direct call is valid and needs no change, except for the values of constants. */
export function fitsCallee(instruction: Instruction, places: CallPlaces, context: CallContext): boolean {
  const { operands } = instruction;
  const target = calledSymbol(instruction, places, context.symbols);
  if (target?.kind !== "function" || target.entry || operands[places.table] !== undefined) return false;
  const { returns, parameters } = target.prototype;
  return (
    fitsList(operands[places.results], returns, true, context) &&
    fitsList(operands[places.args], parameters, false, context)
  );
}

function fitsList(
  operand: Operand | undefined,
  formals: readonly Parameter[],
  isResult: boolean,
  context: CallContext,
): boolean {
  if (!takesCount(operand, formals)) return false;
  const actuals = elementsOf(operand);
  for (let i = 0; i < actuals.length; i++)
    if (argumentFault(actuals[i]!, undefined, formals[i]!, isResult, context) !== undefined) return false;
  return true;
}

/** Reports mismatches, and returns the call with constants converted to their parameters' types. */
export function checkCall(
  instruction: Instruction,
  places: CallPlaces,
  statement: Statement,
  context: CallContext,
): Instruction {
  const { reporter, symbols } = context;
  const { operands } = instruction;
  const [results, callee, args] = [operands[places.results], operands[places.callee], operands[places.args]];
  const table = operands[places.table];
  const target = calledSymbol(instruction, places, symbols);
  const check = (prototype: Prototype): boolean => checkLists(results, args, prototype, target, statement, context);
  const typed = (prototype: Prototype): Instruction => {
    if (args?.kind !== "list" || !args.elements.some(({ kind }) => kind === "immediate")) return instruction;
    return { ...instruction, operands: operands.with(places.args, typedList(args, statement, prototype)) };
  };
  if (target?.kind === "function") {
    if (table !== undefined) {
      const message = `a direct call of '${target.name}' takes no prototype and no list of targets`;
      reporter.report("call", statement, message, { remedy: "remove the last operand" });
    } else if (target.entry) {
      reporter.report("call", statement, `'${target.name}' is a kernel; kernels are launched, not called`, {
        remedy: "put what both need into a .func, and call that",
      });
    } else if (check(target.prototype)) return typed(target.prototype);
    return instruction;
  }
  const { type } = context.registers[callee?.kind === "register" ? callee.register : -1] ?? {};
  if (type !== undefined && (type.class === "float" || type.class === "predicate" || type.bits > 64)) {
    reporter.report(
      "call",
      statement,
      `the callee's address must be in an integer register, not a .${type.name} register`,
      {
        remedy: "take the address with mov.u64 into a .b64 register",
      },
    );
    return instruction;
  }
  const prototype = table?.kind === "table" ? prototypeToCheck(table, results, args, statement, context) : undefined;
  if (prototype === undefined) {
    reporter.report("call", statement, "an indirect call needs a prototype or a list of its possible targets", {
      remedy: "declare one with .callprototype above the call and name it as the last operand",
    });
    return instruction;
  }
  return check(prototype) ? typed(prototype) : instruction;
}

function typedList(list: Operand & { kind: "list" }, statement: Statement, { parameters }: Prototype): Operand {
  const elements = list.elements.map((element, i) => {
    if (element.kind !== "immediate") return element;
    const bits = typedBits(listElement(statement, "argument", i), parameters[i]!.layout);
    return bits === undefined ? element : { ...element, bits };
  });
  return { ...list, elements };
}

type ListName = "return value" | "argument";

/** Checks both lists against one prototype. False after a report. */
function checkLists(
  results: Operand | undefined,
  args: Operand | undefined,
  prototype: Prototype,
  target: ModuleSymbol | undefined,
  statement: Statement,
  context: CallContext,
): boolean {
  let fit = true;
  const report = (place: Ranged, message: string, remedy: string): void => {
    fit = false;
    const notes = target === undefined ? [] : [{ message: `'${target.name}' is declared here`, place: target.place }];
    context.reporter.report("call", place, message, { notes, remedy });
  };
  const checkList = (what: ListName, operand: Operand | undefined, formals: readonly Parameter[]): void => {
    const actuals = elementsOf(operand);
    if (!takesCount(operand, formals)) {
      report(
        operand === undefined ? statement : listNode(statement, what),
        `${count(actuals.length, what)}, but the callee has ${formals.length}`,
        formals.length === 0
          ? `leave the list of ${what}s out`
          : `write ${count(formals.length, what)} in parentheses ${what === "argument" ? "after" : "before"} the function`,
      );
      return;
    }
    actuals.forEach((actual, i) => {
      const [node, formal] = [listElement(statement, what, i), formals[i]!];
      const wrong = argumentFault(actual, node, formal, what === "return value", context);
      if (wrong === undefined) return;
      const remedy = `declare it as the callee does, .param .align ${formal.layout.align} ${typeText(formal.layout)}, and copy the value`;
      report(node, `${what} ${i + 1} is ${wrong}; the callee has ${formalText(formal)}`, remedy);
    });
  };
  checkList("return value", results, prototype.returns);
  checkList("argument", args, prototype.parameters);
  return fit;
}

const elementsOf = (operand: Operand | undefined): readonly Operand[] =>
  operand?.kind === "list" ? operand.elements : [];

/** Whether the number of values matches. */
function takesCount(operand: Operand | undefined, formals: readonly Parameter[]): boolean {
  const { length } = elementsOf(operand);
  const variadic = operand !== undefined && isOpenArray(formals.at(-1)) ? 1 : 0;
  return length <= formals.length && length >= formals.length - variadic;
}

const formalText = ({ layout }: Parameter): string => `${typeText(layout)} aligned to ${layout.align} bytes`;

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

/**
 * The prototype to check against: that of the first possible callee that the call does not fit. If it fits all, the first one.
 */
function prototypeToCheck(
  table: Operand & { kind: "table" },
  results: Operand | undefined,
  args: Operand | undefined,
  statement: Statement,
  context: CallContext,
): Prototype | undefined {
  if (table.table === "prototypes") return context.code.prototypes[table.index]!.prototype;
  const { prototypes, returns, parameters } = context.code.callees[table.index]!;
  const unfit = (what: ListName, operand: Operand | undefined, lists: FormalLists): number => {
    const actuals = elementsOf(operand);
    const isResult = what === "return value";
    // A discarded result fits every formal.
    const fits = (i: number, formal: Parameter): boolean =>
      (isResult && actuals[i]!.kind === "sink") ||
      argumentFault(actuals[i]!, listElement(statement, what, i), formal, isResult, context) === undefined;
    return firstUnfit(lists, actuals.length, (formals) => takesCount(operand, formals), fits);
  };
  const first = Math.min(unfit("return value", results, returns), unfit("argument", args, parameters));
  return prototypes[first] ?? prototypes[0];
}

/** The argument as text if it cannot be passed as that formal, otherwise undefined. Constants need `node`. */
function argumentFault(
  actual: Operand,
  node: Node | Statement | undefined,
  formal: Parameter,
  isResult: boolean,
  context: CallContext,
): string | undefined {
  const { layout } = formal;
  const scalar = layout.dimensions.length === 0;
  const passable = !scalar || !isNarrowValue(layout) || !context.platform.conventionInCalls;
  switch (actual.kind) {
    case "register": {
      const register = context.registers[actual.register]!;
      return scalar && passable && holds(register, layout, isResult)
        ? undefined
        : `a ${typeText({ ...register, dimensions: [] })} register`;
    }
    case "address-of":
      if (!passable) return "in .param, where small numbers cannot be passed (bits, arrays and 32 bits can)";
      return actual.base.kind === "variable"
        ? variableFault(context.code.variables[actual.base.variable]!, layout)
        : "the address of a module variable";
    case "immediate":
      return scalar && passable && !isResult && typedBits(node, layout) !== undefined ? undefined : "a constant";
    case "sink":
      return isResult && passable ? undefined : "'_'";
    default:
      return undefined;
  }
}

/** Vectors and pairs of halves are passed as untyped bits, and accept any value of their size. */
const isUntyped = ({ type, vector }: Pick<Layout, "type" | "vector">): boolean => vector > 1 || type.name === "f16x2";

const bitsOf = ({ type, vector }: Pick<Layout, "type" | "vector">): number => type.bits * vector;

/**
 * Whether a register can be passed as the formal. Of vectors, the elements of one must be whole elements of the other; ptxas
 * crashes on others.
 */
function holds(register: Register, formal: Layout, isResult: boolean): boolean {
  if (!isUntyped(register) && !isUntyped(formal)) return agrees(register.type, formal.type);
  if (register.type.class === "predicate" || bitsOf(register) !== bitsOf(formal)) return false;
  if (formal.vector === 1) return true;
  if (isResult) return register.vector <= formal.vector;
  return register.vector >= formal.vector || isPairInOne(register, formal);
}

/** A pair of halves in a register that cannot be split: the largest, and in ptxas also a 16-bit integer. */
const isPairInOne = ({ type }: Register, formal: Layout): boolean =>
  formal.vector === 2 && (type.bits === 128 || (type.bits === 16 && isInteger(type)));

/**
 * The bits of a constant argument; undefined if it does not fit. ptxas accepts any float as bits. For an untyped formal a
 * constant has 64 bits, and a float written as f32 has 32.
 */
function typedBits(node: Node | Statement | undefined, layout: Layout): bigint | undefined {
  const value = node?.kind === "constant" ? foldConstant(node.value, () => undefined) : undefined;
  if (value === undefined) return undefined;
  if (isUntyped(layout)) {
    const bits = value.kind === "f32-bits" ? 32 : 64;
    if (bitsOf(layout) !== bits) return undefined;
    return BigInt.asUintN(64, value.kind === "integer" ? value.value : immediateFloatBits(value, bits)!);
  }
  const { type } = layout;
  if (value.kind === "integer" || (type.class !== "bits" && type.class !== "float")) return constantBits(type, value);
  return BigInt.asUintN(type.bits, immediateFloatBits(value, type.bits === 64 ? 64 : 32)!);
}

/**
 * The mismatch of an argument in memory, which must be a .param variable of the caller's body. Arrays agree if their bytes and
 * alignment do.
 */
function variableFault({ kind, layout: actual }: FrameVariable, formal: Layout): string | undefined {
  if (kind === "local") return "a .local variable";
  if (kind !== "param") return "a formal parameter of the caller";
  const [ours, theirs] = [actual.dimensions, formal.dimensions];
  const sameType =
    theirs.length === 0
      ? ours.length === 0 && (isUntyped(formal) ? bitsOf(actual) === bitsOf(formal) : agrees(actual.type, formal.type))
      : ours.length === theirs.length && (theirs[0] === undefined || actual.size === formal.size);
  if (!sameType) return typeText(actual);
  return actual.align === formal.align ? undefined : `aligned to ${actual.align} bytes`;
}

/** The list of arguments or results in the syntax tree. */
function listNode(statement: Statement, what: string): (Node & { kind: "list" }) | Statement {
  const lists = statement.operands.filter((operand): operand is Node & { kind: "list" } => operand.kind === "list");
  return (what === "argument" ? lists.at(-1) : lists[0]) ?? statement;
}

/** The i-th argument or result in the syntax tree. */
function listElement(statement: Statement, what: string, i: number): Node | Statement {
  const list = listNode(statement, what);
  return list.kind === "list" ? (list.elements[i] ?? statement) : statement;
}
