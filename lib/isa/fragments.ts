// Computes how the registers of one thread hold its part of a matrix: counts and types that depend on several modifiers at once.
// PTX ISA 9.0 sections 9.7.14.4.1 (wmma), 9.7.14.5.1 to .13 and 9.7.14.6.2 (mma), 9.7.15.5.1.1 (wgmma), 9.7.16.8 (tcgen05).

import { assert } from "../base/assert.js";
import type { Chosen, Shape } from "./rule.js";
import { dataType, type DataType } from "./types.table.js";

export type MatrixOperand = "a" | "b" | "c" | "d";

/** Rows and columns of A (m x k), B (k x n) and C or D (m x n). */
interface MatrixShape {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}

/** The numbers in a shape: m16n8k32 gives {m: 16, n: 8, k: 32}. */
export function matrixShape(text: string | undefined): MatrixShape {
  const match = /^m(\d+)n(\d+)k(\d+)$/.exec(text ?? "");
  assert(match !== null, `no matrix shape '${text ?? ""}'`);
  return { m: Number(match[1]), n: Number(match[2]), k: Number(match[3]) };
}

function known(name: string | undefined): DataType {
  const type = dataType(name ?? "");
  assert(type !== undefined, `no type '${name ?? ""}'`);
  return type;
}

const elementsOf = ({ m, n, k }: MatrixShape, part: MatrixOperand): number =>
  part === "a" ? m * k : part === "b" ? k * n : m * n;

/** The register type for smaller elements. For these floats ptxas accepts no other type; for others it accepts any. */
const packedIn = ({ name }: DataType): DataType =>
  known(name === "f16" ? "f16x2" : name === "bf16" ? "bf16x2" : name === "tf32" ? "tf32" : "b32");

/** The registers of a fragment: elements as wide as a register have one each; smaller elements share .b32 registers. */
function fragment(elements: number, type: DataType, bits = type.bits): Shape {
  const alone = type.name === "f64" || type.name === "f32" || type.name === "s32";
  const shape = alone ? { type, count: elements } : { type: packedIn(type), count: (elements * bits) / 32 };
  assert(Number.isInteger(shape.count) && shape.count > 0, `a fragment of ${shape.count} registers`);
  return shape;
}

export interface MmaKind {
  /** A is stored with half of its elements. */
  readonly sparse?: boolean;
  /** e2m1 elements have 4 bits (kind::mxf4, kind::mxf4nvf4) instead of a container of 8. */
  readonly packed?: boolean;
}

/** A fragment of mma: 32 threads share a tile; in m8n8k4 on f16, each 8 threads share one of four tiles. */
export const mma =
  (part: MatrixOperand, { sparse = false, packed = false }: MmaKind = {}) =>
  (chosen: Chosen): Shape => {
    const shape = matrixShape(chosen("shape"));
    const type = known(chosen(`${part}type`));
    const quarters = chosen("shape") === "m8n8k4" && chosen("atype") === "f16";
    const elements = elementsOf(shape, part) / (quarters ? 8 : 32) / (sparse && part === "a" ? 2 : 1);
    return fragment(elements, type, packed && type.name === "e2m1" ? 4 : type.bits);
  };

/** A fragment of wmma; f16 factors are stored twice (section 9.7.14.4.1: eight registers in every shape). */
export const wmma =
  (part: MatrixOperand, typeSlot = `${part}type`) =>
  (chosen: Chosen): Shape => {
    const type = known(chosen(typeSlot));
    if (type.name === "f16" && (part === "a" || part === "b")) return { type: known("f16x2"), count: 8 };
    const shape = fragment(elementsOf(matrixShape(chosen("shape")), part) / 32, type);
    return type.name === "s8" || type.name === "u8" ? { ...shape, type: known("u32") } : shape;
  };

/** D of wgmma, which 128 threads share. */
export const wgmmaResult = (chosen: Chosen): Shape =>
  fragment(elementsOf(matrixShape(chosen("shape")), "d") / 128, known(chosen("dtype")));

/** Registers for each repetition of a shape of tcgen05.ld and st: a warp's 32 lanes share rows x bits. */
const tensorMemoryRegisters: Readonly<Record<string, number>> = {
  "16x64b": 1,
  "16x128b": 2,
  "16x256b": 4,
  "32x32b": 1,
  "16x32bx2": 1,
};

export const tensorMemory = (chosen: Chosen): Shape => ({
  type: known("b32"),
  count: tensorMemoryRegisters[chosen("shape")!]! * Number(chosen("num")!.slice(1)),
});

/** Registers for the output lanes of tcgen05.mma: 128 lanes for one block, 256 for a pair. */
export const outputLanes = (chosen: Chosen): Shape => ({
  type: known("b32"),
  count: chosen("group") === "cta_group::2" ? 8 : 4,
});
