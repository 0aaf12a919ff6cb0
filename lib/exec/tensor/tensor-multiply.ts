// Executes one tcgen05.mma: PTX ISA 9.0 section 9.7.16.10. Every address is checked when the instruction is issued. Matrices are
// read, and D is written, when it completes.

import type { Block } from "../state/block.js";
import { arithmeticOf } from "./arithmetic.js";
import { type ColumnMask } from "./column-mask.js";
import { type DataPath, dataPaths, usesHalf } from "./data-paths.js";
import type { InstructionDescriptor, MultiplyForm } from "./instruction-descriptor.js";
import { checkColumns, COLUMNS, hex, tensorMemoryOf, trap } from "./memory.js";
import { scaledArithmetic, type ScaledMultiply } from "./scaled.js";
import { locateMatrix, packings, type SharedDescriptor } from "./shared-matrix.js";
import { scaleDown } from "./sum-scale.js";

/** The operation that one thread issues. */
export interface Issue {
  readonly form: MultiplyForm;
  readonly described: InstructionDescriptor;
  readonly blocks: readonly Block[];
  readonly d: number;
  /** Descriptor in shared memory, or an address in tensor memory. */
  readonly a: SharedDescriptor | number;
  readonly b: SharedDescriptor;
  readonly metadata: number | undefined;
  readonly scales: readonly [a: number, b: number] | undefined;
  readonly accumulates: boolean;
  /** D is divided by 2^`scaleD` before the products are added. */
  readonly scaleD: number;
  /** .ashift: each row of A except the block's last is replaced by the next row. */
  readonly shiftsA: boolean;
  /** Lanes that are not written, as masks of 32 lanes. Those of the second block start at word 4. */
  readonly disabled: readonly number[];
  readonly columns: ColumnMask;
  readonly lane: number;
}

const columnOf = (address: number): number => address & 0xffff;
const laneOf = (address: number): number => address >>> 16;

/** Checks the operation; the returned function executes it. */
export function prepareMultiply(issue: Issue): () => void {
  const { described, form, blocks, lane, d, a, b, metadata, scales, columns } = issue;
  const { m, n, k, types, transposesA, transposesB } = described;
  const stored = form.isSparse ? k / 2 : k;
  const isHalf = usesHalf({ ...form, m, n }, form.isPair);
  checkLanes(issue, isHalf);
  const paths = dataPaths(blocks, { ...form, m, n }, laneOf(d));
  for (const { block, columns } of paths) checkColumns(block, columnOf(d), columns, "D of mma", lane);
  for (const block of blocks) {
    if (typeof a === "number")
      checkColumns(block, columnOf(a), (stored * bitsInMemory(types.a)) / 32, "A of mma", lane);
    if (metadata !== undefined)
      checkColumns(block, columnOf(metadata), metadataColumns(described), "the metadata of mma", lane);
    scales?.forEach((at, i) => {
      const rows = i === 0 ? m / blocks.length : paths[0]!.columns;
      checkColumns(block, columnOf(at), scaleColumns(described, rows, i), "a scale matrix of mma", lane);
    });
  }
  const [packingA, packingB] = [packings[types.a]!, packings[types.b]!];
  const perBlock = n / blocks.length;
  const readsA =
    typeof a === "number"
      ? undefined
      : blocks.map((block) =>
          locateMatrix(
            block,
            a,
            { rows: m / blocks.length, k: stored, packing: packingA, isTransposed: transposesA },
            lane,
          ),
        );
  const shapeB = { rows: perBlock + columns.shift, k, packing: packingB, isTransposed: transposesB };
  const readsB = blocks.map((block) => locateMatrix(block, b, shapeB, lane));
  return () => {
    const bitsB = new Int32Array(n * k);
    readsB.forEach((read, member) => {
      const whole = new Int32Array(shapeB.rows * k);
      read(whole);
      bitsB.set(whole.subarray(columns.shift * k), member * perBlock * k);
    });
    for (let column = 0; column < n; column++) if (columns.isZero(column)) bitsB.fill(0, column * k, (column + 1) * k);
    const bitsA = readsA?.map((read) => {
      const bits = new Int32Array((m / blocks.length) * stored);
      read(bits);
      return bits;
    });
    for (const path of paths) multiplyPath(issue, path, bitsA?.[path.member] ?? readA(issue, path, stored), bitsB);
  };
}

