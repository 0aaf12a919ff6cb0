// Locates a C++ variable for a stopped lane: in memory, in a register, as a constant, or nowhere. DW_OP_regx encodes a register
// by the letters of its PTX name as bytes of one number, the first letter highest: `%r5` is 0x257235. LLVM and nvcc do so for
// cuda-gdb; measured on nvcc 13.0. The number has 64 bits and holds the last eight letters of a longer name.

import { AT, OP, readExpression, readRangeList, type Operation } from "../../../formats/dwarf/index.js";
import type { Frame } from "../../exec/state/frame.js";
import type { Register } from "../../isa/code.js";
import type { SectionReference } from "../../ptx/section-data.js";
import { bytesAtAddress, type MemoryContext, type NamedMemory } from "../memory.js";
import { registerValue } from "../values.js";
import { isBetween, type SourceVariable } from "./functions.js";

/** The state from which a location is computed. */
export interface LaneContext {
  readonly frame: Frame;
  /** The next instruction of the frame. */
  readonly pc: number;
  readonly lane: number;
  readonly context: MemoryContext;
  /** Finds memory by its name in PTX. */
  readonly memoryOf: (name: string) => NamedMemory | undefined;
  /** The register that holds a PTX variable. */
  readonly held: (name: string) => number | undefined;
}

export type SourcePlace =
  | { readonly kind: "memory"; readonly address: number }
  | { readonly kind: "register"; readonly register: number }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** `why`: the reason why there is no value. */
  | { readonly kind: "none"; readonly why: string };

const OPTIMISED_OUT: SourcePlace = { kind: "none", why: "optimised out" };
const UNREADABLE: SourcePlace = { kind: "none", why: "in a location that is not read" };

export function placeOfVariable(variable: SourceVariable, at: LaneContext): SourcePlace {
  const { entry, of, type } = variable;
  const location = entry.attributes.get(AT.location);
  if (location === undefined) {
    const constant = entry.attributes.get(AT.constValue)?.content;
    if (constant instanceof Uint8Array) return { kind: "bytes", bytes: constant };
    return typeof constant === "bigint" ? { kind: "bytes", bytes: bytesOf(constant, type.size) } : OPTIMISED_OUT;
  }
  const { module, unit } = of;
  if (location.content instanceof Uint8Array) {
    const { at: start, content } = location;
    return evaluateLocation(content, unit.addressBytes, type.size, at, (offset) =>
      module.info.references.get(start + offset),
    );
  }
  if (typeof location.content !== "bigint") return UNREADABLE;
  const { bytes, references } = module.locations;
  const list = readRangeList(bytes, {
    offset: Number(location.content),
    addressBytes: unit.addressBytes,
    hasExpressions: true,
    isLabel: (offset) => references.has(offset),
  });
  if (!list.ok) return UNREADABLE;
  const here = list.value.find(({ begin, end }) => isBetween(of, module.locations, begin, end, at.pc));
  if (here === undefined) return OPTIMISED_OUT;
  const start = here.expression.byteOffset - bytes.byteOffset;
  return evaluateLocation(here.expression, unit.addressBytes, type.size, at, (offset) =>
    references.get(start + offset),
  );
}

const bytesOf = (value: bigint, size: number): Uint8Array =>
  Uint8Array.from({ length: Math.max(1, Math.min(size, 16)) }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));

/** Evaluates a DWARF expression. `referenceAt` takes the offset of an operand in the expression. */
function evaluateLocation(
  expression: Uint8Array,
  addressBytes: number,
  size: number,
  at: LaneContext,
  referenceAt: (offset: number) => SectionReference | undefined,
): SourcePlace {
  if (expression.length === 0) return OPTIMISED_OUT;
  const operations = readExpression(expression, addressBytes);
  if (!operations.ok) return UNREADABLE;
  const [first, ...rest] = operations.value;
  if (rest.length === 0 && first !== undefined) {
    const register = registerOf(first, at, referenceAt);
    if (register !== undefined) return register;
  }
  const stack: bigint[] = [];
  let isValue = false;
  for (const operation of operations.value) {
    if (operation.bytes !== undefined) return { kind: "bytes", bytes: operation.bytes };
    if (operation.code === OP.stackValue) isValue = true;
    else if (!(steps.get(operation.code) ?? constantStep)(stack, operation, { ...at, addressBytes, referenceAt }))
      return UNREADABLE;
  }
  const top = stack.at(-1);
  if (top === undefined) return OPTIMISED_OUT;
  return isValue ? { kind: "bytes", bytes: bytesOf(top, size) } : { kind: "memory", address: Number(top) };
}

