// The 64-bit generic address space (PTX ISA 9.0 section 5.1, chapter 9.7.9: generic addressing). State spaces other than
// global are windows of 4 GiB each, told apart by the high word of an address; global allocations lie above them, each with
// guard gaps. Everything is below 2^53, so that a JS number holds any valid address exactly.
//
//   high word   what                                     address in the space itself
//   0           nothing: null and small integers
//   1           shared memory of the block               offset in the block's shared memory
//   2           local memory of the thread               offset in the thread's stack
//   3           constants                                offset in constant bank 3
//   4           kernel parameters                        offset in the parameter block
//   5           code: 16 bytes for each function         (not data: an access there is a fault)
//   6..15       variables that nothing defines: 64 KiB for each (no memory: an access is a fault that names the variable)
//   16..        global allocations                       the generic address itself
//   0x10000..   handles of textures, surfaces and the module's references, which are no addresses
//
// A thread sees its own shared and local memory in those windows, as on hardware: the same generic local address names
// different bytes in each thread. Rejected: one window per block and thread (addresses of locals would differ from lane to
// lane, and nothing could be uniform).

import type { Address } from "../base/brand.js";

const GIB4 = 2 ** 32;

/** Windows by their high word. */
export const WINDOW = { shared: 1, local: 2, const: 3, param: 4, code: 5 } as const;

export type WindowSpace = keyof typeof WINDOW;

/**
 * Shared memory of the other blocks of a cluster: in the shared window, block `rank` has the 16 MiB that begin at
 * (rank + 1) * 16 MiB; the block's own memory begins at 0 too.
 */
export const CLUSTER_STRIDE = 2 ** 24;

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

/** Bytes of address space that a variable has which nothing defines. */
const UNRESOLVED_STRIDE = 2 ** 16;
const FIRST_UNRESOLVED_HIGH = 6;

/** Where the undefined variable with that symbol's number would stand; null for one beyond half a million. */
export function unresolvedAddress(symbol: number): Address {
  const address = FIRST_UNRESOLVED_HIGH * GIB4 + symbol * UNRESOLVED_STRIDE;
  return (address < GLOBAL_BASE ? address : 0) as Address;
}

/** The number of the undefined symbol that an address was made of. */
export function unresolvedSymbol(address: number): number | undefined {
  const offset = address - FIRST_UNRESOLVED_HIGH * GIB4;
  return offset >= 0 && address < GLOBAL_BASE ? Math.floor(offset / UNRESOLVED_STRIDE) : undefined;
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
export const HANDLE = { texture: 0x10001, surface: 0x10002, reference: 0x10003 } as const;

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
      return address >= GLOBAL_BASE ? "global" : undefined;
  }
}
