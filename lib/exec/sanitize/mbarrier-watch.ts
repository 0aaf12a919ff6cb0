// Watches mbarrier objects. An arrival releases the thread's vector clock, a complete phase acquires it. Reports use before init,
// too many arrivals, and a second init. PTX ISA 9.0 section 9.7.13.15.

import type { Watched } from "../operands/watched.js";
import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { AwaitedPhase, Warp } from "../state/warp.js";
import { isOrderedBefore, joinClock, mbarrierKey, releaseLane, seeOwnRelease, warpOrder } from "./order.js";
import { hasModifier } from "../../isa/opcode.js";
import { mbarrierAt, COUNT_LIMIT } from "../async/mbarrier.js";
import { firstLane } from "../machine/warp.js";
import { checkOrder, currentParty, threadText } from "./access-check.js";
import { checkBounds } from "./bounds-check.js";
import { joinClocks, withNode } from "./clock.js";
import { type Actor, type LaunchContext, type MbarrierState, report } from "./context.js";
import { defineBytes } from "./initialisation.js";
import { numberOf, objectOfTarget, operandNamed, targetNamed, type WatchLanes, type WatchOf } from "./instruction.js";
import { checkAddress, newTarget } from "./memory-watch.js";
import { strengthOf } from "./records.js";
import { shadowOf, setObject, setUndefined } from "./register-shadow.js";
import { type BoundTarget, evaluate, type Target } from "../operands/target.js";
import { objectAt, sharedObject } from "./objects.js";

const ofBlock = ({ mbarriers }: LaunchContext, block: Block): Map<number, MbarrierState> => {
  let known = mbarriers.get(block);
  if (known === undefined) mbarriers.set(block, (known = new Map()));
  return known;
};

const mbarrierOf = (context: LaunchContext, block: Block, offset: number): MbarrierState | undefined =>
  context.mbarriers.get(block)?.get(offset);

const isInside = ({ shared }: Block, offset: number): boolean => offset >= 0 && offset + 8 <= shared.byteLength;

/** The mbarrier's state, updated if its phase has ended since the last use. */
export function currentMbarrier(context: LaunchContext, block: Block, offset: number): MbarrierState | undefined {
  const state = mbarrierOf(context, block, offset);
  if (state === undefined || !state.isValid || !isInside(block, offset)) return state;
  const { phase } = mbarrierAt({ view: block.shared, offset });
  if (phase !== state.parity) endPhase(context, state);
  return state;
}

function endPhase(context: LaunchContext, state: MbarrierState): void {
  state.parity ^= 1;
  state.come = joinClocks(state.come, withNode(state.coming, context.order.levels, state.key, 0, state.phase));
  state.coming = 0;
  state.phase++;
}

/** The mbarrier at the target; reports its use if it is not initialised. */
function useOf(context: LaunchContext, actor: Actor, target: Target, name: string): MbarrierState | undefined {
  const state = currentMbarrier(context, target.block, target.address);
  if (state?.isValid === true) return state;
  const object = objectAt(context.objects, sharedObject(context.objects, context.launch, target.address));
  report(
    context,
    actor,
    () => ({
      kind: "mbarrier",
      space: "shared",
      message: `${name} of an mbarrier that ${state === undefined ? "has not been initialised" : "has been invalidated"}`,
      remedy: "let one thread execute mbarrier.init, followed by a barrier of the block, before the first use",
      object,
      ...(object === undefined ? {} : { offset: target.address - object.base }),
      address: target.value,
      bytes: 8,
    }),
    "mbarrier:init",
  );
  return undefined;
}

/** Sets `target` to the object's address in a lane. Returns whether that is valid. */
function locate(context: LaunchContext, actor: Actor, bound: BoundTarget, target: Target, object: number): boolean {
  checkAddress(context, actor, bound);
  evaluate(bound, actor.frame, actor.lane, target);
  return checkBounds(context, actor, target, object, "atomic", 8) && target.space === "shared";
}

/**
 * Visits the mbarrier that each lane's operand `a` names, if its address is valid. `begin` makes the visitor for one execution of
 * the instruction.
 */
function visitObjects(
  watched: Watched,
  begin: (context: LaunchContext, warp: Warp) => (actor: Actor, target: Target) => void,
): WatchLanes | undefined {
  const bound = targetNamed(watched, "a");
  if (bound === undefined) return undefined;
  return (context, warp, { frame, pc }, active) => {
    const target = newTarget(warp);
    const objectOf = objectOfTarget(context, watched, bound);
    const visit = begin(context, warp);
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const actor: Actor = { warp, frame, pc, lane: firstLane(rest) };
      if (locate(context, actor, bound, target, objectOf(frame, actor.lane))) visit(actor, target);
    }
  };
}

const init: WatchOf = (watched) =>
  visitObjects(watched, (context, warp) => (actor, target) => {
    const { frame, pc } = actor;
    const states = ofBlock(context, target.block);
    const before = states.get(target.address);
    if (before?.isValid === true)
      report(
        context,
        { warp, frame, pc, lane: actor.lane },
        () => ({
          kind: "mbarrier",
          space: "shared",
          message: `init of an mbarrier that is in use: it was initialised by ${threadText(before.init)} and not invalidated`,
          remedy: "initialise it once, or execute mbarrier.inval first, when no thread uses it",
          other: before.init,
          address: target.value,
        }),
        "mbarrier:again",
      );
    checkOrder(context, actor, target, "write", 0);
    defineBytes(context, target);
    states.set(target.address, {
      key: before?.key ?? mbarrierKey(context.order, target.block.index, states.size),
      // The count of phases is not reset: threads may hold earlier ones.
      phase: (before?.phase ?? 0) + 1,
      first: (before?.phase ?? 0) + 1,
      parity: 0,
      coming: 0,
      come: 0,
      isValid: true,
      init: currentParty(context, actor, "write"),
    });
  });

