// Asynchronous copies and the barriers that they signal: PTX ISA 9.0 sections 9.7.9.25 and 9.7.13.15. Copies are done at once,
// which every program that waits for them correctly allows; what is left of "asynchronous" is the counting of bytes.
//
// An mbarrier is 64 bits in shared memory whose layout PTX leaves open. Here, from bit 0: arrivals of a phase (20 bits),
// arrivals still to come (20 bits), bytes still to come (23 bits, two's complement), the phase (1 bit).

import type { Operand } from "../../isa/instruction.js";
import { bindAddress, hex, type Locate, type Spot } from "../access.js";
import type { Binder, Bound } from "../binder.js";
import { KernelFault } from "../fault.js";
import type { Frame } from "../frame.js";
import type { AccessedSpace } from "../observer.js";
import { lanesIn } from "../walk.js";
import { custom, has, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { nothing, spaceOfOpcode } from "./memory.js";

interface Barrier {
  readonly expected: number;
  readonly pending: number;
  readonly bytes: number;
  readonly phase: number;
}

const COUNT_LIMIT = 2 ** 20;
const COUNT_MASK = BigInt(COUNT_LIMIT - 1);

const unpack = (word: bigint): Barrier => ({
  expected: Number(word & COUNT_MASK),
  pending: Number((word >> 20n) & COUNT_MASK),
  bytes: Number(BigInt.asIntN(23, word >> 40n)),
  phase: Number(word >> 63n),
});

const pack = ({ expected, pending, bytes, phase }: Barrier): bigint =>
  BigInt(expected) | (BigInt(pending) << 20n) | (BigInt.asUintN(23, BigInt(bytes)) << 40n) | (BigInt(phase) << 63n);

/** A phase ends when nothing is still to come; the next begins with all its arrivals to come. */
function settled(barrier: Barrier): Barrier {
  if (barrier.pending > 0 || barrier.bytes !== 0) return barrier;
  return { ...barrier, pending: barrier.expected, phase: barrier.phase ^ 1 };
}

const newSpot = (): Spot => ({ view: new DataView(new ArrayBuffer(0)), offset: 0 });

function named(binder: Binder, name: string): Operand | undefined {
  const index = binder.opcode.form.operands.findIndex((spec) => spec.name === name);
  return index < 0 ? undefined : binder.operand(index);
}

/** A 32-bit operand's value by lane, or what it is without one. */
function valueOf(
  binder: Binder,
  operand: Operand | undefined,
  fallback: number,
): (frame: Frame, lane: number) => number {
  if (operand === undefined) return () => fallback;
  const { word, stride } = binder.read(operand, 32);
  return (frame, lane) => frame.unsigned[word + stride * lane]!;
}

function locateBarrier(binder: Binder, operand: Operand | undefined, space: AccessedSpace | undefined): Locate {
  return bindAddress(binder, operand, space, 8, 8, true).locate;
}

/** Reads the barrier, replaces it by what `change` answers, and answers the word that was there. */
function update(spot: Spot, change: (barrier: Barrier) => Barrier): bigint {
  const word = spot.view.getBigUint64(spot.offset, true);
  spot.view.setBigUint64(spot.offset, pack(change(unpack(word))), true);
  return word;
}

function arrive(barrier: Barrier, count: number, lane: number): Barrier {
  if (count > barrier.pending)
    throw new KernelFault("illegal-address", `mbarrier: ${count} arrivals where ${barrier.pending} are still to come`, {
      lane,
    });
  return { ...barrier, pending: barrier.pending - count };
}

/** An instruction that changes the barrier at [a] by `count`, and may answer the state before it. */
function changing(change: (barrier: Barrier, count: number, lane: number) => Barrier, fallback = 1): Meaning {
  return custom((binder): Bound => {
    const locate = locateBarrier(binder, named(binder, "a"), spaceOfOpcode(binder.opcode));
    const count = valueOf(binder, named(binder, "count"), fallback);
    const d = named(binder, "d");
    const state = d === undefined || d.kind === "sink" ? undefined : binder.write(d, 64).word >> 1;
    const spot = newSpot();
    return {
      memory: true,
      lanes: (frame, mask) => {
        for (const lane of lanesIn(mask)) {
          locate(frame, lane, spot);
          const before = update(spot, (barrier) => change(barrier, count(frame, lane), lane));
          if (state !== undefined) frame.ulongs[state + lane] = before;
        }
      },
    };
  });
}

const init = changing((_, count) => ({
  expected: count % COUNT_LIMIT,
  pending: count % COUNT_LIMIT,
  bytes: 0,
  phase: 0,
}));
const expectBytes = changing((barrier, bytes) => ({ ...barrier, bytes: barrier.bytes + bytes }));
const completeBytes = changing((barrier, bytes) => settled({ ...barrier, bytes: barrier.bytes - bytes }));

const arrival: Reading = (opcode) => {
  const drops = opcode.form.id.startsWith("mbarrier.arrive_drop");
  const expectsBytes = has(opcode, "expect_tx");
  return changing((barrier, count, lane) => {
    const arrivals = expectsBytes ? 1 : count;
    const bytes = barrier.bytes + (expectsBytes ? count : 0);
    const expected = barrier.expected - (drops ? arrivals : 0);
    return settled({ ...arrive(barrier, arrivals, lane), bytes, expected });
  });
};

/** Whether the phase of a state, or of that parity, is over. A try_wait answers at once: it may always give up. */
const wait: Reading = (opcode) => {
  const isParity = has(opcode, "parity");
  return custom((binder): Bound => {
    const p = binder.write(binder.operand(0), 1).word;
    const locate = locateBarrier(binder, named(binder, "a"), spaceOfOpcode(opcode));
    const which = binder.read(named(binder, isParity ? "phase" : "state"), isParity ? 32 : 64).word;
    const spot = newSpot();
    return {
      memory: true,
      spins: true,
      lanes: (frame, mask) => {
        let over = 0;
        for (const lane of lanesIn(mask)) {
          locate(frame, lane, spot);
          const { phase } = unpack(spot.view.getBigUint64(spot.offset, true));
          const asked = isParity ? frame.words[which + lane]! & 1 : unpack(frame.ulongs[(which >> 1) + lane]!).phase;
          if (phase !== asked) over |= 1 << lane;
        }
        frame.words[p] = (frame.words[p]! & ~mask) | over;
      },
    };
  });
};

const pendingCount: Meaning = custom((binder): Bound => {
  const d = binder.write(binder.operand(0), 32).word;
  const state = binder.read(binder.operand(1), 64).word >> 1;
  return {
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) frame.words[d + lane] = unpack(frame.ulongs[state + lane]!).pending;
    },
  };
});

