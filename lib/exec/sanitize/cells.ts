// The last accesses of each byte, for races. A cell of four bytes keeps the last write, a read, and a list of further accesses
// that still matter, each with its bytes, so that neighbours do not race. An access that is ordered before a later one of the
// same kind is dropped: whatever races with the earlier one races with the later one, too.

import { firstLane } from "../machine/warp.js";
import type { Clock } from "./clock.js";
import type { WarpOrder } from "./order.js";
import type { Records } from "./records.js";

/** An access of one lane. */
export interface Touch {
  readonly warp: WarpOrder;
  readonly lane: number;
  readonly record: number;
  readonly writes: boolean;
  /** An earlier access that is not ordered before this one. */
  conflict(record: number, lane: number, wrote: boolean): void;
  /** Whether the record is of an atomic operation that returns the value it found. */
  returnsValue?(record: number): boolean;
}

/** An access in a cell's list: lanes of a record, and the bytes of the cell that they accessed. */
interface OtherAccess {
  readonly record: number;
  lanes: number;
  readonly mask: number;
  readonly wrote: boolean;
}

/** Most atomic accesses in a cell's list: an access that races with one of them races with the others. */
const MAX_ATOMICS = 4;
const PAGE_CELLS = 1024;
const LANES = 32;

interface Page {
  /** The last write and a read, as record * 32 + lane; 0: none. */
  readonly writes: Uint32Array;
  readonly reads: Uint32Array;
  /** Lanes of a read by several lanes; 0: only the lane in `reads`. Absent until a cell needs it. */
  lanes: Int32Array | undefined;
  /** Bit masks of bytes: of the write in the lower half, of the read in the upper half. */
  readonly masks: Uint8Array;
  readonly others: Map<number, OtherAccess[]>;
}

/** A weak access by several lanes of one instruction. */
export interface WarpTouch {
  readonly warp: WarpOrder;
  readonly record: number;
  readonly writes: boolean;
  readonly bytes: number;
  /** Addresses by lane. */
  readonly addresses: Float64Array;
}

export interface Cells {
  readonly records: Records;
  /** Most accesses in a cell's list. */
  readonly most: number;
  readonly pages: Map<number, Page>;
  /** Caches the last result of `isWarpBefore`, as the lanes of an instruction repeat the same query. */
  readonly lastQuery: { clock: Clock | undefined; record: number; isBefore: boolean };
}

export const createCells = (records: Records, most: number): Cells => ({
  records,
  most,
  pages: new Map(),
  lastQuery: { clock: undefined, record: -1, isBefore: false },
});

function pageAt({ pages }: Cells, number: number): Page {
  let page = pages.get(number);
  if (page !== undefined) return page;
  page = {
    writes: new Uint32Array(PAGE_CELLS),
    reads: new Uint32Array(PAGE_CELLS),
    lanes: undefined,
    masks: new Uint8Array(PAGE_CELLS),
    others: new Map(),
  };
  pages.set(number, page);
  return page;
}

// ------------------------------------------------------------------------------------------------------------- entries

const recordOf = (entry: number): number => Math.floor(entry / LANES);
const laneOf = (entry: number): number => entry % LANES;

const readLanesAt = ({ reads, lanes }: Page, at: number): number =>
  (lanes === undefined ? 0 : lanes[at]!) || 1 << laneOf(reads[at]!);

function setReadLanes(page: Page, at: number, record: number, of: number): void {
  page.reads[at] = record * LANES + firstLane(of);
  if ((of & (of - 1)) !== 0) page.lanes ??= new Int32Array(PAGE_CELLS);
  if (page.lanes !== undefined) page.lanes[at] = (of & (of - 1)) === 0 ? 0 : of;
}

const isAtomic = (records: Records, { record, wrote }: OtherAccess): boolean =>
  wrote && records.at(record).strength > 0;

/** Adds an access to the cell's list, or its lanes to an equal one. A full list loses its oldest. */
function addOther(
  { records, most }: Cells,
  { others }: Page,
  at: number,
  { record, lanes, mask, wrote }: OtherAccess,
): void {
  let list = others.get(at);
  if (list === undefined) others.set(at, (list = []));
  for (const other of list) {
    if (other.record !== record || other.wrote !== wrote || other.mask !== mask) continue;
    other.lanes |= lanes;
    return;
  }
  if (
    wrote &&
    records.at(record).strength > 0 &&
    list.filter((other) => isAtomic(records, other)).length >= MAX_ATOMICS
  )
    return;
  if (list.length >= most) list.shift();
  list.push({ record, lanes, mask, wrote });
}

// ------------------------------------------------------------------------------------------------- all lanes of a warp

/** Whether all lanes of the record's warp are ordered before a thread that knows `clock`. */
function isWarpBefore({ records, lastQuery }: Cells, record: number, clock: Clock): boolean {
  if (record !== lastQuery.record || clock !== lastQuery.clock) {
    lastQuery.clock = clock;
    lastQuery.record = record;
    lastQuery.isBefore = records.isWarpBefore(record, clock);
  }
  return lastQuery.isBefore;
}

