// Integers of up to 64 bits in registers of 1, 16, 32 or 64. Register bits above the value's are undefined; `clean` defines
// them where an instruction reads them.

import type { Emitter } from "../select/emitter.js";
import { isLiteral, literal, signedOf, widths, type Register, type Scalar } from "../select/machine.js";
import { classOf, type RegisterClass } from "./parts.js";

/** `s32`, `u16`: the type of a class under a letter. */
export const typed = (letter: "s" | "u" | "b", kind: RegisterClass): string => `${letter}${widths[kind]}`;

/** The value with the register's upper bits zero, or copies of its sign. */
export function clean(emit: Emitter, value: Scalar, bits: number, signed: boolean): Scalar {
  const width = widths[value.class];
  if (bits === width) return value;
  if (value.kind === "literal") {
    return literal(value.class, signed ? BigInt.asIntN(bits, value.bits) : BigInt.asUintN(bits, value.bits));
  }
  if (signed ? value.sign <= bits || value.zero < bits : value.zero <= bits) return value;
  const result = signed ? extendSign(emit, value, bits) : maskOff(emit, value, bits);
  if (signed) result.sign = Math.min(result.sign, bits);
  else {
    result.zero = Math.min(result.zero, bits);
    result.sign = Math.min(result.sign, bits + 1);
  }
  return result;
}

function maskOff(emit: Emitter, value: Register, bits: number): Register {
  return emit.pure(
    `and.${typed("b", value.class)}`,
    value.class,
    value,
    literal(value.class, (1n << BigInt(bits)) - 1n),
  );
}

function extendSign(emit: Emitter, value: Register, bits: number): Register {
  const kind = value.class;
  if (bits === 8 || bits === 16 || bits === 32) return emit.pure(`cvt.${typed("s", kind)}.s${bits}`, kind, value);
  if (kind !== "b16") {
    return emit.pure(`bfe.${typed("s", kind)}`, kind, value, literal("b32", 0), literal("b32", bits));
  }
  const shift = literal("b32", 16 - bits);
  return emit.pure("shr.s16", kind, emit.pure("shl.b16", kind, value, shift), shift);
}

/** An integer of `bits` as one of `toBits`, extended or cut. */
export function resize(emit: Emitter, value: Scalar, bits: number, toBits: number, signed: boolean): Scalar {
  if (toBits === bits) return value;
  const kind = classOf(toBits);
  if (toBits < bits) return cut(emit, value, toBits);
  if (value.kind === "literal") {
    return literal(kind, signed ? BigInt.asIntN(bits, value.bits) : BigInt.asUintN(bits, value.bits));
  }
  if (bits === 1)
    return emit.pure(`selp.${typed("b", kind)}`, kind, literal(kind, signed ? -1n : 1n), literal(kind, 0n), value);
  if (kind === value.class) return clean(emit, value, bits, signed);
  // cvt reads a register's low 8, 16 or 32 bits as well as all of it.
  const whole = bits === 8 || bits === 16 || bits === 32;
  const known = signed ? value.sign <= bits : value.zero <= bits;
  const source = whole || known ? value : clean(emit, value, bits, signed);
  const from = whole ? bits : widths[value.class];
  const letter = signed ? "s" : "u";
  const result = emit.pure(`cvt.${typed(letter, kind)}.${letter}${from}`, kind, source);
  if (signed) result.sign = bits;
  else {
    result.zero = bits;
    result.sign = bits + 1;
  }
  return result;
}

/** The low bits of a wider integer. */
function cut(emit: Emitter, value: Scalar, bits: number): Scalar {
  const kind = classOf(bits);
  if (value.kind === "literal") return literal(kind, BigInt.asUintN(bits, value.bits));
  if (bits === 1) {
    if (value.class === "p") return value;
    return isNotZero(emit, maskOff(emit, value, 1));
  }
  if (kind === value.class) return value;
  const result = emit.pure(`cvt.${typed("u", kind)}.${typed("u", value.class)}`, kind, value);
  result.zero = Math.min(result.zero, value.zero);
  if (value.sign < result.sign) result.sign = value.sign;
  return result;
}

export const isNotZero = (emit: Emitter, value: Register): Register =>
  emit.pure(`setp.ne.${typed("b", value.class)}`, "p", value, literal(value.class, 0n));

interface BinaryRow {
  /** Opcode without its type: "mul.lo". */
  readonly op: string;
  readonly letter: "s" | "u" | "b";
  /** How operands must be cleaned. */
  readonly clean: "no" | "zero" | "sign";
}

