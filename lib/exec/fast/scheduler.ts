// Groups of one warp that are all in one frame and wait for nothing: the scheduling of ../run-warp.ts and ../warp.ts once more,
// in WebAssembly, for loops whose lanes part and meet again every few instructions. Every choice is the same: who runs, how
// long, who joins whom. It comes back when the interpreter or the block has to do something, or the warp's share is used up.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { PATIENCE } from "../step.js";
import { BLOCK, BLOCK_BYTES, CONTEXT, GROUP, GROUP_BYTES, REASON, WARP } from "./context.table.js";
import { wordFunction } from "./word-function.js";

/** schedule(context, blocks, blocks by pc, the warp's record, instructions left to the warp): budget, or step. */
export function scheduleFunction(run: number): CodeWriter {
  const { code, local, load, store, increase, add } = wordFunction(
    ["context", "blocks", "blockAt", "warp", "left"],
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
    ],
  );
  const { context, blocks, blockAt, warp, left, groups, end, at, one, other, count } = local;
  const { pc, low, meeting, budget, block, reason, rest, taken } = local;
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
    load(other, GROUP.pc).op("i32.eq").if();
    store(one, GROUP.mask, () => {
      load(one, GROUP.mask);
      load(other, GROUP.mask).op("i32.or");
    });
    code.get(other).set(at).block().loop();
    code.get(at).i32(GROUP_BYTES).op("i32.add").get(end).op("i32.ge_u").brIf(1);
    code.get(at).get(at).memory("v128.load", GROUP_BYTES).memory("v128.store", 0);
    add(at, GROUP_BYTES);
    code.br(0).op("end", "end");
    add(count, -1);
    setEnd();
    code.op("end");
    add(other, -GROUP_BYTES);
    code.br(0).op("end", "end");
  });
  store(warp, WARP.groupCount, () => code.get(count));

  // The one with the least penalty, and of these the one at the lowest pc.
  code.get(groups).tee(at).i32(GROUP_BYTES).op("i32.add").set(one);
  eachGroup(one, () => {
    load(one, GROUP.penalty);
    load(at, GROUP.penalty).op("i32.lt_u");
    load(one, GROUP.penalty);
    load(at, GROUP.penalty).op("i32.eq");
    load(one, GROUP.pc);
    load(at, GROUP.pc).op("i32.lt_u", "i32.and", "i32.or").if().get(one).set(at).op("end");
  });

  // Between the nearest groups on both sides.
  load(at, GROUP.pc).set(pc);
  code.get(groups).set(one);
  eachGroup(one, () => {
    code.get(one).get(at).op("i32.ne").if();
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

  code.get(blockAt);
  load(at, GROUP.pc).i32(2).op("i32.shl", "i32.add").memory("i32.load").tee(block).i32(0).op("i32.lt_s").if();
  store(context, CONTEXT.left, () => code.get(budget));
  // None: no block's ending.
  store(context, CONTEXT.index, () => code.i32(-1));
  leave(REASON.step);
  code.op("end");
  store(context, CONTEXT.warpIssued, () => load(warp, WARP.issued));
  code.get(context).get(blocks).get(block);
  load(at, GROUP.mask).get(budget).get(low).get(meeting).get(low).op("i32.sub").call(run).set(reason);
  // A fault, which does not come here, is told from what was counted before.
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
  leave(REASON.step);
  code.op("end");
  load(context, CONTEXT.left).set(rest);
  code.get(left).get(budget).get(rest).op("i32.sub", "i32.sub").set(left);

  // Lanes that branch join who stands at the target, or are a group of their own.
  code.get(reason).i32(REASON.split).op("i32.eq").if();
  load(context, CONTEXT.taken).set(taken);
  code.get(blocks);
  load(context, CONTEXT.index).i32(BLOCK_BYTES).op("i32.mul", "i32.add").set(block);
  store(at, GROUP.mask, () => load(at, GROUP.mask).get(taken).i32(-1).op("i32.xor", "i32.and"));
  store(at, GROUP.pc, () => load(block, BLOCK.nextPc));
  load(block, BLOCK.takenPc).set(pc);
  code.block().get(groups).set(one);
  eachGroup(one, () => {
    load(one, GROUP.pc).get(pc).op("i32.eq").if();
    store(one, GROUP.mask, () => load(one, GROUP.mask).get(taken).op("i32.or"));
    // Out of the if, the loop, the block around it, and the one behind which nothing is added.
    code.br(3).op("end");
  });
  store(end, GROUP.pc, () => code.get(pc));
  store(end, GROUP.mask, () => code.get(taken));
  store(end, GROUP.penalty, () => load(at, GROUP.penalty));
  add(count, 1);
  setEnd();
  store(warp, WARP.groupCount, () => code.get(count));
  code.op("end", "end");
  code.get(rest).i32(0).op("i32.le_s").if();
  store(at, GROUP.penalty, () => load(at, GROUP.penalty).i32(1).op("i32.add"));
  code.op("end");
  return code.br(0).op("end", "unreachable");
}