/** The register place of an expression with one operation; undefined if it is none. */
function registerOf(
  { code, operands, at: offset }: Operation,
  { frame, held }: LaneContext,
  referenceAt: (offset: number) => SectionReference | undefined,
): SourcePlace | undefined {
  if (code === OP.regx) {
    const register = encodedRegister(frame.program.fn.code.registers, operands[0]!);
    return register === undefined ? OPTIMISED_OUT : { kind: "register", register };
  }
  const name = code === OP.addr ? referenceAt(offset)?.name : undefined;
  const register = name === undefined ? undefined : held(name);
  return register === undefined ? undefined : { kind: "register", register };
}

/** Letters that fit into the number. */
const MAX_LETTERS = 8;

/** The index of an encoded register; undefined if the function does not use it. */
function encodedRegister(registers: readonly Register[], code: bigint): number | undefined {
  let name = "";
  for (let rest = code; rest > 0n; rest >>= 8n) name = String.fromCharCode(Number(rest & 0xffn)) + name;
  const exact = registers.findIndex((each) => each.name === name);
  if (exact >= 0 || name.length < MAX_LETTERS) return exact < 0 ? undefined : exact;
  const found = registers.flatMap((each, i) => (each.name.endsWith(name) ? [i] : []));
  return found.length === 1 ? found[0] : undefined;
}

type StepContext = LaneContext & {
  readonly addressBytes: number;
  readonly referenceAt: (offset: number) => SectionReference | undefined;
};

/** One operation; returns false if it cannot be computed. */
type Step = (stack: bigint[], operation: Operation, at: StepContext) => boolean;

const binaryStep =
  (compute: (a: bigint, b: bigint) => bigint): Step =>
  (stack) => {
    const [b, a] = [stack.pop(), stack.pop()];
    if (a === undefined || b === undefined) return false;
    stack.push(BigInt.asUintN(64, compute(a, b)));
    return true;
  };

const push = (stack: bigint[], value: number | bigint | undefined): boolean => {
  if (value === undefined) return false;
  stack.push(BigInt.asUintN(64, BigInt(value)));
  return true;
};

const steps: ReadonlyMap<number, Step> = new Map<number, Step>([
  [OP.addr, (stack, { at: offset }, { referenceAt, memoryOf }) => {
    const reference = referenceAt(offset);
    const address = reference && memoryOf(reference.name)?.address;
    return push(stack, address === undefined ? undefined : BigInt(address) + (reference?.offset ?? 0n));
  }],
  [OP.plus, binaryStep((a, b) => a + b)],
  [OP.minus, binaryStep((a, b) => a - b)],
  [OP.plusUconst, (stack, { operands }) => push(stack, plus(stack.pop(), operands[0]!))],
  [OP.dup, (stack) => push(stack, stack.at(-1))],
  [OP.drop, (stack) => stack.pop() !== undefined],
  [OP.swap, (stack) => {
    const [b, a] = [stack.pop(), stack.pop()];
    return push(stack, b) && push(stack, a);
  }],
  [OP.nop, () => true],
  [OP.deref, (stack, _, { context, addressBytes }) => {
    const bytes = bytesAtAddress(context, Number(stack.pop() ?? -1n), addressBytes);
    if (bytes?.length !== addressBytes) return false;
    return push(stack, bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n));
  }],
  [OP.bregx, (stack, { operands }, { frame, lane }) => {
    const register = encodedRegister(frame.program.fn.code.registers, operands[0]!);
    return push(stack, register === undefined ? undefined : plus(registerValue(frame, register, lane).bits, operands[1]!));
  }],
  // A function's frame base is its only variable in local memory.
  [OP.fbreg, (stack, { operands }, { frame, memoryOf }) => {
    const depot = frame.program.fn.code.variables.find(({ name }) => name.startsWith("__local_depot"));
    const address = depot && memoryOf(depot.name)?.address;
    return push(stack, address === undefined ? undefined : plus(BigInt(address), operands[0]!));
  }],
]); // prettier-ignore

const plus = (a: bigint | undefined, b: bigint): bigint | undefined => (a === undefined ? undefined : a + b);

/** Pushes constants: DW_OP_lit0 to lit31, and operations with a constant operand. */
const constantStep: Step = (stack, { code, operands }) => {
  if (code >= OP.lit0 && code <= OP.lit31) return push(stack, code - OP.lit0);
  if (code >= OP.const1u && code <= OP.consts) return push(stack, operands[0]);
  return false;
};
