// Video instructions: PTX ISA 9.0 section 9.7.18. Parts of the operands are extracted and extended by their type's sign, and the
// operation is exact. Its result is saturated or truncated to the destination's part, and merged, combined or added up.

import type { Operand } from "../../isa/instruction.js";
import { hasModifier, modifier, type Opcode, typesOf } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import type { Binder, Bound } from "../operands/binder.js";
import { lanesIn } from "../machine/walk.js";
import { custom, type Meanings, type Reading } from "./meaning.js";

type Operation = (a: number, b: number) => number;

const operations: Readonly<Record<string, Operation>> = {
  vadd: (a, b) => a + b,
  vsub: (a, b) => a - b,
  vabsdiff: (a, b) => Math.abs(a - b),
  // Halves round away from zero.
  vavrg: (a, b) => (a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1),
  vmin: Math.min,
  vmax: Math.max,
};

const comparisons: Readonly<Record<string, Operation>> = {
  eq: (a, b) => Number(a === b),
  ne: (a, b) => Number(a !== b),
  lt: (a, b) => Number(a < b),
  le: (a, b) => Number(a <= b),
  gt: (a, b) => Number(a > b),
  ge: (a, b) => Number(a >= b),
};

/** The low `bits` of a word, extended by its sign. */
const extend = (word: number, bits: number, signed: boolean): number =>
  signed ? (word << (32 - bits)) >> (32 - bits) : (word << (32 - bits)) >>> (32 - bits);

function saturate(value: number, bits: number, signed: boolean): number {
  const least = signed ? -(2 ** (bits - 1)) : 0;
  const most = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  return Math.min(Math.max(value, least), most);
}

const selectorOf = (operand: Operand | undefined): string | undefined =>
  operand?.kind === "register" ? operand.selector : undefined;

function operationOf(opcode: Opcode): Operation | undefined {
  const cmp = modifier(opcode, "cmp");
  return cmp === undefined ? operations[opcode.form.opcode.replace(/[24]$/, "")] : comparisons[cmp];
}

const isSigned = (opcode: Opcode, slot: string): boolean => modifier(opcode, slot)?.startsWith("s") === true;

/** Part numbers of a byte or half-word selector ("b3", "h10"), the lowest lane's first; the selector lists it last. */
const partsOf = (selector: string): readonly number[] => [...selector.slice(1)].map(Number).reverse();

// ----------------------------------------------------------------------------------------------------------------- SIMD

const simd =
  (count: 2 | 4): Reading =>
  (opcode) => {
    const operation = operationOf(opcode);
    if (operation === undefined) return undefined;
    const bits = 32 / count;
    const all = Array.from({ length: count }, (_, i) => i);
    const dSigned = isSigned(opcode, "dtype");
    return custom((binder): Bound => {
      const mask = selectorOf(binder.operand(0));
      const written = mask === undefined ? all : partsOf(mask);
      const select = (index: number, first: number): readonly number[] => {
        const selector = selectorOf(binder.operand(index));
        return selector === undefined ? all.map((i) => first + i) : partsOf(selector);
      };
      const [aParts, bParts] = [select(1, 0), select(2, count)];
      const [aSigned, bSigned] = [isSigned(opcode, "atype"), isSigned(opcode, "btype")];
      const adds = hasModifier(opcode, "add");
      const sat = hasModifier(opcode, "sat");
      const part = (a: number, b: number, index: number, signed: boolean): number =>
        extend((index < count ? a : b) >>> (bits * (index % count)), bits, signed);
      return {
        lanes: overWords(binder, (a, b, c) => {
          let result = c;
          for (const lane of written) {
            const value = operation(part(a, b, aParts[lane]!, aSigned), part(a, b, bParts[lane]!, bSigned));
            if (adds) {
              result = (result + value) | 0;
              continue;
            }
            const field = (2 ** bits - 1) << (bits * lane);
            const kept = sat ? saturate(value, bits, dSigned) : value;
            result = (result & ~field) | ((kept << (bits * lane)) & field);
          }
          return result;
        }),
      };
    });
  };

