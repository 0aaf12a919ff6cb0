// The loop that runs blocks of code: WebAssembly, the same for every kernel. It runs a group of lanes from block to block as long
// as they stay converged, reach no other group and have budget left. Its counts are those of the interpreter's loop
// (../launch/run-warp.ts), which takes over for everything else.
// Its callers are the scheduler of a warp (scheduler.ts) and the turns of blocks (turn.ts).

import { CodeWriter, encodeModule, type Import, type Local } from "../../../formats/wasm/index.js";
import type { WasmExports } from "../../base/web-assembly.js";
import { BLOCK, BLOCK_BYTES, CONTEXT, NO_TARGET, REASON } from "./context.table.js";
import { copyFunction, enterFunction, leaveFunction } from "./calls.js";
import { nextBlockFunction } from "./next-block.js";
import { scheduleFunction } from "./scheduler.js";
import { turnFunction } from "./turn.js";
import { type WordFunction, wordFunction } from "./word-function.js";

export const MEMORY_IMPORT: Import = {
  module: "host",
  name: "memory",
  kind: "memory",
  minimum: 1,
  maximum: 65536,
  shared: true,
};

export const tableImport = (minimum: number): Import => ({ module: "host", name: "table", kind: "table", minimum });

/** Numbers of the driver's functions. */
const NUMBER = { run: 0, schedule: 1, begin: 2, turn: 3, copy: 4, enter: 5, leave: 6, all: 7 } as const;
/** Table index of a block that is only a call or return of all lanes. Index 0: not compiled. */
export const CALL_OR_RETURN = 1;
export const FIRST_FREE = 2;
const BLOCK_TYPE = { parameters: ["i32", "i32"], results: ["i32"] } as const;

const PARAMETERS = ["context", "blocks", "block", "mask", "left", "low", "range"] as const;
const LOCALS = ["at", "taken", "lanes", "issued", "threads", "pc"] as const;

type RunCode = WordFunction<(typeof PARAMETERS)[number] | (typeof LOCALS)[number]>;

/**
 * run(context, blocks, block, mask, budget, low, range): returns a reason. The context then holds the place where it stopped and
 * the counts. It runs within `range` instructions from `low` on, which exclude the pcs of other groups and everything after them.
 */
function runFunction(isLogged: boolean): CodeWriter {
  const run = wordFunction(PARAMETERS, LOCALS);
  const { code } = run;
  const { blocks, block, mask, left, at, lanes } = run.local;
  code.get(mask).op("i32.popcnt").set(lanes);
  answer(run, CONTEXT.mask, mask);
  code.loop();
  code.get(blocks).get(block).i32(BLOCK_BYTES).op("i32.mul", "i32.add").set(at);
  checkBlock(run, isLogged);
  callBlock(run);
  countBlock(run);
  chooseNext(run);
  code.get(left).i32(0).op("i32.le_s").if();
  leave(run, REASON.budget);
  code.op("end").br(0).op("end", "unreachable");
  return code;
}

/** Pushes a field of the block's record. */
const field = ({ code, local }: RunCode, offset: number): CodeWriter => code.get(local.at).memory("i32.load", offset);

const answer = ({ code, local }: RunCode, offset: number, value: Local): void =>
  void code.get(local.context).get(value).memory("i32.store", offset);

function leave(run: RunCode, reason: number): void {
  const { code } = run;
  const { context, blocks, block, left, issued, threads } = run.local;
  answer(run, CONTEXT.left, left);
  answer(run, CONTEXT.issued, issued);
  answer(run, CONTEXT.threads, threads);
  answer(run, CONTEXT.index, block);
  code.get(context).get(blocks).get(block).i32(BLOCK_BYTES).op("i32.mul", "i32.add");
  code.memory("i32.load", BLOCK.firstPc).memory("i32.store", CONTEXT.pc);
  code.i32(reason).op("return");
}

/** Pushes whether a pc is outside the range. */
function isOutside({ code, local }: RunCode, push: () => void): void {
  push();
  code.get(local.low).op("i32.sub").get(local.range).op("i32.ge_u");
}

