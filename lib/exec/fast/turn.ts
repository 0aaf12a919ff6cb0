// One turn of a block whose warps are each one group: every warp in its order runs until it waits at the block's barrier or has
// used its share, as turnOf of ../launch.ts and ../run-warp.ts have it. The barrier opens here when the last thread has come. What
// a warp needs the interpreter for, ends it: the turn goes on behind that warp.

import { CodeWriter, type Local } from "../../../formats/wasm/index.js";
import { PATIENCE } from "../step.js";
import { BLOCK, BLOCK_BYTES, CONTEXT, ENDING, REASON, WARP, WARP_BYTES } from "./context.table.js";

/** turn(context, blocks, blocks by pc, warps, first, count, share, live threads): the warp that stopped it, or count. */
export function turnFunction(run: number): CodeWriter {
  const code = new CodeWriter(["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"], ["i32"]);
  const [context, blocks, blockAt, warps, index, count, share, live] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const locals = Array.from({ length: 9 }, () => code.local("i32"));
  const [warp, left, budget, rest, block, reason, total, other, mask] = locals as [
    Local,
    Local,
    Local,
    Local,
    Local,
    Local,
    Local,
    Local,
    Local,
  ];
  const load = (base: Local, offset: number): CodeWriter => code.get(base).memory("i32.load", offset);
  const store = (base: Local, offset: number, push: () => void): void => {
    code.get(base);
    push();
    code.memory("i32.store", offset);
  };
  /** Adds what `push` pushes to a word. */
  const increase = (base: Local, offset: number, push: () => void): void =>
    store(base, offset, () => {
      load(base, offset);
      push();
      code.op("i32.add");
    });
  const stop = (): void => {
    store(context, CONTEXT.warpLeft, () => code.get(left));
    code.get(index).op("return");
  };
  /** The barrier opens: nobody waits. */
  const open = (): void => {
    store(context, CONTEXT.arrived, () => code.i32(0));
    store(context, CONTEXT.hasOpened, () => code.i32(1));
    code.i32(0).set(other).loop();
    code.get(warps).get(other).i32(WARP_BYTES).op("i32.mul", "i32.add").i32(0).memory("i32.store", WARP.waits);
    code.get(other).i32(1).op("i32.add").tee(other).get(count).op("i32.lt_u").brIf(0).op("end");
  };
  const pay = (): void => void code.get(left).get(budget).get(rest).op("i32.sub", "i32.sub").set(left);

  load(context, CONTEXT.total).set(total);
  code.block().loop();
  code.get(index).get(count).op("i32.ge_u").brIf(1);
  code.get(warps).get(index).i32(WARP_BYTES).op("i32.mul", "i32.add").set(warp);
  load(warp, WARP.mask).set(mask);
  // Around one warp: whoever is through with it leaves this block.
  code.block();
  code.get(mask).op("i32.eqz");
  load(warp, WARP.waits).op("i32.or").brIf(0);
  for (const field of ["words", "local", "localStride", "tid", "warpid"] as const)
    store(context, CONTEXT[field], () => load(warp, WARP[field]));
  code.get(share).set(left);
  code.loop();
  code.get(left).i32(0).op("i32.le_s").if();
  store(warp, WARP.isReady, () => code.i32(1));
  code.br(2).op("end");
  code.get(left).i32(PATIENCE).get(left).i32(PATIENCE).op("i32.lt_s", "select").set(budget);
  code.get(blockAt);
  load(warp, WARP.pc).i32(2).op("i32.shl", "i32.add").memory("i32.load").tee(block).i32(0).op("i32.lt_s").if();
  store(context, CONTEXT.left, () => code.get(budget));
  store(context, CONTEXT.reason, () => code.i32(REASON.step));
  store(context, CONTEXT.total, () => code.get(total));
  stop();
  code.op("end");
  store(context, CONTEXT.total, () => code.get(total));
  store(context, CONTEXT.current, () => code.get(index));
  store(context, CONTEXT.warpIssued, () => load(warp, WARP.issued));
  code.get(context).get(blocks).get(block).get(mask).get(budget).i32(0).i32(0x7fffffff).call(run).set(reason);
  increase(warp, WARP.issued, () => load(context, CONTEXT.issued));
  increase(warp, WARP.threads, () => {
    load(context, CONTEXT.threads);
    load(context, CONTEXT.guarded).op("i32.add");
  });
  store(context, CONTEXT.guarded, () => code.i32(0));
  code.get(total);
  load(context, CONTEXT.issued).op("i32.add").set(total);
  store(warp, WARP.pc, () => load(context, CONTEXT.pc));
  load(context, CONTEXT.left).set(rest);

  code.get(reason).i32(REASON.budget).op("i32.eq").if();
  pay();
  code.br(1).op("end");
  // A barrier, or the interpreter's.
  code.get(blocks);
  load(context, CONTEXT.index).i32(BLOCK_BYTES).op("i32.mul", "i32.add").set(block);
  load(block, BLOCK.ending).op("i32.eqz");
  code.get(reason).i32(REASON.step).op("i32.ne", "i32.or").if();
  store(context, CONTEXT.total, () => code.get(total));
  store(context, CONTEXT.reason, () => code.get(reason));
  stop();
  code.op("end");
  increase(warp, WARP.issued, () => code.i32(1));
  increase(warp, WARP.threads, () => code.get(mask).op("i32.popcnt"));
  increase(warp, WARP.pc, () => code.i32(1));
  code.get(total).i32(1).op("i32.add").set(total).get(rest).i32(1).op("i32.sub").set(rest);
  pay();
  load(block, BLOCK.ending).i32(ENDING.exit).op("i32.eq").if();
  store(warp, WARP.hasExited, () => code.i32(1));
  store(warp, WARP.mask, () => code.i32(0));
  code.get(live).get(mask).op("i32.popcnt", "i32.sub").set(live);
  // Who waited for it may go on.
  load(context, CONTEXT.arrived).op("i32.eqz");
  load(context, CONTEXT.arrived).get(live).op("i32.lt_u", "i32.or").brIf(2);
  open();
  code.br(2).op("end");
  increase(context, CONTEXT.arrived, () => code.get(mask).op("i32.popcnt"));
  store(warp, WARP.waits, () => code.i32(1));
  load(context, CONTEXT.arrived).get(live).op("i32.lt_u").brIf(1);
  // The last one: all go on.
  open();
  code.br(0).op("end", "end");
  code.get(index).i32(1).op("i32.add").set(index).br(0).op("end", "end");
  store(context, CONTEXT.total, () => code.get(total));
  return code.get(count);
}
