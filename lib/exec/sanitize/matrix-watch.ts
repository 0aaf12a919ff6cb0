// Watches fragments of matrices, which lanes load and store together, and memory accesses without a watch of their own.

import { matrixShape } from "../../isa/fragments.js";
import { hasModifier, modifier, type Opcode } from "../../isa/opcode.js";
import type { Watched } from "../operands/watched.js";
import type { Frame, Place } from "../state/frame.js";
import { elementBits } from "../tensor/arithmetic.js";
import { checkOrder } from "./access-check.js";
import { checkBounds } from "./bounds-check.js";
import type { Actor, LaunchContext } from "./context.js";
import { defineBytes } from "./initialisation.js";
import { objectOfTarget, type WatchLanes, type WatchOf } from "./instruction.js";
import { checkAddress, isOrdered, newTarget, someOf } from "./memory-watch.js";
import { setObject, setUndefined, shadowOf } from "./register-shadow.js";
import { type BoundTarget, evaluate, type Target } from "../operands/target.js";
import { objectAt, sharedObject } from "./objects.js";
import { undefinedBits } from "./values.js";

/** ldmatrix, stmatrix: each of the first lanes has the address of a row of 16 bytes. */
const matrixRows: WatchOf = (watched) => {
  const [bound] = watched.targets;
  if (bound === undefined) return undefined;
  const isStore = watched.opcode.form.operands[0]!.kind === "address";
  const registers = Math.max(1, watched.binder.elements(watched.instruction.operands[isStore ? 1 : 0]).length);
  const rows = Math.min(32, (watched.opcode.chosen.includes("m16n16") ? 16 : 8) * registers);
  return rangeWatch(
    watched,
    bound,
    isStore,
    (lane) => lane < rows,
    (_, __, lane, visit) => visit(lane, 0, 16),
  );
};

/** wmma.load, wmma.store: all lanes have the matrix's address; one lane checks it row by row. */
const wmmaMove: WatchOf = (watched) => {
  const [bound] = watched.targets;
  if (bound === undefined) return undefined;
  const { opcode } = watched;
  const isStore = opcode.form.id.includes("store");
  const type = modifier(opcode, "type");
  const shape = matrixShape(modifier(opcode, "shape"));
  if (type === undefined) return undefined;
  const part =
    ["a", "b"].find((each) => opcode.chosen.includes(each) || opcode.form.id.split(".").includes(each)) ?? "c";
  const [rows, columns] = part === "a" ? [shape.m, shape.k] : part === "b" ? [shape.k, shape.n] : [shape.m, shape.n];
  const isRow = hasModifier(opcode, "row");
  const [lines, along] = isRow ? [rows, columns] : [columns, rows];
  const bits = type === "b1" ? 1 : ["s4", "u4"].includes(type) ? 4 : elementBits(type);
  const lineBytes = Math.ceil((along * bits) / 8);
  const index = opcode.form.operands.findIndex((spec) => spec.name === "stride");
  const operand = index < 0 ? undefined : watched.instruction.operands[index];
  const place = operand?.kind === "register" ? watched.places.register(operand.register) : undefined;
  const strideOf = (frame: Frame, lane: number): number =>
    operand?.kind === "immediate"
      ? Number(operand.bits)
      : place === undefined
        ? along
        : frame.unsigned[place.word + place.stride * lane]!;
  return rangeWatch(
    watched,
    bound,
    isStore,
    (lane, active) => lane === 31 - Math.clz32(active & -active),
    (_, frame, lane, visit) => {
      const step = (strideOf(frame, lane) * bits) / 8;
      for (let line = 0; line < lines; line++) visit(lane, Math.floor(line * step), lineBytes);
    },
  );
};

type Visit = (lane: number, offset: number, bytes: number) => void;

/** Watches accesses of ranges from a lane's address on. All destination registers are undefined if any byte is. */
function rangeWatch(
  watched: Watched,
  bound: BoundTarget,
  isStore: boolean,
  takesPart: (lane: number, active: number) => boolean,
  ranges: (context: LaunchContext, frame: Frame, lane: number, visit: Visit) => void,
): WatchLanes {
  const access = isStore ? "write" : "read";
  const registers: readonly Place[] = isStore ? [] : watched.writes;
  let target: Target | undefined;
  return (context, warp, { frame, pc }, active) => {
    target ??= newTarget(warp);
    const at = target;
    const objectOf = objectOfTarget(context, watched, bound);
    const actor: Actor = { warp, frame, pc, lane: 0 };
    let origin = 0;
    for (let lane = 0; lane < 32; lane++) {
      if (((active >>> lane) & 1) === 0 || !takesPart(lane, active)) continue;
      actor.lane = lane;
      checkAddress(context, actor, bound);
      ranges(context, frame, lane, (_, offset, bytes) => {
        evaluate(bound, frame, lane, at);
        at.address += offset;
        at.value += offset;
        at.bytes = bytes;
        if (!checkBounds(context, actor, at, objectOf(frame, lane), access, Math.min(bound.align, bytes))) return;
        if (isOrdered(at)) checkOrder(context, actor, at, access, 0);
        if (isStore) {
          defineBytes(context, at);
          return;
        }
        const found = undefinedBits(context.values, at);
        if (origin === 0 && found !== undefined && someOf(found.bytes, found.offset, bytes))
          origin = context.origin({
            space: at.space ?? "global",
            site: context.sites.of(frame.program.fn, pc),
            object: objectAt(
              context.objects,
              at.space === "shared" ? sharedObject(context.objects, context.launch, at.address) : 0,
            ),
            address: at.address,
          });
      });
    }
    const shadow = shadowOf(frame);
    for (const place of registers)
      for (let lane = 0; lane < 32; lane++)
        if (((active >>> lane) & 1) !== 0) {
          setUndefined(shadow, place, lane, origin !== 0, origin);
          setObject(shadow, place, lane, 0);
        }
  };
}

/** Other memory accesses: checks their bounds, and marks the bytes that they write as defined. */
export const otherMemory: WatchOf = (watched) => {
  const { targets } = watched;
  if (targets.length === 0) return undefined;
  let target: Target | undefined;
  return (context, warp, { frame, pc }, active) => {
    target ??= newTarget(warp);
    const actor: Actor = { warp, frame, pc, lane: 0 };
    for (let lane = 0; lane < 32; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      actor.lane = lane;
      for (const bound of targets) {
        checkAddress(context, actor, bound);
        evaluate(bound, frame, lane, target);
        const object = objectOfTarget(context, watched, bound)(frame, lane);
        if (checkBounds(context, actor, target, object, bound.writes ? "write" : "read", bound.align) && bound.writes)
          defineBytes(context, target);
      }
    }
  };
};

const isFragmentMove = ({ form }: Opcode): boolean => /^wmma\.(load|store)/.test(form.id);

/** By base opcode. */
export const matrixWatches: Readonly<Record<string, WatchOf>> = {
  ldmatrix: matrixRows,
  stmatrix: matrixRows,
  wmma: (watched) => (isFragmentMove(watched.opcode) ? wmmaMove(watched) : undefined),
};
