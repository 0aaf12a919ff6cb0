// Turns of a block: every warp in its order runs until it waits at the block's barrier or has used its share, as turnOf of
// ../launch/cluster-turn.ts and ../launch/run-warp.ts define it. Turns repeat while the block makes progress; when all its
// threads have exited, those of the next block follow (next-block.ts). The barrier opens here when the last thread has arrived. A
// warp that needs the interpreter ends the turn, which continues after that warp.

import { GROUP_SLICE, SPINNING_SHARE } from "../machine/step.js";
import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { BLOCK, BLOCK_BYTES, CONTEXT, ENDING, GROUP, REASON, WARP, WARP_BYTES } from "./context.table.js";
import { type WordFunction, wordFunction } from "./word-function.js";

const PARAMETERS = ["context", "warps", "index", "count"] as const;
const LOCALS = [
  "warp",
  "left",
  "rest",
  "ending",
  "other",
  "lanes",
  "share",
  "issued",
  "isWaiting",
  "isIdle",
  "reason",
] as const;

type TurnCode = WordFunction<(typeof PARAMETERS)[number] | (typeof LOCALS)[number]>;

/** turn(context, warps, first, count): returns the warp that stopped it, or count. */
export function turnFunction({ schedule, begin }: { readonly schedule: number; readonly begin: number }): CodeWriter {
  const turn = wordFunction(PARAMETERS, LOCALS);
  const { code, local, load } = turn;
  load(local.context, CONTEXT.share).set(local.share);
  // Turn after turn.
  code.loop();
  code.i32(1).set(local.isWaiting).i32(1).set(local.isIdle);
  emitWarps(turn, schedule);
  emitNextTurn(turn, begin);
  return code.op("end", "unreachable");
}

/** Runs one warp after the other for its share, and accounts for its progress. */
function emitWarps(turn: TurnCode, schedule: number): void {
  const { code, load, store, add } = turn;
  const { context, warps, index, count, warp, left, share } = turn.local;
  code.block().loop();
  code.get(index).get(count).op("i32.ge_u").brIf(1);
  pushWarp(turn, warps, index);
  code.set(warp);
  store(warp, WARP.before, () => load(warp, WARP.issued));
  store(warp, WARP.isReady, () => code.i32(0));
  // A block around one warp; a warp that is done branches out of it.
  code.block();
  load(warp, WARP.groupCount).op("i32.eqz");
  load(warp, WARP.waits).op("i32.or").brIf(0);
  for (const field of ["local", "localStride", "tid", "warpid"] as const)
    store(context, CONTEXT[field], () => load(warp, WARP[field]));
  store(context, CONTEXT.warp, () => code.get(index));
  code.get(share).set(left);
  emitWarpShare(turn, schedule);
  code.op("end");
  noteProgress(turn);
  add(index, 1);
  code.br(0).op("end", "end");
}

const pushWarp = ({ code }: TurnCode, warps: Local, number: Local): void =>
  void code.get(warps).get(number).i32(WARP_BYTES).op("i32.mul", "i32.add");

/** The loop around one warp's share, from barrier to barrier. Branches to depth 1 leave the warp. */
function emitWarpShare(turn: TurnCode, schedule: number): void {
  const { code, store } = turn;
  const { context, warp, left, ending, reason } = turn.local;
  code.loop();
  code.get(context).get(warp).get(left).call(schedule);
  code.tee(reason).i32(REASON.budget).op("i32.eq").if();
  store(warp, WARP.isReady, () => code.i32(1));
  code.br(2).op("end");
  readEnding(turn);
  code.get(reason).i32(REASON.split).op("i32.eq").if();
  emitSplit(turn);
  code.op("else");
  code.get(ending).i32(1).op("i32.sub").i32(ENDING.end).op("i32.ge_u").if().get(turn.local.index).op("return", "end");
  endBlock(turn);
  code.op("end");
  code.get(ending).i32(ENDING.end).op("i32.eq").if();
  emitExit(turn);
  code.op("end");
  emitArrival(turn);
  code.br(0).op("end");
}

/** Sets `ending` to how the block of code at which the warp's only group stopped ends; 0 leaves it to the interpreter. */
function readEnding({ code, local, load }: TurnCode): void {
  const { context, warp, ending } = local;
  code.i32(0).set(ending);
  load(context, CONTEXT.index).i32(0).op("i32.ge_s");
  load(warp, WARP.groupCount).i32(1).op("i32.eq", "i32.and").if();
  load(context, CONTEXT.blocks);
  load(context, CONTEXT.index).i32(BLOCK_BYTES).op("i32.mul", "i32.add");
  code.memory("i32.load", BLOCK.ending).set(ending).op("end");
}

/** All lanes of the warp leave the kernel; a split that the interpreter must carry out ends the turn. */
function emitSplit({ code, local, load }: TurnCode): void {
  const { context, index, warp, ending, lanes } = local;
  load(warp, WARP.words);
  load(context, CONTEXT.words).op("i32.ne");
  load(context, CONTEXT.undone).tee(lanes);
  load(warp, WARP.groups + GROUP.mask).op("i32.ne", "i32.or");
  code.get(ending).op("i32.eqz", "i32.or");
  code.get(ending).i32(ENDING.call).op("i32.eq", "i32.or").if().get(index).op("return", "end");
  code.get(lanes).op("i32.popcnt").set(lanes).i32(ENDING.end).set(ending);
}

