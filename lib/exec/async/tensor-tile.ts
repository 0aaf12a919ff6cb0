// Bytes of a tensor copy: rows of global memory on one side, a tile in shared memory on the other. Rules from records of an H200:
// a tile is laid out in rows of the swizzle's span, the swizzle uses bits of the absolute address, loads fill element by element,
// stores omit whole units of 16 bytes.

import { KernelFault } from "../state/fault.js";
import { hex } from "../operands/access.js";
import type { Memory } from "../../load/memory.js";
import type { TensorMapObject } from "./tensor-map.js";
import { type TensorRequest, type TensorRow, tensorRows, tileCounts } from "./tensor-rows.js";

/** Bytes of one row in global memory. */
interface RowBytes {
  /** Offset of these bytes in the tile's row. */
  readonly lead: number;
  readonly bytes: Uint8Array;
}

/** A copy whose addresses have been located. */
export interface TensorTile {
  readonly map: TensorMapObject;
  /** By row; undefined if no part of it is in the tensor. */
  readonly rows: readonly (RowBytes | undefined)[];
  /** Bytes of a row, and from one row to the next. */
  readonly width: number;
  readonly pitch: number;
  /** Bytes of all rows, which a copy reports to its mbarrier. */
  readonly bytes: number;
  /** Distance between elements in global memory, in elements. */
  readonly step: number;
}

const UNIT = 16;
/** Fill for elements outside the tensor, by their parity as bytes: 0x7ff7 in every 16 bits. */
const NAN_FILL = [0xf7, 0x7f] as const;

/** Upper bound of a tile: more than shared memory can have. */
const MAX_BYTES = 2 ** 20;

/** Locates the global memory of a copy. Throws a fault for coordinates that trap, or if the memory does not exist. */
export function tensorTile(
  memory: Memory,
  map: TensorMapObject,
  request: TensorRequest,
  isStore: boolean,
  lane: number,
): TensorTile {
  checkCoordinates(map, request, isStore, lane);
  const least = request.mode === "tile" ? tileCounts(map).reduce((product, extent) => product * extent, 1) : 1;
  if (least * map.type.bytes > MAX_BYTES) throw tooLarge(least * map.type.bytes, lane);
  const { rows, count, step } = tensorRows(map, request);
  const width = count * map.type.bytes;
  const pitch = map.span === 0 ? width : Math.ceil(width / map.span) * map.span;
  const find = findIn(memory, lane);
  const bytesOf = (row: TensorRow): RowBytes | undefined =>
    row.isInside ? (isStore ? storedBytes : loadedBytes)(find, map, row, { width, step }) : undefined;
  return { map, rows: rows.map(bytesOf), width, pitch, bytes: width * rows.length, step };
}

const tooLarge = (bytes: number, lane: number): KernelFault =>
  new KernelFault("illegal-address", `a tile of ${bytes} bytes does not fit in shared memory`, { lane });

function checkCoordinates(map: TensorMapObject, request: TensorRequest, isStore: boolean, lane: number): void {
  const { coordinates, mode } = request;
  const trap = (message: string): KernelFault => new KernelFault("trap", `tensor copy: ${message}`, { lane });
  const rank = mode === "rows" ? 2 : coordinates.length;
  if (rank !== map.rank) throw trap(`the instruction has ${rank} dimensions, but its tensor map has ${map.rank}`);
  if (mode.startsWith("im2col") !== map.isImage)
    throw trap(`the instruction has mode ${mode}, but its tensor map has mode ${map.isImage ? "im2col" : "tiled"}`);
  if ((coordinates[0]! * map.type.bytes) % UNIT !== 0)
    throw trap(
      `the innermost coordinate ${coordinates[0]} (elements of ${map.type.name}) is not a multiple of 16 bytes`,
    );
  const negative = coordinates.findIndex((at) => at < 0);
  if (isStore && negative >= 0)
    throw trap(`a store cannot have a negative coordinate: dimension ${negative} is ${coordinates[negative]}`);
}

interface RowShape {
  readonly width: number;
  readonly step: number;
}

