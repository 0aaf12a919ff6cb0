// Schedules the groups of one warp that wait for nothing: ../launch/run-warp.ts and ../machine/warp.ts once more, in WebAssembly.
// It serves loops whose lanes diverge and converge every few instructions, and calls and returns (calls.ts). Every choice is the
// same: which group runs, for how long, and which groups merge. It returns when the interpreter or the block has to act, or the
// warp's share is used up.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { GROUP_SLICE } from "../machine/step.js";
import { HEADER } from "../machine/frame-header.table.js";
import { BLOCK, BLOCK_BYTES, CONTEXT, ENDING, FUNCTION, GROUP, GROUP_BYTES, REASON, WARP } from "./context.table.js";
import { wordFunction, type WordFunction } from "./word-function.js";

/** Numbers of the functions that it calls. */
interface Called {
  readonly run: number;
  readonly enter: number;
  readonly leave: number;
}

const PARAMETERS = ["context", "warp", "left"] as const;
const LOCALS = [
  // Addresses of groups' records, and numbers.
  ...(["groups", "end", "at", "one", "other", "count", "pc", "low", "meeting", "budget", "block"] as const),
  ...(["reason", "rest", "taken"] as const),
  // Frames of lanes and their destinations; the frame that the context describes, and its function's blocks.
  ...(["frame", "next", "described", "blocks", "blockAt"] as const),
] as const;

type Schedule = WordFunction<(typeof PARAMETERS)[number] | (typeof LOCALS)[number]>;

/**
 * schedule(context, the warp's record, instructions left to the warp): returns budget, step, or split if the interpreter has to
 * move lanes to another frame. The context names the group.
 */
export function scheduleFunction(called: Called): CodeWriter {
  const schedule: Schedule = wordFunction(PARAMETERS, LOCALS);
  const { code, local, load } = schedule;
  const { context, warp, groups, count, blocks, blockAt, described } = local;
  load(context, CONTEXT.words).set(described);
  load(context, CONTEXT.blocks).set(blocks);
  load(context, CONTEXT.blockAt).set(blockAt);
  code.get(warp).i32(WARP.groups).op("i32.add").set(groups);
  load(warp, WARP.groupCount).set(count);
  setEnd(schedule);
  code.loop();
  chooseTurn(schedule);
  describeFrame(schedule);
  runTurn(schedule, called.run);
  endTurn(schedule, called);
  return code.br(0).op("end", "unreachable");
}

// ----------------------------------------------------------------------------------------------------------- records of groups

/** Runs `body` for `value` from its group to the last one. */
function eachGroup({ code, local, add }: Schedule, value: Local, body: () => void): void {
  code.block().loop();
  code.get(value).get(local.end).op("i32.ge_u").brIf(1);
  body();
  add(value, GROUP_BYTES);
  code.br(0).op("end", "end");
}

const setEnd = ({ code, local: { groups, count, end } }: Schedule): void =>
  void code.get(groups).get(count).i32(4).op("i32.shl", "i32.add").set(end);

/** Pushes whether both groups are in one frame. */
function pushAreTogether({ load }: Schedule, a: Local, b: Local): CodeWriter {
  load(a, GROUP.frame);
  return load(b, GROUP.frame).op("i32.eq");
}

/** Removes the group at `from`, moving those after it up by one. */
function closeUp(schedule: Schedule, from: Local): void {
  const { code, local, add } = schedule;
  code.block().loop();
  code.get(from).i32(GROUP_BYTES).op("i32.add").get(local.end).op("i32.ge_u").brIf(1);
  code.get(from).get(from).memory("v128.load", GROUP_BYTES).memory("v128.store", 0);
  add(from, GROUP_BYTES);
  code.br(0).op("end", "end");
  add(local.count, -1);
  setEnd(schedule);
}

/** `taken` lanes join the group in frame `next` at `pc`, or form a new group with the penalty that `pushPenalty` pushes. */
function join(schedule: Schedule, pushPenalty: () => void): void {
  const { code, local, load, store, add } = schedule;
  const { groups, one, end, pc, next, taken, count } = local;
  code.block().get(groups).set(one);
  eachGroup(schedule, one, () => {
    load(one, GROUP.pc).get(pc).op("i32.eq");
    load(one, GROUP.frame).get(next).op("i32.eq", "i32.and").if();
    store(one, GROUP.mask, () => load(one, GROUP.mask).get(taken).op("i32.or"));
    // Out of the if, the loop, its block, and the outer block, which skips the new group.
    code.br(3).op("end");
  });
  store(end, GROUP.pc, () => code.get(pc));
  store(end, GROUP.mask, () => code.get(taken));
  store(end, GROUP.penalty, pushPenalty);
  store(end, GROUP.frame, () => code.get(next));
  add(count, 1);
  setEnd(schedule);
  code.op("end");
}

const storeCount = ({ code, store, local: { warp, count } }: Schedule): void =>
  store(warp, WARP.groupCount, () => code.get(count));

/** Returns from the function. */
function leaveWith({ code, store, local: { context, left } }: Schedule, reason: number): void {
  store(context, CONTEXT.warpLeft, () => code.get(left));
  code.i32(reason).op("return");
}

