// Merges collectives that lanes of a warp reach at different instructions: in both branches of an `if`, or in one function called
// from two places. PTX ISA 9.0, 9.7.9.6 and 9.7.13.9 ff., requires "the same qualifiers and the same membermask", not the same
// instruction.
// Lanes at one instruction of one frame form a group and need no merging; merging is tried when a group would have to wait.
// One participant executes for all: the others copy their operands into their lanes of its registers, and copy the results back.

import type { Place } from "../state/frame.js";
import type { Step, MergeKey, BoundOperand } from "../state/step.js";
import type { Group, Warp } from "../state/warp.js";
import { recheckWarp } from "./warp-sync.js";
import { lanesIn } from "./walk.js";
import { createGroup } from "./warp.js";

/** Makes the lanes `lanes` of a group wait at the collective for its missing members; the group's other lanes continue. */
export function waitForMembers(warp: Warp, group: Group, lanes: number, active: number): void {
  const { frame, pc } = group;
  const members = frame.program.steps[pc]!.members!.named(frame, active & lanes) & warp.live;
  // If all members have arrived, some have another mask: they still count as missing.
  const wait = { kind: "collective", members, missing: members & ~lanes || members } as const;
  if (lanes === group.mask) {
    group.wait = wait;
    recheckWarp(warp);
    return;
  }
  group.mask &= ~lanes;
  warp.groups.push({ ...createGroup(frame, pc, lanes), wait });
}

/**
 * Executes the group's collective together with all groups that wait at the same one. Returns the executing lanes; 0 if members
 * are missing.
 */
export function executeMerged(warp: Warp, group: Group, active: number): number {
  const members = group.frame.program.steps[group.pc]!.members!.named(group.frame, active) & warp.live;
  const leader = participantOf(group, members);
  const others = warp.groups.flatMap((other) =>
    other !== group && other.wait?.kind === "collective" && ((other.wait.members ^ members) & warp.live) === 0
      ? [participantOf(other, other.wait.members)]
      : [],
  );
  const participants = [leader, ...others.filter((other) => canMerge(other.step.mergeKey, leader.step.mergeKey))];
  const lanes = participants.reduce((all, participant) => all | participant.group.mask, 0);
  if (participants.length === 1 || participants.some((participant) => (participant.members & warp.live & ~lanes) !== 0))
    return 0;
  const merged = participants.slice(1);
  const { words } = group.frame;
  // Frames and registers may overlap, so every copy reads a snapshot.
  const before = words.slice();
  for (const other of merged) copyOperands(other, other.group.frame.words.slice(), leader, words, other.active, "read");
  const executing = participants.reduce((all, participant) => all | participant.active, 0);
  leader.step.lanes!(group.frame, executing);
  const after = words.slice();
  for (const other of merged)
    for (const { place } of leader.step.mergeKey!.operands) copyLanes(before, place, words, place, other.active);
  for (const other of merged) {
    copyOperands(leader, after, other, other.group.frame.words, other.active, "write");
    other.group.wait = undefined;
    other.group.pc++;
  }
  return executing;
}

interface Participant {
  readonly group: Group;
  readonly step: Step;
  /** Lanes whose guard holds. */
  readonly active: number;
  readonly members: number;
}

function participantOf(group: Group, members: number): Participant {
  const { frame, mask, pc } = group;
  const step = frame.program.steps[pc]!;
  const active = step.guard < 0 ? mask : mask & (frame.words[step.guard]! ^ step.flip);
  return { group, step, active, members };
}

/** Whether the operands correspond: operands that share a place in `to` must share one in `from` too. */
function canMerge(from: MergeKey | undefined, to: MergeKey | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  if (from.opcode !== to.opcode || from.operands.length !== to.operands.length) return false;
  return to.operands.every((operand, i) => {
    const other = from.operands[i]!;
    if (operand.place.stride !== other.place.stride || operand.negated !== other.negated) return false;
    return to.operands.every(
      (again, j) =>
        operand.access !== again.access ||
        operand.place.word !== again.place.word ||
        other.place.word === from.operands[j]!.place.word,
    );
  });
}

function copyOperands(
  from: Participant,
  source: Int32Array,
  to: Participant,
  target: Int32Array,
  mask: number,
  access: BoundOperand["access"],
): void {
  const targets = to.step.mergeKey!.operands;
  from.step.mergeKey!.operands.forEach((operand, i) => {
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