const inval: WatchOf = (watched) =>
  visitObjects(watched, (context) => (actor, target) => {
    const state = useOf(context, actor, target, "invalidation");
    checkOrder(context, actor, target, "write", 0);
    if (state !== undefined) state.isValid = false;
  });

const results = (frame: Frame, places: readonly Parameters<typeof setUndefined>[1][], active: number): void => {
  const shadow = shadowOf(frame);
  for (const place of places)
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      setUndefined(shadow, place, firstLane(rest), false);
      setObject(shadow, place, firstLane(rest), 0);
    }
};

/** arrive, arrive_drop, expect_tx and complete_tx. */
const arrival: WatchOf = (watched) => {
  const { opcode } = watched;
  const { id } = opcode.form;
  const arrives = id.startsWith("mbarrier.arrive");
  const expects = hasModifier(opcode, "expect_tx") || id.startsWith("mbarrier.expect_tx");
  const releases = arrives && !hasModifier(opcode, "relaxed");
  const drops = id.startsWith("mbarrier.arrive_drop");
  const countOf = numberOf(watched, operandNamed(watched, "count"), 1);
  const visit = visitObjects(watched, (context, warp) => {
    const order = warpOrder(context.order, warp);
    /** Objects as the earlier lanes of this instruction leave them. */
    const now = new Map<MbarrierState, { pending: number; expected: number; bytes: number }>();
    return (actor, target) => {
      const known = mbarrierOf(context, target.block, target.address);
      const state =
        known !== undefined && now.has(known) ? known : useOf(context, actor, target, arrives ? "an arrival" : "use");
      checkOrder(context, actor, target, "atomic", strengthOf(2));
      if (state === undefined) return;
      let object = now.get(state);
      if (object === undefined)
        now.set(state, (object = { ...mbarrierAt({ view: target.block.shared, offset: target.address }) }));
      const count = countOf(actor.frame, actor.lane);
      // A thread that does not know that the previous phase is over may arrive in that phase, where its arrival is one too many.
      if (
        arrives &&
        state.phase > state.first &&
        !isOrderedBefore(context.order, order, actor.lane, state.key, state.phase - 1)
      )
        reportLimit(
          context,
          actor,
          "an arrival beyond the count: the phase may have ended without it, and the thread did not wait for its end",
          "pass the number of arrivals of a phase to mbarrier.init, and let each thread wait before it arrives again",
        );
      if (expects && object.bytes + count >= COUNT_LIMIT)
        reportLimit(
          context,
          actor,
          `expect_tx of ${count} bytes with ${object.bytes} pending: the limit is ${COUNT_LIMIT - 1}`,
          "let one thread expect the bytes of a phase, once",
        );
      if (releases) {
        const released = releaseLane(context.order, order, actor.lane);
        state.coming = joinClocks(state.coming, released);
        seeOwnRelease(order, actor.lane, released);
      }
      if (expects) object.bytes += count;
      if (arrives) object.pending -= expects ? 1 : count;
      if (drops) object.expected -= 1;
      if (object.pending > 0 || object.bytes !== 0) return;
      object.pending = object.expected;
      endPhase(context, state);
    };
  });
  return (context, warp, group, active) => {
    visit?.(context, warp, group, active);
    results(group.frame, watched.writes, active);
  };
};

function reportLimit(context: LaunchContext, actor: Actor, message: string, remedy: string): void {
  report(context, actor, () => ({ kind: "mbarrier", space: "shared", message, remedy }), "mbarrier:limit");
}

const wait: WatchOf = (watched) => {
  const bound = targetNamed(watched, "a");
  if (bound === undefined) return undefined;
  return (context, warp, { frame, pc }, active) => {
    const target = newTarget(warp);
    const objectOf = objectOfTarget(context, watched, bound);
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const actor: Actor = { warp, frame, pc, lane: firstLane(rest) };
      if (!locate(context, actor, bound, target, objectOf(frame, actor.lane))) continue;
      useOf(context, actor, target, "a wait");
      checkOrder(context, actor, target, "atomic", strengthOf(2));
    }
    results(frame, watched.writes, active);
  };
};

/**
 * Lanes have found phases over: they learn the clocks of the threads that arrived, and that the operations signalled there are
 * complete.
 */
export function phasesOver(
  context: LaunchContext,
  warp: Warp,
  awaited: readonly AwaitedPhase[],
  over: number,
  acquires: boolean,
): void {
  const order = warpOrder(context.order, warp);
  for (const { at, lanes } of awaited) {
    const block = warp.block.cluster.blocks.find(({ shared }) => shared === at.view);
    const state = block && currentMbarrier(context, block, at.offset);
    if (state === undefined) continue;
    for (let rest = lanes & over; rest !== 0; rest &= rest - 1)
      if (acquires) joinClock(order, firstLane(rest), state.come);
  }
}

/** By the first two words of the form id. */
export const mbarrierWatches: Readonly<Record<string, WatchOf>> = {
  "mbarrier.init": init,
  "mbarrier.inval": inval,
  "mbarrier.arrive": arrival,
  "mbarrier.arrive_drop": arrival,
  "mbarrier.expect_tx": arrival,
  "mbarrier.complete_tx": arrival,
  "mbarrier.test_wait": wait,
  "mbarrier.try_wait": wait,
};
