// Groups of one warp that wait for nothing: the scheduling of ../run-warp.ts and ../warp.ts once more, in WebAssembly, for loops
// whose lanes part and meet again every few instructions, and for calls and returns (calls.ts). Every choice is the same: who
// runs, how long, who joins whom. It comes back when the interpreter or the block has to do something, or the warp's share is
// used up.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { PATIENCE } from "../step.js";
import { HEADER } from "../frame-header.table.js";
import { BLOCK, BLOCK_BYTES, CONTEXT, ENDING, FUNCTION, GROUP, GROUP_BYTES, REASON, WARP } from "./context.table.js";
import { wordFunction } from "./word-function.js";

/** Functions that it calls, by number. */
interface Called {
  readonly run: number;
  readonly enter: number;
  readonly leave: number;
}

/**
 * schedule(context, the warp's record, instructions left to the warp): budget, step, or split where the interpreter has to
 * send lanes to another frame; which is in the context.
 */
export function scheduleFunction({ run, enter, leave: leaveFrame }: Called): CodeWriter {
  const { code, local, load, store, increase, add } = wordFunction(
    ["context", "warp", "left"],
    // Records of groups, and numbers.
    [
      "groups",
      "end",
      "at",
      "one",
      "other",
      "count",
      "pc",
      "low",
      "meeting",
      "budget",
      "block",
      "reason",
      "rest",
      "taken",
      // Where lanes are, and go; the frame that the context describes, and its function's blocks.
      "frame",
      "next",
      "described",
      "blocks",
      "blockAt",
    ],
  );
  const { context, warp, left, groups, end, at, one, other, count, blocks, blockAt } = local;
  const { pc, low, meeting, budget, block, reason, rest, taken, frame, next, described } = local;
  /** Runs `body` for `value` from where it is to the last group. */
  const eachGroup = (value: Local, body: () => void): void => {
    code.block().loop();
    code.get(value).get(end).op("i32.ge_u").brIf(1);
    body();
    add(value, GROUP_BYTES);
    code.br(0).op("end", "end");
  };
  const setEnd = (): void => void code.get(groups).get(count).i32(4).op("i32.shl", "i32.add").set(end);
  const leave = (why: number): void => {
    store(context, CONTEXT.warpLeft, () => code.get(left));
    code.i32(why).op("return");
  };
  /** Whether both groups are in one frame. */
  const areTogether = (a: Local, b: Local): CodeWriter => {
    load(a, GROUP.frame);
    return load(b, GROUP.frame).op("i32.eq");
  };
  /** The groups from `from` on move up by one. */
  const closeUp = (from: Local): void => {
    code.block().loop();
    code.get(from).i32(GROUP_BYTES).op("i32.add").get(end).op("i32.ge_u").brIf(1);
    code.get(from).get(from).memory("v128.load", GROUP_BYTES).memory("v128.store", 0);
    add(from, GROUP_BYTES);
    code.br(0).op("end", "end");
    add(count, -1);
    setEnd();
  };
  /** `taken` lanes join the group in frame `next` at `pc`, or form a new group with the penalty that `pushPenalty` pushes. */
  const join = (pushPenalty: () => void): void => {
    code.block().get(groups).set(one);
    eachGroup(one, () => {
      load(one, GROUP.pc).get(pc).op("i32.eq");
      load(one, GROUP.frame).get(next).op("i32.eq", "i32.and").if();
      store(one, GROUP.mask, () => load(one, GROUP.mask).get(taken).op("i32.or"));
      // Out of the if, the loop, the block around it, and the one behind which nothing is added.
      code.br(3).op("end");
    });
    store(end, GROUP.pc, () => code.get(pc));
    store(end, GROUP.mask, () => code.get(taken));
    store(end, GROUP.penalty, pushPenalty);
    store(end, GROUP.frame, () => code.get(next));
    add(count, 1);
    setEnd();
    code.op("end");
  };
  const keepOthers = (): void =>
    store(at, GROUP.mask, () => load(at, GROUP.mask).get(taken).i32(-1).op("i32.xor", "i32.and"));
  /** A group that has used its turn up goes behind the others. */
  const endTurn = (): void => {
    code.get(rest).i32(0).op("i32.le_s").if();
    store(at, GROUP.penalty, () => load(at, GROUP.penalty).i32(1).op("i32.add"));
    code.op("end");
  };

  load(context, CONTEXT.words).set(described);
  load(context, CONTEXT.blocks).set(blocks);
  load(context, CONTEXT.blockAt).set(blockAt);
  code.get(warp).i32(WARP.groups).op("i32.add").set(groups);
  load(warp, WARP.groupCount).set(count);
  setEnd();
  code.loop();
  code.get(groups).set(at).i32(0).set(low).i32(0x7fffffff).set(meeting);
  code.get(count).i32(1).op("i32.ne").if();

  // Groups at the same place become one.
  code.get(groups).set(one);
  eachGroup(one, () => {
    code.get(end).i32(GROUP_BYTES).op("i32.sub").set(other);
    code.block().loop();
    code.get(other).get(one).op("i32.le_u").brIf(1);
    load(one, GROUP.pc);
    load(other, GROUP.pc).op("i32.eq");
    areTogether(one, other).op("i32.and").if();
    store(one, GROUP.mask, () => {
      load(one, GROUP.mask);
      load(other, GROUP.mask).op("i32.or");
    });
    code.get(other).set(at);
    closeUp(at);
    code.op("end");
    add(other, -GROUP_BYTES);
    code.br(0).op("end", "end");
  });
  store(warp, WARP.groupCount, () => code.get(count));

  // The one with the least penalty, of these the one that is deepest in calls, and of these the one at the lowest pc.
  code.get(groups).tee(at).i32(GROUP_BYTES).op("i32.add").set(one);
  eachGroup(one, () => {
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

  // Between the nearest groups on both sides.
  load(at, GROUP.pc).set(pc);
  code.get(groups).set(one);
  eachGroup(one, () => {
    code.get(one).get(at).op("i32.ne");
    areTogether(one, at).op("i32.and").if();
    load(one, GROUP.pc).tee(other).get(pc).op("i32.gt_u").if();
    code.get(other).get(meeting).get(other).get(meeting).op("i32.lt_u", "select").set(meeting).op("else");
    add(other, 1);
    code.get(other).get(low).get(other).get(low).op("i32.gt_u", "select").set(low).op("end", "end");
  });
  code.op("end");

  code.get(count).i32(1).op("i32.eq").if();
  store(groups, GROUP.penalty, () => code.i32(0));
  code.op("end");
  store(context, CONTEXT.group, () => code.get(at).get(groups).op("i32.sub").i32(4).op("i32.shr_u"));
  code.get(left).i32(0).op("i32.le_s").if();
  leave(REASON.budget);
  code.op("end");
  code.get(left).i32(PATIENCE).get(left).i32(PATIENCE).op("i32.lt_s", "select").set(budget);

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

  code.get(blockAt);
  load(at, GROUP.pc).i32(2).op("i32.shl", "i32.add").memory("i32.load").tee(block).i32(0).op("i32.lt_s").if();
  store(context, CONTEXT.left, () => code.get(budget));
  // None: no block's ending.
  store(context, CONTEXT.index, () => code.i32(-1));
  store(context, CONTEXT.undone, () => code.i32(0));
  leave(REASON.step);
  code.op("end");
  store(context, CONTEXT.warpIssued, () => load(warp, WARP.issued));
  code.get(context).get(blocks).get(block);
  load(at, GROUP.mask).get(budget).get(low).get(meeting).get(low).op("i32.sub").call(run).set(reason);
  // Not reached after a fault, which is reported with the counts before.
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
  store(at, GROUP.pc, () => load(context, CONTEXT.pc));
  code.get(reason).i32(REASON.step).op("i32.eq").if();
  store(context, CONTEXT.undone, () => code.i32(0));
  leave(REASON.step);
  code.op("end");
  load(context, CONTEXT.left).set(rest);
  const spend = (): void => void code.get(left).get(budget).get(rest).op("i32.sub", "i32.sub").set(left);

  code.get(reason).i32(REASON.split).op("i32.eq").if();
  load(context, CONTEXT.taken).set(taken);
  code.get(blocks);
  load(context, CONTEXT.index).i32(BLOCK_BYTES).op("i32.mul", "i32.add").set(block);
  load(block, BLOCK.ending).tee(other).if();
  // Lanes that go to another frame, if that can be done here.
  code.i32(0).set(next);
  code.get(other).i32(ENDING.call).op("i32.eq").if();
  load(block, BLOCK.link).tee(one).if();
  code.get(context).get(frame).get(one).get(taken);
  load(block, BLOCK.nextPc).call(enter).set(next).i32(0).set(pc);
  // The frame may be one that was described as that of another call.
  code.i32(0).set(described).op("end", "else");
  code.get(other).i32(ENDING.ret).op("i32.eq").if();
  load(frame, HEADER.returnPc).set(pc);
  code.get(context).get(frame).get(taken).call(leaveFrame).set(next).op("end", "end");
  code.get(next).op("i32.eqz").if();
  store(at, GROUP.pc, () => load(block, BLOCK.lastPc));
  store(context, CONTEXT.undone, () => code.get(taken));
  leave(REASON.split);
  code.op("end");
  spend();
  load(at, GROUP.penalty).set(meeting);
  keepOthers();
  load(at, GROUP.mask).if();
  store(at, GROUP.pc, () => load(block, BLOCK.nextPc));
  endTurn();
  code.op("else");
  closeUp(at);
  code.op("end");
  join(() => code.get(meeting));
  store(warp, WARP.groupCount, () => code.get(count));
  // To the next turn: out of both ifs.
  code.br(2).op("end");

  // Lanes that branch join the group at the target, or form a new one.
  keepOthers();
  store(at, GROUP.pc, () => load(block, BLOCK.nextPc));
  load(block, BLOCK.takenPc).set(pc);
  code.get(frame).set(next);
  join(() => load(at, GROUP.penalty));
  store(warp, WARP.groupCount, () => code.get(count));
  code.op("end");
  spend();
  endTurn();
  return code.br(0).op("end", "unreachable");
}
