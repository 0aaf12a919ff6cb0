// The hot form of loads and stores: a loop with the address, the bounds check and the moves written out for one shape of
// instruction, compiled once for each shape (as in lanes.ts, and for the same reason: with calls for each lane a load costs
// five times as much, measured). Whatever the loop finds wrong or cannot do itself, it leaves to the bound address of
// access.ts, which knows windows and faults. Nothing of the input enters the text.

import { CLUSTER_STRIDE } from "../../load/address-space.js";
import type { Memory } from "../../load/memory.js";
import type { Frame, Place } from "../state/frame.js";
import type { LaneOp } from "../state/step.js";
import type { Spot } from "../state/warp.js";

/** The allocation that a generic access found last. */
export interface Near {
  view: DataView;
  base: number;
  /** Last offset at which an access of this size may begin; -1: nothing is remembered. */
  last: number;
  readonly memory: Memory;
  /** The memory's count of releases when this was found: after another, it may be gone. */
  releases: number;
}

/** One element: a register's place, and how its bits move. */
export interface ElementMove {
  readonly place: Place;
  /** Of its bytes in the access. */
  readonly offset: number;
  readonly bits: number;
  readonly signed: boolean;
}

/** Where the bytes are: one buffer for all lanes, a stretch of local memory for each, or whatever was found last. */
export type Home =
  /** isRanked: an address in it has the rank of the block in its cluster. */
  | { readonly kind: "flat"; readonly viewOf: (frame: Frame) => DataView; readonly isRanked?: boolean }
  | { readonly kind: "stack" }
  | { readonly kind: "near"; readonly near: Near };

/** The register that an address is in, or none: then `offset` is the address. */
export interface AddressShape {
  readonly register: Place | undefined;
  /** Bytes added to the register; on the stack without a register, counted from the frame's base. */
  readonly offset: number;
  readonly fromFrame: boolean;
  /** Whether only the low 32 bits of the register count, as in shared memory. */
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

/** Compiles the body of a function of the named parameters that makes a loop, or finds it compiled. */
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

/** The text before the loop, and that of lane l's offset in `v`. */
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

/** Finds the bytes of one lane; throws KernelFault when there are none, or they are not aligned or not writable. */
export type Locate = (frame: Frame, lane: number, spot: Spot) => void;
