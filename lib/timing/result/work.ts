// Floating-point operations of instructions, and a GPU's peak: a fused multiply-add counts as two, as in profilers.

import type { Instruction } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";
import type { GpuModel } from "../gpus/model.js";

export const precisions = ["f16", "f32", "f64", "tensor"] as const;
export type Precision = (typeof precisions)[number];

export interface Work {
  readonly precision: Precision;
  /** Per thread; for matrix products, per warp. */
  readonly operations: number;
  readonly perWarp: boolean;
}

const operationsOf: Readonly<Record<string, number>> = { add: 1, sub: 1, mul: 1, fma: 2, mad: 2 };
const typesOf: Readonly<Record<string, readonly [Precision, lanes: number]>> = {
  f16: ["f16", 1],
  bf16: ["f16", 1],
  f16x2: ["f16", 2],
  bf16x2: ["f16", 2],
  f32: ["f32", 1],
  f32x2: ["f32", 2],
  f64: ["f64", 1],
};
/** Warps that share one product of a warpgroup. */
const WARPGROUP = 4;

/** The arithmetic of an instruction; undefined if it has none. */
export function workOf({ opcode }: Instruction): Work | undefined {
  const [name = "", second = ""] = opcode.form.id.split(".");
  const shape = /^m(\d+)n(\d+)k(\d+)$/.exec(modifier(opcode, "shape") ?? "");
  if (shape !== null && /^(mma|wmma|wgmma)$/.test(name) && !/^(load|store|fence|commit|wait)/.test(second)) {
    const [, m, n, k] = shape.map(Number);
    const operations = 2 * m! * n! * k!;
    return { precision: "tensor", operations: name === "wgmma" ? operations / WARPGROUP : operations, perWarp: true };
  }
  const each = operationsOf[name];
  const type = opcode.chosen.findLast((word) => word !== undefined && Object.hasOwn(typesOf, word));
  if (each === undefined || type === undefined) return undefined;
  const [precision, lanes] = typesOf[type]!;
  return { precision, operations: each * lanes, perWarp: false };
}

const LANES = 32;
/** Operations of a sub-core's tensor core in a cycle for a warpgroup's product of 16-bit numbers: 16 x N x 16 in N / 2 cycles. */
const WARPGROUP_RATE = 1024;
/** Operations of one 16 x 8 x 16 product. */
const TILE = 4096;

/** Operations per second of the whole GPU, at its boost clock. */
export function peakWork({
  ops,
  subcores,
  sms,
  clockMHz,
  fp64PerSm,
  computeCapability,
}: GpuModel): Readonly<Record<Precision, number>> {
  const subcoresPerSecond = subcores * sms * clockMHz * 1e6;
  const fma = (interval: number): number => (2 * LANES * subcoresPerSecond) / interval;
  const tile = TILE / ops.mma.intervalCycles;
  return {
    f16: 2 * fma(ops.half2.intervalCycles),
    f32: fma(ops.fma.intervalCycles),
    f64: fma(ops.fp64.intervalCycles) / (fp64PerSm ? subcores : 1),
    tensor: subcoresPerSecond * (computeCapability === 90 ? Math.max(tile, WARPGROUP_RATE) : tile),
  };
}