// --------------------------------------------------------------------------------------------------------------- choose a group

/** Sets `at` to the group that runs next, `low` and `meeting` to the nearest pcs of others, and `budget`. */
function chooseTurn(schedule: Schedule): void {
  const { code, local, store } = schedule;
  const { context, left, groups, at, count, low, meeting, budget } = local;
  code.get(groups).set(at).i32(0).set(low).i32(0x7fffffff).set(meeting);
  code.get(count).i32(1).op("i32.ne").if();
  mergeGroups(schedule);
  storeCount(schedule);
  chooseGroup(schedule);
  findMeeting(schedule);
  code.op("end");
  code.get(count).i32(1).op("i32.eq").if();
  store(groups, GROUP.penalty, () => code.i32(0));
  code.op("end");
  store(context, CONTEXT.group, () => code.get(at).get(groups).op("i32.sub").i32(4).op("i32.shr_u"));
  code.get(left).i32(0).op("i32.le_s").if();
  leaveWith(schedule, REASON.budget);
  code.op("end");
  code.get(left).i32(GROUP_SLICE).get(left).i32(GROUP_SLICE).op("i32.lt_s", "select").set(budget);
}

/** Merges groups at the same pc of the same frame. */
function mergeGroups(schedule: Schedule): void {
  const { code, local, load, store, add } = schedule;
  const { groups, end, at, one, other } = local;
  code.get(groups).set(one);
  eachGroup(schedule, one, () => {
    code.get(end).i32(GROUP_BYTES).op("i32.sub").set(other);
    code.block().loop();
    code.get(other).get(one).op("i32.le_u").brIf(1);
    load(one, GROUP.pc);
    load(other, GROUP.pc).op("i32.eq");
    pushAreTogether(schedule, one, other).op("i32.and").if();
    store(one, GROUP.mask, () => {
      load(one, GROUP.mask);
      load(other, GROUP.mask).op("i32.or");
    });
    code.get(other).set(at);
    closeUp(schedule, at);
    code.op("end");
    add(other, -GROUP_BYTES);
    code.br(0).op("end", "end");
  });
}

/** Sets `at` to the group with the least penalty; among equals the deepest in calls, then the lowest pc. */
function chooseGroup(schedule: Schedule): void {
  const { code, local, load } = schedule;
  const { groups, at, one, frame, next } = local;
  code.get(groups).tee(at).i32(GROUP_BYTES).op("i32.add").set(one);
  eachGroup(schedule, one, () => {
    load(one, GROUP.penalty);
    load(at, GROUP.penalty).op("i32.lt_u");
    load(one, GROUP.penalty);
    load(at, GROUP.penalty).op("i32.eq");
    load(one, GROUP.frame).memory("i32.load", HEADER.depth).tee(frame);
    load(at, GROUP.frame).memory("i32.load", HEADER.depth).tee(next).op("i32.gt_u");
    code.get(frame).get(next).op("i32.eq");
    load(one, GROUP.pc);
    load(at, GROUP.pc).op("i32.lt_u", "i32.and", "i32.or", "i32.and", "i32.or").if().get(one).set(at).op("end");
  });
}

/** Ends the turn at the nearest groups on both sides, in the same frame. */
function findMeeting(schedule: Schedule): void {
  const { code, local, load, add } = schedule;
  const { groups, at, one, other, pc, low, meeting } = local;
  load(at, GROUP.pc).set(pc);
  code.get(groups).set(one);
  eachGroup(schedule, one, () => {
    code.get(one).get(at).op("i32.ne");
    pushAreTogether(schedule, one, at).op("i32.and").if();
    load(one, GROUP.pc).tee(other).get(pc).op("i32.gt_u").if();
    code.get(other).get(meeting).get(other).get(meeting).op("i32.lt_u", "select").set(meeting).op("else");
    add(other, 1);
    code.get(other).get(low).get(other).get(low).op("i32.gt_u", "select").set(low).op("end", "end");
  });
}

// ------------------------------------------------------------------------------------------------------------------- run it

/** Makes the context describe the group's frame. */
function describeFrame({ code, local, load, store }: Schedule): void {
  const { context, at, frame, next, described, blocks, blockAt } = local;
  load(at, GROUP.frame).tee(frame).get(described).op("i32.ne").if();
  store(context, CONTEXT.words, () => code.get(frame).tee(described));
  for (const field of ["localBase", "localTop"] as const)
    store(context, CONTEXT[field], () => load(frame, HEADER[field]));
  load(frame, HEADER.fn).tee(next);
  load(context, CONTEXT.fn).op("i32.ne").if();
  store(context, CONTEXT.fn, () => code.get(next));
  store(context, CONTEXT.blocks, () => load(next, FUNCTION.blocks).tee(blocks));
  store(context, CONTEXT.blockAt, () => load(next, FUNCTION.blockAt).tee(blockAt));
  code.op("end", "end");
}