/** Applies `fn` to the words of a, b and c in each lane; `as` rewrites operands before they are bound. */
function overWords(
  binder: Binder,
  fn: (a: number, b: number, c: number) => number,
  as = (operand: Operand): Operand => operand,
): NonNullable<Bound["lanes"]> {
  const d = binder.write(binder.operand(0), 32).word;
  const [a, b, c] = [1, 2, 3].map((i) => {
    const operand = binder.opcode.form.operands[i] === undefined ? undefined : binder.operand(i);
    return operand === undefined ? undefined : binder.read(as(operand), 32).word;
  });
  return ({ words: w }, mask) => {
    for (const lane of lanesIn(mask))
      w[d + lane] = fn(w[a! + lane]!, w[b! + lane]!, c === undefined ? 0 : w[c + lane]!);
  };
}

// --------------------------------------------------------------------------------------------------------------- scalar

const secondary: Readonly<Record<string, Operation>> = { add: (a, b) => a + b, min: Math.min, max: Math.max };

/** The field that a selector names: "b2" is byte 2, "h1" the upper half-word, none the whole word. */
function field(selector: string | undefined): { readonly shift: number; readonly bits: number } {
  if (selector === undefined) return { shift: 0, bits: 32 };
  const bits = selector.startsWith("b") ? 8 : 16;
  return { shift: bits * Number(selector[1]), bits };
}

const isUpperHalf = ({ shift, bits }: { readonly shift: number; readonly bits: number }): boolean =>
  bits === 16 && shift === 16;

function shiftOf(opcode: Opcode): Operation | undefined {
  const name = opcode.form.opcode;
  if (name !== "vshl" && name !== "vshr") return undefined;
  const amount = hasModifier(opcode, "wrap") ? (b: number): number => b & 31 : (b: number): number => Math.min(b, 32);
  return name === "vshl" ? (a, b) => a * 2 ** amount(b) : (a, b) => Math.floor(a / 2 ** amount(b));
}

/**
 * .min and .max of an intermediate value and c. The value is not truncated to 32 bits, except that of vadd and vsub, which then
 * counts as signed. With a result of u32 a negative value is above every c: ptxas compares them as unsigned numbers of 64 bits,
 * where the pseudo-code has a signed intermediate value (an H200's records).
 */
function secondOf(opcode: Opcode, signed: boolean): Operation {
  const name = modifier(opcode, "op2")!;
  const second = secondary[name]!;
  // Only the lower 32 bits of a sum count; a shifted value plus c may exceed the precision of a number.
  if (name === "add") return (value, c) => (value | 0) + c;
  const isCut = opcode.form.opcode === "vadd" || opcode.form.opcode === "vsub";
  return (value, c) => {
    const kept = isCut ? extend(Number(BigInt.asIntN(32, BigInt(value))), 32, true) : value;
    if (signed || kept >= 0) return second(kept, c);
    return name === "max" ? kept : c;
  };
}

/**
 * Sums and differences to u32 whose operands are not both s32 saturate only at 0, and wrap if they need 33 bits: ptxas expands
 * them so (an H200's records).
 */
function wrapsAtTop(opcode: Opcode, types: readonly (DataType | undefined)[]): boolean {
  const isSum = ["vadd", "vsub", "vabsdiff"].includes(opcode.form.opcode);
  return isSum && !isSigned(opcode, "dtype") && !types.every((type) => type?.class === "signed");
}

