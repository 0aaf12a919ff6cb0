// The faults of memory accesses: the attempted access, its distance from an allocation, and a remedy if the cause is known.

import { addedTwice, dataWindows, windowBase } from "../../load/address-space.js";
import type { LoadedVariable, Process } from "../../load/process.js";
import type { Region } from "../../load/region-list.js";
import type { Binder } from "./binder.js";
import { KernelFault } from "../state/fault.js";
import type { Frame } from "../state/frame.js";

const TWO_32 = 2 ** 32;

/** The accessed memory. */
export interface Where {
  readonly bytes: number;
  readonly align: number;
  readonly writes: boolean;
}

/** Prints an address as 64-bit hexadecimal; a negative one as the register holds it. */
export function hex(address: number | bigint): string {
  const whole = typeof address === "bigint" ? address : BigInt(Math.trunc(address));
  return `0x${BigInt.asUintN(64, whole).toString(16)}`;
}

const tried = (bytes: number, writes: boolean): string => `${bytes}-byte ${writes ? "write" : "read"}`;

export function outside(
  space: string,
  offset: number,
  { bytes, writes }: Where,
  size: number,
  lane: number,
): KernelFault {
  return new KernelFault(
    "illegal-address",
    `${tried(bytes, writes)} at offset ${hex(offset)} of ${space} memory, which has ${size} bytes`,
    { lane, address: offset },
  );
}

/** The fault of an access outside shared memory. The cause may be the launch, or an address of another space. */
export function outsideShared(frame: Frame, address: number, where: Where, lane: number): KernelFault {
  const { shared, launch } = frame.warp.block;
  const { message } = outside("shared", address, where, shared.byteLength, lane);
  const { memory } = launch.process;
  const isGlobal = memory.find(address, 1) !== undefined;
  const hasDynamic = launch.process.image.symbols.some(
    (symbol) => symbol.kind === "variable" && symbol.space === "shared" && symbol.layout.size === 0,
  );
  const remedy = isGlobal
    ? "the address is in global memory: use ld.global and st.global, or omit the state space"
    : hasDynamic && launch.config.sharedBytes === 0
      ? "give the launch dynamic shared memory (sharedBytes, --shared): the kernel's .extern .shared array has none"
      : undefined;
  return new KernelFault("illegal-address", message, { lane, address, ...(remedy === undefined ? {} : { remedy }) });
}

/**
 * The fault of an address that mapa made for a block that the cluster does not have: the hardware reports an illegal instruction.
 */
export function noSuchRank(frame: Frame, address: number, bytes: number, rank: number, lane: number): KernelFault {
  const { length } = frame.warp.block.cluster.blocks;
  const blocks = length === 1 ? "the launch has no clusters" : `its cluster has ${length} blocks`;
  return new KernelFault(
    "trap",
    `shared address ${hex(address)} (${bytes} bytes) is in the block of rank ${rank}, but ${blocks}`,
    { lane, address },
  );
}

/** Explains an address that cvta made from one that was generic already; undefined for other addresses. */
function genericTwice({ memory }: Process, address: number): string | undefined {
  const both = addedTwice(address);
  const space = both?.[0] ?? dataWindows.find((each) => memory.find(address - windowBase(each), 1) !== undefined);
  if (space === undefined) return undefined;
  const was = both?.[1] ?? "global";
  return `; cvta.${space} was applied to an address that was already generic (in ${was} memory): remove one cvta`;
}

export function outsideMemory(
  binder: Binder,
  address: number,
  exact: bigint,
  { bytes, writes }: Where,
  lane: number,
): KernelFault {
  const { process } = binder;
  const near = process.memory.nearest(address);
  const past = near === undefined ? Infinity : address - near.base - near.size;
  const isNull = address >= 0 && address < 4096;
  const what = `${tried(bytes, writes)} at ${hex(exact)}`;
  const place =
    near !== undefined && past < TWO_32
      ? `, ${distance(near, address, bytes)} ${objectTitle(process, near)}`
      : isNull
        ? ", which is a null pointer"
        : (genericTwice(process, address) ?? ", where no memory is allocated");
  const remedy = isNull ? "check the pointer, or pass a buffer for it" : undefined;
  return new KernelFault("illegal-address", what + place, {
    lane,
    address,
    ...(remedy === undefined ? {} : { remedy }),
  });
}

/** The distance from an allocation, as words before its name. */
function distance({ base, size }: Region, address: number, bytes: number): string {
  const past = address - base - size;
  if (past >= 0) return past === 0 ? "directly after" : `${past} bytes after`;
  return `${address + bytes - base - size} bytes past the end of`;
}

/** "buffer 'x' (4096 bytes)"; for the module's variables, the last one in the allocation. */
function objectTitle({ history, variables }: Process, { base, size }: Region): string {
  const inside = variables.filter(({ address }) => address >= base && address < base + size);
  const last = inside.reduce<LoadedVariable | undefined>(
    (a, b) => (a !== undefined && a.address > b.address ? a : b),
    undefined,
  );
  if (last !== undefined) return `the module's variables, the last of which is '${last.name}' (${last.size} bytes)`;
  const name = history.names.get(base);
  return name === undefined ? `an allocation of ${size} bytes` : `buffer '${name}' (${size} bytes)`;
}

export function misaligned(space: string, address: number, align: number, lane: number): KernelFault {
  return new KernelFault("misaligned-address", `${space} address ${hex(address)} is not a multiple of ${align} bytes`, {
    lane,
    address,
  });
}

export function readOnly(space: string, address: number, lane: number): KernelFault {
  return new KernelFault("illegal-address", `a write to ${space} memory at ${hex(address)}, which is read-only`, {
    lane,
    address,
  });
}