/** Counts the barrier or exit that all lanes of a whole warp execute. */
function endBlock({ code, local, load, increase }: TurnCode): void {
  const { context, warp, left, rest, lanes } = local;
  for (const [base, field] of [
    [warp, WARP.issued],
    [context, CONTEXT.total],
    [warp, WARP.groups + GROUP.pc],
  ] as const)
    increase(base, field, () => code.i32(1));
  load(warp, WARP.groups + GROUP.mask)
    .op("i32.popcnt")
    .set(lanes);
  increase(context, CONTEXT.totalThreads, () => code.get(lanes));
  load(context, CONTEXT.warpLeft).set(left);
  load(context, CONTEXT.left).i32(1).op("i32.sub").set(rest);
  code.get(left).get(left).i32(GROUP_SLICE).get(left).i32(GROUP_SLICE).op("i32.lt_s", "select");
  code.get(rest).op("i32.sub", "i32.sub").set(left);
}

/** The warp's threads exit; a barrier that waited only for them opens. */
function emitExit(turn: TurnCode): void {
  const { code, load, store, increase } = turn;
  const { context, warp, lanes } = turn.local;
  store(warp, WARP.hasExited, () => code.i32(1));
  store(warp, WARP.groupCount, () => code.i32(0));
  increase(context, CONTEXT.live, () => code.i32(0).get(lanes).op("i32.sub"));
  load(context, CONTEXT.arrived).op("i32.eqz");
  load(context, CONTEXT.arrived);
  load(context, CONTEXT.live).op("i32.lt_u", "i32.or").brIf(2);
  openBarrier(turn);
  code.br(2);
}

/** The warp arrives at the barrier, which the last one opens. */
function emitArrival(turn: TurnCode): void {
  const { code, load, store, increase } = turn;
  const { context, warp, lanes } = turn.local;
  increase(context, CONTEXT.arrived, () => code.get(lanes));
  store(warp, WARP.waits, () => code.i32(1));
  load(context, CONTEXT.arrived);
  load(context, CONTEXT.live).op("i32.lt_u").brIf(1);
  openBarrier(turn);
}

/** Opens the barrier: no warp waits any more. */
function openBarrier(turn: TurnCode): void {
  const { code, load, store, increase, add } = turn;
  const { context, warps, count, other } = turn.local;
  store(context, CONTEXT.arrived, () => code.i32(0));
  store(context, CONTEXT.hasOpened, () => code.i32(1));
  increase(context, CONTEXT.epoch, () => code.i32(1));
  // Exited threads may have bypassed the barrier, so it does not order their accesses: the screening pass fails.
  load(context, CONTEXT.live);
  load(context, CONTEXT.threadsPerBlock).op("i32.ne").if();
  store(context, CONTEXT.isSuspect, () => code.i32(1));
  code.op("end");
  code.i32(0).set(other).loop();
  pushWarp(turn, warps, other);
  code.i32(0).memory("i32.store", WARP.waits);
  add(other, 1);
  code.get(other).get(count).op("i32.lt_u").brIf(0).op("end");
}

/** Clears `isWaiting` and `isIdle` of the turn by what the warp did, as turnOf does. */
function noteProgress({ code, local, load }: TurnCode): void {
  const { warp, issued, isWaiting, isIdle, share } = local;
  load(warp, WARP.issued);
  load(warp, WARP.before).op("i32.sub").tee(issued);
  load(warp, WARP.isReady).op("i32.or").if().i32(0).set(isWaiting).op("end");
  load(warp, WARP.isReady).op("i32.eqz").get(issued);
  code
    .get(share)
    .i32(1 / SPINNING_SHARE)
    .op("i32.div_u", "i32.ge_u", "i32.or");
  code.get(issued).i32(0).op("i32.ne", "i32.and").if().i32(0).set(isIdle).op("end");
}

/** Begins another turn, of this block or the next one, within the limits of the context. */
function emitNextTurn({ code, local, load, increase }: TurnCode, begin: number): void {
  const { context, warps, index, count, share, isWaiting, isIdle } = local;
  const leave = (): void => void code.get(count).op("return");
  increase(context, CONTEXT.turns, () => code.i32(1));
  load(context, CONTEXT.total).get(share).get(count).op("i32.mul", "i32.add");
  load(context, CONTEXT.allowance).op("i32.gt_s").if();
  leave();
  code.op("end");
  code.i32(0).set(index);
  load(context, CONTEXT.live).op("i32.eqz").if();
  load(context, CONTEXT.number).i32(1).op("i32.add");
  load(context, CONTEXT.end).op("i32.ge_s");
  load(context, CONTEXT.total);
  load(context, CONTEXT.slice).op("i32.ge_s", "i32.or").if();
  leave();
  code.op("end").get(context).get(warps).get(count).call(begin);
  code.br(1).op("end");
  load(context, CONTEXT.total);
  load(context, CONTEXT.begun).op("i32.sub");
  load(context, CONTEXT.quota).op("i32.ge_s");
  code.get(isWaiting).get(isIdle).op("i32.or", "i32.or", "i32.eqz").brIf(0);
  leave();
}