const rows: Readonly<Record<string, BinaryRow>> = {
  add: { op: "add", letter: "s", clean: "no" },
  sub: { op: "sub", letter: "s", clean: "no" },
  mul: { op: "mul.lo", letter: "s", clean: "no" },
  udiv: { op: "div", letter: "u", clean: "zero" },
  sdiv: { op: "div", letter: "s", clean: "sign" },
  urem: { op: "rem", letter: "u", clean: "zero" },
  srem: { op: "rem", letter: "s", clean: "sign" },
  shl: { op: "shl", letter: "b", clean: "no" },
  lshr: { op: "shr", letter: "u", clean: "zero" },
  ashr: { op: "shr", letter: "s", clean: "sign" },
  and: { op: "and", letter: "b", clean: "no" },
  or: { op: "or", letter: "b", clean: "no" },
  xor: { op: "xor", letter: "b", clean: "no" },
};

/** Arithmetic of i1 as operations on predicates; a shift by anything but 0 is poison, and so is a division by 0. */
const predicateRows: Readonly<Record<string, (emit: Emitter, a: Scalar, b: Scalar) => Scalar>> = {
  add: xorPredicates,
  sub: xorPredicates,
  mul: andPredicates,
  udiv: (_, a) => a,
  sdiv: (_, a) => a,
  urem: () => literal("p", 0n),
  srem: () => literal("p", 0n),
  shl: (_, a) => a,
  lshr: (_, a) => a,
  ashr: (_, a) => a,
  and: andPredicates,
  or: orPredicates,
  xor: xorPredicates,
};

export function notPredicate(emit: Emitter, value: Scalar): Scalar {
  return value.kind === "literal" ? literal("p", value.bits ^ 1n) : emit.pure("not.pred", "p", value);
}

export function andPredicates(emit: Emitter, a: Scalar, b: Scalar): Scalar {
  if (a.kind === "literal") return a.bits === 0n ? a : b;
  if (b.kind === "literal") return b.bits === 0n ? b : a;
  return emit.pure("and.pred", "p", a, b);
}

export function orPredicates(emit: Emitter, a: Scalar, b: Scalar): Scalar {
  if (a.kind === "literal") return a.bits === 1n ? a : b;
  if (b.kind === "literal") return b.bits === 1n ? b : a;
  return emit.pure("or.pred", "p", a, b);
}

export function xorPredicates(emit: Emitter, a: Scalar, b: Scalar): Scalar {
  if (a.kind === "literal") return a.bits === 0n ? b : notPredicate(emit, b);
  if (b.kind === "literal") return b.bits === 0n ? a : notPredicate(emit, a);
  return emit.pure("xor.pred", "p", a, b);
}

/** A shift's amount in PTX: 32 bits, clamped by the hardware; one that is too large is poison anyway. */
function shiftAmount(emit: Emitter, value: Scalar, bits: number): Scalar {
  return resize(emit, value, bits, 32, false);
}

/** A binary instruction on scalars of `bits`. */
export function binary(emit: Emitter, opcode: string, a: Scalar, b: Scalar, bits: number): Scalar {
  if (bits === 1) return predicateRows[opcode]!(emit, a, b);
  const row = rows[opcode]!;
  const kind = classOf(bits);
  const cleaned = (value: Scalar): Scalar =>
    row.clean === "no" ? value : clean(emit, value, bits, row.clean === "sign");
  const left = cleaned(a);
  const isShift = row.op === "shl" || row.op === "shr";
  const right = isShift ? shiftAmount(emit, b, bits) : cleaned(b);
  const same = identity(opcode, left, right, kind);
  if (same !== undefined) return same;
  const folded = fold(opcode, left, right, kind);
  if (folded !== undefined) return folded;
  const result = emit.pure(`${row.op}.${typed(row.letter, kind)}`, kind, left, right);
  learn(opcode, result, left, right, bits);
  return result;
}

/** The operand that equals the result if the other one is a neutral constant. */
function identity(opcode: string, a: Scalar, b: Scalar, kind: RegisterClass): Scalar | undefined {
  if (isLiteral(b, 0n)) {
    if (opcode === "and" || opcode === "mul") return literal(kind, 0n);
    return opcode.includes("div") || opcode.includes("rem") ? undefined : a;
  }
  if (isLiteral(a, 0n) && (opcode === "add" || opcode === "or" || opcode === "xor")) return b;
  if (isLiteral(b, 1n) && (opcode === "mul" || opcode === "udiv" || opcode === "sdiv")) return a;
  return undefined;
}

