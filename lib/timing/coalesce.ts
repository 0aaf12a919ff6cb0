// What the memory path makes of one warp's addresses: lines and sectors for global and local memory, and the cycles of its
// data stage. The rule is `max(bank conflict degree over 32 banks of 4 bytes, ceil(lines / 4))`: it was found from the raw
// L1-hit measurements of A100, A40 and H200 (source RRZE), has no fitted parameter, and agrees with them within 12 %, 10 % and
// 5 %. Global loads that hit L1 thus suffer bank conflicts as shared memory does, and the tag stage resolves four lines a
// cycle. Rejected: counting sectors only, which misses strides by up to 8 times.

import type { Access } from "../exec/observer.js";
import { countSectors } from "./cache.js";
import { mostLines } from "./trace.js";

const LANES = 32;
const BANKS = 32;
const WORD = 4;
const LINE = 128;
const SECTOR = 32;
/** Words of the widest access of all lanes. */
const MOST_WORDS = LANES * 4;

/** Of one access; reused between calls. */
export interface Footprint {
  /** Cycles of the data stage. */
  wavefronts: number;
  /** Most lanes on one address. */
  conflicts: number;
  lineCount: number;
  /** Bytes of all lanes, and 32-byte sectors that they touch: a store writes some of these in part when the bytes do not fill them. */
  bytes: number;
  sectorCount: number;
  /** line number * 16 + sector mask */
  readonly lines: Float64Array;
}

export interface Coalescer {
  readonly footprint: Footprint;
  /** Fills `footprint`. `warp` tells the local memories of warps apart. */
  readonly describe: (access: Access, active: number, warp: number, atomic: boolean) => void;
}

/** Line numbers of local memory begin here: beyond any generic address. */
const LOCAL_LINES = 2 ** 46;
/** Lines set apart for one warp's local memory: 512 KiB for each of 32 lanes. */
const LOCAL_LINES_PER_WARP = 2 ** 17;

