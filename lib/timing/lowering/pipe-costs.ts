// What pipes cost beyond an op's own latency and interval: values that cross from one to another, and products of warpgroups.

import { pipeIndex } from "./lowering.js";
import { pipeNames, type GpuModel } from "../gpus/model.js";

const pipes = pipeNames.length;
const [alu, fma, half] = [pipeIndex("alu"), pipeIndex("fma"), pipeIndex("half")];
const [xu, fp64, lsu] = [pipeIndex("xu"), pipeIndex("fp64"), pipeIndex("lsu")];
const isQuick = (pipe: number): boolean => pipe === alu || pipe === fma || pipe === half;
const isSlow = (pipe: number): boolean => pipe === xu || pipe === fp64;

/** Cycles for which the tensor core is busy with a warpgroup's product of so many columns. */
export function matrixCycles({ matrix }: GpuModel, columns: number): number {
  return Math.max(columns / 2, matrix.leastCycles + columns / 4);
}

/** Additional cycles for a value that goes from one pipe to another: [producer * pipes + consumer]. */
export function crossings({ crossing }: GpuModel): Float64Array {
  const table = new Float64Array(pipes * pipes);
  for (let producer = 0; producer < pipes; producer++)
    for (let consumer = 0; consumer < pipes; consumer++) {
      if (isQuick(producer) && isSlow(consumer)) table[producer * pipes + consumer] = crossing.toSlowCycles;
      if (isQuick(producer) && isQuick(consumer) && (producer === alu) !== (consumer === alu))
        table[producer * pipes + consumer] = crossing.aluFmaCycles;
      // An address or a value to store, as well (ptxas 13.0's stall counts; record: ldmatrix_lat_x1).
      if (isQuick(producer) && consumer === lsu) table[producer * pipes + consumer] = crossing.aluFmaCycles;
    }
  return table;
}