/** Records known upper bits of a result. */
function learn(opcode: string, result: Register, a: Scalar, b: Scalar, bits: number): void {
  const above = (value: Scalar): number => (value.kind === "literal" ? value.bits.toString(2).length : value.zero);
  if (opcode === "and") result.zero = Math.min(result.zero, above(a), above(b));
  else if (opcode === "or" || opcode === "xor") result.zero = Math.min(result.zero, Math.max(above(a), above(b)));
  else if (opcode === "lshr" || opcode === "udiv") {
    const shift = opcode === "lshr" && b.kind === "literal" ? Number(b.bits) : 0;
    result.zero = Math.min(result.zero, Math.max(Math.min(above(a), bits) - shift, 0));
  } else if (opcode === "urem") result.zero = Math.min(result.zero, above(a), above(b));
  else if (opcode === "ashr") result.sign = Math.min(result.sign, bits);
}

/** The value of an instruction of two literals; undefined if it has none, or if PTX decides it. */
function fold(opcode: string, a: Scalar, b: Scalar, kind: RegisterClass): Scalar | undefined {
  if (a.kind !== "literal" || b.kind !== "literal") return undefined;
  const [x, y] = [signedOf(a), signedOf(b)];
  const amount = b.bits < 64n ? b.bits : 64n;
  const values: Readonly<Record<string, () => bigint | undefined>> = {
    add: () => x + y,
    sub: () => x - y,
    mul: () => x * y,
    udiv: () => (y === 0n ? undefined : a.bits / b.bits),
    sdiv: () => (y === 0n ? undefined : x / y),
    urem: () => (y === 0n ? undefined : a.bits % b.bits),
    srem: () => (y === 0n ? undefined : x % y),
    shl: () => x << amount,
    lshr: () => a.bits >> amount,
    ashr: () => x >> amount,
    and: () => x & y,
    or: () => x | y,
    xor: () => x ^ y,
  };
  const value = values[opcode]!();
  return literal(kind, value ?? 0n);
}

/** Opcode of setp, and how integers are read, by icmp's predicate. */
const comparisons: Readonly<Record<string, readonly [op: string, letter: "s" | "u"]>> = {
  eq: ["eq", "s"],
  ne: ["ne", "s"],
  ugt: ["gt", "u"],
  uge: ["ge", "u"],
  ult: ["lt", "u"],
  ule: ["le", "u"],
  sgt: ["gt", "s"],
  sge: ["ge", "s"],
  slt: ["lt", "s"],
  sle: ["le", "s"],
};

const decisions: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
};

/** `icmp` on scalars of `bits`. */
export function compare(emit: Emitter, predicate: string, a: Scalar, b: Scalar, bits: number): Scalar {
  const [op, letter] = comparisons[predicate]!;
  const equality = op === "eq" || op === "ne";
  if (bits === 1 && equality) {
    const differs = xorPredicates(emit, a, b);
    return op === "ne" ? differs : notPredicate(emit, differs);
  }
  if (bits === 1) {
    const [left, right] = [a, b].map((one) => resize(emit, one, 1, 16, letter === "s"));
    return compare(emit, predicate, left!, right!, 16);
  }
  // Equality may be tested on sign-extended values as well: the choice follows most of the operands.
  const isSigned = (value: Scalar): boolean => value.kind === "register" && value.sign <= bits && value.zero > bits;
  const signed = equality ? isSigned(a) || isSigned(b) : letter === "s";
  const left = clean(emit, a, bits, signed);
  const right = clean(emit, b, bits, signed);
  if (left.kind === "literal" && right.kind === "literal") {
    const [x, y] = letter === "s" ? [signedOf(left), signedOf(right)] : [left.bits, right.bits];
    return literal("p", decisions[op]!(x, y) ? 1n : 0n);
  }
  return emit.pure(`setp.${op}.${typed(letter, left.class)}`, "p", left, right);
}

/** `select` on one part. */
export function choose(emit: Emitter, condition: Scalar, yes: Scalar, no: Scalar): Scalar {
  if (condition.kind === "literal") return condition.bits === 1n ? yes : no;
  if (yes === no) return yes;
  if (yes.class !== "p") {
    if (yes.kind === "literal" && no.kind === "literal" && yes.bits === no.bits) return yes;
    const result = emit.pure(`selp.${typed("b", yes.class)}`, yes.class, yes, no, condition);
    const known = (value: Scalar): number => (value.kind === "literal" ? value.bits.toString(2).length : value.zero);
    result.zero = Math.min(result.zero, Math.max(known(yes), known(no)));
    return result;
  }
  if (isLiteral(yes, 1n)) return orPredicates(emit, condition, no);
  if (isLiteral(no, 0n)) return andPredicates(emit, condition, yes);
  const otherwise = notPredicate(emit, condition);
  if (isLiteral(yes, 0n)) return andPredicates(emit, otherwise, no);
  if (isLiteral(no, 1n)) return orPredicates(emit, otherwise, yes);
  return orPredicates(emit, andPredicates(emit, condition, yes), andPredicates(emit, otherwise, no));
}
