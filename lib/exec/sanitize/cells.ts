// Who accessed each byte last, for races. Four bytes are a cell: the last write, a read, and where there were more that matter,
// a list of them, each with the bytes that it touched, so that neighbours do not race. What is ordered before a later access of
// the same kind is forgotten: whatever races with the earlier one races with the later one, too.

import type { Records } from "./records.js";
import type { WarpOrder } from "./order.js";

/** An access of one lane. */
export interface Touch {
  readonly warp: WarpOrder;
  readonly lane: number;
  readonly record: number;
  readonly writes: boolean;
  /** An earlier access that is not ordered before this one. */
  conflict(record: number, lane: number, wrote: boolean): void;
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
  /** Bytes of the write, and in the upper half of the read. */
  readonly masks: Uint8Array;
  readonly others: Map<number, Other[]>;
}

export interface Cells {
  touch(start: number, bytes: number, touch: Touch): void;
  /** Nothing was accessed there. */
  forget(start: number, bytes: number): void;
}

/** `most`: accesses that a cell remembers beside the last write and read. */
export function createCells(records: Records, most: number): Cells {
  const pages = new Map<number, Page>();
  const pageAt = (number: number): Page => {
    let page = pages.get(number);
    if (page !== undefined) return page;
    page = {
      writes: new Uint32Array(PAGE_CELLS),
      reads: new Uint32Array(PAGE_CELLS),
      masks: new Uint8Array(PAGE_CELLS),
      others: new Map(),
    };
    pages.set(number, page);
    return page;
  };

  const isAtomic = ({ record, wrote }: Other): boolean => wrote && records.at(record).strength > 0;

  /** Whether the entry no longer matters once `touch` is there; tells of a conflict. */
  const isPast = (record: number, lane: number, wrote: boolean, touch: Touch): boolean => {
    // An atomic access races with less than what was there before it.
    if (records.isBefore(record, lane, touch.warp, touch.lane))
      return (touch.writes || !wrote) && records.covers(touch.record, record);
    if (!wrote && !touch.writes) return false;
    if (records.areAtomic(record, touch.record)) return false;
    touch.conflict(record, lane, wrote);
    return touch.writes;
  };

  const touchCell = (page: Page, at: number, mask: number, touch: Touch): void => {
    const { writes, reads, masks, others } = page;
    const entry = touch.record * LANES + touch.lane;
    let writeMask = masks[at]! & 15;
    let readMask = masks[at]! >> 4;
    let list = others.get(at);
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
    if ((readMask & mask) !== 0 && reads[at] !== entry) {
      const [record, lane] = [Math.floor(reads[at]! / LANES), reads[at]! % LANES];
      if (isPast(record, lane, false, touch)) readMask &= ~mask;
    }
    if (touch.writes) {
      if (writeMask !== 0 && writes[at] !== entry)
        keep(Math.floor(writes[at]! / LANES), 1 << (writes[at]! % LANES), writeMask, true);
      writeMask = writes[at] === entry ? writeMask | mask : mask;
      writes[at] = entry;
    } else {
      if (readMask !== 0 && reads[at] !== entry)
        keep(Math.floor(reads[at]! / LANES), 1 << (reads[at]! % LANES), readMask, false);
      readMask = reads[at] === entry ? readMask | mask : mask;
      reads[at] = entry;
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
