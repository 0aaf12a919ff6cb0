// Rows of atomicrmw and cmpxchg. Operations without a PTX instruction become a loop around `atom.cas`; bytes are changed inside
// the word that contains them.

import type { AtomicInstruction, CompareExchangeInstruction, Ordering } from "../ir/instruction.js";
import type { FloatName, Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { floatBinary, floatCompare, negate } from "../lower/float.js";
import { binary, choose, compare, notPredicate, orPredicates, resize } from "../lower/integer.js";
import { scalarBits } from "../lower/parts.js";
import { binaryWords, compareWords } from "../lower/wide.js";
import { addressAt } from "./access.js";
import { floatTarget } from "./arithmetic.js";
import { spaceSuffix } from "./copy.js";
import { literal, widths, type Register, type Scalar } from "./machine.js";
import { fenceBefore, orderText, strongest } from "./orders.js";
import type { Lowering, Place, Selection } from "./selection.js";
import { isShort, ofShortBits, shortBits } from "./short-pointers.js";
import { partsOf, placeOf, pointerClass, specificBits } from "./values.js";

interface Row {
  readonly op: string;
  readonly letter: "b" | "u" | "s" | "f";
  /** Widths in bits that PTX supports. */
  readonly widths: readonly number[];
}

const rows: Readonly<Record<string, Row>> = {
  xchg: { op: "exch", letter: "b", widths: [32, 64] },
  add: { op: "add", letter: "u", widths: [32, 64] },
  sub: { op: "add", letter: "u", widths: [32, 64] },
  and: { op: "and", letter: "b", widths: [32, 64] },
  or: { op: "or", letter: "b", widths: [32, 64] },
  xor: { op: "xor", letter: "b", widths: [32, 64] },
  max: { op: "max", letter: "s", widths: [32, 64] },
  min: { op: "min", letter: "s", widths: [32, 64] },
  umax: { op: "max", letter: "u", widths: [32, 64] },
  umin: { op: "min", letter: "u", widths: [32, 64] },
  uinc_wrap: { op: "inc", letter: "u", widths: [32] },
  udec_wrap: { op: "dec", letter: "u", widths: [32] },
  fadd: { op: "add", letter: "f", widths: [32, 64] },
  fsub: { op: "add", letter: "f", widths: [32, 64] },
};

interface Target {
  readonly place: Place;
  readonly order: string;
  readonly type: Type;
  readonly bits: number;
}

const atomText = ({ place, order }: Target, op: string, name = "atom"): string =>
  `${name}${order}${spaceSuffix(place.space)}.${op}`;

export const lowerAtomic: Lowering<AtomicInstruction> = (selection, instruction) => {
  const { operation, operands, ordering, scope, type } = instruction;
  const { emit, layout } = selection;
  const place = atomicPlace(selection, placeOf(selection, operands[0]!));
  const short = isShort(selection, type);
  const bits = short ? 32 : scalarBits(type, layout)!;
  const target: Target = { place, order: orderText(selection, ordering, scope), type, bits };
  fenceBefore(selection, ordering, scope);
  const parts = atomicParts(selection, operands[1]!);
  const row = rows[operation];
  const half = halfRow(selection, operation, type);
  if (row?.widths.includes(bits) || half !== undefined) {
    const value = operandOf(selection, operation, parts[0]!, type, bits);
    const op = half ?? `${row!.op}.${row!.letter}${bits}`;
    const kind = value.class;
    const unused = !selection.uses.has(instruction);
    const relaxed = ordering === "monotonic" || ordering === "release" || ordering === "unordered";
    if (unused && relaxed && operation !== "xchg") {
      emit.effect(atomText(target, op, "red"), [], [addressAt(selection, place, 0), value]);
      return [literal(kind, 0n)];
    }
    const old = emit.read(atomText(target, op), kind, addressAt(selection, place, 0), value);
    return [short ? ofShortBits(selection, old) : old];
  }
  if (bits === 128 && operation === "xchg") return exchangeWhole(selection, target, parts);
  return casLoop(selection, target, (old) => operate(selection, operation, old, parts, type, bits));
};

/** A value in its memory format. */
const atomicParts = (selection: Selection, value: Value): readonly Scalar[] => {
  const parts = partsOf(selection, value);
  return isShort(selection, value.type) ? parts.map((one) => shortBits(selection, one)) : parts;
};

/** Private memory of the thread, and constants, are accessed by generic addresses. */
function atomicPlace(selection: Selection, place: Place): Place {
  if (place.space !== "local" && place.space !== "const" && place.space !== "param") return place;
  const kind = pointerClass(selection);
  const start = specificBits(selection, place);
  return { base: selection.emit.pure(`cvta.${place.space}.u${widths[kind]}`, kind, start), offset: 0, space: "" };
}

/** Sums of f16 and bf16. */
function halfRow({ context }: Selection, operation: string, type: Type): string | undefined {
  if (type.kind !== "float" || (operation !== "fadd" && operation !== "fsub")) return undefined;
  if (type.name === "half" && context.arch >= 70) {
    context.needVersion(63);
    return "add.noftz.f16";
  }
  if (type.name !== "bfloat" || context.arch < 90) return undefined;
  context.needVersion(78);
  return "add.noftz.bf16";
}

function operandOf({ emit }: Selection, operation: string, value: Scalar, type: Type, bits: number): Scalar {
  if (operation === "sub") return binary(emit, "sub", literal(value.class, 0n), value, bits);
  const result = operation === "fsub" ? negate(emit, value, (type as { readonly name: FloatName }).name) : value;
  return emit.inRegister(result, result.class);
}

/** The new value, computed from the old one's parts. */
function operate(
  selection: Selection,
  operation: string,
  old: readonly Scalar[],
  parts: readonly Scalar[],
  type: Type,
  bits: number,
): readonly Scalar[] {
  const { emit } = selection;
  const [a, b] = [old[0]!, parts[0]!];
  if (type.kind === "float") return [operateFloat(selection, operation, a, b, type.name)];
  if (bits > 64) return operateWords(selection, operation, old, parts, bits);
  const one = literal(a.class, 1n);
  const zero = literal(a.class, 0n);
  const picks: Readonly<Record<string, string>> = { max: "sgt", min: "slt", umax: "ugt", umin: "ult" };
  if (operation in picks) return [choose(emit, compare(emit, picks[operation]!, a, b, bits), a, b)];
  switch (operation) {
    case "xchg":
      return [b];
    case "nand":
      return [binary(emit, "xor", binary(emit, "and", a, b, bits), literal(a.class, -1n), bits)];
    case "uinc_wrap":
      return [choose(emit, compare(emit, "uge", a, b, bits), zero, binary(emit, "add", a, one, bits))];
    case "udec_wrap": {
      const wraps = orPredicates(emit, compare(emit, "eq", a, zero, bits), compare(emit, "ugt", a, b, bits));
      return [choose(emit, wraps, b, binary(emit, "sub", a, one, bits))];
    }
    case "usub_cond":
      return [choose(emit, compare(emit, "uge", a, b, bits), binary(emit, "sub", a, b, bits), a)];
    case "usub_sat":
      return [choose(emit, compare(emit, "uge", a, b, bits), binary(emit, "sub", a, b, bits), zero)];
    default:
      return [binary(emit, operation, a, b, bits)];
  }
}

function operateFloat(selection: Selection, operation: string, a: Scalar, b: Scalar, name: FloatName): Scalar {
  const { emit } = selection;
  if (operation === "xchg") return b;
  const target = { ...floatTarget(selection), ftz: "" };
  if (operation === "fadd" || operation === "fsub") return floatBinary(target, operation, a, b, name);
  // fmax and fmin are maxnum and minnum: of a number and a NaN, the number.
  const better = floatCompare(target, operation.includes("max") ? "ogt" : "olt", a, b, name);
  const isNan = floatCompare(target, "uno", b, b, name);
  return choose(emit, orPredicates(emit, better, isNan), a, b);
}

function operateWords(
  { emit }: Selection,
  operation: string,
  old: readonly Scalar[],
  parts: readonly Scalar[],
  bits: number,
): readonly Scalar[] {
  const picks: Readonly<Record<string, string>> = { max: "sgt", min: "slt", umax: "ugt", umin: "ult" };
  if (operation in picks) {
    const better = compareWords(emit, picks[operation]!, old, parts, bits);
    return old.map((one, i) => choose(emit, better, one, parts[i]!));
  }
  if (operation === "nand") {
    return binaryWords(emit, "and", old, parts, bits).map((one) => emit.pure("not.b64", "b64", one));
  }
  return operation === "xchg" ? parts : binaryWords(emit, operation, old, parts, bits);
}

/** Loads, computes, and exchanges until no other thread has changed the value in between. */
function casLoop(
  selection: Selection,
  target: Target,
  compute: (old: readonly Scalar[]) => readonly Scalar[],
): readonly Scalar[] {
  const { emit } = selection;
  const { place, bits, type } = target;
  if (bits < 16 || (bits === 16 && selection.context.arch < 70)) return byteLoop(selection, target, compute);
  if (bits === 16) selection.context.needVersion(63);
  const wide = bits === 128;
  if (wide) selection.context.needVersion(83);
  const kind = wide ? "b128" : emit.register(bits === 16 ? "b16" : bits === 64 ? "b64" : "b32").class;
  const address = addressAt(selection, place, 0);
  const old = emit.register(kind, true);
  const origin = emit.block.origin;
  const volatile = wide ? ".relaxed.sys" : ".volatile";
  emit.effect(`ld${volatile}${spaceSuffix(place.space)}.b${bits}`, [old], [address]);
  const loop = emit.newBlock(origin);
  const end = emit.newBlock(origin);
  emit.jump(loop);
  emit.enter(loop);
  const parts: readonly Scalar[] = wide ? emit.pureMany("mov.b128 {$0, $1}, $2;", ["b64", "b64"], old) : [old];
  const made = compute(parts);
  const value = wide
    ? emit.pure("mov.b128", "b128", { kind: "group", elements: made.map((one) => emit.inRegister(one, "b64")) })
    : made[0]!;
  const seen = emit.read(atomText(target, `cas.b${bits}`), kind, address, old, value);
  const seenParts: readonly Scalar[] = wide ? emit.pureMany("mov.b128 {$0, $1}, $2;", ["b64", "b64"], seen) : [seen];
  const same = wide ? compareWords(emit, "eq", seenParts, parts, 128) : compare(emit, "eq", seen, old, bits);
  emit.assign(old, seen);
  emit.branch(same as Register, end, loop);
  emit.enter(end);
  return type.kind === "void" ? [] : seenParts;
}

interface Window {
  readonly place: Place;
  /** Bit offset of the value in the word. */
  readonly shift: Register;
  readonly mask: Register;
  readonly rest: Register;
}

/** The word of 32 bits that contains a smaller value. */
function windowOf(selection: Selection, place: Place, bits: number): Window {
  const { emit } = selection;
  const kind = pointerClass(selection);
  const b32 = (value: number): Scalar => literal("b32", value);
  const address = specificBits(selection, place);
  const base = emit.pure(`and.b${widths[kind]}`, kind, address, literal(kind, -4n));
  const low = resize(emit, address, widths[kind], 32, false);
  const shift = emit.pure("shl.b32", "b32", emit.pure("and.b32", "b32", low, b32(3)), b32(3));
  const mask = emit.pure("shl.b32", "b32", b32(bits <= 8 ? 0xff : 0xffff), shift);
  const rest = emit.pure("not.b32", "b32", mask);
  return { place: { base, offset: 0, space: place.space }, shift, mask, rest };
}

function intoWord({ emit }: Selection, window: Window, value: Scalar, bits: number, word: Scalar): Scalar {
  const wide = resize(emit, value, bits, 32, false);
  const moved = emit.pure("shl.b32", "b32", wide, window.shift);
  return emit.pure("or.b32", "b32", emit.pure("and.b32", "b32", word, window.rest), moved);
}

function fromWord({ emit }: Selection, window: Window, word: Scalar, bits: number): Scalar {
  const moved = emit.pure("shr.u32", "b32", word, window.shift);
  return resize(emit, moved, 32, bits, false);
}

function byteLoop(
  selection: Selection,
  target: Target,
  compute: (old: readonly Scalar[]) => readonly Scalar[],
): readonly Scalar[] {
  const { bits } = target;
  const stored = bits < 8 ? 8 : bits;
  const window = windowOf(selection, target.place, stored);
  const whole: Target = { ...target, place: window.place, bits: 32 };
  const [word] = casLoop(selection, whole, ([old]) => {
    const made = compute([fromWord(selection, window, old!, bits)]);
    return [intoWord(selection, window, made[0]!, bits, old!)];
  });
  return [fromWord(selection, window, word!, bits)];
}

function exchangeWhole(selection: Selection, target: Target, parts: readonly Scalar[]): readonly Scalar[] {
  const { emit, context } = selection;
  context.needVersion(83);
  const elements = parts.map((one) => emit.inRegister(one, "b64"));
  const value = emit.pure("mov.b128", "b128", { kind: "group", elements });
  const old = emit.read(atomText(target, "exch.b128"), "b128", addressAt(selection, target.place, 0), value);
  return emit.pureMany("mov.b128 {$0, $1}, $2;", ["b64", "b64"], old);
}

export const lowerCompareExchange: Lowering<CompareExchangeInstruction> = (selection, instruction) => {
  const { operands, success, failure, scope, plainResult } = instruction;
  const { emit, layout } = selection;
  const [pointer, expected, wanted] = operands;
  const ordering: Ordering = strongest(success, failure);
  const place = atomicPlace(selection, placeOf(selection, pointer!));
  const type = expected!.type;
  const short = isShort(selection, type);
  const bits = short ? 32 : scalarBits(type, layout)!;
  const target: Target = { place, order: orderText(selection, ordering, scope), type, bits };
  fenceBefore(selection, ordering, scope);
  const compared = atomicParts(selection, expected!);
  const seen = exchanged(selection, target, compared, atomicParts(selection, wanted!));
  const old = short ? seen.map((one) => ofShortBits(selection, one)) : seen;
  if (plainResult) return old;
  const same =
    bits > 64 ? compareWords(emit, "eq", seen, compared, bits) : compare(emit, "eq", seen[0]!, compared[0]!, bits);
  return [...old, same];
};

/** The old value's parts. */
function exchanged(
  selection: Selection,
  target: Target,
  expected: readonly Scalar[],
  wanted: readonly Scalar[],
): readonly Scalar[] {
  const { emit, context } = selection;
  const { bits, place } = target;
  if (bits < 16 || (bits === 16 && context.arch < 70))
    return exchangedByte(selection, target, expected[0]!, wanted[0]!);
  const address = addressAt(selection, place, 0);
  if (bits !== 128) {
    if (bits === 16) context.needVersion(63);
    const [a, b] = [expected[0]!, wanted[0]!].map((one) => emit.inRegister(one, one.class));
    return [emit.read(atomText(target, `cas.b${bits}`), a!.class, address, a!, b!)];
  }
  context.needVersion(83);
  const [a, b] = [expected, wanted].map((parts) =>
    emit.pure("mov.b128", "b128", { kind: "group", elements: parts.map((one) => emit.inRegister(one, "b64")) }),
  );
  const old = emit.read(atomText(target, "cas.b128"), "b128", address, a!, b!);
  return emit.pureMany("mov.b128 {$0, $1}, $2;", ["b64", "b64"], old);
}

/** Tries again if only the neighbouring bytes changed. */
function exchangedByte(selection: Selection, target: Target, expected: Scalar, wanted: Scalar): readonly Scalar[] {
  const { emit } = selection;
  const { bits } = target;
  const window = windowOf(selection, target.place, bits < 8 ? 8 : bits);
  const address = addressAt(selection, window.place, 0);
  const word = emit.register("b32", true);
  const result = emit.register("b32", true);
  emit.effect(`ld.volatile${spaceSuffix(window.place.space)}.b32`, [word], [address]);
  const origin = emit.block.origin;
  const loop = emit.newBlock(origin);
  const failed = emit.newBlock(origin);
  const end = emit.newBlock(origin);
  emit.jump(loop);
  emit.enter(loop);
  const before = emit.pure("mov.b32", "b32", intoWord(selection, window, expected, bits, word));
  const after = intoWord(selection, window, wanted, bits, word);
  const seen = emit.read(atomText({ ...target, place: window.place }, "cas.b32"), "b32", address, before, after);
  emit.assign(result, seen);
  emit.branch(compare(emit, "eq", seen, before, 32) as Register, end, failed);
  emit.enter(failed);
  const beside = emit.pure("and.b32", "b32", emit.pure("xor.b32", "b32", seen, word), window.rest);
  const changed = notPredicate(emit, compare(emit, "eq", beside, literal("b32", 0n), 32));
  emit.assign(word, seen);
  emit.branch(changed as Register, loop, end);
  emit.enter(end);
  return [fromWord(selection, window, result, bits)];
}
