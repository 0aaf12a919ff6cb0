// Data breakpoints: memory is compared after every instruction, and addresses of accesses are checked.

import type { Block } from "../exec/state/block.js";
import type { Frame } from "../exec/state/frame.js";
import type { Access } from "../exec/state/observer.js";
import type { Warp } from "../exec/state/warp.js";
import { lanesIn } from "../exec/machine/walk.js";
import { firstLane } from "../exec/machine/warp.js";
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

interface SeenBytes {
  /** Number of the block: block objects are reused. */
  readonly index: number;
  readonly bytes: Uint8Array;
}

interface DataState {
  readonly process: Process;
  readonly breakpoints: { readonly data: readonly Armed<DataBreakpoint>[] };
  /** The previous contents; for shared memory, by block. */
  readonly seen: Map<Armed<DataBreakpoint>, Map<Block | undefined, SeenBytes>>;
}

/** An instruction that has been executed. */
interface Executed {
  readonly warp: Warp;
  readonly frame: Frame;
  readonly pc: number;
  /** Lanes that executed it, a mask. */
  readonly active: number;
  readonly access: Access | undefined;
}

export function createDataStops(process: Process, breakpoints: DataState["breakpoints"]): DataStops {
  const state: DataState = { process, breakpoints, seen: new Map() };
  return {
    rearm: () => state.seen.clear(),
    before: (warp) => rememberBytes(state, warp),
    after: (warp, frame, pc, active, access, scopeIn) => firstHit(state, { warp, frame, pc, active, access }, scopeIn),
  };
}

const bytesOf = (
  { process }: DataState,
  { of: { part } }: Armed<DataBreakpoint>,
  { block }: Warp,
): Uint8Array | undefined =>
  bytesAtAddress({ process, launch: block.launch, block }, part.memory.address + part.offset, part.bytes);

const isOf = ({ of }: Armed<DataBreakpoint>, { block }: Warp): boolean =>
  of.block === undefined || of.block === block.index;

const keyOf = ({ of: { part } }: Armed<DataBreakpoint>, { block }: Warp): Block | undefined =>
  part.memory.space === "shared" ? block : undefined;

function rememberBytes(state: DataState, warp: Warp): void {
  const { breakpoints, seen } = state;
  for (const armed of breakpoints.data) {
    if (!isOf(armed, warp)) continue;
    const key = keyOf(armed, warp);
    let known = seen.get(armed);
    if (known === undefined) seen.set(armed, (known = new Map()));
    const now = known.get(key);
    if (now !== undefined && (key === undefined || now.index === key.index)) continue;
    const bytes = bytesOf(state, armed, warp)?.slice();
    if (bytes !== undefined) known.set(key, { index: warp.block.index, bytes });
  }
}

/** All breakpoints that an instruction hits, with the lane of the first. */
function firstHit(state: DataState, executed: Executed, scopeIn: (lane: number) => Scope): DataHit | undefined {
  const hits: { readonly id: number; readonly lane: number; readonly text: string }[] = [];
  for (const armed of state.breakpoints.data) {
    if (!isOf(armed, executed.warp)) continue;
    const found = hitOf(state, armed, executed);
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
}

function hitOf(
  state: DataState,
  armed: Armed<DataBreakpoint>,
  { warp, frame, pc, active, access }: Executed,
): { readonly lanes: number; readonly text: string } | undefined {
  const { part, access: wanted } = armed.of;
  const { memory, offset } = part;
  const before = state.seen.get(armed)?.get(keyOf(armed, warp))?.bytes;
  const now = bytesOf(state, armed, warp);
  const isChanged = before !== undefined && now !== undefined && Buffer.compare(before, now) !== 0;
  const accessing = lanesIn(active).filter((lane) => touches(state, armed, access, lane));
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

function touches(
  { process }: DataState,
  { of: { part } }: Armed<DataBreakpoint>,
  access: Access | undefined,
  lane: number,
): boolean {
  if (access === undefined || access.space !== part.memory.space) return false;
  const address = part.memory.address + part.offset;
  const own = access.addresses[lane]! + (access.space === "global" ? 0 : windowBase(access.space, process.space));
  return own < address + part.bytes && address < own + access.bytes;
}