/** Records the access for lanes without a conflict whose cells need no list. Returns the other lanes, for `touchBytes`. */
export function touchWarp(cells: Cells, lanes: number, touch: WarpTouch): number {
  const { addresses, bytes } = touch;
  let left = 0;
  let number = -1;
  let page: Page | undefined;
  for (let lane = 0; lane < LANES; lane++) {
    if (((lanes >>> lane) & 1) === 0) continue;
    const start = addresses[lane]!;
    for (let byte = start; byte < start + bytes;) {
      const cell = Math.floor(byte / 4);
      const first = byte - 4 * cell;
      const last = Math.min(4, first + start + bytes - byte);
      const of = Math.floor(cell / PAGE_CELLS);
      if (of !== number) [number, page] = [of, pageAt(cells, of)];
      const mask = ((1 << last) - 1) & ~((1 << first) - 1);
      if (!replaceEntry(cells, page!, cell - PAGE_CELLS * of, mask, touch, lane)) {
        left |= 1 << lane;
        break;
      }
      byte += last - first;
    }
  }
  return left;
}

/** Tries to replace the cell's entry by the new one; false if there is a conflict, or the list is needed. */
function replaceEntry(cells: Cells, page: Page, at: number, mask: number, touch: WarpTouch, lane: number): boolean {
  const { records } = cells;
  const { warp, record, writes } = touch;
  const masks = page.masks[at]!;
  const [writeMask, readMask] = [masks & 15, masks >> 4];
  const clock = warp.known[lane]!;
  const list = page.others.size > 0 ? page.others.get(at) : undefined;
  if (list !== undefined) {
    if (
      list.every(
        (other) => (other.mask & ~mask) === 0 && (writes || !other.wrote) && isWarpBefore(cells, other.record, clock),
      )
    )
      page.others.delete(at);
    else if (writes || list.some(({ wrote }) => wrote)) return false;
  }
  const own = record * LANES + lane;
  if (writeMask !== 0 && page.writes[at] !== own) {
    const before = recordOf(page.writes[at]!);
    const isSame = records.isSameWarp(before, warp) && laneOf(page.writes[at]!) === lane;
    if (!isSame && !isWarpBefore(cells, before, clock)) return false;
  }
  const isOfRecord = readMask !== 0 && recordOf(page.reads[at]!) === record;
  if (!writes && isOfRecord && readMask === mask) {
    const lanes = readLanesAt(page, at);
    if (((lanes >>> lane) & 1) === 0) setReadLanes(page, at, record, lanes | (1 << lane));
    return true;
  }
  if (readMask !== 0) {
    const before = recordOf(page.reads[at]!);
    const isSame = records.isSameWarp(before, warp) && readLanesAt(page, at) === 1 << lane;
    if ((readMask & ~mask) !== 0) return false;
    if (!isSame && !isWarpBefore(cells, before, clock)) {
      if (writes) return false;
      addOther(cells, page, at, { record: before, lanes: readLanesAt(page, at), mask: readMask, wrote: false });
    }
  }
  if (writes) {
    if ((writeMask & ~mask) !== 0) return false;
    page.writes[at] = own;
    page.masks[at] = mask;
  } else {
    setReadLanes(page, at, record, 1 << lane);
    page.masks[at] = writeMask | (mask << 4);
  }
  return true;
}

// ------------------------------------------------------------------------------------------------------------ one lane

/** Records the access of one lane. */
export function touchBytes(cells: Cells, start: number, bytes: number, touch: Touch): void {
  for (let byte = start; byte < start + bytes;) {
    const cell = Math.floor(byte / 4);
    const first = byte % 4;
    const last = Math.min(4, first + start + bytes - byte);
    const mask = ((1 << last) - 1) & ~((1 << first) - 1);
    touchCell(cells, pageAt(cells, Math.floor(cell / PAGE_CELLS)), cell % PAGE_CELLS, mask, touch);
    byte += last - first;
  }
}

/** Whether `touch` makes the entry obsolete; reports a conflict. */
function isPast({ records }: Cells, record: number, lane: number, wrote: boolean, touch: Touch): boolean {
  // An atomic access races with fewer accesses than an earlier weak one, and so does not replace it.
  if (records.isBefore(record, lane, touch.warp, touch.lane))
    return (touch.writes || !wrote) && records.covers(touch.record, record);
  if (!wrote && !touch.writes) return false;
  if (records.areAtomic(record, touch.record)) return false;
  touch.conflict(record, lane, wrote);
  return touch.writes;
}

function touchCell(cells: Cells, page: Page, at: number, mask: number, touch: Touch): void {
  checkOthers(cells, page, at, mask, touch);
  if ((page.masks[at]! & mask) !== 0) checkLastWrite(cells, page, at, mask, touch);
  if (((page.masks[at]! >> 4) & mask) !== 0) checkLastReads(cells, page, at, mask, touch);
  if (touch.writes) recordWrite(cells, page, at, mask, touch);
  else recordRead(cells, page, at, mask, touch);
}

