// Binds an address operand to memory: its state space, its buffer, and the offset there. PTX ISA 9.0 section 9.7.9 and the
// windows of load/address-space.ts. For each lane, a bound address returns a DataView and an offset in it, or throws the fault of
// that lane. Kinds of address:
//
//   flat      shared memory, constants, kernel parameters: one buffer for all lanes
//   stack     local memory and the variables of calls: a stretch of the warp's local buffer for each lane
//   generic   global and generic addresses: a window, or an allocation that is found by bisection and cached

import type { Base, Operand } from "../../isa/instruction.js";
import { bankOffset, isConstantBank, type ConstantBank } from "../../isa/state-spaces.table.js";
import { type AddressSpace, CLUSTER_STRIDE, spaceOf, windowBase } from "../../load/address-space.js";
import type { LoadedFunction } from "../../load/process.js";
import {
  misaligned,
  noSuchRank,
  outside,
  outsideShared,
  readOnly,
  type Where,
  outsideMemory,
} from "./access-faults.js";
import type { AddressShape, Home, LastAllocation, Locate } from "./access-loop.js";
import type { Binder } from "./binder.js";
import type { KernelFault } from "../state/fault.js";
import type { Frame } from "../state/frame.js";
import type { Spot } from "../state/warp.js";
import type { AccessedSpace } from "../state/observer.js";

export { hex } from "./access-faults.js";

/** State spaces by modifier, without a suffix such as "::cta". */
export const BIND_SPACES: Readonly<Record<string, AccessedSpace | undefined>> = {
  global: "global",
  shared: "shared",
  local: "local",
  const: "const",
  param: "param",
};

const TWO_32 = 2 ** 32;

/** Returns the address in a lane. */
type AddressOf = (frame: Frame, lane: number) => number;

/** A bound address. `locate` finds any lane's bytes; with `home` and `address`, the generated loop finds most of them itself. */
export interface BoundAddress {
  readonly locate: Locate;
  readonly home: Home;
  readonly address: AddressShape;
  /** For a home that is a single buffer: its state space. */
  readonly space?: AccessedSpace;
}

/**
 * The state space of an access: the one written or, if a generic access names a shared variable, that variable's. ptxas 13.0
 * generates the same code for both spellings; a symbol's value is its offset in its own space.
 */
export function accessedSpace(
  written: AccessedSpace | undefined,
  base: Base,
  { slots }: LoadedFunction,
): AccessedSpace | undefined {
  return written === undefined && base.kind === "symbol" && slots[base.symbol]?.space === "shared" ? "shared" : written;
}

/**
 * Binds an address operand. `written` is the instruction's state space, undefined for generic. Each lane accesses `bytes` bytes,
 * which must be aligned to `align`.
 */
export function bindAddress(
  binder: Binder,
  operand: Operand | undefined,
  written: AccessedSpace | undefined,
  bytes: number,
  align: number,
  writes: boolean,
): BoundAddress {
  if (operand?.kind !== "address") throw new TypeError(`${binder.opcode.spelling}: no address operand`);
  const { base } = operand;
  const { scope } = binder;
  const space = accessedSpace(written, base, scope.fn);
  const where: Where = { bytes, align, writes };
  const note = (of: AccessedSpace | undefined, shape: AddressShape, isRanked: boolean): void =>
    void binder.targets?.push({
      space: of,
      bytes,
      align,
      writes,
      shape,
      isRanked,
      operand: binder.instruction.operands.indexOf(operand),
    });
  if (base.kind === "variable" && !scope.isKernelParameter(base.variable)) {
    const start = scope.variableOffsets[base.variable]! + Number(operand.offset);
    const shape: AddressShape = { register: undefined, offset: start, fromFrame: true };
    note("local", shape, false);
    return { locate: onStack((frame) => frame.localBase + start, where), home: { kind: "stack" }, address: shape };
  }
  const accessed = space === "param" && !scope.fn.symbol.entry ? "local" : space;
  const isNarrow = space === "shared" || binder.process.space.bits === 32;
  const shape: AddressShape = { ...addressShape(binder, operand), isNarrow };
  // A variable's name is an offset in the block's own memory; an address in a register contains a rank.
  const isRanked = scope.isClustered && base.kind !== "symbol";
  note(accessed, shape, isRanked);
  return bindSpace(binder, accessed, shape, isRanked, where);
}

/** The fault of an access `further` bytes after the bound address of a lane, where its memory has ended. */
export function faultBeyond(
  binder: Binder,
  { address, space }: BoundAddress,
  {
    frame,
    lane,
    spot,
    further,
    where,
  }: {
    readonly frame: Frame;
    readonly lane: number;
    /** The bound address in memory. */
    readonly spot: Spot;
    readonly further: number;
    readonly where: Where;
  },
): KernelFault {
  const at = addressOf(address)(frame, lane) + further;
  const accessed = space ?? spaceOf(at, binder.process.space) ?? "global";
  return accessed === "global"
    ? outsideMemory(binder, at, BigInt(at), where, lane)
    : outside(accessed, spot.offset + further, where, spot.view.byteLength, lane);
}

