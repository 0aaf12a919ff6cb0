// Barriers: PTX ISA 9.0 sections 9.7.13.1 and 9.7.13.2. The pc of waiting lanes is already after the instruction; the block's
// barrier (machine/block.ts) wakes them.

import { hasModifier } from "../../isa/opcode.js";
import { arriveAtBarrier, arriveAtCluster, clusterWaiters, BARRIER_COUNT, barrierOf } from "../machine/block.js";
import { checkOwnLanes } from "../machine/own-lanes.js";
import type { Frame } from "../state/frame.js";
import type { Group, Wait, Warp } from "../state/warp.js";
import { recheckWarp } from "../machine/warp-sync.js";
import type { Binder } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import { addLanes, countLanes, createGroup, firstLane, removeGroup } from "../machine/warp.js";
import { lanesIn } from "../machine/walk.js";
import { custom, type Meaning, type Meanings } from "./meaning.js";

/** The value that the active lanes agree on; barrier numbers and counts are warp-uniform. */
function uniform(binder: Binder, name: string, fallback: number): (frame: Frame, active: number) => number {
  const index = binder.opcode.form.operands.findIndex((spec) => spec.name === name);
  const operand = index < 0 ? undefined : binder.operand(index);
  if (operand === undefined) return () => fallback;
  const { word } = binder.read(operand, 32);
  return (frame, active) => frame.words[word + firstLane(active)]!;
}

/** Makes the active lanes wait, with the pc after the instruction; returns their group. */
function sleep(warp: Warp, group: Group, active: number, wait: Wait): Group {
  if (active === group.mask) {
    group.pc++;
    group.wait = wait;
    return group;
  }
  group.mask &= ~active;
  const sleeper = createGroup(group.frame, group.pc + 1, active, group.penalty);
  sleeper.wait = wait;
  warp.groups.push(sleeper);
  addLanes(warp, group.frame, group.pc + 1, group.mask, group.penalty);
  removeGroup(warp, group);
  return sleeper;
}

/** The waits of groups, by the barrier's number. */
const waits: readonly Wait[] = Array.from({ length: BARRIER_COUNT }, (_, number) => ({
  kind: "barrier",
  barrier: number,
}));

function checkNumber(number: number, lane: number): void {
  if (number < 0 || number >= BARRIER_COUNT)
    throw new KernelFault(
      "illegal-address",
      `barrier ${number} does not exist: a block has ${BARRIER_COUNT}, numbered from 0`,
      {
        lane,
      },
    );
}

const barrier: Meaning = custom((binder) => {
  const number = uniform(binder, "a", 0);
  const count = uniform(binder, "b", 0);
  const arrivesOnly = hasModifier(binder.opcode, "arrive");
  const isReduction = hasModifier(binder.opcode, "red");
  const write = isReduction ? reduction(binder) : undefined;
  return {
    control: (warp, group, active) => {
      if (active === 0) {
        group.pc++;
        return true;
      }
      const { frame } = group;
      const which = number(frame, active);
      const expected = count(frame, active);
      checkNumber(which, firstLane(active));
      if (arrivesOnly) {
        group.pc++;
        arriveAtBarrier(warp.block, which, warp, active, expected);
        return false;
      }
      sleep(warp, group, active, waits[which]!);
      if (write !== undefined) write(warp, frame, active, which);
      arriveAtBarrier(warp.block, which, warp, active, expected);
      return false;
    },
  };
});

/** Adds the lanes' predicates to the barrier's count, and registers a function that writes the result when it opens. */
function reduction(binder: Binder): (warp: Warp, frame: Frame, active: number, which: number) => void {
  const isCount = hasModifier(binder.opcode, "popc");
  const wantsAll = hasModifier(binder.opcode, "and");
  const target = binder.write(binder.operand(0), isCount ? 32 : 1).word;
  const predicateAt = binder.opcode.form.operands.findIndex((spec) => spec.name === "c");
  const predicate = binder.read(binder.operand(predicateAt), 1).word;
  return (warp, frame, active, which) => {
    const barrierState = barrierOf(warp.block, which);
    barrierState.truths += countLanes(frame.words[predicate]! & active);
    barrierState.voters += countLanes(active);
    barrierState.results.push((truths, voters) => {
      const w = frame.words;
      if (isCount) {
        for (let lane = 0; lane < 32; lane++) if (((active >>> lane) & 1) !== 0) w[target + lane] = truths;
        return;
      }
      const isTrue = wantsAll ? truths === voters : truths > 0;
      w[target] = (w[target]! & ~active) | (isTrue ? active : 0);
    });
  };
}

/** bar.warp.sync: waits for the named lanes, which may arrive in different groups. Lanes may name different masks. */
const warpSync: Meaning = custom((binder) => {
  const { word } = binder.read(binder.operand(0), 32);
  const { spelling } = binder.opcode;
  return {
    control: (warp, group, active) => {
      if (active === 0) {
        group.pc++;
        return true;
      }
      const { frame, mask, pc, penalty } = group;
      const parties = new Map<number, number>();
      for (const lane of lanesIn(active)) {
        const members = frame.words[word + lane]!;
        parties.set(members, (parties.get(members) ?? 0) | (1 << lane));
      }
      for (const [members, lanes] of parties) checkOwnLanes(frame, lanes, members, spelling);
      const isComplete = [...parties].every(([members, lanes]) => (members & warp.live & ~lanes) === 0);
      if (isComplete && active === mask) {
        for (const lanes of parties.values()) warp.block.launch.sanitizer?.syncWarp(warp, lanes);
        group.pc++;
        return true;
      }
      removeGroup(warp, group);
      addLanes(warp, frame, pc + 1, mask & ~active, penalty);
      for (const [members, lanes] of parties) {
        const sleeper = createGroup(frame, pc + 1, lanes, penalty);
        sleeper.wait = { kind: "warp", members };
        warp.groups.push(sleeper);
      }
      recheckWarp(warp);
      return false;
    },
  };
});

const clusterArrive: Meaning = custom(() => ({
  control: (warp, group, active) => {
    group.pc++;
    if (active !== 0) arriveAtCluster(warp, active);
    return false;
  },
}));

const clusterWait: Meaning = custom(() => ({
  control: (warp, group, active) => {
    const waiting = clusterWaiters(warp, active);
    if (waiting === 0) {
      group.pc++;
      return true;
    }
    sleep(warp, group, waiting, { kind: "cluster" });
    return false;
  },
}));

export const barrierMeanings: Meanings = {
  "bar.warp.sync": () => warpSync,
  "barrier.cluster.arrive": () => clusterArrive,
  "barrier.cluster.wait": () => clusterWait,
  bar: () => barrier,
  barrier: () => barrier,
};
