// Data breakpoints: memory that is compared after every instruction, and accesses whose addresses are checked.

import type { Block } from "../exec/block.js";
import type { Frame } from "../exec/frame.js";
import type { Access } from "../exec/observer.js";
import { lanesIn } from "../exec/walk.js";
import { firstLane, type Warp } from "../exec/warp.js";
import { windowBase } from "../load/address-space.js";
import type { Process } from "../load/process.js";
import { bytesAtAddress } from "./memory.js";
import { dimensionsText, threadOf } from "./place.js";
import type { Scope } from "./result.js";
import { lanesWhere, type Armed, type DataBreakpoint } from "./stops.js";
import { briefText, typeBytes, valueIn } from "./values.js";

export interface DataStops {
  rearm(): void;
  before(warp: Warp): void;
  after(
    warp: Warp,
    frame: Frame,
    pc: number,
    active: number,
    access: Access | undefined,
    scopeIn: (lane: number) => Scope,
  ): DataHit | undefined;
}

export interface DataHit {
  readonly lane: number;
  readonly breakpoints: readonly number[];
  readonly text: string;
}

export function createDataStops(
  process: Process,
  breakpoints: { readonly data: readonly Armed<DataBreakpoint>[] },
): DataStops {
  const seen = new Map<
    Armed<DataBreakpoint>,
    Map<Block | undefined, { readonly index: number; readonly bytes: Uint8Array }>
  >();
  const bytesOf = ({ of: { part } }: Armed<DataBreakpoint>, { block }: Warp): Uint8Array | undefined =>
    bytesAtAddress({ process, launch: block.launch, block }, part.memory.address + part.offset, part.bytes);
  const isOf = ({ of }: Armed<DataBreakpoint>, { block }: Warp): boolean =>
    of.block === undefined || of.block === block.index;

  return {
    rearm: () => seen.clear(),
    before(warp) {
      for (const armed of breakpoints.data) {
        if (!isOf(armed, warp)) continue;
        const key = armed.of.part.memory.space === "shared" ? warp.block : undefined;
        let known = seen.get(armed);
        if (known === undefined) seen.set(armed, (known = new Map()));
        const now = known.get(key);
        if (now !== undefined && (key === undefined || now.index === key.index)) continue;
        const bytes = bytesOf(armed, warp)?.slice();
        if (bytes !== undefined) known.set(key, { index: warp.block.index, bytes });
      }
    },
    after(warp, frame, pc, active, access, scopeIn) {
      const hits: { readonly id: number; readonly lane: number; readonly text: string }[] = [];
      for (const armed of breakpoints.data) {
        if (!isOf(armed, warp)) continue;
        const found = hitOf(armed, warp, frame, pc, active, access);
        if (found === undefined) continue;
        const { lanes } = lanesWhere(armed, found.lanes, scopeIn(firstLane(found.lanes)));
        if (lanes === 0) continue;
        armed.hits++;
        if (armed.counts?.(armed.hits) === false) continue;
        hits.push({ id: armed.of.id, lane: 31 - Math.clz32(lanes), text: found.text });
      }
      const [first] = hits;
      return (
        first && {
          lane: first.lane,
          breakpoints: hits.map(({ id }) => id),
          text: hits.map(({ text }) => text).join("; "),
        }
      );
    },
  };

  function hitOf(
    armed: Armed<DataBreakpoint>,
    warp: Warp,
    frame: Frame,
    pc: number,
    active: number,
    access: Access | undefined,
  ) {
    const { part, access: wanted } = armed.of;
    const { memory, offset } = part;
    const key = memory.space === "shared" ? warp.block : undefined;
    const before = seen.get(armed)?.get(key)?.bytes;
    const now = bytesOf(armed, warp);
    const isChanged = before !== undefined && now !== undefined && Buffer.compare(before, now) !== 0;
    const accessing = lanesIn(active).filter((lane) =>
      touches(part.memory.address + offset, part.bytes, memory.space, access, lane),
    );
    const name = offset === 0 ? memory.name : `${memory.name}+${offset}`;
    const textAt = (bytes: Uint8Array): string =>
      part.bytes === typeBytes(memory.type) ? briefText(valueIn(memory.type, bytes)) : `${part.bytes} bytes`;
    const change = isChanged ? `${name}: ${textAt(before)} -> ${textAt(now)}` : undefined;
    if (isChanged) before.set(now);
    const lanes = (accessing.length > 0 ? accessing : lanesIn(active)).reduce((mask, lane) => mask | (1 << lane), 0);
    const last = accessing.at(-1) ?? firstLane(lanes);
    const who = `by block ${dimensionsText(warp.block.coordinates)}, thread ${dimensionsText(threadOf(warp.block.launch, warp, last))}`;
    if (change !== undefined && wanted !== "read") return { lanes, text: `${change}, ${who}` };
    if (accessing.length === 0 || wanted === "change") return undefined;
    const opcode = frame.program.fn.code.instructions[pc]?.opcode.form.opcode ?? "";
    const [reads, writes] = [opcode !== "st" && opcode !== "red", opcode !== "ld" && opcode !== "ldu"];
    const does = wanted === "access" || (wanted === "read" && reads) || (wanted === "write" && writes);
    return does
      ? { lanes, text: `${name} is ${writes ? "written" : "read"} (${now === undefined ? "" : textAt(now)}), ${who}` }
      : undefined;
  }

  function touches(address: number, bytes: number, space: string, access: Access | undefined, lane: number): boolean {
    if (access === undefined || access.space !== space) return false;
    const own = access.addresses[lane]! + (access.space === "global" ? 0 : windowBase(access.space, process.space));
    return own < address + bytes && address < own + access.bytes;
  }
}
