// The 64-bit generic address space (PTX ISA 9.0 section 5.1, chapter 9.7.9: generic addressing). State spaces other than
// global are windows of 4 GiB each, told apart by the high word of an address; global allocations lie below them, each with
// guard gaps. Everything is below 2^53, so that a JS number holds any valid address exactly.
//
//   high word        what                                address in the space itself
//   0..0xf           nothing: null and small integers
//   0x10..0x7fff     global allocations                  the generic address itself
//   0x8000           code: 16 bytes for each function    (not data: an access there is a fault)
//   0x8001           shared memory                       rank of the block in its cluster << 24 | offset in the block's
//   0x8002           local memory of the thread          offset in the thread's stack
//   0x8004           constants                           offset in constant bank 3
//   0x8008           kernel parameters                   offset in the parameter block
//   0x8009..0x800f   variables that nothing defines: 64 KiB for each (no memory: an access is a fault that names the variable)
//   0x20000..        handles of textures, surfaces and the module's references, which are no addresses
//
// cvta of an address that is generic already adds a second base, here as on hardware. The bases are such that no sum of them, or
// of one and a global address, is in a window or in global memory; and the sum of two tells which they were.
//
// A thread sees its own shared and local memory in those windows, as on hardware: the same generic local address names
// different bytes in each thread. Rejected: one window per block and thread (addresses of locals would differ from lane to
// lane, and nothing could be uniform).

import type { Address } from "../base/brand.js";

const GIB4 = 2 ** 32;

/** Windows by their high word. */
export const WINDOW = { code: 0x8000, shared: 0x8001, local: 0x8002, const: 0x8004, param: 0x8008 } as const;

export type WindowSpace = keyof typeof WINDOW;

/** Windows that data are in. */
export const dataWindows = ["shared", "local", "const", "param"] as const satisfies readonly WindowSpace[];

export type DataWindow = (typeof dataWindows)[number];

/** Bytes of the shared window that are one block's, and of the local window: isspacep says so on an H200. */
export const WINDOW_BYTES = 2 ** 24;

/** Shared memory of a cluster: block `rank` has the 16 MiB of the window that begin at rank * 16 MiB. */
export const CLUSTER_STRIDE = WINDOW_BYTES;

/** Generic address of the first byte of a window. */
export function windowBase(space: WindowSpace): number {
  return WINDOW[space] * GIB4;
}

/** High word of the first global address. */
export const FIRST_GLOBAL_HIGH = 16;

/** First address of a global allocation. */
export const GLOBAL_BASE = FIRST_GLOBAL_HIGH * GIB4;

/** No allocation reaches this address. */
export const ADDRESS_LIMIT = 2 ** 47;

/** High word of the first address behind global memory. */
export const FIRST_WINDOW_HIGH = ADDRESS_LIMIT / GIB4;

/** Bytes of address space that a variable has which nothing defines. */
const UNRESOLVED_STRIDE = 2 ** 16;
const FIRST_UNRESOLVED_HIGH = 0x8009;
const UNRESOLVED_LIMIT = 0x8010 * GIB4;

/** Where the undefined variable with that symbol's number would stand; null for one beyond 458752. */
export function unresolvedAddress(symbol: number): Address {
  const address = FIRST_UNRESOLVED_HIGH * GIB4 + symbol * UNRESOLVED_STRIDE;
  return (address < UNRESOLVED_LIMIT ? address : 0) as Address;
}

/** The number of the undefined symbol that an address was made of. */
export function unresolvedSymbol(address: number): number | undefined {
  const offset = address - FIRST_UNRESOLVED_HIGH * GIB4;
  return offset >= 0 && address < UNRESOLVED_LIMIT ? Math.floor(offset / UNRESOLVED_STRIDE) : undefined;
}

/** Bytes of code address space that a function has. */
export const CODE_STRIDE = 16;

/** Code address of the function with that number. */
export function codeAddress(index: number): Address {
  return (windowBase("code") + CODE_STRIDE * (index + 1)) as Address;
}

/** The number of the function that a code address is that of. */
export function functionNumber(address: number): number {
  return (address - windowBase("code")) / CODE_STRIDE - 1;
}

/** Handles by their high word: beyond every address, and within the whole numbers that a JS number holds. */
export const HANDLE = { texture: 0x20001, surface: 0x20002, reference: 0x20003 } as const;

export type HandleKind = "texture" | "surface";

/** The handle of a texture or surface with that number, or of the module's reference with that symbol. */
export function handleOf(kind: keyof typeof HANDLE, index: number): Address {
  return (HANDLE[kind] * GIB4 + index) as Address;
}

/** The state space that a generic address lies in; undefined for the null page and for code. */
export function spaceOf(address: number): "shared" | "local" | "const" | "param" | "global" | undefined {
  switch (Math.floor(address / GIB4)) {
    case WINDOW.shared:
      return "shared";
    case WINDOW.local:
      return "local";
    case WINDOW.const:
      return "const";
    case WINDOW.param:
      return "param";
    default:
      return address >= GLOBAL_BASE && address < ADDRESS_LIMIT ? "global" : undefined;
  }
}

/** The two windows whose bases are both in an address: that of a pointer which was made generic twice. Undefined for any other. */
export function addedTwice(address: number): readonly [DataWindow, DataWindow] | undefined {
  const high = Math.floor(address / GIB4);
  for (const one of dataWindows)
    for (const other of dataWindows) if (WINDOW[one] + WINDOW[other] === high) return [one, other];
  return undefined;
}
