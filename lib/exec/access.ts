// From an address operand to bytes: which state space, which buffer, which offset in it. PTX ISA 9.0 section 9.7.9 and the
// windows of load/address-space.ts. A bound address answers, lane by lane, a DataView and an offset in it, or throws the
// fault that the lane made. Kinds of address:
//
//   flat      shared memory, constants, kernel parameters: one buffer for all lanes
//   stack     local memory and the variables of calls: a stretch of the warp's local buffer for each lane
//   generic   global and generic addresses: a window, or an allocation found by bisection and remembered

import type { Operand } from "../isa/instruction.js";
import { spaceOf, windowBase } from "../load/address-space.js";
import type { Region } from "../load/memory.js";
import type { Binder } from "./binder.js";
import type { Frame } from "./frame.js";
import { KernelFault } from "./fault.js";
import type { AccessedSpace } from "./observer.js";

/** State spaces by the modifier that names them, without "::cta" and the like behind. */
export const BIND_SPACES: Readonly<Record<string, AccessedSpace | undefined>> = {
  global: "global",
  shared: "shared",
  local: "local",
  const: "const",
  param: "param",
};

/** Where a lane's bytes are. One value, filled anew for each lane. */
export interface Spot {
  view: DataView;
  offset: number;
}

/** Finds the bytes of one lane; throws KernelFault when there are none, or they are not aligned or not writable. */
export type Locate = (frame: Frame, lane: number, spot: Spot) => void;

const TWO_32 = 2 ** 32;

/** Answers the address operand's value in a lane. */
type AddressOf = (frame: Frame, lane: number) => number;

/**
 * `space` as written, undefined for generic. `bytes` that each lane accesses, which must be aligned to `align`.
 */
export function bindAddress(
  binder: Binder,
  operand: Operand | undefined,
  space: AccessedSpace | undefined,
  bytes: number,
  align: number,
  writes: boolean,
): Locate {
  if (operand?.kind !== "address") throw new TypeError(`${binder.opcode.spelling}: no address operand`);
  const { base } = operand;
  const { scope } = binder;
  const where: Where = { bytes, align, writes };
  if (base.kind === "variable" && !scope.isKernelParameter(base.variable)) {
    const start = scope.variableOffsets[base.variable]! + Number(operand.offset);
    return onStack((frame) => frame.localBase + start, where);
  }
  const address = addressOf(binder, operand);
  const isParameterOfFunction = space === "param" && !scope.fn.symbol.entry;
  switch (isParameterOfFunction ? "local" : space) {
    case "local":
      return onStack(address, where);
    case "shared":
      return flat("shared", (frame) => frame.warp.block.shared, address, where);
    case "const":
      return flat("const", () => binder.process.constants.view, address, where);
    case "param":
      return flat("param", (frame) => frame.warp.block.launch.parameters, address, where);
    case "global":
    case undefined:
      return generic(binder, address, where);
  }
}

interface Where {
  readonly bytes: number;
  readonly align: number;
  readonly writes: boolean;
}

