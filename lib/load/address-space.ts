// The generic address space of a process (PTX ISA 9.0 section 5.1, chapter 9.7.9: generic addressing). State spaces other than
// global are windows of 4 GiB each, distinguished by the high word of an address; global allocations are below them, each with
// guard gaps. Everything is below 2^53, so that a JS number holds any valid address exactly.
//
//   high word        what                                address in the space itself
//   0..0xf           null and small integers
//   0x10..0x7fff     global allocations                  the generic address itself
//   0x8000           code: 16 bytes for each function    (not data: an access there is a fault)
//   0x8001           shared memory                       rank of the block in its cluster << 24 | offset in the block's
//   0x8002           local memory of the thread          offset in the thread's stack
//   0x8004           constants                           offset in constant bank 3
//   0x8008           kernel parameters                   offset in the parameter block
//   0x8009..0x800f   undefined variables: 64 KiB for each (no memory: an access is a fault that names the variable)
//   0x20000..        handles of textures, surfaces and the module's references, which are no addresses
//
// cvta of an address that is already generic adds a second base, here as on hardware. The bases are chosen so that no sum of
// them, or of one and a global address, is in a window or in global memory. The sum of two identifies both, because the contents
// of a window are in its first 256 MiB.
//
// Addresses of 32 bits (section 11.1.3) have the same layout in windows of 16 MiB, distinguished by the upper byte: 0xf0 for
// 0x8000 and so on. Global memory then ends at 0xf0000000, and no block has a rank.
//
// A thread sees its own shared and local memory in those windows, as on hardware: the same generic local address names different
// bytes in each thread. Rejected: one window per block and thread (addresses of locals would differ from lane to lane, and
// nothing could be uniform).

import type { Address } from "../base/brand.js";

const GIB4 = 2 ** 32;

/** Windows by their high word. */
export const WINDOW = { code: 0x8000, shared: 0x8001, local: 0x8002, const: 0x8004, param: 0x8008 } as const;

export type WindowSpace = keyof typeof WINDOW;

/** Windows that hold data. */
export const dataWindows = ["shared", "local", "const", "param"] as const satisfies readonly WindowSpace[];

export type DataWindow = (typeof dataWindows)[number];

/** Bytes of the shared window that belong to one block, and of the local window. isspacep reports so on an H200. */
export const WINDOW_BYTES = 2 ** 24;

/** Shared memory of a cluster: block `rank` has the 16 MiB of the window that begin at rank * 16 MiB. */
export const CLUSTER_STRIDE = WINDOW_BYTES;

/** Layout of generic addresses of 32 or 64 bits. */
export interface AddressSpace {
  readonly bits: 32 | 64;
  /** Bytes of a window, a power of two. */
  readonly windowBytes: number;
  /** Number of the first window after global memory. */
  readonly firstWindow: number;
  /** First address of a global allocation, and the end of the range of global addresses. */
  readonly globalBase: number;
  readonly limit: number;
}

/** High word of the first global address. */
export const FIRST_GLOBAL_HIGH = 16;

function addressSpace(bits: 32 | 64, windowBytes: number, firstWindow: number): AddressSpace {
  const [globalBase, limit] = [FIRST_GLOBAL_HIGH * windowBytes, firstWindow * windowBytes];
  return { bits, windowBytes, firstWindow, globalBase, limit };
}

const wide = addressSpace(64, GIB4, WINDOW.code);

/** Layouts by the size of an address in bits. */
export const ADDRESS_SPACES: Readonly<Record<32 | 64, AddressSpace>> = {
  32: addressSpace(32, 2 ** 24, 0xf0),
  64: wide,
};

/** The number of a window: the high word of its addresses, or the upper byte of 32-bit addresses. */
export const windowNumber = (space: WindowSpace, { firstWindow }: AddressSpace): number =>
  WINDOW[space] - WINDOW.code + firstWindow;

/** Generic address of the first byte of a window. */
export const windowBase = (space: WindowSpace, layout = wide): number =>
  windowNumber(space, layout) * layout.windowBytes;

/** First address of a global allocation. */
export const GLOBAL_BASE = wide.globalBase;

/** No allocation reaches this address. */
export const ADDRESS_LIMIT = wide.limit;

/** High word of the first address after global memory. */
export const FIRST_WINDOW_HIGH = ADDRESS_LIMIT / GIB4;

/** Bytes of address space for each undefined variable. */
const unresolvedStride = ({ windowBytes }: AddressSpace): number => windowBytes / 2 ** 16;

/** First address of undefined variables, and the end of their range: windows 9 to 15. */
const unresolvedRange = ({ limit, windowBytes }: AddressSpace): readonly [number, number] => [
  limit + 9 * windowBytes,
  limit + 16 * windowBytes,
];

/** The address of the undefined variable with that symbol number; null above number 458752. */
export function unresolvedAddress(symbol: number, layout = wide): Address {
  const [base, end] = unresolvedRange(layout);
  const address = base + symbol * unresolvedStride(layout);
  return (address < end ? address : 0) as Address;
}

/** The number of the undefined symbol that an address was made for. */
export function unresolvedSymbol(address: number, layout = wide): number | undefined {
  const [base, end] = unresolvedRange(layout);
  return address >= base && address < end ? Math.floor((address - base) / unresolvedStride(layout)) : undefined;
}

/** Bytes of code address space for each function. */
const CODE_STRIDE = 16;

/** Code address of the function with that number. */
export function codeAddress(index: number, layout = wide): Address {
  return (windowBase("code", layout) + CODE_STRIDE * (index + 1)) as Address;
}

/** The number of the function at a code address. */
export function functionNumber(address: number, layout = wide): number {
  return (address - windowBase("code", layout)) / CODE_STRIDE - 1;
}

/** High words of handles: above every address, and exact in a JS number. */
export const HANDLE = { texture: 0x20001, surface: 0x20002, reference: 0x20003 } as const;

export type HandleKind = "texture" | "surface";

/** The handle of a texture or surface with that number, or of the module's reference with that symbol. */
export function handleOf(kind: keyof typeof HANDLE, index: number): Address {
  return (HANDLE[kind] * GIB4 + index) as Address;
}

/** The state space of a generic address; undefined for the null page and for code. */
export function spaceOf(address: number, layout = wide): "shared" | "local" | "const" | "param" | "global" | undefined {
  const { windowBytes, firstWindow, globalBase, limit } = layout;
  switch (Math.floor(address / windowBytes) - firstWindow + WINDOW.code) {
    case WINDOW.shared:
      return "shared";
    case WINDOW.local:
      return "local";
    case WINDOW.const:
      return "const";
    case WINDOW.param:
      return "param";
    default:
      return address >= globalBase && address < limit ? "global" : undefined;
  }
}

/** Bytes of a window that can be in use: shared memory of 16 blocks, the largest cluster. */
const WINDOW_REACH = 16 * CLUSTER_STRIDE;

/** The two windows whose bases an address contains because the pointer was made generic twice; otherwise undefined. */
export function addedTwice(address: number): readonly [DataWindow, DataWindow] | undefined {
  const high = Math.floor(address / GIB4);
  if (address - high * GIB4 >= WINDOW_REACH) return undefined;
  for (const one of dataWindows)
    for (const other of dataWindows) if (WINDOW[one] + WINDOW[other] === high) return [one, other];
  return undefined;
}
