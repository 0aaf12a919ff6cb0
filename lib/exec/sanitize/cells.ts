// Who accessed each byte last, for races. Four bytes are a cell: the last write, a read, and where there were more that matter,
// a list of them, each with the bytes that it touched, so that neighbours do not race. What is ordered before a later access of
// the same kind is forgotten: whatever races with the earlier one races with the later one, too.

import { firstLane } from "../warp.js";
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

interface Other {
  record: number;
  lanes: number;
  mask: number;
  readonly wrote: boolean;
}

/** Atomic accesses of other threads that a cell remembers: what races with one races with the others. */
const MOST_ATOMICS = 4;
const PAGE_CELLS = 1024;
const LANES = 32;

interface Page {
  /** Record * 32 + lane; 0: none. */
  readonly writes: Uint32Array;
  readonly reads: Uint32Array;
  /** Lanes of a read by several lanes; 0: only the lane in `reads`. Absent until a cell needs it. */
  lanes: Int32Array | undefined;
  /** Bytes of the write, and in the upper half of the read. */
  readonly masks: Uint8Array;
  readonly others: Map<number, Other[]>;
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
  /** Records the access for lanes without a conflict whose cells need no list. Returns the other lanes, for `touch`. */
  touchWarp(lanes: number, touch: WarpTouch): number;
  touch(start: number, bytes: number, touch: Touch): void;
  /** Clears the cells. */
  forget(start: number, bytes: number): void;
}