/**
 * Columns of metadata: two for 64 bits per row; for wide types, those up to the selected one, which has 16 bits for each of two
 * rows.
 */
const metadataColumns = ({ types, sparsitySelector }: InstructionDescriptor): number =>
  packings[types.a]!.bits >= 16 ? sparsitySelector + 1 : 2;

/** Distance in columns between the four-byte words of a row's scales. */
const scaleStride = (rows: number): number => 4 * Math.ceil(rows / 128);

function scaleColumns({ scales }: InstructionDescriptor, rows: number, which: number): number {
  const { count, idA, idB } = scales!;
  const last = (which === 0 ? idA : idB) + count - 1;
  return Math.ceil(rows / 32) + scaleStride(rows) * (last >> 2);
}

function checkLanes({ d, a, metadata, scales, lane }: Issue, isHalf: boolean): void {
  const wanted = laneOf(d);
  if (wanted !== 0 && !(isHalf && wanted === 16))
    throw trap(`the lane of D at ${hex(d)} must be ${isHalf ? "0 or 16" : "0"}`, lane);
  const others = [typeof a === "number" ? a : undefined, metadata].filter((at) => at !== undefined);
  for (const at of others)
    if (laneOf(at) !== wanted) throw trap(`the lanes of A at ${hex(at)} and D at ${hex(d)} differ`, lane);
  for (const at of scales ?? [])
    if (laneOf(at) !== 0) throw trap(`the lane of the scales at ${hex(at)} must be 0`, lane);
}

/** Bits of an element in tensor memory, where each narrow float occupies a byte. */
const bitsInMemory = (type: string): number => (type === "e2m1.packed" ? 4 : Math.max(8, packings[type]!.bits));

/** Reads the data path's rows of A from tensor memory. */
function readA({ a, described, shiftsA }: Issue, { block, rows, lane }: DataPath, stored: number): Int32Array {
  const { words } = tensorMemoryOf(block);
  const width = bitsInMemory(described.types.a);
  const per = 32 / width;
  const mask = width === 32 ? -1 : (1 << width) - 1;
  const bits = new Int32Array(rows * stored);
  for (let row = 0; row < rows; row++) {
    const from = COLUMNS * lane(shiftsA && row < rows - 1 ? row + 1 : row) + columnOf(a as number);
    for (let i = 0; i < stored; i++)
      bits[row * stored + i] = (words[from + Math.floor(i / per)]! >>> (width * (i % per))) & mask;
  }
  return bits;
}

function multiplyPath(issue: Issue, path: DataPath, a: Int32Array, allOfB: Int32Array): void {
  const { described, d, accumulates, scaleD, disabled } = issue;
  const { k, types } = described;
  const { block, member, rows, firstColumn, columns, lane } = path;
  const { words } = tensorMemoryOf(block);
  const b = allOfB.subarray(firstColumn * k, (firstColumn + columns) * k);
  const [c, result] = [new Int32Array(rows * columns), new Int32Array(rows * columns)];
  if (accumulates)
    for (let row = 0; row < rows; row++) {
      const from = COLUMNS * lane(row) + columnOf(d);
      c.set(words.subarray(from, from + columns), row * columns);
    }
  const typeC = scaleDown(c, types.d, scaleD);
  multiplyRows(issue, path, typeC, a, b, c, result);
  const mask = types.d === "f16" ? 0xffff : -1;
  for (let row = 0; row < rows; row++) {
    const at = lane(row);
    if (((disabled[4 * member + (at >> 5)] ?? 0) >>> (at & 31)) & 1) continue;
    const to = COLUMNS * at + columnOf(d);
    for (let column = 0; column < columns; column++) words[to + column] = result[row * columns + column]! & mask;
  }
}