/** cp.async.mbarrier.arrive: the copies before it are done, so the thread arrives; without .noinc, its arrival was not counted on. */
const copyArrival: Reading = (opcode) =>
  has(opcode, "noinc") ? changing((barrier, count, lane) => settled(arrive(barrier, count, lane))) : nothing;

// ---------------------------------------------------------------------------------------------------------------- copies

function bytesAt({ view, offset }: Spot, size: number, lane: number): Uint8Array {
  if (offset + size > view.byteLength)
    throw new KernelFault(
      "illegal-address",
      `a copy of ${size} bytes at ${hex(offset)} leaves its ${view.byteLength} bytes`,
      { lane },
    );
  return new Uint8Array(view.buffer, view.byteOffset + offset, size);
}

/** cp.async: 4, 8 or 16 bytes, of which those beyond `used` are zero; all are when `ignore` holds. */
const copy: Meaning = custom((binder): Bound => {
  const size = Number((named(binder, "size") as Operand & { readonly kind: "immediate" }).bits);
  const target = bindAddress(binder, named(binder, "d"), "shared", size, size, true).locate;
  const source = bindAddress(binder, named(binder, "a"), "global", 1, 1, false).locate;
  const used = valueOf(binder, named(binder, "used"), size);
  const ignore = named(binder, "ignore");
  const ignored = ignore === undefined ? undefined : binder.read(ignore, 1).word;
  const [from, to] = [newSpot(), newSpot()];
  return {
    memory: true,
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) {
        const isIgnored = ignored !== undefined && ((frame.words[ignored]! >>> lane) & 1) !== 0;
        const count = isIgnored ? 0 : Math.min(size, used(frame, lane));
        target(frame, lane, to);
        const bytes = bytesAt(to, size, lane).fill(0);
        if (count === 0) continue;
        source(frame, lane, from);
        bytes.set(bytesAt(from, count, lane));
      }
    },
  };
});

