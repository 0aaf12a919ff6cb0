// Emits the code of an atom or red for four lanes, which execute in lane order once all four addresses are located. Only this
// host thread accesses shared memory. If other host threads run blocks of the launch, global memory is changed by the host's
// atomic instructions, or by compare-and-exchange if it has none for the operation.

import type { Local, ValueType } from "../../../formats/wasm/index.js";
import type { Operand } from "../../isa/instruction.js";
import type { Accesses } from "./access.js";
import type { LaneChecks } from "./access-checks.js";
import type { AtomicPlan } from "./atomic-plan.js";
import type { AtomicUpdate, UpdateLocals } from "./atomic-updates.js";
import { CONTEXT } from "./context.table.js";
import type { Lanes } from "./lanes.js";
import { forSetLanes } from "./set-lanes.js";

/** By width: `load` and `store` for memory that only this host thread changes, the others for memory that host threads share. */
const instructions = {
  16: {
    load: "i32.load16_u",
    store: "i32.store16",
    atomicLoad: "i32.atomic.load16_u",
    exchange: "i32.atomic.rmw16.cmpxchg_u",
  },
  32: { load: "i32.load", store: "i32.store", atomicLoad: "i32.atomic.load", exchange: "i32.atomic.rmw.cmpxchg" },
  64: { load: "i64.load", store: "i64.store", atomicLoad: "i64.atomic.load", exchange: "i64.atomic.rmw.cmpxchg" },
} as const;

/** State while one operation is emitted. Operands and results of 64 bits are two vectors, others one. */
interface AtomicCode {
  readonly lanes: Lanes;
  readonly plan: AtomicPlan;
  readonly bs: readonly Local[];
  readonly cs: readonly Local[] | undefined;
  /** Old values; undefined if nothing reads them. */
  readonly results: readonly Local[] | undefined;
  /** Addresses of the four lanes. */
  readonly places: Local;
  /** For the current lane: its address, and the value that the last compare-and-exchange found. */
  readonly at: Local;
  readonly found: Local;
  readonly update: UpdateLocals;
}

export function emitAtomic(lanes: Lanes, accesses: Accesses, plan: AtomicPlan, checks: LaneChecks | undefined): void {
  const atomic = beginAtomic(lanes, plan);
  const { code, context } = lanes;
  const { places, results } = atomic;
  const { d, bits, touches } = plan;
  accesses.locate(plan.place, bits / 8, places, (active) => {
    checks?.apart(places, active);
    if (!touches.global) {
      eachLane(atomic, active, updateAlone);
      return;
    }
    code.get(context).memory("i32.load", CONTEXT.isAlone).if();
    eachLane(atomic, active, updateAlone);
    code.op("else");
    eachLane(atomic, active, updateShared);
    code.op("end");
  });
  results?.forEach((local, half) => {
    code.get(local);
    if (bits === 64) lanes.write64(d!, half as 0 | 1);
    else lanes.write32(d!);
  });
}

/** Reads the operands and allocates the locals. */
function beginAtomic(lanes: Lanes, plan: AtomicPlan): AtomicCode {
  const { bits, b, c, d } = plan;
  const type: ValueType = bits === 64 ? "i64" : "i32";
  const bs = readVectors(lanes, b, bits);
  const cs = c === undefined ? undefined : readVectors(lanes, c, bits);
  const results = d === undefined ? undefined : newVectors(lanes, bits);
  const places = lanes.temporary("v128");
  const at = lanes.temporary("i32");
  const [old, operand, other, found] = [type, type, type, type].map((each) => lanes.temporary(each)) as [
    Local,
    Local,
    Local,
    Local,
  ];
  const scratch = new Map<ValueType, Local>();
  const scratchOf = (kind: ValueType): Local => {
    const local = scratch.get(kind) ?? lanes.temporary(kind);
    scratch.set(kind, local);
    return local;
  };
  const update = { old, b: operand, c: other, scratch: scratchOf, call: lanes.call };
  return { lanes, plan, bs, cs, results, places, at, found, update };
}

const newVectors = (lanes: Lanes, bits: AtomicPlan["bits"]): readonly Local[] =>
  Array.from({ length: bits === 64 ? 2 : 1 }, () => lanes.temporary("v128"));

function readVectors(lanes: Lanes, operand: Operand, bits: AtomicPlan["bits"]): readonly Local[] {
  const locals = newVectors(lanes, bits);
  locals.forEach((local, half) => {
    if (bits === 64) lanes.push64(operand, half as 0 | 1);
    else lanes.push32(operand);
    lanes.code.set(local);
  });
  return locals;
}

type Swap = (atomic: AtomicCode, update: AtomicUpdate) => void;

function eachLane(atomic: AtomicCode, active: Local, swap: Swap): void {
  const { lanes, plan, bs, cs, places, at, update } = atomic;
  const { code, context } = lanes;
  const { inShared } = plan;
  forSetLanes(code, active, (lane) => {
    code.get(places).lane("i32x4.extract_lane", lane).set(at);
    pushLane(atomic, bs, lane);
    code.set(update.b);
    if (cs !== undefined) {
      pushLane(atomic, cs, lane);
      code.set(update.c);
    }
    if (inShared === undefined) swap(atomic, plan.update);
    else {
      code.get(at).get(context).memory("i32.load", CONTEXT.shared).op("i32.sub");
      code.get(context).memory("i32.load", CONTEXT.sharedSize).op("i32.lt_u").if();
      swap(atomic, inShared);
      code.op("else");
      swap(atomic, plan.update);
      code.op("end");
    }
    keepOld(atomic, lane);
  });
}

function pushLane({ lanes: { code }, plan: { bits } }: AtomicCode, vectors: readonly Local[], lane: number): void {
  if (bits === 64) code.get(vectors[lane >> 1]!).lane("i64x2.extract_lane", lane & 1);
  else code.get(vectors[0]!).lane("i32x4.extract_lane", lane);
  if (bits === 16) code.i32(0xffff).op("i32.and");
}

/** Stores the old value as the lane's element of the result. */
function keepOld({ lanes: { code }, plan: { bits }, results, update }: AtomicCode, lane: number): void {
  if (results === undefined) return;
  const isWide = bits === 64;
  const vector = results[isWide ? lane >> 1 : 0]!;
  code.get(vector).get(update.old);
  if (isWide) code.lane("i64x2.replace_lane", lane & 1);
  else code.lane("i32x4.replace_lane", lane);
  code.set(vector);
}

/** Updates memory that only this host thread changes. */
function updateAlone({ lanes: { code }, plan: { bits }, at, update }: AtomicCode, { push }: AtomicUpdate): void {
  const { load, store } = instructions[bits];
  code.get(at).memory(load).set(update.old);
  code.get(at);
  push(code, update);
  code.memory(store);
}

/** Updates memory that other host threads may change at the same time. */
function updateShared({ lanes, plan, cs, at, found, update }: AtomicCode, { whole, push }: AtomicUpdate): void {
  const { code } = lanes;
  const { atomicLoad, exchange } = instructions[plan.bits];
  const { old } = update;
  if (whole !== undefined) {
    code.get(at).get(update.b);
    if (cs !== undefined) code.get(update.c);
    code.memory(whole).set(old);
    return;
  }
  code.get(at).memory(atomicLoad).set(old).loop();
  code.get(at).get(old);
  push(code, update);
  code
    .memory(exchange)
    .tee(found)
    .get(old)
    .op(plan.bits === 64 ? "i64.ne" : "i32.ne");
  code.get(found).set(old).brIf(0).op("end");
}