function multiplyRows(
  issue: Issue,
  path: DataPath,
  typeC: string,
  a: Int32Array,
  b: Int32Array,
  c: Int32Array,
  d: Int32Array,
): void {
  const { form, described } = issue;
  const { k, signs, saturates } = described;
  const { rows, columns } = path;
  const types = { ...described.types, c: typeC };
  const stored = form.isSparse ? k / 2 : k;
  // A sparse row selects its own elements of B.
  const extent = { m: form.isSparse ? 1 : rows, n: columns, k: stored };
  const operation = { unit: "blackwell", saturates, signs, rounding: "rn", bits: "xor", isQuarter: false } as const;
  const { scales } = described;
  const multiply: ScaledMultiply =
    scales === undefined ? arithmeticOf(extent, types, operation)! : scaledArithmetic(extent, types, scales, signs);
  const scalesA = readScales(issue, path, 0);
  const scalesB = readScales(issue, path, 1);
  if (!form.isSparse) {
    multiply(a, b, c, d, scalesA, scalesB);
    return;
  }
  const selected = new Int32Array(columns * stored);
  for (let row = 0; row < rows; row++) {
    select(issue, path, row, b, selected);
    const part = (of: Int32Array, each: number): Int32Array => of.subarray(row * each, (row + 1) * each);
    multiply(part(a, stored), selected, part(c, columns), part(d, columns), part(scalesA, scales?.count ?? 0), scalesB);
  }
}

/**
 * Reads the scales of the path's rows (`which` 0) or columns (1): section 9.7.16.10.7. Row r is in lane r % 32 of each 32 lanes,
 * in column r / 32. The word there has four scales of the row; further ones are in columns after those of all rows.
 */
function readScales({ scales: addresses, described }: Issue, path: DataPath, which: 0 | 1): Int32Array {
  const { scales } = described;
  if (scales === undefined || addresses === undefined) return new Int32Array(0);
  const { count } = scales;
  const id = which === 0 ? scales.idA : scales.idB;
  const rows = which === 0 ? path.rows : path.columns;
  const { words } = tensorMemoryOf(path.block);
  // Each group of 32 lanes has all scales; the group of the path's first row is read.
  const first = path.lane(0) & ~31;
  const further = scaleStride(rows);
  const bits = new Int32Array(rows * count);
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < count; i++) {
      const byte = id + i;
      const column = columnOf(addresses[which]) + (row >> 5) + further * (byte >> 2);
      bits[row * count + i] = (words[COLUMNS * (first + (row & 31)) + column]! >>> (8 * (byte & 3))) & 0xff;
    }
  return bits;
}

/** Selects the elements of B that belong to the stored elements of a row of A: section 9.7.16.10.8. */
function select(
  { described, metadata }: Issue,
  path: DataPath,
  row: number,
  b: Int32Array,
  selected: Int32Array,
): void {
  const { k, types } = described;
  const { words } = tensorMemoryOf(path.block);
  const base = columnOf(metadata!);
  const stored = k / 2;
  const isWide = packings[types.a]!.bits >= 16;
  /** Four bits of the row's metadata: two indices. */
  const nibble = (chunk: number): number => {
    if (!isWide) return (words[COLUMNS * path.lane(row) + base + (chunk >> 3)]! >>> (4 * (chunk & 7))) & 15;
    // Sixteen lanes hold the indices of sixteen rows. A lane serves two rows, and eight lanes serve each half of k.
    const at = path.lane((row & ~15) + (row & 7) + 8 * (chunk >> 2));
    return (
      (words[COLUMNS * at + base + described.sparsitySelector]! >>> (16 * ((row >> 3) & 1) + 4 * (chunk & 3))) & 15
    );
  };
  for (let s = 0; s < stored; s++) {
    let from;
    if (types.a === "tf32") from = 2 * s + ((nibble(s) >> 1) & 1);
    else if (types.a === "e2m1.packed")
      from = 8 * (s >> 2) + 2 * ((nibble(s >> 2) >> (2 * ((s >> 1) & 1))) & 3) + (s & 1);
    else from = 4 * (s >> 1) + ((nibble(s >> 1) >> (2 * (s & 1))) & 3);
    for (let column = 0; column < path.columns; column++) selected[column * stored + s] = b[column * k + from]!;
  }
}