/**
 * Returns if the interpreter has to execute the block: not compiled, longer than the budget, with another group inside, or where the
 * log is full.
 */
function checkBlock(run: RunCode, isLogged: boolean): void {
  const { code, local } = run;
  field(run, BLOCK.fn).op("i32.eqz");
  code.get(local.left);
  field(run, BLOCK.cost).op("i32.lt_s", "i32.or");
  isOutside(run, () => field(run, BLOCK.lastPc));
  code.op("i32.or");
  if (isLogged) {
    code.get(local.context).memory("i32.load", CONTEXT.log);
    code.get(local.context).memory("i32.load", CONTEXT.logEnd).op("i32.gt_u", "i32.or");
  }
  code.if();
  leave(run, REASON.step);
  code.op("end");
}

/** Sets `taken` to the lanes that branch. */
function callBlock(run: RunCode): void {
  const { code } = run;
  const { context, block, mask, taken, issued, threads } = run.local;
  // A fault is reported with the counts before the block.
  answer(run, CONTEXT.issued, issued);
  answer(run, CONTEXT.threads, threads);
  answer(run, CONTEXT.index, block);
  code.get(context).get(mask);
  field(run, BLOCK.fn).callIndirect(0).tee(taken).op("i32.eqz");
  field(run, BLOCK.mayRefuse).op("i32.and").if();
  leave(run, REASON.step);
  code.op("end");
}

function countBlock(run: RunCode): void {
  const { code } = run;
  const { left, taken, lanes, issued, threads } = run.local;
  code.get(left);
  field(run, BLOCK.cost).op("i32.sub").set(left);
  code.get(issued);
  field(run, BLOCK.instructions).op("i32.add").set(issued);
  code.get(threads);
  field(run, BLOCK.unguarded).get(lanes).op("i32.mul", "i32.add");
  field(run, BLOCK.isConditional).get(taken).op("i32.popcnt", "i32.mul", "i32.add").set(threads);
}

/** Sets `block` to the next one. Returns if lanes diverge or the pc is outside the range. */
function chooseNext(run: RunCode): void {
  const { code } = run;
  const { block, mask, taken, pc } = run.local;
  const leaveSplit = (): void => {
    answer(run, CONTEXT.taken, taken);
    leave(run, REASON.split);
  };
  code.get(taken).get(mask).op("i32.eq").if();
  field(run, BLOCK.taken).set(block);
  field(run, BLOCK.takenPc).set(pc);
  code.op("else").get(taken).op("i32.eqz").if();
  field(run, BLOCK.next).set(block);
  field(run, BLOCK.nextPc).set(pc);
  code.op("else");
  leaveSplit();
  code.op("end", "end");
  isOutside(run, () => code.get(pc));
  code.if().get(pc).i32(NO_TARGET).op("i32.eq").if();
  leaveSplit();
  code.op("end");
  leave(run, REASON.meet);
  code.op("end");
}

/** Returns the mask. */
const allFunction = (): CodeWriter => new CodeWriter(["i32", "i32"], ["i32"]).get(1);

/** Exports `run`, `schedule` and `turn`. `isLogged`: blocks write what they issue into the log. */
export function driverModule(isLogged: boolean): Uint8Array {
  return encodeModule({
    imports: [MEMORY_IMPORT, tableImport(FIRST_FREE)],
    types: [BLOCK_TYPE],
    functions: [
      runFunction(isLogged),
      scheduleFunction(NUMBER),
      nextBlockFunction(),
      turnFunction(NUMBER),
      copyFunction(),
      enterFunction(NUMBER.copy),
      leaveFunction(NUMBER.copy),
      allFunction(),
    ],
    elements: { at: CALL_OR_RETURN, functions: [NUMBER.all] },
    exports: NUMBER,
  });
}

/** The driver's functions, stored here because looking up exports by name is slow. */
export interface Driver {
  readonly run: WasmExports[string];
  readonly schedule: WasmExports[string];
  readonly turn: WasmExports[string];
}

export const driverOf = (exports: WasmExports): Driver => ({
  run: exports["run"]!,
  schedule: exports["schedule"]!,
  turn: exports["turn"]!,
});
