// Variables of random-sets.ts: every type, vector, number of dimensions and alignment that ptxas takes, and every form of
// initialiser: numbers in all their spellings, floats, rows, addresses with and without generic() and an offset, their
// masked bytes, functions, kernels, textures, and addresses in holders too narrow for them.

import type { Random } from "./random.js";

/** A variable as every module that has it writes it, but for linkage and value. */
export interface Shape {
  readonly name: string;
  readonly space: "global" | "const" | "shared";
  readonly type: string;
  readonly vector: string;
  readonly dimensions: readonly number[];
  readonly align: number;
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

export const must = <T>(value: T | undefined): T => value!;

export function randomShape(name: string, random: Random, space: Shape["space"]): Shape {
  const { below, pick } = random;
  const type = must(pick(types));
  const widest = 16 / must(bytesOfType[type]);
  const vector = must(pick(["", "", "", widest >= 2 ? ".v2 " : "", widest >= 4 ? ".v4 " : ""]));
  const dimensions = Array.from({ length: must(pick([0, 0, 1, 1, 1, 2, 3])) }, () => 1 + below(5));
  const align = must(pick([0, 0, 0, 0, 2, 16, 32, 64, below(4) === 0 ? 256 : 8]));
  return { name, space, type, vector, dimensions, align, managed: space === "global" && below(12) === 0 };
}

/** No value can be given to these (ptxas). */
export const takesValue = ({ type, space }: Shape): boolean => space !== "shared" && !type.startsWith("f16");

/** The declaration without its linkage, value and semicolon. */
export function declarator({ name, space, type, vector, dimensions, align, managed }: Shape, isOpen: boolean): string {
  const attribute = managed ? ".attribute(.managed) " : "";
  const alignment = align === 0 ? "" : `.align ${align} `;
  const lengths = isOpen ? "[]" : dimensions.map((n) => `[${n}]`).join("");
  return `.${space} ${attribute}${alignment}${vector}.${type} ${name}${lengths}`;
}

/** ` = ...` with fewer elements than there are, now and then; nested for arrays of arrays and of vectors. */
export function initialiser(named: Named, shape: Shape, random: Random): string {
  const lengths = [...shape.dimensions, ...(shape.vector === "" ? [] : [Number(shape.vector.slice(2, 3))])];
  const element = elementMaker(named, shape, random);
  const build = (depth: number): string => {
    if (depth === lengths.length) return element();
    const length = must(lengths[depth]);
    // Short rows of inner dimensions mean something else to ptxas (docs/differences.md), so only the outermost is short.
    const given = depth === 0 && depth < shape.dimensions.length ? 1 + random.below(length) : length;
    return `{${Array.from({ length: given }, () => build(depth + 1)).join(", ")}}`;
  };
  return ` = ${build(0)}`;
}

type Maker = () => string;

function elementMaker(named: Named, { type, vector, space }: Shape, random: Random): Maker {
  const { below, pick } = random;
  const bits = must(bytesOfType[type]) * 8;
  const float32: Maker = () =>
    must(pick([`0f${hex(random, 8)}`, `${below(100)}.${below(100)}`, `-${below(9)}.5e${below(9)}`, "0.0"]));
  const float64: Maker = () =>
    must(pick([`0d${hex(random, 16)}`, `${below(100)}.${below(100)}`, "-0.0", "1e-300", "1.0/3.0"]));
  if (type === "f32") return float32;
  if (type === "f64") return float64;
  const integer = integerMaker(type, bits, random);
  if (type === "b32" && below(4) === 0) return float32;
  if (type === "b64" && below(4) === 0) return float64;
  const target = vector === "" ? pick(named.variables.filter((each) => each.space !== "shared")) : undefined;
  const plain = target === undefined ? undefined : addressMaker(target.name, random);
  const code = pick([...named.functions, ...named.functions, ...named.kernels, ...named.textures]);
  if (type === "u64" && plain !== undefined) return () => must(pick([integer(), plain(), plain(), code ?? plain()]));
  if (type === "u64" && vector === "" && code !== undefined) return () => must(pick([integer(), code]));
  // The offset of a constant in a holder too narrow for it is where nvlink overwrites the neighbour.
  const isWide = target?.space === "global" && space === "global";
  if (type === "u32" && plain !== undefined && isWide && below(2) === 0) return plain;
  if ((type === "u8" || type === "u32") && plain !== undefined && below(2) === 0) {
    const isFunction = named.functions.length > 0 && below(4) === 0;
    const base = isFunction ? must(pick(named.functions)) : plain();
    return () => `0xFF${"00".repeat(below(8))}(${base})`;
  }
  return integer;
}

const addressMaker =
  (name: string, { below, pick }: Random): Maker =>
  () =>
    must(
      pick([name, `${name}+${below(9)}`, `${name}+-${below(9)}`, `generic(${name})`, `generic(${name})+${below(9)}`]),
    );

function integerMaker(type: string, bits: number, random: Random): Maker {
  const { below, pick } = random;
  const digits = Math.min(bits, 64) / 4;
  // A negative number is no value of an unsigned type in every spelling, so those stay among the signed.
  if (type.startsWith("s"))
    return () => must(pick([String(below(100)), String(-1 - below(100)), "0x7f", "-7/2", "~0"]));
  return () =>
    must(
      pick([
        String(below(2 ** Math.min(31, bits - 1))),
        `0x${hex(random, 1 + below(digits))}`,
        `0${below(8)}${below(8)}`,
        `0b1${below(2)}${below(2)}`,
        `(${below(4)}<<${below(5)})|${below(4)}`,
        `${below(2)} ? ${below(9)} : ${below(9)}`,
        "WARP_SZ",
        "0",
      ]),
    );
}

const hex = ({ below }: Random, digits: number): string =>
  Array.from({ length: digits }, () => below(16).toString(16)).join("");