function runTurn(schedule: Schedule, run: number): void {
  const { code, local, load, store } = schedule;
  const { context, warp, at, block, blocks, blockAt, budget, low, meeting, reason, rest } = local;
  code.get(blockAt);
  load(at, GROUP.pc).i32(2).op("i32.shl", "i32.add").memory("i32.load").tee(block).i32(0).op("i32.lt_s").if();
  store(context, CONTEXT.left, () => code.get(budget));
  // No block is ending.
  store(context, CONTEXT.index, () => code.i32(-1));
  store(context, CONTEXT.undone, () => code.i32(0));
  leaveWith(schedule, REASON.step);
  code.op("end");
  store(context, CONTEXT.warpIssued, () => load(warp, WARP.issued));
  code.get(context).get(blocks).get(block);
  load(at, GROUP.mask).get(budget).get(low).get(meeting).get(low).op("i32.sub").call(run).set(reason);
  countRun(schedule);
  store(at, GROUP.pc, () => load(context, CONTEXT.pc));
  code.get(reason).i32(REASON.step).op("i32.eq").if();
  store(context, CONTEXT.undone, () => code.i32(0));
  leaveWith(schedule, REASON.step);
  code.op("end");
  load(context, CONTEXT.left).set(rest);
}

/** Adds the run's counts to the totals. Not reached after a fault, which is reported with the counts before. */
function countRun({ code, local, load, store, increase }: Schedule): void {
  const { context, warp } = local;
  for (const [base, field] of [
    [context, CONTEXT.total],
    [warp, WARP.issued],
  ] as const)
    increase(base, field, () => load(context, CONTEXT.issued));
  increase(context, CONTEXT.totalThreads, () => {
    load(context, CONTEXT.threads);
    load(context, CONTEXT.guarded).op("i32.add");
  });
  store(context, CONTEXT.guarded, () => code.i32(0));
}

// --------------------------------------------------------------------------------------------------------------- end its turn

/** Splits the group after a divergent branch, and penalises a group that has used up its budget. */
function endTurn(schedule: Schedule, called: Called): void {
  const { code, local, load, store } = schedule;
  const { context, at, block, blocks, reason, taken, other, pc, frame, next } = local;
  code.get(reason).i32(REASON.split).op("i32.eq").if();
  load(context, CONTEXT.taken).set(taken);
  code.get(blocks);
  load(context, CONTEXT.index).i32(BLOCK_BYTES).op("i32.mul", "i32.add").set(block);
  load(block, BLOCK.ending).tee(other).if();
  moveLanes(schedule, called);
  // To the next turn: out of both ifs.
  code.br(2).op("end");
  // Lanes that branch join the group at the target, or form a new one.
  keepOthers(schedule);
  store(at, GROUP.pc, () => load(block, BLOCK.nextPc));
  load(block, BLOCK.takenPc).set(pc);
  code.get(frame).set(next);
  join(schedule, () => load(at, GROUP.penalty));
  storeCount(schedule);
  code.op("end");
  spend(schedule);
  penalise(schedule);
}

/** Moves the lanes of a call or return to another frame; returns if the interpreter has to do it. */
function moveLanes(schedule: Schedule, { enter, leave }: Called): void {
  const { code, local, load, store } = schedule;
  const { context, at, one, other, block, meeting, taken, pc, frame, next, described } = local;
  code.i32(0).set(next);
  code.get(other).i32(ENDING.call).op("i32.eq").if();
  load(block, BLOCK.link).tee(one).if();
  code.get(context).get(frame).get(one).get(taken);
  load(block, BLOCK.nextPc).call(enter).set(next).i32(0).set(pc);
  // The new frame may be the one described, from an earlier call: it must be described again.
  code.i32(0).set(described).op("end", "else");
  code.get(other).i32(ENDING.ret).op("i32.eq").if();
  load(frame, HEADER.returnPc).set(pc);
  code.get(context).get(frame).get(taken).call(leave).set(next).op("end", "end");
  code.get(next).op("i32.eqz").if();
  store(at, GROUP.pc, () => load(block, BLOCK.lastPc));
  store(context, CONTEXT.undone, () => code.get(taken));
  leaveWith(schedule, REASON.split);
  code.op("end");
  spend(schedule);
  load(at, GROUP.penalty).set(meeting);
  keepOthers(schedule);
  load(at, GROUP.mask).if();
  store(at, GROUP.pc, () => load(block, BLOCK.nextPc));
  penalise(schedule);
  code.op("else");
  closeUp(schedule, at);
  code.op("end");
  join(schedule, () => code.get(meeting));
  storeCount(schedule);
}

const keepOthers = ({ store, load, local: { at, taken } }: Schedule): void =>
  store(at, GROUP.mask, () => load(at, GROUP.mask).get(taken).i32(-1).op("i32.xor", "i32.and"));

const spend = ({ code, local: { left, budget, rest } }: Schedule): void =>
  void code.get(left).get(budget).get(rest).op("i32.sub", "i32.sub").set(left);

/** A group that has used up its budget comes after those with less penalty. */
function penalise({ code, store, load, local: { at, rest } }: Schedule): void {
  code.get(rest).i32(0).op("i32.le_s").if();
  store(at, GROUP.penalty, () => load(at, GROUP.penalty).i32(1).op("i32.add"));
  code.op("end");
}
