// Variables of random-sets.ts: every type, vector, number of dimensions and alignment that ptxas takes, and every form of
// initialiser: numbers in all their spellings (random-numbers.ts), rows, open first dimensions, addresses with and without
// generic() and an offset, their masked bytes and those of numbers, functions, kernels, textures, and addresses in holders
// too narrow for them.

import { bitsText, floatText, integerText, must } from "./random-numbers.js";
import type { Random } from "./random.js";

/** A variable as every module that has it writes it, but for linkage and value. */
export interface Shape {
  readonly name: string;
  readonly space: "global" | "const" | "shared";
  readonly type: string;
  readonly vector: string;
  readonly dimensions: readonly number[];
  /** What is said of it, the largest counts; none where the type's own does. */
  readonly aligns: readonly number[];
  readonly managed: boolean;
}

/** What an initialiser further down in the module may name. */
export interface Named {
  readonly variables: readonly Shape[];
  readonly functions: readonly string[];
  readonly kernels: readonly string[];
  readonly textures: readonly string[];
}

const bytesOfType: Readonly<Record<string, number>> = {
  b8: 1, u8: 1, s8: 1, b16: 2, u16: 2, s16: 2, f16: 2, b32: 4, u32: 4, s32: 4, f32: 4, f16x2: 4, b64: 8, u64: 8, s64: 8,
  f64: 8, b128: 16,
}; // prettier-ignore
/** Addresses go into .u64 and .u32, and their masked bytes into .u8, so those are drawn more often. */
const types = [...Object.keys(bytesOfType), "u64", "u64", "u64", "u64", "u8", "u32"];

export function randomShape(name: string, random: Random, space: Shape["space"]): Shape {
  const { below, pick } = random;
  const type = must(pick(types));
  const widest = 16 / must(bytesOfType[type]);
  const vector = must(pick(["", "", "", widest >= 2 ? ".v2 " : "", widest >= 4 ? ".v4 " : ""]));
  const dimensions = Array.from({ length: must(pick([0, 0, 1, 1, 1, 2, 3])) }, () => 1 + below(5));
  if (dimensions.length === 1 && below(16) === 0) dimensions[0] = 1 + below(200);
  const align = must(pick([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, below(4) === 0 ? 256 : 8, below(8) === 0 ? 4096 : 128]));
  const aligns = align === 0 ? [] : below(10) === 0 ? [1 << below(5), align] : [align];
  return { name, space, type, vector, dimensions, aligns, managed: space === "global" && below(12) === 0 };
}

/** No value can be given to these (ptxas). */
export const takesValue = ({ type, space }: Shape): boolean => space !== "shared" && !type.startsWith("f16");

/** The declaration without its linkage, value and semicolon. */
export function declarator(shape: Shape, isOpen: boolean): string {
  const { name, space, type, vector, dimensions, aligns, managed } = shape;
  const attribute = managed ? ".attribute(.managed) " : "";
  const alignment = aligns.map((align) => `.align ${align} `).join("");
  const lengths = dimensions.map((n, i) => (isOpen && i === 0 ? "[]" : `[${n}]`)).join("");
  return `.${space} ${attribute}${alignment}${vector}.${type} ${name}${lengths}`;
}

/** The same in other words, for a declaration of what another module defines: bits, and another alignment. */
export function retold(shape: Shape, { below }: Random): Shape {
  const { type } = shape;
  const bits = type === "f16x2" ? "b32" : `b${type.slice(1)}`;
  return { ...shape, type: below(3) === 0 ? bits : type, aligns: below(4) === 0 ? [] : shape.aligns };
}

/** Nested for arrays of arrays and of vectors; `least` elements of the first dimension at least. */
export function initialiser(named: Named, shape: Shape, random: Random, isWhole = false): string {
  const lengths = [...shape.dimensions, ...(shape.vector === "" ? [] : [Number(shape.vector.slice(2, 3))])];
  const element = elementMaker(named, shape, random);
  const build = (depth: number): string => {
    if (depth === lengths.length) return element();
    const length = must(lengths[depth]);
    // Short rows of inner dimensions mean something else to ptxas (docs/differences.md), so only the outermost is short.
    const given = depth === 0 && depth < shape.dimensions.length && !isWhole ? 1 + random.below(length) : length;
    return `{${Array.from({ length: given }, () => build(depth + 1)).join(", ")}}`;
  };
  return ` = ${build(0)}`;
}

type Maker = () => string;

/** What ptxas lets a masked byte of a number, and of an address, be in. */
const masked: readonly string[] = ["u8", "u16", "s32", "u32", "u64"];
const maskedAddress: readonly string[] = ["u8", "u32", "u64"];

function elementMaker(named: Named, { type, vector, space }: Shape, random: Random): Maker {
  const { below, pick } = random;
  const bits = must(bytesOfType[type]) * 8;
  const float: Maker = () => floatText(random);
  if (type === "f32") return () => must(pick([bitsText(random, 32), bitsText(random, 64), float(), float()]));
  if (type === "f64") return () => must(pick([bitsText(random, 32), bitsText(random, 64), float(), float()]));
  const integer: Maker = () => {
    if (masked.includes(type) && below(10) === 0) return `${mask(random)}(${integerText(random)})`;
    return integerText(random);
  };
  if (type.startsWith("b") && type !== "b128" && below(4) === 0)
    return () => must(pick([float(), bits === 64 ? bitsText(random, 64) : bitsText(random, 32), integer()]));
  const targets = named.variables.filter((each) => each.space !== "shared");
  const code = pick([...named.functions, ...named.functions, ...named.kernels, ...named.textures]);
  const isAddressed = below(3) > 0;
  // Where numbers stand beside addresses in holders too narrow for those, nvlink takes them for a part of the addresses; the
  // offset of a constant in one is where it overwrites the neighbour.
  const wide = targets.filter((target) => target.space === "global" && space === "global");
  if (type === "u32" && wide.length > 0 && below(4) === 0) return () => addressOf(must(pick(wide)).name, random);
  return () => {
    const target = pick(targets);
    const plain = target === undefined ? undefined : addressOf(target.name, random);
    if (!isAddressed || below(4) === 0) return integer();
    if (maskedAddress.includes(type) && vector === "" && below(type === "u64" ? 8 : 2) === 0) {
      const of = below(4) === 0 ? pick(named.functions) : plain;
      if (of !== undefined) return `${mask(random)}(${of})`;
    }
    return (type === "u64" ? pick([plain, plain, code].filter((each) => each !== undefined)) : undefined) ?? integer();
  };
}

function mask({ below }: Random): string {
  const byte = below(8);
  return below(4) === 0 ? String(0xffn << BigInt(8 * byte)) : `0x${below(2) === 0 ? "FF" : "ff"}${"00".repeat(byte)}`;
}

function addressOf(name: string, random: Random): string {
  const { below, pick } = random;
  const base = must(pick([name, name, `generic(${name})`]));
  const offsets = [`${below(9)}`, `-${below(9)}`, `0x${below(4096).toString(16)}`, `(${below(9)}*${below(9)})`];
  return must(pick([base, base, `${base}+${must(pick(offsets))}`, `${base} + ${integerText(random)}`]));
}
