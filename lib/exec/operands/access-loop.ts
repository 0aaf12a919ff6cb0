// Generated loops of loads and stores, with the address, the bounds check and the moves written out for one shape of instruction.
// Each shape is compiled once (as in machine/lanes.ts, and for the same reason: with calls for each lane, a load costs five times
// as much, measured). An access that the loop finds invalid or cannot do is left to the bound address of access.ts, which handles
// windows and faults. No text of the input enters the generated code.

import { CLUSTER_STRIDE } from "../../load/address-space.js";
import type { Memory } from "../../load/memory.js";
import type { Frame, Place } from "../state/frame.js";
import type { LaneOp } from "../state/step.js";
import type { Spot } from "../state/warp.js";

/** The allocation that a generic access found last. */
export interface LastAllocation {
  view: DataView;
  base: number;
  /** Last offset at which an access of this size may begin; -1 if nothing is cached. */
  last: number;
  readonly memory: Memory;
  /** The memory's count of releases at the lookup: if it has changed, the allocation may be gone. */
  releases: number;
}

/** One element: a register's place, and how its bits move. */
export interface ElementMove {
  readonly place: Place;
  /** Byte offset in the access. */
  readonly offset: number;
  readonly bits: number;
  readonly signed: boolean;
}

/** Where the bytes are: one buffer for all lanes, a part of local memory for each lane, or the allocation found last. */
export type Home =
  /** isRanked: addresses include the block's rank in its cluster. */
  | { readonly kind: "flat"; readonly viewOf: (frame: Frame) => DataView; readonly isRanked?: boolean }
  | { readonly kind: "stack" }
  | { readonly kind: "near"; readonly near: LastAllocation };

/** The register that holds an address; without one, `offset` is the address. */
export interface AddressShape {
  readonly register: Place | undefined;
  /** Bytes added to the register. On the stack without a register, relative to the frame's base. */
  readonly offset: number;
  readonly fromFrame: boolean;
  /** Only the low 32 bits of the register count, as in shared memory. */
  readonly isNarrow?: boolean;
}

export interface AccessShape {
  readonly home: Home;
  readonly address: AddressShape;
  readonly bytes: number;
  readonly align: number;
  readonly moves: readonly ElementMove[];
  readonly isStore: boolean;
  readonly locate: Locate;
}

/** Compiles the body of a function with these parameters that makes a loop, or returns the one compiled before. */
export type CompileText = (parameters: readonly string[], body: string) => (...bound: readonly unknown[]) => LaneOp;

export function accessLoop(shape: AccessShape, compile: CompileText): LaneOp {
  const { home, address, moves, locate } = shape;
  const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
  const source = home.kind === "flat" ? home.viewOf : home.kind === "near" ? home.near : undefined;
  const parameters = ["locate", "spot", "source", "r", "offset", ...moves.map((_, i) => `m${i}`)];
  return compile(parameters, loopText(shape))(
    locate,
    spot,
    source,
    address.register?.word ?? 0,
    address.offset,
    ...moves.map((move) => move.place.word),
  );
}

function addressText({ register, fromFrame, isNarrow = false }: AddressShape): string {
  if (register === undefined) return fromFrame ? "frame.localBase + offset" : "offset";
  if (register.stride === 1) return "(u[r + l] + offset) >>> 0";
  return isNarrow ? "(u[r + 2 * l] + offset) >>> 0" : "w[r + 2 * l + 1] * 4294967296 + u[r + 2 * l] + offset";
}

/** The code before the loop, and the code that computes lane l's offset `o` and view `v`. */
function homeText(home: Home, bytes: number, align: number): { readonly before: string; readonly lane: string } {
  const aligned = align === 1 ? "" : ` || (o & ${align - 1}) !== 0`;
  const leave = (reload: string): string => `{ locate(frame, l, spot); v = spot.view; o = spot.offset; ${reload} }`;
  switch (home.kind) {
    case "flat":
      return {
        before:
          `const view = source(frame), end = view.byteLength - ${bytes};` +
          (home.isRanked === true ? `const first = frame.warp.block.rank * ${CLUSTER_STRIDE};` : ""),
        lane: `let o = a${home.isRanked === true ? " - first" : ""}, v = view; if (!(o >= 0 && o <= end)${aligned}) ${leave("")}`,
      };
    case "stack":
      return {
        before: `const { warp } = frame, view = warp.local, stride = warp.localStride, end = frame.localTop - ${bytes};`,
        lane: `let o = a, v = view; if (!(o >= 0 && o <= end)${aligned}) ${leave("")} else o += l * stride;`,
      };
    case "near":
      return {
        before: `if (source.releases !== source.memory.releases) { source.last = -1; source.releases = source.memory.releases; }
      let view = source.view, base = source.base, last = source.last;`,
        lane: `let o = a - base, v = view; if (!(o >= 0 && o <= last)${aligned})
          ${leave("view = source.view; base = source.base; last = source.last;")}`,
      };
  }
}

function moveText({ place, bits, signed, offset }: ElementMove, index: number, isStore: boolean): string {
  const at = `m${index} + ${place.stride} * l`;
  const here = offset === 0 ? "o" : `o + ${offset}`;
  const words = Math.max(1, bits / 32);
  const parts = Array.from({ length: words }, (_, i) => {
    const word = `w[${at} + ${i}]`;
    const where = `${here} + ${4 * i}`;
    if (isStore)
      return bits === 8 ? `v.setInt8(${here}, ${word});` : `v.setInt${Math.min(bits, 32)}(${where}, ${word}, true);`;
    const getter = bits >= 32 ? "getInt32" : `get${signed ? "Int" : "Uint"}${bits}`;
    return bits === 8 ? `${word} = v.${getter}(${here});` : `${word} = v.${getter}(${where}, true);`;
  });
  if (isStore) return parts.join(" ");
  // A register wider than the type is extended.
  for (let i = words; i < place.stride; i++) parts.push(`w[${at} + ${i}] = ${signed ? `w[${at}] >> 31` : "0"};`);
  return parts.join(" ");
}

function loopText({ home, address, bytes, align, moves, isStore }: AccessShape): string {
  const { before, lane } = homeText(home, bytes, align);
  return `"use strict";
    return (frame, mask) => {
      const w = frame.words, u = frame.unsigned;
      ${before}
      for (let l = 0; l < 32; l++) {
        if ((mask >>> l & 1) === 0) continue;
        const a = ${addressText(address)};
        ${lane}
        ${moves.map((move, i) => moveText(move, i, isStore)).join("\n        ")}
      }
    };`;
}

/** Finds the bytes of one lane. Throws KernelFault if there are none, or they are misaligned or read-only. */
export type Locate = (frame: Frame, lane: number, spot: Spot) => void;
