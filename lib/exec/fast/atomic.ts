// Code of an atom or red for four lanes: one after the other in their order, once it is known that all four find their place.
// Shared memory is reached by this thread of the host alone, global memory by others too where they run blocks of the launch:
// then the host's atomic instructions do it, a compare-and-exchange where there is none for the operation.

import type { Local, ValueType } from "../../../formats/wasm/index.js";
import type { Accesses } from "./access.js";
import type { LaneChecks } from "./access-checks.js";
import type { AtomicPlan } from "./atomic-plan.js";
import type { AtomicUpdate, UpdateLocals } from "./atomic-updates.js";
import { CONTEXT } from "./context.table.js";
import type { Lanes } from "./lanes.js";
import { forSetLanes } from "./set-lanes.js";

/** By bits: for memory that only this thread changes, and for shared memory. */
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

export function emitAtomic(
  lanes: Lanes,
  accesses: Accesses,
  { place, bits, update, inShared, d, b, c, touches }: AtomicPlan,
  checks: LaneChecks | undefined,
): void {
  const { code, context } = lanes;
  const isWide = bits === 64;
  const type = isWide ? ("i64" as const) : ("i32" as const);
  const vectorsOf = (): readonly Local[] => Array.from({ length: isWide ? 2 : 1 }, () => lanes.temporary("v128"));
  const read = (operand: typeof b): readonly Local[] => {
    const locals = vectorsOf();
    locals.forEach((local, half) => {
      if (isWide) lanes.push64(operand, half as 0 | 1);
      else lanes.push32(operand);
      code.set(local);
    });
    return locals;
  };
  const [bs, cs] = [read(b), c === undefined ? undefined : read(c)];
  const results = d === undefined ? undefined : vectorsOf();
  const places = lanes.temporary("v128");
  const at = lanes.temporary("i32");
  const [old, operand, other, found] = Array.from({ length: 4 }, () => lanes.temporary(type)) as [
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
  const locals: UpdateLocals = { old, b: operand, c: other, scratch: scratchOf, call: lanes.call };
  const { load, store, atomicLoad, exchange } = instructions[bits];
  const pushLane = (vectors: readonly Local[], lane: number): void => {
    if (isWide) code.get(vectors[lane >> 1]!).lane("i64x2.extract_lane", lane & 1);
    else code.get(vectors[0]!).lane("i32x4.extract_lane", lane);
    if (bits === 16) code.i32(0xffff).op("i32.and");
  };
  const keep = (lane: number): void => {
    if (results === undefined) return;
    const vector = results[isWide ? lane >> 1 : 0]!;
    code.get(vector).get(old);
    if (isWide) code.lane("i64x2.replace_lane", lane & 1);
    else code.lane("i32x4.replace_lane", lane);
    code.set(vector);
  };
  const alone = ({ push }: AtomicUpdate): void => {
    code.get(at).memory(load).set(old);
    code.get(at);
    push(code, locals);
    code.memory(store);
  };
  const among = (update: AtomicUpdate): void => {
    if (update.whole !== undefined) {
      code.get(at).get(operand);
      if (cs !== undefined) code.get(other);
      code.memory(update.whole).set(old);
      return;
    }
    code.get(at).memory(atomicLoad).set(old).loop();
    code.get(at).get(old);
    update.push(code, locals);
    code.memory(exchange).tee(found).get(old).op(`${type}.ne`);
    code.get(found).set(old).brIf(0).op("end");
  };
  const eachLane = (active: Local, swap: (update: AtomicUpdate) => void): void => {
    forSetLanes(code, active, (lane) => {
      code.get(places).lane("i32x4.extract_lane", lane).set(at);
      pushLane(bs, lane);
      code.set(operand);
      if (cs !== undefined) {
        pushLane(cs, lane);
        code.set(other);
      }
      if (inShared === undefined) swap(update);
      else {
        code.get(at).get(context).memory("i32.load", CONTEXT.shared).op("i32.sub");
        code.get(context).memory("i32.load", CONTEXT.sharedSize).op("i32.lt_u").if();
        swap(inShared);
        code.op("else");
        swap(update);
        code.op("end");
      }
      keep(lane);
    });
  };
  accesses.locate(place, bits / 8, places, (active) => {
    checks?.apart(places, active);
    if (!touches.global) {
      eachLane(active, alone);
      return;
    }
    code.get(context).memory("i32.load", CONTEXT.isAlone).if();
    eachLane(active, alone);
    code.op("else");
    eachLane(active, among);
    code.op("end");
  });
  results?.forEach((local, half) => {
    code.get(local);
    if (isWide) lanes.write64(d!, half as 0 | 1);
    else lanes.write32(d!);
  });
}
