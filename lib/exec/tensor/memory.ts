// Tensor memory: PTX ISA 9.0 section 9.7.16.1. 128 lanes of 512 columns of 32 bits for each block. An address has the lane in its
// upper half and the column in its lower. Columns are allocated by multiples of 32, with all their lanes.

import { KernelFault } from "../state/fault.js";
import type { Block, TensorMemory } from "../state/block.js";

export const LANES = 128;
export const COLUMNS = 512;
/** Columns that are allocated together. */
const UNIT = 32;

export function tensorMemoryOf(block: Block): TensorMemory {
  if (block.tensorMemory !== undefined) return block.tensorMemory;
  // The next block begins with another address: generated code must not start it.
  block.launch.fast?.deferBlockEnd();
  return (block.tensorMemory = {
    words: new Int32Array(LANES * COLUMNS),
    owners: new Int32Array(COLUMNS / UNIT),
    mayAllocate: true,
    request: undefined,
  });
}

/** The blocks that an instruction of that group works on, the even one first. */
export function blocksOf(block: Block, isPair: boolean, lane: number): readonly Block[] {
  if (!isPair) return [block];
  const { blocks } = block.cluster;
  const even = block.rank & ~1;
  const [first, second] = [blocks[even], blocks[even + 1]];
  if (first !== undefined && second !== undefined) return [first, second];
  throw trap(
    `.cta_group::2 requires pairs of blocks in a cluster, but block ${block.rank} of ${blocks.length} has no peer`,
    lane,
  );
}

export const trap = (message: string, lane: number): KernelFault =>
  new KernelFault("trap", `tcgen05: ${message}`, { lane });

/** Allocates columns that are free in all of the memories. Returns the first of them; -1 if there are not enough. */
export function allocate(memories: readonly TensorMemory[], columns: number): number {
  const units = columns / UNIT;
  for (let first = 0; first + units <= COLUMNS / UNIT; first++) {
    if (memories.some(({ owners }) => owners.subarray(first, first + units).some((owner) => owner !== 0))) continue;
    for (const { owners } of memories) owners.fill(UNIT * first + 1, first, first + units);
    return UNIT * first;
  }
  return -1;
}

/** Frees the columns of one allocation. */
export function deallocate({ owners }: TensorMemory, address: number, columns: number, lane: number): void {
  const first = (address & 0xffff) / UNIT;
  const mark = UNIT * first + 1;
  const allocated = UNIT * owners.filter((owner) => owner === mark).length;
  if (address >>> 16 !== 0 || owners[first] !== mark)
    throw trap(`dealloc of address ${hex(address)}, which alloc did not return`, lane);
  if (allocated !== columns) throw trap(`dealloc of ${columns} columns, but alloc allocated ${allocated}`, lane);
  owners.fill(0, first, first + columns / UNIT);
}

/** Throws unless `count` columns from `column` on are allocated. */
export function checkColumns(block: Block, column: number, count: number, what: string, lane: number): void {
  const owners = block.tensorMemory?.owners;
  const last = column + count - 1;
  const free = (unit: number): boolean => owners === undefined || owners[unit] === 0;
  if (last < COLUMNS) {
    let unit = Math.floor(column / UNIT);
    while (unit <= last / UNIT && !free(unit)) unit++;
    if (unit > last / UNIT) return;
  }
  throw new KernelFault(
    "illegal-address",
    `tcgen05: ${what} uses columns ${column} to ${last} of tensor memory, which are not all allocated; tcgen05.alloc allocates columns`,
    { lane, address: column },
  );
}

export const hex = (address: number): string => `0x${(address >>> 0).toString(16).padStart(8, "0")}`;