/** Binds an address other than a frame variable's, in its state space. */
function bindSpace(
  binder: Binder,
  space: AccessedSpace | undefined,
  shape: AddressShape,
  isRanked: boolean,
  where: Where,
): BoundAddress {
  const address = addressOf(shape);
  switch (space) {
    case "local":
      return { locate: onStack(address, where), home: { kind: "stack" }, address: shape };
    case "shared": {
      const namesRanks = binder.opcode.chosen.some((text) => text?.startsWith("shared::cluster") === true);
      const ofOwn: AddressOf = (frame, lane) => address(frame, lane) + frame.warp.block.rank * CLUSTER_STRIDE;
      const locate = shared(binder.scope.isClustered && !isRanked ? ofOwn : address, where, namesRanks);
      return { locate, home: { kind: "flat", viewOf: sharedView, isRanked }, address: shape, space };
    }
    case "const":
    case "param": {
      const viewOf = flatViews(binder)[space];
      const inBank = flat(space, viewOf, address, where);
      const locate = space === "const" ? constant(binder, inBank, address, shape, where) : inBank;
      return { locate, home: { kind: "flat", viewOf }, address: shape, space };
    }
    case "global":
    case undefined: {
      const near = nearNothing(binder);
      return { locate: generic(binder, address, shape, where, near), home: { kind: "near", near }, address: shape };
    }
  }
}

const nearNothing = ({ process: { memory } }: Binder): LastAllocation => ({
  view: new DataView(new ArrayBuffer(0)),
  base: 0,
  last: -1,
  memory,
  releases: 0,
});

type FlatSpace = "const" | "param";

const sharedView = (frame: Frame): DataView => frame.warp.block.shared;

const flatViews = (binder: Binder): Readonly<Record<FlatSpace, (frame: Frame) => DataView>> => ({
  const: () => binder.process.constants.view,
  param: (frame) => frame.warp.block.launch.parameters,
});

/** The register and the constant part of an address other than a frame variable's. */
function addressShape(binder: Binder, operand: Operand & { readonly kind: "address" }): AddressShape {
  const { base } = operand;
  const bank = binder.opcode.chosen.find((text) => text !== undefined && isConstantBank(text)) as
    ConstantBank | undefined;
  const offset = Number(operand.offset) + (bank === undefined ? 0 : bankOffset(bank));
  switch (base.kind) {
    case "absolute":
      return { register: undefined, offset, fromFrame: false };
    case "symbol":
      return { register: undefined, offset: binder.slot(base).value + offset, fromFrame: false };
    case "variable":
      return { register: undefined, offset: binder.scope.variableOffsets[base.variable]! + offset, fromFrame: false };
    case "register":
      return { register: binder.scope.register(base.register), offset, fromFrame: false };
  }
}

/** The address as a function of the lane. */
function addressOf({ register, offset, isNarrow = false }: AddressShape): AddressOf {
  if (register === undefined) return () => offset;
  const { word, stride } = register;
  if (stride === 2 && isNarrow) return (frame, lane) => (frame.unsigned[word + 2 * lane]! + offset) >>> 0;
  if (stride === 2)
    return (frame, lane) => {
      const at = word + 2 * lane;
      return frame.words[at + 1]! * TWO_32 + frame.unsigned[at]! + offset;
    };
  // 32-bit addresses wrap: compilers fold constants into the offset, and may leave a negative register.
  return (frame, lane) => (frame.unsigned[word + lane]! + offset) >>> 0;
}

/** The exact address, for messages: a number loses its low bits from 2^53 on. */
function exactAddress({ register, offset }: AddressShape): (frame: Frame, lane: number) => bigint {
  if (register === undefined) return () => BigInt(offset);
  const { word, stride } = register;
  return (frame, lane) =>
    BigInt(offset) + (stride === 2 ? frame.longs[(word >> 1) + lane]! : BigInt(frame.unsigned[word + lane]!));
}

// ---------------------------------------------------------------------------------------------------------------- kinds

function flat(space: FlatSpace, viewOf: (frame: Frame) => DataView, address: AddressOf, where: Where): Locate {
  const { bytes, align, writes } = where;
  return (frame, lane, spot) => {
    const view = viewOf(frame);
    const offset = address(frame, lane);
    if (!(offset >= 0 && offset + bytes <= view.byteLength)) throw outside(space, offset, where, view.byteLength, lane);
    if (offset % align !== 0) throw misaligned(space, offset, align, lane);
    if (writes) throw readOnly(space, offset, lane);
    spot.view = view;
    spot.offset = offset;
    record(frame, space, bytes, lane, offset);
  };
}

