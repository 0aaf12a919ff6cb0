// Collectives that lanes of a warp reach at different places: in both branches of an `if`, or in one function called from
// two. PTX ISA 9.0, 9.7.9.6 and 9.7.13.9 ff., asks for "the same qualifiers and the same membermask", not for the same
// instruction. Lanes at one instruction of one frame are a group and need none of this; it is tried when a group would have
// to wait. One party executes for all: the others lend it their operands in their lanes, and take the results.

import { recheckWarp } from "./warp-sync.js";
import type { Opcode } from "../isa/opcode.js";
import type { Place } from "./lanes.js";
import type { Step } from "./step.js";
import { lanesIn } from "./walk.js";
import { createGroup, type Group, type Warp } from "./warp.js";

/** An operand of a bound instruction, in the order in which its meaning asked for them. */
export interface BoundOperand {
  readonly place: Place;
  readonly access: "read" | "write";
  readonly negated: boolean;
}

/** What another instruction must share to execute together with this one. */
export interface Joint {
  readonly opcode: Opcode;
  readonly operands: readonly BoundOperand[];
}

/** Of a group that stands at a collective, `lanes` wait there for others; the rest of it, if any, does not. */
export function holdBack(warp: Warp, group: Group, lanes: number, active: number): void {
  const { frame, pc } = group;
  const members = frame.program.steps[pc]!.members!.named(frame, active & lanes) & warp.live;
  // Where all that are named are here, some have come with another mask: they are missing all the same.
  const wait = { kind: "collective", members, missing: members & ~lanes || members } as const;
  if (lanes === group.mask) {
    group.wait = wait;
    recheckWarp(warp);
    return;
  }
  group.mask &= ~lanes;
  warp.groups.push({ ...createGroup(frame, pc, lanes), wait });
}

/** Executes the collective that `group` stands at with all who wait at the same one elsewhere. The lanes, 0 when some are missing. */
export function executeTogether(warp: Warp, group: Group, active: number): number {
  const members = group.frame.program.steps[group.pc]!.members!.named(group.frame, active) & warp.live;
  const leader = partyOf(group, members);
  const others = warp.groups.flatMap((other) =>
    other !== group && other.wait?.kind === "collective" && ((other.wait.members ^ members) & warp.live) === 0
      ? [partyOf(other, other.wait.members)]
      : [],
  );
  const parties = [leader, ...others.filter((other) => mayLend(other.step.joint, leader.step.joint))];
  const lanes = parties.reduce((all, party) => all | party.group.mask, 0);
  if (parties.length === 1 || parties.some((party) => (party.members & warp.live & ~lanes) !== 0)) return 0;
  const helped = parties.slice(1);
  const { words } = group.frame;
  // Frames may be the same and places too: everything is copied from what was there before.
  const before = words.slice();
  for (const other of helped) copyOperands(other, other.group.frame.words.slice(), leader, words, other.active, "read");
  const executing = parties.reduce((all, party) => all | party.active, 0);
  leader.step.lanes!(group.frame, executing);
  const after = words.slice();
  for (const other of helped)
    for (const { place } of leader.step.joint!.operands) copyLanes(before, place, words, place, other.active);
  for (const other of helped) {
    copyOperands(leader, after, other, other.group.frame.words, other.active, "write");
    other.group.wait = undefined;
    other.group.pc++;
  }
  return executing;
}

interface Party {
  readonly group: Group;
  readonly step: Step;
  /** Lanes whose guard holds. */
  readonly active: number;
  readonly members: number;
}

function partyOf(group: Group, members: number): Party {
  const { frame, mask, pc } = group;
  const step = frame.program.steps[pc]!;
  const active = step.guard < 0 ? mask : mask & (frame.words[step.guard]! ^ step.flip);
  return { group, step, active, members };
}

/** Whether operands of one can stand at the places of the other: places that the other has only once must be one here too. */
function mayLend(from: Joint | undefined, to: Joint | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  if (from.opcode !== to.opcode || from.operands.length !== to.operands.length) return false;
  return to.operands.every((operand, i) => {
    const lent = from.operands[i]!;
    if (operand.place.stride !== lent.place.stride || operand.negated !== lent.negated) return false;
    return to.operands.every(
      (again, j) =>
        operand.access !== again.access ||
        operand.place.word !== again.place.word ||
        lent.place.word === from.operands[j]!.place.word,
    );
  });
}

function copyOperands(
  from: Party,
  source: Int32Array,
  to: Party,
  target: Int32Array,
  mask: number,
  access: BoundOperand["access"],
): void {
  const targets = to.step.joint!.operands;
  from.step.joint!.operands.forEach((operand, i) => {
    if (operand.access === access) copyLanes(source, operand.place, target, targets[i]!.place, mask);
  });
}

function copyLanes(source: Int32Array, from: Place, target: Int32Array, to: Place, mask: number): void {
  if (from.stride === 0) {
    target[to.word] = (target[to.word]! & ~mask) | (source[from.word]! & mask);
    return;
  }
  for (const lane of lanesIn(mask))
    for (let word = 0; word < from.stride; word++)
      target[to.word + to.stride * lane + word] = source[from.word + from.stride * lane + word]!;
}
