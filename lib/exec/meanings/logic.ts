// Logic, shifts and comparisons: PTX ISA 9.0 sections 9.7.8, 9.7.6 and 9.7.7. Predicates are bit masks over the lanes, so that
// logic on them is one operation on words for all lanes at once.

import { F16, BF16, smallDecoder } from "../../base/num/small-float.js";
import { compareFloat, compareInt, type FloatCompare, type IntCompare } from "../../base/num/compare.js";
import { flushF32 } from "../../base/num/rounding.js";
import * as permute from "../../base/num/permute.js";
import type { Operand } from "../../isa/instruction.js";
import { hasModifier, modifier, type Opcode, typeOf, typesOf } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import type { Binder } from "../operands/binder.js";
import type { ScalarFunction, View } from "../machine/lanes.js";
import type { LaneOp } from "../state/step.js";
import { lanesIn } from "../machine/walk.js";
import { custom, integerView, isInteger, type Meaning, type Meanings, type Reading, scalar, words } from "./meaning.js";

type Bitwise = (a: number, b: number) => number;

/** Bitwise operations; 64-bit operands apply the function to each word. */
const bitwise =
  (fn: Bitwise, arity: 1 | 2): Reading =>
  (opcode) => {
    const type = typeOf(opcode);
    switch (type?.bits) {
      case 1:
        return custom((b) => ({ lanes: onMasks(b, fn, arity) }));
      case 64:
        return arity === 2
          ? words([64, 64, 64], (w, d, a, b) => {
              w[d!] = fn(w[a!]!, w[b!]!);
              w[d! + 1] = fn(w[a! + 1]!, w[b! + 1]!);
            })
          : words([64, 64], (w, d, a) => {
              w[d!] = fn(w[a!]!, 0);
              w[d! + 1] = fn(w[a! + 1]!, 0);
            });
      default:
        return type && scalar(integerView(type), arity === 2 ? ["s32", "s32"] : ["s32"], fn);
    }
  };

function onMasks(binder: Binder, fn: Bitwise, arity: 1 | 2): LaneOp {
  const d = binder.write(binder.operand(0), 1).word;
  const a = binder.read(binder.operand(1), 1).word;
  const b = arity === 2 ? binder.read(binder.operand(2), 1).word : a;
  return ({ words: w }, mask) => {
    w[d] = (w[d]! & ~mask) | (fn(w[a]!, w[b]!) & mask);
  };
}

const shift = (narrow: Readonly<Record<number, ScalarFunction>>): Reading => {
  return (opcode) => {
    const type = typeOf(opcode)!;
    const fn = narrow[type.bits]!;
    const signed = type.class === "signed";
    const view = `${signed ? "s" : "u"}${type.bits}` as "u32";
    return scalar(view, [view, "u32"], fn);
  };
};

const shr64 = (signed: boolean): Meaning =>
  words([64, 64, 32], (w, d, a, b) => {
    const amount = w[b!]! >>> 0;
    const low = w[a!]!;
    const high = w[a! + 1]!;
    const fill = signed ? high >> 31 : 0;
    const shifted = (by: number): number => (signed ? high >> by : high >>> by);
    w[d!] =
      amount === 0
        ? low
        : amount < 32
          ? (low >>> amount) | (high << (32 - amount))
          : amount < 64
            ? shifted(amount - 32)
            : fill;
    w[d! + 1] = amount < 32 ? shifted(amount) : fill;
  });

const shr: Reading = (opcode) => {
  const { bits, class: cls } = typeOf(opcode)!;
  const signed = cls === "signed";
  if (bits === 64) return shr64(signed);
  const fn = signed ? permute.shrS32 : permute.shrU32;
  return shift({ 16: fn, 32: fn })(opcode);
};

const shl64 = words([64, 64, 32], (w, d, a, b) => {
  const amount = w[b!]! >>> 0;
  const low = w[a!]!;
  const high = w[a! + 1]!;
  w[d! + 1] =
    amount === 0
      ? high
      : amount < 32
        ? (high << amount) | (low >>> (32 - amount))
        : amount < 64
          ? low << (amount - 32)
          : 0;
  w[d!] = amount < 32 ? low << amount : 0;
});

