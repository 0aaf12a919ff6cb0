// The registers and memory of a cluster as plain data, for inspection after a fault.

import type { Dimensions } from "../../base/dimensions.js";
import { createInstructionText } from "../machine/instruction-text.js";
import { sourcePlace } from "../machine/source-places.js";
import type { Cluster } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { Warp } from "../state/warp.js";
import { lanesIn } from "../machine/walk.js";

export interface FaultDump {
  readonly kernel: string;
  readonly blocks: readonly {
    readonly block: Dimensions;
    /** Shared memory, the system's included, as hexadecimal bytes. */
    readonly shared: string;
    readonly warps: readonly WarpDump[];
  }[];
}

interface WarpDump {
  readonly warp: number;
  /** Mask of the lanes that have not exited. */
  readonly live: number;
  /** Groups of lanes at the same instruction, innermost calls first. */
  readonly groups: readonly { readonly lanes: number; readonly frames: readonly FrameDump[] }[];
  /** Local memory by lane, as hexadecimal bytes. */
  readonly local: Readonly<Record<string, string>>;
}

interface FrameDump {
  readonly function: string;
  readonly file: string;
  readonly line: number;
  readonly instruction: string;
  /** By name: the bits in each of the group's lanes, lowest lane first; predicates as a mask. */
  readonly registers: Readonly<Record<string, readonly string[] | number>>;
}

export function dumpCluster({ blocks }: Cluster): FaultDump {
  const { launch } = blocks[0]!;
  const textOf = createInstructionText(launch.process);
  const frameDump = (frame: Frame, pc: number, lanes: number): FrameDump => {
    const { program, words, unsigned } = frame;
    const { fn } = program;
    const instruction = fn.code.instructions[pc];
    const registers = fn.code.registers.map(({ name, type }, i) => {
      const { word, stride } = program.registerPlace(i);
      if (stride === 0) return [name, (words[word]! & lanes) >>> 0] as const;
      const ofLane = (lane: number): string =>
        Array.from({ length: stride }, (_, part) =>
          unsigned[word + stride * lane + part]!.toString(16).padStart(8, "0"),
        )
          .reverse()
          .join("")
          .slice(-Math.max(2, type.bits / 4));
      return [name, lanesIn(lanes).map((lane) => `0x${ofLane(lane)}`)] as const;
    });
    return {
      function: fn.name,
      ...(instruction === undefined ? { file: fn.file, line: 0 } : sourcePlace(fn, instruction)),
      instruction: instruction === undefined ? "" : textOf(fn, pc),
      registers: Object.fromEntries(registers),
    };
  };
  const warpDump = (warp: Warp): WarpDump => ({
    warp: warp.index,
    live: warp.live >>> 0,
    groups: warp.groups.map(({ frame, pc, mask }) => {
      const frames: FrameDump[] = [];
      for (let each: Frame | undefined = frame, at = pc; each !== undefined; at = each.returnPc - 1, each = each.parent)
        frames.push(frameDump(each, at, mask));
      return { lanes: mask >>> 0, frames };
    }),
    local: Object.fromEntries(
      lanesIn(warp.live).flatMap((lane) => {
        const { localBytes, localStride } = warp;
        const top = Math.max(0, ...warp.groups.map(({ frame }) => frame.localTop));
        if (top === 0) return [];
        const bytes = localBytes.bytes.subarray(lane * localStride, lane * localStride + Math.min(top, localStride));
        return [[String(lane), hexOf(bytes)]];
      }),
    ),
  });
  return {
    kernel: launch.kernel.name,
    blocks: blocks.map(({ coordinates, sharedBytes, warps }) => ({
      block: coordinates,
      shared: hexOf(sharedBytes.bytes),
      warps: warps.filter(({ groups }) => groups.length > 0).map(warpDump),
    })),
  };
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
