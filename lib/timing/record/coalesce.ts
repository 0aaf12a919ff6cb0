// The transactions of one warp's access: lines and sectors for global and local memory, and the cycles of the data stage. The
// rule is `max(bank conflict degree over 32 banks of 4 bytes, ceil(lines / 4))`. It was found from the raw L1-hit measurements
// of A100, A40 and H200 (source RRZE), has no fitted parameter, and agrees with them within 12 %, 10 % and 5 %. Global loads
// that hit L1 thus have bank conflicts like shared memory, and the tag stage resolves four lines a cycle. Rejected: counting
// sectors only, which misses strides by up to 8 times.

import { countLanes } from "../../exec/machine/warp.js";
import type { Access } from "../../exec/state/observer.js";
import { bankDegree, createBanks, sharedCycles, type Banks } from "./banks.js";
import { createLanePattern, isRepeated, type LanePattern } from "./lane-pattern.js";
import { countSectors } from "../memory/cache.js";
import { remainder } from "../memory/scatter.js";
import { mostLines } from "../trace/trace.js";

const LANES = 32;
const WORD = 4;
const LINE = 128;
const SECTOR = 32;

/** The footprint of one access; reused between calls. */
export interface Footprint {
  /** Cycles of the data stage. */
  wavefronts: number;
  /** Maximum number of lanes with the same address. */
  conflicts: number;
  lineCount: number;
  /** Bytes of all lanes, and the 32-byte sectors that they touch: a store writes a sector in part if the bytes do not fill it. */
  bytes: number;
  sectorCount: number;
  /** line number * 16 + sector mask */
  readonly lines: Float64Array;
}

export interface Coalescer {
  readonly footprint: Footprint;
  readonly banks: Banks;
  /** Indexed by the number of the instruction. */
  readonly patterns: (LanePattern | undefined)[];
}

/** Line numbers of local memory start here: beyond any generic address. */
const LOCAL_LINES = 2 ** 46;
/** Lines reserved for one warp's local memory: 512 KiB for each of 32 lanes. */
const LOCAL_LINES_PER_WARP = 2 ** 17;

export function createCoalescer(): Coalescer {
  const lines = new Float64Array(mostLines);
  const footprint = { wavefronts: 1, conflicts: 1, lineCount: 0, bytes: 0, sectorCount: 0, lines };
  return { footprint, banks: createBanks(), patterns: [] };
}

/** Fills the footprint. `warp` selects the warp's local memory. */
export function describeAccess(
  coalescer: Coalescer,
  { space, bytes, addresses }: Access,
  active: number,
  warp: number,
  atomic: boolean,
  instruction = 0,
): void {
  const { footprint } = coalescer;
  footprint.lineCount = 0;
  footprint.conflicts = atomic ? mostOnOneAddress(addresses, active) : 1;
  switch (space) {
    case "global":
      if (isContiguous(addresses, active, bytes)) {
        addStretch(footprint, addresses[0]!, addresses[0]! + LANES * bytes);
        footprint.wavefronts = Math.max(1, bytes / WORD, Math.ceil(footprint.lineCount / 4));
        break;
      }
      addGlobal(footprint, addresses, active, bytes);
      footprint.wavefronts = Math.max(
        bankCycles(coalescer, "global", addresses, active, bytes, instruction),
        Math.ceil(footprint.lineCount / 4),
      );
      break;
    case "local":
      addLocal(footprint, addresses, active, bytes, warp);
      footprint.wavefronts = Math.max(1, footprint.lineCount);
      break;
    case "shared":
      footprint.wavefronts = Math.max(1, bankCycles(coalescer, "shared", addresses, active, bytes, instruction));
      break;
    case "const":
    case "param":
      addGlobal(footprint, addresses, active, bytes);
      footprint.wavefronts = Math.max(1, distinctWords(addresses, active));
      break;
  }
  countBytes(footprint, active, bytes);
}

/** Cycles of an access that are due to bank conflicts. */
function bankCycles(
  { banks, patterns }: Coalescer,
  space: "global" | "shared",
  addresses: Float64Array,
  active: number,
  bytes: number,
  instruction: number,
): number {
  const pattern = (patterns[instruction] ??= createLanePattern());
  if (!isRepeated(pattern, space, addresses, active, bytes))
    pattern.cycles = (space === "shared" ? sharedCycles : bankDegree)(banks, addresses, active, bytes);
  return pattern.cycles;
}