const shf: Reading = (opcode) => {
  const fn = hasModifier(opcode, "l") ? permute.shfLeft : permute.shfRight;
  const mode = hasModifier(opcode, "wrap") ? "wrap" : "clamp";
  return scalar("u32", ["u32", "u32", "u32"], (low: number, high: number, amount: number) =>
    fn(low, high, amount, mode),
  );
};

function immediate(operand: Operand | undefined): number {
  return operand?.kind === "immediate" ? Number(BigInt.asUintN(32, operand.bits)) : 0;
}

const lop3: Reading = (opcode) =>
  custom((binder) => {
    const [d, p] = destinations(binder, 32);
    const [a, b, c] = [1, 2, 3].map((i) => binder.read(binder.operand(i), 32).word);
    const table = immediate(binder.operand(4));
    const combine = modifier(opcode, "bool");
    const q = combine === undefined ? undefined : binder.read(binder.operand(5), 1).word;
    return {
      lanes: ({ words: w }, mask) => {
        let nonzero = 0;
        for (let l = 0; l < 32; l++) {
          if (((mask >>> l) & 1) === 0) continue;
          const value = permute.lop3(w[a! + l]!, w[b! + l]!, w[c! + l]!, table);
          if (value !== 0) nonzero |= 1 << l;
          w[d.word + l] = value;
        }
        if (p === undefined || q === undefined) return;
        const result = combine === "or" ? nonzero | w[q]! : nonzero & w[q]!;
        w[p.word] = (w[p.word]! & ~mask) | (result & mask);
      },
    };
  });

/** `d|p`: the place of d, and that of p where it is written. */
export function destinations(
  binder: Binder,
  bits: number,
): readonly [ReturnType<Binder["write"]>, ReturnType<Binder["write"]> | undefined] {
  const operand = binder.operand(0);
  return operand?.kind === "pair"
    ? [binder.write(operand.first, bits), binder.write(operand.second, 1)]
    : [binder.write(operand, bits), undefined];
}

const prmt: Reading = (opcode) => {
  const mode = modifier(opcode, "mode") as permute.PermuteMode | undefined;
  return scalar(
    "u32",
    ["u32", "u32", "u32"],
    mode === undefined
      ? permute.prmt
      : (a: number, b: number, control: number) => permute.prmt(a, b, permute.permuteSelector(mode, control)),
  );
};

// --------------------------------------------------------------------------------------------------------- comparisons

type Compare = (...operands: never[]) => boolean;

interface Comparison {
  readonly view: View;
  readonly fn: Compare;
}

const unsignedLess = (aLow: number, aHigh: number, bLow: number, bHigh: number): boolean =>
  aHigh === bHigh ? aLow >>> 0 < bLow >>> 0 : aHigh >>> 0 < bHigh >>> 0;
const signedLess = (aLow: number, aHigh: number, bLow: number, bHigh: number): boolean =>
  aHigh === bHigh ? aLow >>> 0 < bLow >>> 0 : aHigh < bHigh;

type Pairs = (aLow: number, aHigh: number, bLow: number, bHigh: number) => boolean;

/** Derives all comparisons of 64-bit integers from "less". */
function comparePairs(operator: IntCompare, less: Pairs): Pairs {
  switch (operator) {
    case "eq":
      return (al, ah, bl, bh) => al === bl && ah === bh;
    case "ne":
      return (al, ah, bl, bh) => al !== bl || ah !== bh;
    case "lt":
    case "lo":
      return less;
    case "gt":
    case "hi":
      return (al, ah, bl, bh) => less(bl, bh, al, ah);
    case "le":
    case "ls":
      return (al, ah, bl, bh) => !less(bl, bh, al, ah);
    case "ge":
    case "hs":
      return (al, ah, bl, bh) => !less(al, ah, bl, bh);
  }
}

const halves = { f16: smallDecoder(F16), bf16: smallDecoder(BF16) };

