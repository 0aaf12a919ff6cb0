// The mbarrier object: PTX ISA 9.0 section 9.7.13.15. Its layout is opaque. Here, from bit 0: arrivals of a phase (20 bits),
// pending arrivals (20 bits), pending bytes (21 bits, two's complement), the layout of ISA 9.3 that it was initialised with (1
// bit), unused (1 bit), the phase's parity (1 bit). Limits are those of an H200 (records of bulk copies and faults): exceeding
// one is a trap.

import { KernelFault } from "../state/fault.js";
import type { Mbarrier } from "../state/pending.js";
import type { Spot } from "../state/warp.js";

/** Exclusive upper bound of arrival and byte counts. */
export const COUNT_LIMIT = 2 ** 20;
const COUNT_MASK = BigInt(COUNT_LIMIT - 1);

export const unpack = (word: bigint): Mbarrier => ({
  expected: Number(word & COUNT_MASK),
  pending: Number((word >> 20n) & COUNT_MASK),
  bytes: Number(BigInt.asIntN(21, word >> 40n)),
  layout: Number((word >> 61n) & 1n),
  phase: Number(word >> 63n),
});

const pack = ({ expected, pending, bytes, layout, phase }: Mbarrier): bigint =>
  BigInt(expected) |
  (BigInt(pending) << 20n) |
  (BigInt.asUintN(21, BigInt(bytes)) << 40n) |
  (BigInt(layout) << 61n) |
  (BigInt(phase) << 63n);

/** Ends the phase if neither arrivals nor bytes are pending. The next phase begins with all its arrivals pending. */
function settled(barrier: Mbarrier): Mbarrier {
  if (barrier.pending > 0 || barrier.bytes !== 0) return barrier;
  return { ...barrier, pending: barrier.expected, phase: barrier.phase ^ 1 };
}

const trap = (message: string, lane: number | undefined): KernelFault =>
  new KernelFault("trap", `mbarrier: ${message}`, lane === undefined ? {} : { lane });

/** Exclusive upper bound of arrivals, by layout. Layout v1 stores a report with each phase. */
const ARRIVAL_LIMITS = [COUNT_LIMIT, 2 ** 9] as const;

export function initial(count: number, lane: number, layout: 0 | 1 = 0): Mbarrier {
  const limit = ARRIVAL_LIMITS[layout];
  if (count === 0 || count >= limit)
    throw trap(`init with a count of ${count}; the count must be 1 to ${limit - 1}`, lane);
  return { expected: count, pending: count, bytes: 0, layout, phase: 0 };
}

/** Counts arrivals. With `drops`, later phases expect that many fewer. */
export function arrive(barrier: Mbarrier, count: number, drops: boolean, lane?: number): Mbarrier {
  if (count > barrier.pending) throw trap(`${count} arrivals exceed the ${barrier.pending} that are pending`, lane);
  return settled({
    ...barrier,
    pending: barrier.pending - count,
    expected: drops ? barrier.expected - count : barrier.expected,
  });
}

/** Adds bytes that the phase waits for. */
export function expectBytes(barrier: Mbarrier, bytes: number, lane: number): Mbarrier {
  if (bytes >= COUNT_LIMIT || barrier.bytes + bytes >= COUNT_LIMIT)
    throw trap(`expect_tx of ${bytes} bytes with ${barrier.bytes} pending: the limit is ${COUNT_LIMIT - 1}`, lane);
  return settled({ ...barrier, bytes: barrier.bytes + bytes });
}

/** Subtracts bytes that have arrived. */
export function completeBytes(barrier: Mbarrier, bytes: number, lane?: number): Mbarrier {
  if (bytes >= COUNT_LIMIT || barrier.bytes - bytes <= -COUNT_LIMIT)
    throw trap(`completion of ${bytes} bytes with ${barrier.bytes} pending: the transaction count underflows`, lane);
  return settled({ ...barrier, bytes: barrier.bytes - bytes });
}

/** Adds a pending arrival to this phase, for a copy that will arrive by itself. */
export const expectArrival = (barrier: Mbarrier): Mbarrier => ({ ...barrier, pending: barrier.pending + 1 });

/** Reads the barrier, replaces it by what `change` returns, and returns the word that was there. */
export function update({ view, offset }: Spot, change: (barrier: Mbarrier) => Mbarrier): bigint {
  const word = view.getBigUint64(offset, true);
  view.setBigUint64(offset, pack(change(unpack(word))), true);
  return word;
}

export const mbarrierAt = ({ view, offset }: Spot): Mbarrier => unpack(view.getBigUint64(offset, true));