/** The memory of `size` bytes at an address, and as much after it as exists, up to `most` bytes. */
type Find = (address: number, size: number, most: number) => Uint8Array;

/** Rows of a tile are mostly in one allocation, so the last one found is tried first. */
function findIn(memory: Memory, lane: number): Find {
  let region: ReturnType<Memory["find"]>;
  return (address, size, most) => {
    if (region === undefined || address < region.base || address + size > region.base + region.bytes.length)
      region = memory.find(address, size);
    if (region !== undefined) return region.bytes.subarray(address - region.base, address - region.base + most);
    throw new KernelFault("illegal-address", `tensor copy: ${size} bytes at ${hex(address)} are not allocated`, {
      lane,
      address,
    });
  };
}

/** Bytes of a load's row: the elements inside the tensor. With a step, all from the first to the last of them. */
function loadedBytes(
  find: Find,
  { type, extents }: TensorMapObject,
  { address, first }: TensorRow,
  { width, step }: RowShape,
): RowBytes | undefined {
  const count = width / type.bytes;
  const skipped = first < 0 ? Math.ceil(-first / step) : 0;
  const begin = first + skipped * step;
  const inside = Math.min(count - skipped, Math.ceil((extents[0]! - begin) / step));
  if (inside <= 0) return undefined;
  const size = ((inside - 1) * step + 1) * type.bytes;
  return { lead: skipped * type.bytes, bytes: find(address + begin * type.bytes, size, size) };
}

/** Bytes of a store's row: whole units of 16 bytes that begin inside the tensor, as far as memory exists. */
function storedBytes(
  find: Find,
  { type, extents }: TensorMapObject,
  { address, first }: TensorRow,
  { width, step }: RowShape,
): RowBytes | undefined {
  const exact = (extents[0]! - first) * type.bytes;
  if (exact <= 0) return undefined;
  const wanted = width * step;
  const inside = Math.min(wanted, exact);
  const most = Math.min(wanted, Math.ceil(inside / UNIT) * UNIT);
  return { lead: 0, bytes: find(address + first * type.bytes, inside, most) };
}

// ----------------------------------------------------------------------------------------------------------------- tiles

/** Swizzled location of the 16-byte unit at `at`; both are absolute in shared memory. */
function swizzled(at: number, span: number): number {
  return span === 0 ? at : at ^ (((at >> 7) & (span / UNIT - 1)) << 4);
}

/** Calls `move` for each piece of a row, at most a unit, with its offsets in the row and in shared memory. */
function forPieces(
  { width, pitch, map: { span } }: TensorTile,
  base: number,
  row: number,
  move: (inRow: number, inShared: number, size: number) => void,
): void {
  for (let at = 0; at < width;) {
    const linear = base + row * pitch + at;
    const size = Math.min(width - at, UNIT - (linear & (UNIT - 1)));
    move(at, swizzled(linear - (linear & (UNIT - 1)), span) + (linear & (UNIT - 1)), size);
    at += size;
  }
}

/** Throws a fault unless the tile at `base` is inside `shared`. */
export function checkTile(tile: TensorTile, shared: DataView, base: number, lane: number): void {
  const end = base + tile.rows.length * tile.pitch;
  const reach = tile.map.span === 0 ? end - (tile.pitch - tile.width) : Math.ceil(end / tile.map.span) * tile.map.span;
  if (tile.rows.length > 0 && reach > shared.byteLength) throw tooLarge(tile.rows.length * tile.pitch, lane);
}

/** Copies global memory to the tile. */
export function loadTile(tile: TensorTile, shared: DataView, base: number): void {
  const into = new Uint8Array(shared.buffer, shared.byteOffset, shared.byteLength);
  const copyUnits = unitCopier(tile, shared, base);
  tile.rows.forEach((source, row) => {
    if (copyUnits !== undefined && isWhole(tile, source)) {
      copyUnits(source!.bytes, row);
      return;
    }
    const bytes = loadedRow(tile, row);
    forPieces(tile, base, row, (inRow, inShared, size) => into.set(bytes.subarray(inRow, inRow + size), inShared));
  });
}