/** `most`: accesses that a cell remembers in addition to the last write and read. */
export function createCells(records: Records, most: number): Cells {
  const pages = new Map<number, Page>();
  const pageAt = (number: number): Page => {
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
  };

  const isAtomic = ({ record, wrote }: Other): boolean => wrote && records.at(record).strength > 0;

  /** Whether `touch` makes the entry obsolete; reports a conflict. */
  const isPast = (record: number, lane: number, wrote: boolean, touch: Touch): boolean => {
    // An atomic access races with less than what was there before it.
    if (records.isBefore(record, lane, touch.warp, touch.lane))
      return (touch.writes || !wrote) && records.covers(touch.record, record);
    if (!wrote && !touch.writes) return false;
    if (records.areAtomic(record, touch.record)) return false;
    touch.conflict(record, lane, wrote);
    return touch.writes;
  };

  const readLanesAt = ({ reads, lanes }: Page, at: number): number =>
    (lanes === undefined ? 0 : lanes[at]!) || 1 << (reads[at]! % LANES);
  const setReadLanes = (page: Page, at: number, record: number, of: number): void => {
    page.reads[at] = record * LANES + firstLane(of);
    if ((of & (of - 1)) !== 0) page.lanes ??= new Int32Array(PAGE_CELLS);
    if (page.lanes !== undefined) page.lanes[at] = (of & (of - 1)) === 0 ? 0 : of;
  };

  // Caches the last answer to: are all lanes of a record's warp ordered before a thread that knows `clock`? The lanes of an
  // instruction ask the same in turn.
  let asked: Clock | undefined;
  let askedRecord = -1;
  let answer = false;
  const isWarpBefore = (record: number, clock: Clock): boolean => {
    if (record !== askedRecord || clock !== asked) {
      [asked, askedRecord] = [clock, record];
      answer = records.isWarpBefore(record, clock);
    }
    return answer;
  };

  /** Adds reads to the cell's list. Reads do not race with each other. */
  const addReads = ({ others }: Page, at: number, record: number, lanes: number, mask: number): void => {
    const list = others.get(at);
    if (list === undefined) {
      others.set(at, [{ record, lanes, mask, wrote: false }]);
      return;
    }
    const same = list.find((other) => other.record === record && !other.wrote && other.mask === mask);
    if (same !== undefined) same.lanes |= lanes;
    else {
      if (list.length >= most) list.shift();
      list.push({ record, lanes, mask, wrote: false });
    }
  };

  /** Tries to replace the cell's entry by the new one; false if there is a conflict, or the list is needed. */
  const touchPlainly = (
    page: Page,
    at: number,
    mask: number,
    { warp, record, writes }: WarpTouch,
    lane: number,
  ): boolean => {
    const masks = page.masks[at]!;
    const [writeMask, readMask] = [masks & 15, masks >> 4];
    const clock = warp.known[lane]!;
    const list = page.others.size > 0 ? page.others.get(at) : undefined;
    if (list !== undefined) {
      if (
        list.every(
          (other) => (other.mask & ~mask) === 0 && (writes || !other.wrote) && isWarpBefore(other.record, clock),
        )
      )
        page.others.delete(at);
      else if (writes || list.some(({ wrote }) => wrote)) return false;
    }
    const own = record * LANES + lane;
    if (writeMask !== 0 && page.writes[at] !== own) {
      const before = Math.floor(page.writes[at]! / LANES);
      const isSame = records.isSameWarp(before, warp) && page.writes[at]! % LANES === lane;
      if (!isSame && !isWarpBefore(before, clock)) return false;
    }
    const isOfRecord = readMask !== 0 && Math.floor(page.reads[at]! / LANES) === record;
    if (!writes && isOfRecord && readMask === mask) {
      const lanes = readLanesAt(page, at);
      if (((lanes >>> lane) & 1) === 0) setReadLanes(page, at, record, lanes | (1 << lane));
      return true;
    }
    if (readMask !== 0) {
      const before = Math.floor(page.reads[at]! / LANES);
      const isSame = records.isSameWarp(before, warp) && readLanesAt(page, at) === 1 << lane;
      if ((readMask & ~mask) !== 0) return false;
      if (!isSame && !isWarpBefore(before, clock)) {
        if (writes) return false;
        addReads(page, at, before, readLanesAt(page, at), readMask);
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
  };

  const touchCell = (page: Page, at: number, mask: number, touch: Touch): void => {
    const { writes, reads, masks, others } = page;
    const entry = touch.record * LANES + touch.lane;
    let writeMask = masks[at]! & 15;
    let readMask = masks[at]! >> 4;
    let list = others.get(at);
    // The atomic operations that the last one found done are ordered before what follows it.
    const last = Math.floor(writes[at]! / LANES);
    const isAfterLast =
      (mask & ~writeMask) === 0 &&
      touch.returnsValue?.(last) === true &&
      records.isBefore(last, writes[at]! % LANES, touch.warp, touch.lane);
    const keep = (record: number, lanes: number, bytes: number, wrote: boolean): void => {
      if (list === undefined) others.set(at, (list = []));
      for (const other of list) {
        if (other.record !== record || other.wrote !== wrote || other.mask !== bytes) continue;
        other.lanes |= lanes;
        return;
      }
      if (wrote && records.at(record).strength > 0 && list.filter(isAtomic).length >= MOST_ATOMICS) return;
      if (list.length >= most) list.shift();
      list.push({ record, lanes, mask: bytes, wrote });
    };
    if (list !== undefined) {
      for (const other of list) {
        if ((other.mask & mask) === 0) continue;
        if (!other.wrote && !touch.writes) {
          // Reads do not conflict; a later one of the same thread replaces the earlier one.
          if ((other.mask & ~mask) === 0 && records.isSameWarp(other.record, touch.warp))
            other.lanes &= ~(1 << touch.lane);
          continue;
        }
        if (records.areAtomic(other.record, touch.record)) continue;
        if (isAfterLast && other.wrote && records.areAtomic(other.record, last)) {
          if (touch.writes && (other.mask & ~mask) === 0) other.lanes = 0;
          continue;
        }
        for (let lane = 0; lane < LANES; lane++) {
          if (((other.lanes >>> lane) & 1) === 0) continue;
          if (isPast(other.record, lane, other.wrote, touch) && (other.mask & ~mask) === 0) other.lanes &= ~(1 << lane);
        }
      }
      if (list.some(({ lanes }) => lanes === 0)) {
        list = list.filter(({ lanes }) => lanes !== 0);
        if (list.length > 0) others.set(at, list);
        else {
          others.delete(at);
          list = undefined;
        }
      }
    }
    if ((writeMask & mask) !== 0) {
      const [record, lane] = [Math.floor(writes[at]! / LANES), writes[at]! % LANES];
      if (isPast(record, lane, true, touch)) writeMask &= ~mask;
    }
    if ((readMask & mask) !== 0 && (reads[at] !== entry || readLanesAt(page, at) !== 1 << touch.lane)) {
      const record = Math.floor(reads[at]! / LANES);
      let left = readLanesAt(page, at);
      for (let lane = 0; lane < LANES; lane++)
        if (((left >>> lane) & 1) !== 0 && isPast(record, lane, false, touch)) left &= ~(1 << lane);
      if (left === 0) readMask &= ~mask;
      else if ((readMask & ~mask) === 0) setReadLanes(page, at, record, left);
    }
    if (touch.writes) {
      if (writeMask !== 0 && writes[at] !== entry)
        keep(Math.floor(writes[at]! / LANES), 1 << (writes[at]! % LANES), writeMask, true);
      writeMask = writes[at] === entry ? writeMask | mask : mask;
      writes[at] = entry;
    } else {
      const known = Math.floor(reads[at]! / LANES);
      if (readMask !== 0 && known === touch.record && readMask === mask)
        setReadLanes(page, at, known, readLanesAt(page, at) | (1 << touch.lane));
      else {
        const isOwn = readMask !== 0 && known === touch.record && readLanesAt(page, at) === 1 << touch.lane;
        if (readMask !== 0 && !isOwn) keep(known, readLanesAt(page, at), readMask, false);
        readMask = isOwn ? readMask | mask : mask;
        setReadLanes(page, at, touch.record, 1 << touch.lane);
      }
    }
    masks[at] = writeMask | (readMask << 4);
  };

  const each = (start: number, bytes: number, visit: (page: Page, at: number, mask: number) => void): void => {
    for (let byte = start; byte < start + bytes;) {
      const cell = Math.floor(byte / 4);
      const first = byte % 4;
      const last = Math.min(4, first + start + bytes - byte);
      visit(pageAt(Math.floor(cell / PAGE_CELLS)), cell % PAGE_CELLS, ((1 << last) - 1) & ~((1 << first) - 1));
      byte += last - first;
    }
  };

  return {
    touchWarp(lanes, touch) {
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
          if (of !== number) [number, page] = [of, pageAt(of)];
          const mask = ((1 << last) - 1) & ~((1 << first) - 1);
          if (!touchPlainly(page!, cell - PAGE_CELLS * of, mask, touch, lane)) {
            left |= 1 << lane;
            break;
          }
          byte += last - first;
        }
      }
      return left;
    },
    touch(start, bytes, touch) {
      each(start, bytes, (page, at, mask) => touchCell(page, at, mask, touch));
    },
    forget(start, bytes) {
      each(start, bytes, (page, at) => {
        page.masks[at] = 0;
        page.others.delete(at);
      });
    },
  };
}