export function createCoalescer(): Coalescer {
  const lines = new Float64Array(mostLines);
  const footprint: Footprint = { wavefronts: 1, conflicts: 1, lineCount: 0, bytes: 0, sectorCount: 0, lines };
  // Distinct words of each bank, as linked lists.
  const first = new Int32Array(BANKS);
  const following = new Int32Array(MOST_WORDS);
  const words = new Float64Array(MOST_WORDS);
  const degrees = new Int32Array(BANKS);

  /** Most distinct words that any one bank is asked for. */
  function bankDegree(addresses: Float64Array, active: number, bytes: number): number {
    first.fill(-1);
    degrees.fill(0);
    let used = 0;
    let degree = 1;
    const count = Math.min(4, Math.max(1, bytes >> 2));
    for (let lane = 0; lane < LANES; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      const base = Math.floor(addresses[lane]! / WORD);
      for (let i = 0; i < count; i++) {
        const word = base + i;
        const bank = word % BANKS;
        let at = first[bank]!;
        while (at >= 0 && words[at] !== word) at = following[at]!;
        if (at >= 0) continue;
        words[used] = word;
        following[used] = first[bank]!;
        first[bank] = used++;
        const n = degrees[bank]! + 1;
        degrees[bank] = n;
        if (n > degree) degree = n;
      }
    }
    return degree;
  }

  /** Whether each lane's address is that of the lane whose number differs by `bit`, if that one is active. */
  function comesInPairs(addresses: Float64Array, active: number, bit: number): boolean {
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const other = lane ^ bit;
      if (((active >>> other) & 1) !== 0 && addresses[other] !== addresses[lane]) return false;
    }
    return true;
  }

  /** Two halves of lanes, each by itself, or together where lanes share their addresses in pairs. */
  function inHalves(addresses: Float64Array, first: number, second: number, bytes: number): number {
    const both = first | second;
    if (first === 0 || second === 0 || comesInPairs(addresses, both, 1) || comesInPairs(addresses, both, 2))
      return both === 0 ? 0 : bankDegree(addresses, both, bytes);
    return bankDegree(addresses, first, bytes) + bankDegree(addresses, second, bytes);
  }

  /**
   * Cycles of shared memory: accesses of 8 bytes are made by 16 lanes at a time, those of 16 bytes by 8, and each such part has its
   * own bank conflicts.
   */
  function sharedCycles(addresses: Float64Array, active: number, bytes: number): number {
    if (bytes <= WORD) return bankDegree(addresses, active, bytes);
    if (bytes <= 2 * WORD) return inHalves(addresses, active & 0xffff, active & ~0xffff, bytes);
    return (
      inHalves(addresses, active & 0xff, active & 0xff00, bytes) +
      inHalves(addresses, active & 0xff0000, active & ~0xffffff, bytes)
    );
  }

  function addSectors(line: number, sectors: number): void {
    for (let i = footprint.lineCount - 1; i >= 0; i--) {
      const entry = lines[i]!;
      if (Math.floor(entry / 16) !== line) continue;
      lines[i] = line * 16 + ((entry % 16) | sectors);
      return;
    }
    if (footprint.lineCount < lines.length) lines[footprint.lineCount++] = line * 16 + sectors;
  }

  function addGlobal(addresses: Float64Array, active: number, bytes: number): void {
    for (let lane = 0; lane < LANES; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      const from = addresses[lane]!;
      if (bytes > LINE) {
        addStretch(from, from + bytes);
        continue;
      }
      const line = Math.floor(from / LINE);
      const start = Math.floor((from - line * LINE) / SECTOR);
      const end = Math.min(3, Math.floor((from - line * LINE + bytes - 1) / SECTOR));
      addSectors(line, ((2 << end) - 1) & ~((1 << start) - 1));
    }
  }

  /** Whether all lanes together access one piece of memory, in their order: then there is little to find out. */
  function isContiguous(addresses: Float64Array, active: number, bytes: number): boolean {
    if (active !== -1) return false;
    const first = addresses[0]!;
    if (first % bytes !== 0) return false;
    for (let lane = 1; lane < LANES; lane++) if (addresses[lane] !== first + lane * bytes) return false;
    return true;
  }

  const addContiguous = (first: number, bytes: number): void => addStretch(first, first + LANES * bytes);

  function addStretch(first: number, end: number): void {
    for (let at = first; at < end; at = (Math.floor(at / SECTOR) + 1) * SECTOR) {
      const line = Math.floor(at / LINE);
      addSectors(line, 1 << Math.floor((at - line * LINE) / SECTOR));
    }
  }

  /** Local memory is interleaved, word by word over the lanes: the same offset in all lanes is one line. */
  function addLocal(addresses: Float64Array, active: number, bytes: number, warp: number): void {
    const base = LOCAL_LINES + warp * LOCAL_LINES_PER_WARP;
    for (let lane = 0; lane < LANES; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      const word = Math.floor(addresses[lane]! / WORD);
      for (let i = 0; i < Math.max(1, bytes >> 2); i++) addSectors(base + word + i, 1 << (lane >> 3));
    }
  }

  function mostOnOneAddress(addresses: Float64Array, active: number): number {
    let most = 1;
    for (let lane = 0; lane < LANES; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      let same = 1;
      for (let other = lane + 1; other < LANES; other++)
        if (((active >>> other) & 1) !== 0 && addresses[other] === addresses[lane]) same++;
      if (same > most) most = same;
    }
    return most;
  }

  function distinctWords(addresses: Float64Array, active: number): number {
    const seen = new Set<number>();
    for (let lane = 0; lane < LANES; lane++)
      if (((active >>> lane) & 1) !== 0) seen.add(Math.floor(addresses[lane]! / WORD));
    return seen.size;
  }

  /** Counts what `lines` has; lanes that share an address count for themselves. */
  function countBytes(active: number, bytes: number): void {
    let sectors = 0;
    for (let i = 0; i < footprint.lineCount; i++) sectors += countSectors(lines[i]! % 16);
    footprint.sectorCount = sectors;
    footprint.bytes = countLanes(active) * bytes;
  }

  return {
    footprint,
    describe: (access, active, warp, atomic) => {
      describe(access, active, warp, atomic);
      countBytes(active, access.bytes);
    },
  };

  function describe({ space, bytes, addresses }: Access, active: number, warp: number, atomic: boolean): void {
    footprint.lineCount = 0;
    footprint.conflicts = atomic ? mostOnOneAddress(addresses, active) : 1;
    switch (space) {
      case "global":
        if (isContiguous(addresses, active, bytes)) {
          addContiguous(addresses[0]!, bytes);
          footprint.wavefronts = Math.max(1, bytes / WORD, Math.ceil(footprint.lineCount / 4));
          return;
        }
        addGlobal(addresses, active, bytes);
        footprint.wavefronts = Math.max(bankDegree(addresses, active, bytes), Math.ceil(footprint.lineCount / 4));
        return;
      case "local":
        addLocal(addresses, active, bytes, warp);
        footprint.wavefronts = Math.max(1, footprint.lineCount);
        return;
      case "shared":
        footprint.wavefronts = Math.max(1, sharedCycles(addresses, active, bytes));
        return;
      case "const":
      case "param":
        addGlobal(addresses, active, bytes);
        footprint.wavefronts = Math.max(1, distinctWords(addresses, active));
        return;
    }
  }
}

function countLanes(mask: number): number {
  let lanes = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) lanes++;
  return lanes;
}