/** The comparison of operands of that type; undefined for packed types. */
function comparison(opcode: Opcode, type: DataType): Comparison | undefined {
  const operator = modifier(opcode, "cmp")!;
  if (type.lanes !== 1) return undefined;
  if (isInteger(type)) {
    if (type.bits !== 64) return { view: integerView(type), fn: compareInt[operator as IntCompare] };
    const less = type.class === "signed" ? signedLess : unsignedLess;
    return { view: "pair64", fn: comparePairs(operator as IntCompare, less) };
  }
  const fn = compareFloat[operator as FloatCompare];
  const decode = halves[type.name as "f16"];
  if (decode !== undefined) {
    const flush = hasModifier(opcode, "ftz")
      ? (x: number): number => (Math.abs(x) < 2 ** -14 ? 0 : x)
      : (x: number): number => x;
    return { view: "u16", fn: (a: number, b: number) => fn(flush(decode(a)), flush(decode(b))) };
  }
  const view = type.name as "f32" | "f64";
  return hasModifier(opcode, "ftz")
    ? { view, fn: (a: number, b: number) => fn(flushF32(a), flushF32(b)) }
    : { view, fn };
}

const combine: Readonly<Record<string, Bitwise>> = { and: (a, b) => a & b, or: (a, b) => a | b, xor: (a, b) => a ^ b };

/** setp with a boolean operation or a second result: p = t op c, q = !t op c. */
const setp: Reading = (opcode) => {
  const type = typeOf(opcode)!;
  const compared = comparison(opcode, type);
  const bool = modifier(opcode, "bool");
  if (compared === undefined) return packedSetp(opcode, type);
  return custom((binder) => {
    const target = binder.operand(0);
    const isPlain = bool === undefined && target?.kind !== "pair";
    const meaning = scalar("pred", [compared.view, compared.view], compared.fn as ScalarFunction);
    if (isPlain) return { scalar: { meaning } };
    const [p, q] = target?.kind === "pair" ? [target.first, target.second] : [target, undefined];
    const t = binder.scope.temporary(1);
    const pWord = binder.write(p, 1).word;
    const qWord = q === undefined ? undefined : binder.write(q, 1).word;
    const c = bool === undefined ? undefined : binder.read(binder.operand(3), 1).word;
    return { scalar: { meaning, into: t, then: afterCompare(t.word, t.word, pWord, qWord, c, bool) } };
  });
};

/** Writes setp's results: p from the bits of `first`, q from those of `second`, or from their complement if both are the same. */
function afterCompare(
  first: number,
  second: number,
  p: number,
  q: number | undefined,
  c: number | undefined,
  bool: string | undefined,
): LaneOp {
  const op = combine[bool ?? ""];
  return ({ words: w }, mask) => {
    const other = second === first ? ~w[first]! : w[second]!;
    const third = c === undefined ? 0 : w[c]!;
    const pBits = op === undefined ? w[first]! : op(w[first]!, third);
    const qBits = op === undefined ? other : op(other, third);
    w[p] = (w[p]! & ~mask) | (pBits & mask);
    if (q !== undefined) w[q] = (w[q]! & ~mask) | (qBits & mask);
  };
}

/** f16x2 and bf16x2: p for the low halves, q for the high ones. */
function packedSetp(opcode: Opcode, type: DataType): Meaning | undefined {
  const single = comparison(opcode, { ...type, name: type.name.replace("x2", ""), lanes: 1, bits: 16 });
  if (single === undefined) return undefined;
  const compare = single.fn as (a: number, b: number) => boolean;
  const bool = modifier(opcode, "bool");
  return custom((binder) => {
    const target = binder.operand(0);
    const [p, q] = target?.kind === "pair" ? [target.first, target.second] : [target, undefined];
    const a = binder.read(binder.operand(1), 32).word;
    const b = binder.read(binder.operand(2), 32).word;
    const [low, high] = [binder.scope.temporary(1).word, binder.scope.temporary(1).word];
    const c = bool === undefined ? undefined : binder.read(binder.operand(3), 1).word;
    const finish = afterCompare(low, high, binder.write(p, 1).word, binder.write(q, 1).word, c, bool);
    return {
      lanes: (frame, mask) => {
        const w = frame.words;
        let lows = 0;
        let highs = 0;
        for (const l of lanesIn(mask)) {
          if (compare(w[a + l]! & 0xffff, w[b + l]! & 0xffff)) lows |= 1 << l;
          if (compare(w[a + l]! >>> 16, w[b + l]! >>> 16)) highs |= 1 << l;
        }
        w[low] = lows;
        w[high] = highs;
        finish(frame, mask);
      },
    };
  });
}

/** The value that set writes for true: all ones, or 1.0. */
const truth: Readonly<Record<string, number>> = { f32: 1, f16: 0x3c00, bf16: 0x3f80 };