/** Counts the bytes of an access; lanes with the same address count separately. */
function countBytes(footprint: Footprint, active: number, bytes: number): void {
  const { lines, lineCount } = footprint;
  let sectors = 0;
  for (let i = 0; i < lineCount; i++) sectors += countSectors(lines[i]! & 15);
  footprint.sectorCount = sectors;
  footprint.bytes = countLanes(active) * bytes;
}

function addSectors(footprint: Footprint, line: number, sectors: number): void {
  const { lines } = footprint;
  const base = line * 16;
  for (let i = footprint.lineCount - 1; i >= 0; i--) {
    const known = lines[i]! - base;
    if (known < 0 || known >= 16) continue;
    lines[i] = base + (known | sectors);
    return;
  }
  if (footprint.lineCount < lines.length) lines[footprint.lineCount++] = base + sectors;
}

function addGlobal(footprint: Footprint, addresses: Float64Array, active: number, bytes: number): void {
  // Adjacent lanes mostly share a line, which is then looked up once for all of them.
  let current = -1;
  let touched = 0;
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const from = addresses[31 - Math.clz32(rest & -rest)]!;
    if (bytes > LINE) {
      addStretch(footprint, from, from + bytes);
      continue;
    }
    const line = Math.floor(from / LINE);
    const offset = from - line * LINE;
    const start = offset >>> 5;
    const end = Math.min(3, (offset + bytes - 1) >>> 5);
    if (line !== current) {
      if (touched !== 0) addSectors(footprint, current, touched);
      current = line;
      touched = 0;
    }
    touched |= ((2 << end) - 1) & ~((1 << start) - 1);
  }
  if (touched !== 0) addSectors(footprint, current, touched);
}

/** Whether the lanes together access consecutive bytes in their order, so that the footprint is a range. */
function isContiguous(addresses: Float64Array, active: number, bytes: number): boolean {
  if (active !== -1) return false;
  const first = addresses[0]!;
  if (addresses[1] !== first + bytes || addresses[LANES - 1] !== first + (LANES - 1) * bytes) return false;
  if (remainder(first, bytes) !== 0) return false;
  for (let lane = 2; lane < LANES - 1; lane++) if (addresses[lane] !== first + lane * bytes) return false;
  return true;
}

/** Adds the sectors of consecutive bytes, line by line. */
function addStretch(footprint: Footprint, first: number, end: number): void {
  if (end <= first) return;
  const last = Math.floor((end - 1) / SECTOR);
  for (let sector = Math.floor(first / SECTOR); sector <= last;) {
    const line = Math.floor(sector / 4);
    const to = Math.min(last, line * 4 + 3);
    addSectors(footprint, line, ((2 << (to - line * 4)) - 1) & ~((1 << (sector - line * 4)) - 1));
    sector = to + 1;
  }
}

/** Local memory is interleaved, word by word over the lanes: the same offset in all lanes is one line. */
function addLocal(footprint: Footprint, addresses: Float64Array, active: number, bytes: number, warp: number): void {
  const base = LOCAL_LINES + warp * LOCAL_LINES_PER_WARP;
  for (let lane = 0; lane < LANES; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    const word = Math.floor(addresses[lane]! / WORD);
    for (let i = 0; i < Math.max(1, bytes >> 2); i++) addSectors(footprint, base + word + i, 1 << (lane >> 3));
  }
}

function mostOnOneAddress(addresses: Float64Array, active: number): number {
  let most = 1;
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const address = addresses[31 - Math.clz32(rest & -rest)]!;
    let same = 1;
    for (let others = rest & (rest - 1); others !== 0; others &= others - 1)
      if (addresses[31 - Math.clz32(others & -others)] === address) same++;
    if (same > most) most = same;
    // The remaining lanes cannot exceed the maximum.
    if (most > 1 && countLanes(rest) <= most) break;
  }
  return most;
}

function distinctWords(addresses: Float64Array, active: number): number {
  const first = Math.floor(addresses[31 - Math.clz32(active & -active)]! / WORD);
  let seen: Set<number> | undefined;
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const word = Math.floor(addresses[31 - Math.clz32(rest & -rest)]! / WORD);
    if (seen === undefined && word === first) continue;
    (seen ??= new Set([first])).add(word);
  }
  return seen?.size ?? 1;
}