const single: Reading = (opcode) => {
  const operation = shiftOf(opcode) ?? operationOf(opcode);
  if (operation === undefined) return undefined;
  const [aType, bType] = opcode.form.opcode === "vset" ? typesOf(opcode) : typesOf(opcode).slice(1);
  const dSigned = isSigned(opcode, "dtype");
  // vset has no type of its own for the result.
  const cSigned = opcode.form.opcode === "vset" ? aType!.class === "signed" : dSigned;
  const second = modifier(opcode, "op2") === undefined ? undefined : secondOf(opcode, cSigned);
  const merges = opcode.form.id.endsWith(".merge");
  const wraps = wrapsAtTop(opcode, [aType, bType]);
  const clamp = (exact: number, bits: number): number =>
    wraps && bits === 32 ? Math.max(0, exact) >>> 0 : saturate(exact, bits, dSigned);
  return custom((binder): Bound => {
    const [dField, aField, bField] = [0, 1, 2].map((i) => field(selectorOf(binder.operand(i))));
    const take = (word: number, { shift, bits }: { shift: number; bits: number }, signed: boolean): number =>
      extend(word >>> shift, bits, signed);
    return {
      lanes: overWords(binder, (a, b, c) => {
        const exact = operation(
          take(a, aField!, aType!.class === "signed"),
          take(b, bField!, bType?.class === "signed"),
        );
        const value = hasModifier(opcode, "sat") ? clamp(exact, dField!.bits) : exact;
        if (second !== undefined) return second(value, extend(c, 32, cSigned));
        if (!merges) return value;
        const bits = (2 ** dField!.bits - 1) << dField!.shift;
        // The upper half gets the upper bits of the 32-bit result, not the lower ones as in the pseudo-code.
        return (c & ~bits) | ((isUpperHalf(dField!) ? value : value << dField!.shift) & bits);
      }),
    };
  });
};

/**
 * vmad: the product or its negation, plus c or its negation, or one more (.po); exact, then shifted right. It is signed if either
 * factor is, or if something is negated; c is read by that sign, too.
 */
const multiplyAdd: Reading = (opcode) => {
  const [aSigned, bSigned] = [isSigned(opcode, "atype"), isSigned(opcode, "btype")];
  const scale = modifier(opcode, "scale");
  const shift = scale === undefined ? 0n : BigInt(scale.slice(3));
  const extra = hasModifier(opcode, "po") ? 1n : 0n;
  const sat = hasModifier(opcode, "sat");
  return custom((binder): Bound => {
    const operands = [1, 2, 3].map((i) => binder.operand(i));
    const [aField, bField] = operands.map((operand) => field(selectorOf(operand)));
    const [aMinus, bMinus, cMinus] = operands.map(
      (operand) => operand?.kind === "register" && operand.negated === true,
    );
    const isMinus = aMinus !== bMinus;
    const signed = aSigned || bSigned || isMinus || cMinus === true;
    const [least, most] = signed ? [-(2n ** 31n), 2n ** 31n - 1n] : [0n, 2n ** 32n - 1n];
    return {
      lanes: overWords(
        binder,
        (a, b, c) => {
          const product =
            BigInt(extend(a >>> aField!.shift, aField!.bits, aSigned)) *
            BigInt(extend(b >>> bField!.shift, bField!.bits, bSigned));
          const addend = BigInt(extend(c, 32, signed));
          const sum = (isMinus ? -product : product) + (cMinus === true ? -addend : addend) + extra;
          const scaled = sum >> shift;
          const kept = sat ? (scaled < least ? least : scaled > most ? most : scaled) : scaled;
          return Number(BigInt.asIntN(32, kept));
        },
        bare,
      ),
    };
  });
};

/** The operand without its minus sign, which is not part of a register's value. */
const bare = (operand: Operand): Operand =>
  operand.kind === "register" && operand.negated === true ? { ...operand, negated: false } : operand;

const scalarNames = ["vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset"];
const simdNames = [...scalarNames, "vavrg"];

export const videoMeanings: Meanings = {
  ...Object.fromEntries([...scalarNames, "vshl", "vshr"].map((name) => [name, single])),
  ...Object.fromEntries(simdNames.map((name) => [`${name}2`, simd(2)])),
  ...Object.fromEntries(simdNames.map((name) => [`${name}4`, simd(4)])),
  vmad: multiplyAdd,
};