const set: Reading = (opcode) => {
  const [dtype, stype] = typesOf(opcode);
  const bool = modifier(opcode, "bool");
  const apply = combine[bool ?? ""];
  const together = (hit: boolean, c: number): boolean => (apply === undefined ? hit : apply(hit ? 1 : 0, c) !== 0);
  if (stype!.lanes === 2) {
    const single = comparison(opcode, { ...stype!, name: stype!.name.replace("x2", ""), lanes: 1, bits: 16 })!;
    const compare = single.fn as (a: number, b: number) => boolean;
    const one = truth[dtype!.name.replace("x2", "")] ?? 0xffff;
    return scalar(
      "s32",
      apply === undefined ? ["u32", "u32"] : ["u32", "u32", "pred"],
      (a: number, b: number, c: number) => {
        const low = together(compare(a & 0xffff, b & 0xffff), c) ? one : 0;
        const high = together(compare(a >>> 16, b >>> 16), c) ? one : 0;
        return low | (high << 16);
      },
    );
  }
  const compared = comparison(opcode, stype!);
  if (compared === undefined) return undefined;
  const one = truth[dtype!.name] ?? -1;
  const write = dtype!.name === "f32" ? "f32" : dtype!.bits === 16 ? "u16" : "s32";
  const reads: View[] = [compared.view, compared.view, ...(apply === undefined ? [] : (["pred"] as const))];
  const fn = compared.fn as ScalarFunction;
  const operands = compared.view === "pair64" ? 4 : 2;
  return scalar(write, reads, (...all: number[]) =>
    together(fn(...all.slice(0, operands)) as boolean, all[operands] ?? 0) ? one : 0,
  );
};

/** selp of 64 bits moves both words, so that the bits of a NaN survive. */
const selp64 = custom((binder) => {
  const d = binder.write(binder.operand(0), 64).word;
  const [a, b] = [1, 2].map((i) => binder.read(binder.operand(i), 64).word);
  const p = binder.read(binder.operand(3), 1).word;
  return {
    lanes: ({ words: w }, mask) => {
      const chosen = w[p]!;
      for (let l = 0; l < 32; l++) {
        if (((mask >>> l) & 1) === 0) continue;
        const from = (((chosen >>> l) & 1) === 1 ? a! : b!) + 2 * l;
        w[d + 2 * l] = w[from]!;
        w[d + 2 * l + 1] = w[from + 1]!;
      }
    },
  };
});

const selp: Reading = (opcode) =>
  typeOf(opcode)!.bits === 64
    ? selp64
    : scalar("s32", ["s32", "s32", "pred"], (a: number, b: number, p: number) => (p !== 0 ? a : b));

const slct: Reading = (opcode) => {
  const [dtype, ctype] = typesOf(opcode);
  const view: View = ctype!.name === "f32" ? "f32" : "s32";
  // Negative subnormals are flushed to -0.0, which is not less than 0.
  const takesFirst: (c: number) => boolean = hasModifier(opcode, "ftz") ? (c) => flushF32(c) >= 0 : (c) => c >= 0;
  return dtype!.bits === 64
    ? scalar("u64", ["u64", "u64", view], (a: bigint, b: bigint, c: number) => (takesFirst(c) ? a : b))
    : scalar("s32", ["s32", "s32", view], (a: number, b: number, c: number) => (takesFirst(c) ? a : b));
};

export const logicMeanings: Meanings = {
  and: bitwise((a, b) => a & b, 2),
  or: bitwise((a, b) => a | b, 2),
  xor: bitwise((a, b) => a ^ b, 2),
  not: bitwise((a) => ~a, 1),
  cnot: (opcode) =>
    typeOf(opcode)!.bits === 64
      ? scalar("u64", ["u64"], (x: bigint) => (x === 0n ? 1n : 0n))
      : scalar("s32", [integerView(typeOf(opcode)!)], (x: number) => (x === 0 ? 1 : 0)),
  lop3,
  shf,
  shl: (opcode) => (typeOf(opcode)!.bits === 64 ? shl64 : shift({ 16: permute.shl32, 32: permute.shl32 })(opcode)),
  shr,
  prmt,
  setp,
  set,
  selp,
  slct,
};