/** cp.async.bulk between two spaces; with `m`, the bytes are counted off at that barrier. */
function bulk(target: AccessedSpace, source: AccessedSpace): Meaning {
  return custom((binder): Bound => {
    const to = newSpot();
    const from = newSpot();
    const at = newSpot();
    const locateTarget = bindAddress(binder, named(binder, "d"), target, 16, 16, true).locate;
    const locateSource = bindAddress(binder, named(binder, "a"), source, 16, 16, false).locate;
    const size = valueOf(binder, named(binder, "size"), 0);
    const m = named(binder, "m");
    const barrier = m === undefined ? undefined : locateBarrier(binder, m, "shared");
    return {
      memory: true,
      lanes: (frame, mask) => {
        for (const lane of lanesIn(mask)) {
          const bytes = size(frame, lane);
          if (bytes % 16 !== 0)
            throw new KernelFault("misaligned-address", `a bulk copy of ${bytes} bytes, which is no multiple of 16`, {
              lane,
            });
          if (bytes > 0) {
            locateTarget(frame, lane, to);
            locateSource(frame, lane, from);
            bytesAt(to, bytes, lane).set(bytesAt(from, bytes, lane));
          }
          if (barrier === undefined) continue;
          barrier(frame, lane, at);
          update(at, (state) => settled({ ...state, bytes: state.bytes - bytes }));
        }
      },
    };
  });
}

/** Only what goes to one block, and all bytes of it, is executed. */
const plainBulk =
  (meaning: Meaning): Reading =>
  (opcode) =>
    has(opcode, "multicast::cluster") || has(opcode, "cp_mask") ? undefined : meaning;

const arrivalIds = ["", ".count", ".remote", ".expect_tx", ".expect_tx.remote", ".noComplete"];

export const asyncMeanings: Meanings = {
  "mbarrier.init": () => init,
  "mbarrier.inval": () => nothing,
  "mbarrier.expect_tx": () => expectBytes,
  "mbarrier.complete_tx": () => completeBytes,
  ...Object.fromEntries(
    arrivalIds.flatMap((id) => [
      [`mbarrier.arrive${id}`, arrival],
      [`mbarrier.arrive_drop${id}`, arrival],
    ]),
  ),
  "mbarrier.test_wait": wait,
  "mbarrier.test_wait.parity": wait,
  "mbarrier.try_wait": wait,
  "mbarrier.try_wait.parity": wait,
  "mbarrier.pending_count": () => pendingCount,
  "cp.async.mbarrier.arrive": copyArrival,
  "cp.async": () => copy,
  "cp.async.ignore": () => copy,
  "cp.async.cg": () => copy,
  "cp.async.cg.ignore": () => copy,
  "cp.async.commit_group": () => nothing,
  "cp.async.wait_group": () => nothing,
  "cp.async.wait_all": () => nothing,
  "cp.async.bulk.load": plainBulk(bulk("shared", "global")),
  "cp.async.bulk.share": plainBulk(bulk("shared", "shared")),
  "cp.async.bulk.store": plainBulk(bulk("global", "shared")),
  "cp.async.bulk.commit_group": () => nothing,
  "cp.async.bulk.wait_group": () => nothing,
  "cp.async.bulk.prefetch": () => nothing,
};