/**
 * Shared memory of the block, or of another block of its cluster: the upper 8 bits of an address are that block's rank. In a
 * launch without clusters, they are a rank only if the instruction says `shared::cluster`; otherwise the address is in no memory.
 */
function shared(address: AddressOf, where: Where, namesRanks: boolean): Locate {
  const { bytes, align } = where;
  return (frame, lane, spot) => {
    const { block } = frame.warp;
    const whole = address(frame, lane);
    const rank = Math.floor(whole / CLUSTER_STRIDE);
    const offset = whole % CLUSTER_STRIDE;
    const peer = rank === block.rank ? block : block.cluster.blocks[rank];
    if (peer === undefined && !namesRanks && block.cluster.blocks.length === 1)
      throw outsideShared(frame, whole, where, lane);
    if (peer === undefined) throw noSuchRank(frame, whole, bytes, rank, lane);
    const view = peer.shared;
    if (offset + bytes > view.byteLength) throw outsideShared(frame, offset, where, lane);
    if (offset % align !== 0) throw misaligned("shared", whole, align, lane);
    spot.view = view;
    spot.offset = offset;
    record(frame, "shared", bytes, lane, whole);
  };
}

/** Bytes that are read beyond the constant bank's data. */
const zeroes = new DataView(new ArrayBuffer(64));

/**
 * ld.const: reads the bank, which reads as zero beyond its data (recorded on an H200), or a buffer that was passed as a `.ptr
 * .const` parameter.
 */
function constant(binder: Binder, inBank: Locate, address: AddressOf, shape: AddressShape, where: Where): Locate {
  const { bytes, align } = where;
  const elsewhere = generic(binder, address, shape, where, nearNothing(binder));
  const { view } = binder.process.constants;
  const layout = binder.process.space;
  return (frame, lane, spot) => {
    const value = address(frame, lane);
    if (spaceOf(value, layout) === "global") elsewhere(frame, lane, spot);
    else if (value >= 0 && value < TWO_32 && value + bytes > view.byteLength) {
      if (value % align !== 0) throw misaligned("const", value, align, lane);
      spot.view = zeroes;
      spot.offset = 0;
      record(frame, "const", bytes, lane, value);
    } else inBank(frame, lane, spot);
  };
}

function onStack(address: AddressOf, where: Where): Locate {
  const { bytes, align } = where;
  return (frame, lane, spot) => {
    const offset = address(frame, lane);
    const { warp } = frame;
    if (!(offset >= 0 && offset + bytes <= frame.localTop)) throw outside("local", offset, where, frame.localTop, lane);
    if (offset % align !== 0) throw misaligned("local", offset, align, lane);
    spot.view = warp.local;
    spot.offset = lane * warp.localStride + offset;
    record(frame, "local", bytes, lane, offset);
  };
}

function generic(binder: Binder, address: AddressOf, shape: AddressShape, where: Where, near: LastAllocation): Locate {
  const { bytes, align, writes } = where;
  const exact = exactAddress(shape);
  const { memory, space: layout } = binder.process;
  const views = flatViews(binder);
  const inWindow = {
    shared: shared(inside("shared", address, layout), where, false),
    const: flat("const", views.const, inside("const", address, layout), where),
    param: flat("param", views.param, inside("param", address, layout), where),
    local: onStack(inside("local", address, layout), where),
  };
  return (frame, lane, spot) => {
    const value = address(frame, lane);
    const space = spaceOf(value, layout);
    if (space !== undefined && space !== "global") {
      inWindow[space](frame, lane, spot);
      return;
    }
    const region = memory.find(value, bytes);
    if (region === undefined) throw outsideMemory(binder, value, exact(frame, lane), where, lane);
    if (value % align !== 0) throw misaligned("global", value, align, lane);
    if (writes && !region.writable) throw readOnly("global", value, lane);
    near.view = region.view;
    near.base = region.base;
    near.last = region.size - bytes;
    spot.view = region.view;
    spot.offset = value - region.base;
    record(frame, "global", bytes, lane, value);
  };
}

function inside(space: "shared" | "local" | "const" | "param", address: AddressOf, layout: AddressSpace): AddressOf {
  const base = windowBase(space, layout);
  return (frame, lane) => address(frame, lane) - base;
}

function record(frame: Frame, space: AccessedSpace, bytes: number, lane: number, address: number): void {
  const { launch, observer } = frame.warp.block;
  if (observer === undefined) return;
  launch.access.space = space;
  launch.access.bytes = bytes;
  launch.access.addresses[lane] = address;
}