/** Whether the row is copied to shared memory whole and unchanged, with the same alignment of words. */
const isWhole = ({ width, step, map }: TensorTile, source: RowBytes | undefined): boolean =>
  source?.bytes.length === width && step === 1 && map.type.rounds !== true && (source.bytes.byteOffset & 3) === 0;

/**
 * Makes a function that copies rows of whole units by words, which suffices for most tiles. Undefined if the tile has other rows.
 */
function unitCopier(
  { width, pitch, map: { span } }: TensorTile,
  shared: DataView,
  base: number,
): ((source: Uint8Array, row: number) => void) | undefined {
  if (((width | pitch | base) & (UNIT - 1)) !== 0 || (shared.byteOffset & 3) !== 0) return undefined;
  const into = new Int32Array(shared.buffer, shared.byteOffset, shared.byteLength >> 2);
  let from = into;
  let begin = 0;
  return ({ buffer, byteOffset }, row) => {
    // Rows of one allocation share a view that begins at the first of them.
    const isIn = from.buffer === buffer && byteOffset >= begin && from !== into;
    if (!isIn) [from, begin] = [new Int32Array(buffer, byteOffset), byteOffset];
    let at = (byteOffset - begin) >> 2;
    const linear = base + row * pitch;
    for (let unit = 0; unit < width; unit += UNIT) {
      const to = swizzled(linear + unit, span) >> 2;
      into[to] = from[at]!;
      into[to + 1] = from[at + 1]!;
      into[to + 2] = from[at + 2]!;
      into[to + 3] = from[at + 3]!;
      at += 4;
    }
  };
}

/** A row as shared memory receives it: filled, and rounded if the type requires it. */
function loadedRow({ map, rows, width, step }: TensorTile, row: number): Uint8Array {
  const { type, fillsNan } = map;
  const bytes = new Uint8Array(width);
  if (fillsNan) for (let i = 0; i < width; i++) bytes[i] = NAN_FILL[i & 1]!;
  const source = rows[row];
  if (source === undefined) return bytes;
  let end = source.lead;
  if (step === 1) {
    bytes.set(source.bytes, source.lead);
    end += source.bytes.length;
  } else
    for (let from = 0; from < source.bytes.length; from += step * type.bytes, end += type.bytes)
      bytes.set(source.bytes.subarray(from, from + type.bytes), end);
  if (type.rounds === true) roundWords(bytes.subarray(source.lead, end));
  return bytes;
}

/** Rounds f32 to tf32, to nearest at bit 13; infinities stay, every NaN becomes 0x7fffe000. */
function roundWords(bytes: Uint8Array): void {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += 4) words.setUint32(at, roundedToTf32(words.getUint32(at, true)), true);
}

function roundedToTf32(bits: number): number {
  const magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fffe000;
  if (magnitude === 0x7f800000) return bits;
  return ((bits + 0xfff + ((bits >>> 13) & 1)) & ~0x1fff) >>> 0;
}

/** The current bytes of the tile, row after row. */
export function readTile(tile: TensorTile, shared: DataView, base: number): Uint8Array {
  const from = new Uint8Array(shared.buffer, shared.byteOffset, shared.byteLength);
  const bytes = new Uint8Array(tile.bytes);
  tile.rows.forEach((target, row) => {
    if (target === undefined) return;
    forPieces(tile, base, row, (inRow, inShared, size) =>
      bytes.set(from.subarray(inShared, inShared + size), row * tile.width + inRow),
    );
  });
  return bytes;
}

/** Writes the bytes of a tile to global memory with `put`. */
export function storeTile(
  { rows, width, step, map: { type } }: TensorTile,
  bytes: Uint8Array,
  put: (target: Uint8Array, source: Uint8Array) => void,
): void {
  rows.forEach((target, row) => {
    if (target === undefined) return;
    const source = bytes.subarray(row * width, (row + 1) * width);
    if (step === 1) {
      put(target.bytes, source.subarray(0, target.bytes.length));
      return;
    }
    for (let at = 0; at * step < target.bytes.length; at += type.bytes)
      put(target.bytes.subarray(at * step, at * step + type.bytes), source.subarray(at, at + type.bytes));
  });
}