/** Compares the access with the cell's list, and drops obsolete accesses from it. */
function checkOthers(cells: Cells, page: Page, at: number, mask: number, touch: Touch): void {
  const list = page.others.get(at);
  if (list === undefined) return;
  const last = foundAtomic(cells, page, at, mask, touch);
  for (const other of list) if ((other.mask & mask) !== 0) checkOther(cells, other, mask, touch, last);
  if (!list.some(({ lanes }) => lanes === 0)) return;
  const left = list.filter(({ lanes }) => lanes !== 0);
  if (left.length > 0) page.others.set(at, left);
  else page.others.delete(at);
}

/**
 * The record of the cell's last write if it is an atomic operation that is ordered before the access: the atomic operations that
 * it found done are ordered before the access, too.
 */
function foundAtomic(
  { records }: Cells,
  { writes, masks }: Page,
  at: number,
  mask: number,
  touch: Touch,
): number | undefined {
  const last = recordOf(writes[at]!);
  return (mask & ~(masks[at]! & 15)) === 0 &&
    touch.returnsValue?.(last) === true &&
    records.isBefore(last, laneOf(writes[at]!), touch.warp, touch.lane)
    ? last
    : undefined;
}

function checkOther(cells: Cells, other: OtherAccess, mask: number, touch: Touch, last: number | undefined): void {
  const { records } = cells;
  const isCovered = (other.mask & ~mask) === 0;
  if (!other.wrote && !touch.writes) {
    // Reads do not conflict; a later one of the same thread replaces the earlier one.
    if (isCovered && records.isSameWarp(other.record, touch.warp)) other.lanes &= ~(1 << touch.lane);
    return;
  }
  if (records.areAtomic(other.record, touch.record)) return;
  if (last !== undefined && other.wrote && records.areAtomic(other.record, last)) {
    if (touch.writes && isCovered) other.lanes = 0;
    return;
  }
  for (let lane = 0; lane < LANES; lane++) {
    if (((other.lanes >>> lane) & 1) === 0) continue;
    if (isPast(cells, other.record, lane, other.wrote, touch) && isCovered) other.lanes &= ~(1 << lane);
  }
}

function checkLastWrite(cells: Cells, { writes, masks }: Page, at: number, mask: number, touch: Touch): void {
  if (isPast(cells, recordOf(writes[at]!), laneOf(writes[at]!), true, touch)) masks[at]! &= ~mask;
}

function checkLastReads(cells: Cells, page: Page, at: number, mask: number, touch: Touch): void {
  const { reads, masks } = page;
  const lanes = readLanesAt(page, at);
  if (reads[at] === touch.record * LANES + touch.lane && lanes === 1 << touch.lane) return;
  const record = recordOf(reads[at]!);
  let left = lanes;
  for (let lane = 0; lane < LANES; lane++)
    if (((lanes >>> lane) & 1) !== 0 && isPast(cells, record, lane, false, touch)) left &= ~(1 << lane);
  if (left === 0) masks[at]! &= ~(mask << 4);
  else if (((masks[at]! >> 4) & ~mask) === 0) setReadLanes(page, at, record, left);
}

/** Makes the access the cell's last write. A write of other bytes that still matters moves to the list. */
function recordWrite(cells: Cells, page: Page, at: number, mask: number, touch: Touch): void {
  const { writes, masks } = page;
  const entry = touch.record * LANES + touch.lane;
  const writeMask = masks[at]! & 15;
  const isOwn = writes[at] === entry;
  if (writeMask !== 0 && !isOwn)
    addOther(cells, page, at, {
      record: recordOf(writes[at]!),
      lanes: 1 << laneOf(writes[at]!),
      mask: writeMask,
      wrote: true,
    });
  writes[at] = entry;
  masks[at] = (masks[at]! & 0xf0) | (isOwn ? writeMask | mask : mask);
}

/** Makes the access the cell's read, or one of its lanes. Another read that still matters moves to the list. */
function recordRead(cells: Cells, page: Page, at: number, mask: number, touch: Touch): void {
  const { reads, masks } = page;
  const record = recordOf(reads[at]!);
  const readMask = masks[at]! >> 4;
  const isOfRecord = readMask !== 0 && record === touch.record;
  if (isOfRecord && readMask === mask) {
    setReadLanes(page, at, record, readLanesAt(page, at) | (1 << touch.lane));
    return;
  }
  const isOwn = isOfRecord && readLanesAt(page, at) === 1 << touch.lane;
  if (readMask !== 0 && !isOwn)
    addOther(cells, page, at, { record, lanes: readLanesAt(page, at), mask: readMask, wrote: false });
  masks[at] = (masks[at]! & 15) | ((isOwn ? readMask | mask : mask) << 4);
  setReadLanes(page, at, touch.record, 1 << touch.lane);
}
