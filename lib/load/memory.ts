// Device memory: separate allocations in one address space, with guard gaps between them, so that a wild pointer finds
// nothing and is reported, and can never reach the host's memory.

import type { Address } from "../base/brand.js";

/** One allocation. */
export interface Region {
  readonly base: Address;
  /** Bytes. */
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly writable: boolean;
}

export interface Memory {
  /** A zeroed allocation of `size` bytes whose address is a multiple of `align` (at least 256). Throws RangeError beyond the limit. */
  allocate(size: number, align?: number): Region;
  release(base: Address): boolean;
  /** The region that holds [address, address + size), or undefined. */
  find(address: number, size: number): Region | undefined;
  /** Bytes allocated now. */
  readonly allocatedBytes: number;
}
