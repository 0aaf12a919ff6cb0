// Values as one sequence of bits, for bitcasts and packed vectors: elements joined into integers, and extracted from them.

import type { Emitter } from "../select/emitter.js";
import { literal, widths, type Scalar } from "../select/machine.js";
import { binary, clean, resize } from "./integer.js";
import { classOf } from "./parts.js";

/** One element: the bits of an integer or a float. */
export interface Element {
  readonly value: Scalar;
  readonly bits: number;
}

/** Elements of equal size, the first in the lowest bits, as elements of another size with the same number of bits in total. */
export function regroup(emit: Emitter, elements: readonly Element[], bits: number): readonly Scalar[] {
  const [first] = elements;
  if (first === undefined) return [];
  if (first.bits === bits) return elements.map(({ value }) => value);
  const total = elements.length * first.bits;
  if (first.bits < bits && bits % first.bits === 0) {
    const each = bits / first.bits;
    return chunks(elements, each).flatMap((group) => joinElements(emit, group));
  }
  if (bits < first.bits && first.bits % bits === 0) {
    return elements.flatMap((one) => split(emit, one, bits));
  }
  // Through one integer of all bits.
  const words = joinElements(emit, elements);
  return takeApart(emit, words, total, bits);
}

function chunks<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/** Elements as one integer: a register, or several words of 64 bits. */
export function joinElements(emit: Emitter, elements: readonly Element[]): readonly Scalar[] {
  const bits = elements[0]!.bits;
  const total = bits * elements.length;
  if (total > 64 && 64 % bits === 0) return chunks(elements, 64 / bits).flatMap((group) => joinElements(emit, group));
  if (total > 64) return joinWide(emit, elements, total);
  if (elements.length === 1) return [elements[0]!.value];
  if (bits === 16 || bits === 32) {
    const isWhole = (total === 32 && bits === 16) || total === 64;
    if (isWhole) return [combineElements(emit, elements, total)];
  }
  const kind = classOf(total);
  const sum = elements
    .map(({ value }, i) => {
      const wide = resize(emit, value, bits, Math.max(total, bits), false);
      return i === 0 ? wide : binary(emit, "shl", wide, literal(kind, i * bits), total);
    })
    .reduce((all, one) => binary(emit, "or", all, one, total));
  return [sum];
}

function combineElements(emit: Emitter, elements: readonly Element[], total: number): Scalar {
  if (elements.every(({ value }) => value.kind === "literal")) {
    const all = elements.reduce(
      (sum, { value, bits }, i) => sum | ((value as { readonly bits: bigint }).bits << BigInt(i * bits)),
      0n,
    );
    return literal(classOf(total), all);
  }
  const registers = elements.map(({ value }) => emit.inRegister(value, value.class));
  return emit.pure(`mov.b${total}`, classOf(total), { kind: "group", elements: registers });
}

function joinWide(emit: Emitter, elements: readonly Element[], total: number): readonly Scalar[] {
  const words: Scalar[] = Array.from({ length: Math.ceil(total / 64) }, () => literal("b64", 0n));
  const add = (index: number, value: Scalar): void => {
    words[index] = binary(emit, "or", words[index]!, value, 64);
  };
  elements.forEach(({ value, bits }, i) => {
    const at = i * bits;
    const wide = resize(emit, value, bits, 64, false);
    const shift = at % 64;
    add(Math.floor(at / 64), binary(emit, "shl", wide, literal("b64", shift), 64));
    if (shift + bits > 64) add(Math.floor(at / 64) + 1, binary(emit, "lshr", wide, literal("b64", 64 - shift), 64));
  });
  return words;
}

/** An element split into smaller ones. */
function split(emit: Emitter, { value, bits: width }: Element, bits: number): readonly Scalar[] {
  const count = width / bits;
  const isMove = (bits === 16 || bits === 32) && widths[value.class] === width && width <= 64;
  if (isMove && value.kind === "register") {
    return emit.pureMany(
      `mov.b${width} {${Array.from({ length: count }, (_, i) => `$${i}`).join(", ")}}, $${count};`,
      Array.from({ length: count }, () => classOf(bits)),
      value,
    );
  }
  return takeApart(emit, [value], width, bits);
}

/** Splits an integer of `total` bits into elements of `bits`. */
export function takeApart(emit: Emitter, words: readonly Scalar[], total: number, bits: number): readonly Scalar[] {
  return Array.from({ length: Math.floor(total / bits) }, (_, i) => {
    const at = i * bits;
    if (total <= 64) return field(emit, words[0]!, total, at, bits);
    const index = Math.floor(at / 64);
    const shift = at % 64;
    const low = binary(emit, "lshr", words[index]!, literal("b64", shift), 64);
    if (shift + bits <= 64) return resize(emit, low, 64, bits, false);
    const high = binary(emit, "shl", words[index + 1]!, literal("b64", 64 - shift), 64);
    return resize(emit, binary(emit, "or", low, high, 64), 64, bits, false);
  });
}

function field(emit: Emitter, value: Scalar, total: number, at: number, bits: number): Scalar {
  const moved = at === 0 ? value : binary(emit, "lshr", value, literal(value.class, at), total);
  return resize(emit, clean(emit, moved, total, false), total, bits, false);
}