function addressOf(binder: Binder, operand: Operand & { readonly kind: "address" }): AddressOf {
  const { base } = operand;
  const offset = Number(operand.offset);
  switch (base.kind) {
    case "absolute":
      return () => offset;
    case "symbol": {
      const value = binder.slot(base).value + offset;
      return () => value;
    }
    case "variable": {
      const value = binder.scope.variableOffsets[base.variable]! + offset;
      return () => value;
    }
    case "register": {
      const { word, stride } = binder.scope.register(base.register);
      if (stride === 2)
        return (frame, lane) => {
          const at = word + 2 * lane;
          return frame.words[at + 1]! * TWO_32 + frame.unsigned[at]! + offset;
        };
      return (frame, lane) => frame.unsigned[word + lane]! + offset;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------- kinds

function flat(
  space: "shared" | "const" | "param",
  viewOf: (frame: Frame) => DataView,
  address: AddressOf,
  where: Where,
): Locate {
  const { bytes, align, writes } = where;
  return (frame, lane, spot) => {
    const view = viewOf(frame);
    const offset = address(frame, lane);
    // A 64-bit register may hold the generic address where the space's own is meant: it is out of bounds, as on hardware.
    if (!(offset >= 0 && offset + bytes <= view.byteLength)) throw outside(space, offset, bytes, view.byteLength, lane);
    if (offset % align !== 0) throw misaligned(space, offset, align, lane);
    if (writes && space !== "shared") throw readOnly(space, offset, lane);
    spot.view = view;
    spot.offset = offset;
    record(frame, space, bytes, lane, offset);
  };
}

function onStack(address: AddressOf, where: Where): Locate {
  const { bytes, align } = where;
  return (frame, lane, spot) => {
    const offset = address(frame, lane);
    const { warp } = frame;
    if (!(offset >= 0 && offset + bytes <= frame.localTop)) throw outside("local", offset, bytes, frame.localTop, lane);
    if (offset % align !== 0) throw misaligned("local", offset, align, lane);
    spot.view = warp.local;
    spot.offset = lane * warp.localStride + offset;
    record(frame, "local", bytes, lane, offset);
  };
}

function generic(binder: Binder, address: AddressOf, where: Where): Locate {
  const { bytes, align, writes } = where;
  const { memory, constants } = binder.process;
  const inWindow = {
    shared: flat("shared", (frame) => frame.warp.block.shared, inside("shared", address), where),
    const: flat("const", () => constants.view, inside("const", address), where),
    param: flat("param", (frame) => frame.warp.block.launch.parameters, inside("param", address), where),
    local: onStack(inside("local", address), where),
  };
  let region: Region | undefined;
  let base = 0;
  let last = -1;
  return (frame, lane, spot) => {
    const value = address(frame, lane);
    let offset = value - base;
    if (!(offset >= 0 && offset <= last)) {
      const space = spaceOf(value);
      if (space !== undefined && space !== "global") {
        inWindow[space](frame, lane, spot);
        return;
      }
      region = memory.find(value, bytes);
      if (region === undefined) throw wild(binder, value, bytes, lane);
      base = region.base;
      last = region.size - bytes;
      offset = value - base;
    }
    if (value % align !== 0) throw misaligned("global", value, align, lane);
    if (writes && !region!.writable) throw readOnly("global", value, lane);
    spot.view = region!.view;
    spot.offset = offset;
    record(frame, "global", bytes, lane, value);
  };
}

function inside(space: "shared" | "local" | "const" | "param", address: AddressOf): AddressOf {
  const base = windowBase(space);
  return (frame, lane) => address(frame, lane) - base;
}

function record(frame: Frame, space: AccessedSpace, bytes: number, lane: number, address: number): void {
  const { launch } = frame.warp.block;
  if (launch.observer === undefined) return;
  launch.access.space = space;
  launch.access.bytes = bytes;
  launch.access.addresses[lane] = address;
}

// --------------------------------------------------------------------------------------------------------------- faults

/** Addresses are printed as 64-bit hexadecimal; negative ones as the register holds them. */
export function hex(address: number): string {
  return `0x${BigInt.asUintN(64, BigInt(Math.trunc(address))).toString(16)}`;
}

function outside(space: string, offset: number, bytes: number, size: number, lane: number): KernelFault {
  return new KernelFault(
    "illegal-address",
    `${bytes} bytes at offset ${hex(offset)} are outside ${space} memory, which has ${size} bytes`,
    { lane, address: offset },
  );
}

function wild(binder: Binder, address: number, bytes: number, lane: number): KernelFault {
  const near = binder.process.memory.nearest(address);
  const past = near === undefined ? Infinity : address - near.base - near.size;
  const hint =
    near !== undefined && past < TWO_32
      ? `; the nearest allocation begins at ${hex(near.base)} and has ${near.size} bytes`
      : address >= 0 && address < 4096
        ? "; it is a null pointer"
        : "";
  return new KernelFault("illegal-address", `no memory at ${hex(address)} (${bytes} bytes)${hint}`, { lane, address });
}

function misaligned(space: string, address: number, align: number, lane: number): KernelFault {
  return new KernelFault("misaligned-address", `${space} address ${hex(address)} is not a multiple of ${align} bytes`, {
    lane,
    address,
  });
}

function readOnly(space: string, address: number, lane: number): KernelFault {
  return new KernelFault("illegal-address", `a write to ${space} memory at ${hex(address)}, which is read-only`, {
    lane,
    address,
  });
}
