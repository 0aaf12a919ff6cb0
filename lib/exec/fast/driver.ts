// The loop that runs blocks: also WebAssembly, the same for every kernel. It runs a group of lanes from block to block as long as
// they stay together, reach no other group and have budget left. Its counts are those of the interpreter's loop (../run-warp.ts),
// which takes over for everything else.
// Its callers are the scheduler of a warp (scheduler.ts) and the turns of blocks (turn.ts).

import { CodeWriter, encodeModule, type Import } from "../../../formats/wasm/index.js";
import type { WasmExports } from "../../base/web-assembly.js";
import { BLOCK, BLOCK_BYTES, CONTEXT, NOWHERE, REASON } from "./context.table.js";
import { copyFunction, enterFunction, leaveFunction } from "./calls.js";
import { nextBlockFunction } from "./next-block.js";
import { scheduleFunction } from "./scheduler.js";
import { turnFunction } from "./turn.js";
import { wordFunction } from "./word-function.js";

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
export const ALL_LEAVE = 1;
export const FIRST_FREE = 2;
const BLOCK_TYPE = { parameters: ["i32", "i32"], results: ["i32"] } as const;

/**
 * run(context, blocks, block, mask, budget, low, range): a reason. The context then has the place where it stopped and the
 * counts. It runs within `range` instructions from `low` on, which exclude the pcs of other groups and everything after them.
 */
function runFunction(): CodeWriter {
  const { code, local } = wordFunction(
    ["context", "blocks", "block", "mask", "left", "low", "range"],
    ["at", "taken", "lanes", "issued", "threads", "pc"],
  );
  const { context, blocks, block, mask, left, low, range, at, taken, lanes, issued, threads, pc } = local;
  const field = (offset: number): CodeWriter => code.get(at).memory("i32.load", offset);
  const answer = (offset: number, local: number): void => void code.get(context).get(local).memory("i32.store", offset);
  const leave = (reason: number): void => {
    answer(CONTEXT.left, left);
    answer(CONTEXT.issued, issued);
    answer(CONTEXT.threads, threads);
    answer(CONTEXT.index, block);
    code.get(context).get(blocks).get(block).i32(BLOCK_BYTES).op("i32.mul", "i32.add");
    code.memory("i32.load", BLOCK.firstPc).memory("i32.store", CONTEXT.pc);
    code.i32(reason).op("return");
  };
  const isOutside = (push: () => void): void => {
    push();
    code.get(low).op("i32.sub").get(range).op("i32.ge_u");
  };

  code.get(mask).op("i32.popcnt").set(lanes);
  answer(CONTEXT.mask, mask);
  code.loop();
  code.get(blocks).get(block).i32(BLOCK_BYTES).op("i32.mul", "i32.add").set(at);
  // Not compiled, longer than the budget, or with another group inside: for the interpreter.
  field(BLOCK.fn).op("i32.eqz");
  code.get(left);
  field(BLOCK.cost).op("i32.lt_s", "i32.or");
  isOutside(() => field(BLOCK.lastPc));
  code.op("i32.or").if();
  leave(REASON.step);
  code.op("end");
  // A fault is reported with the counts before the block.
  answer(CONTEXT.issued, issued);
  answer(CONTEXT.threads, threads);
  answer(CONTEXT.index, block);
  code.get(context).get(mask);
  field(BLOCK.fn).callIndirect(0).tee(taken).op("i32.eqz");
  field(BLOCK.mayRefuse).op("i32.and").if();
  leave(REASON.step);
  code.op("end");
  code.get(left);
  field(BLOCK.cost).op("i32.sub").set(left);
  code.get(issued);
  field(BLOCK.instructions).op("i32.add").set(issued);
  code.get(threads);
  field(BLOCK.unguarded).get(lanes).op("i32.mul", "i32.add");
  field(BLOCK.isConditional).get(taken).op("i32.popcnt", "i32.mul", "i32.add").set(threads);
  code.get(taken).get(mask).op("i32.eq").if();
  field(BLOCK.taken).set(block);
  field(BLOCK.takenPc).set(pc);
  code.op("else").get(taken).op("i32.eqz").if();
  field(BLOCK.next).set(block);
  field(BLOCK.nextPc).set(pc);
  code.op("else");
  answer(CONTEXT.taken, taken);
  leave(REASON.split);
  code.op("end", "end");
  isOutside(() => code.get(pc));
  code.if().get(pc).i32(NOWHERE).op("i32.eq").if();
  answer(CONTEXT.taken, taken);
  leave(REASON.split);
  code.op("end");
  leave(REASON.meet);
  code.op("end");
  code.get(left).i32(0).op("i32.le_s").if();
  leave(REASON.budget);
  code.op("end").br(0).op("end", "unreachable");
  return code;
}

/** Answers the mask. */
const allFunction = (): CodeWriter => new CodeWriter(["i32", "i32"], ["i32"]).get(1);

/** Exports `run`, `schedule` and `turn`. */
export function driverModule(): Uint8Array {
  return encodeModule({
    imports: [MEMORY_IMPORT, tableImport(FIRST_FREE)],
    types: [BLOCK_TYPE],
    functions: [
      runFunction(),
      scheduleFunction(NUMBER),
      nextBlockFunction(),
      turnFunction(NUMBER),
      copyFunction(),
      enterFunction(NUMBER.copy),
      leaveFunction(NUMBER.copy),
      allFunction(),
    ],
    elements: { at: ALL_LEAVE, functions: [NUMBER.all] },
    exports: NUMBER,
  });
}

/** The driver's functions; the host looks names of exports up slowly. */
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
