// The fast engine of a process, for one host thread. Its state is in engine-state.ts, its functions are in compiled-function.ts,
// and the functions that generated code calls are in host-calls.ts.

import { webAssembly } from "../../base/web-assembly.js";
import type { Process } from "../../load/process.js";
import { HEADER } from "../machine/frame-header.table.js";
import type { Frame } from "../state/frame.js";
import type { FastEngine, FastUnit, Scheduled } from "../state/generated-code.js";
import type { Warp } from "../state/warp.js";
import type { CheckAt } from "./access-checks.js";
import { functionOf } from "./compiled-function.js";
import { CONTEXT, CONTEXT_BYTES, REASON } from "./context.table.js";
import {
  contextWord,
  countIssued,
  createEngineState,
  currentGroup,
  type EngineState,
  setContext,
  setPcToFault,
} from "./engine-state.js";
import { LOG_BYTES } from "./issue-log.js";
import { clearLog, reportLog } from "./issue-report.js";
import { MUFU_BYTES, putMufu } from "./mufu/memory.js";
import { runningIn } from "./running.js";
import { putGroups, takeGroups } from "./warp-records.js";
import { enterFrame, forgetFrame } from "./entry.js";

/** Undefined where the host has no shared memory for generated code. */
export function createFastEngine(
  process: Process,
  frames: ReadonlyMap<number, Frame>,
  hotAfter?: number,
  checkAt?: CheckAt,
  isObserved = false,
): FastEngine | undefined {
  const { arena } = process.memory;
  if (arena === undefined || webAssembly === undefined) return undefined;
  const [storage, mufu] = [arena.take(CONTEXT_BYTES), arena.take(MUFU_BYTES)];
  const log = isObserved ? arena.take(LOG_BYTES) : undefined;
  if (storage === undefined || mufu === undefined || (isObserved && log === undefined)) return undefined;
  putMufu(mufu.view);
  const engine = createEngineState({ process, arena, storage, mufu: mufu.offset, frames, hotAfter, checkAt, log });
  return {
    answer: engine.answer,
    context: engine.words,
    isObserved,
    deferBlockEnd: () => setContext(engine, CONTEXT.end, 0),
    unitOf: (frame) => unitOf(engine, frame),
    schedule: (warp, left) => schedule(engine, warp, left),
  };
}

function unitOf(engine: EngineState, frame: Frame): FastUnit | undefined {
  if (!isReachable(frame, engine.process)) return undefined;
  const { program, warp, words } = frame;
  const unit = functionOf(engine, program);
  if (unit === null || unit.parameterBytes > warp.block.launch.parameterBytes.bytes.length) return undefined;
  words[HEADER.fn >> 2] = unit.record;
  return unit;
}

/** Whether everything that code of the frame accesses is in the arena. */
function isReachable({ offset, warp }: Frame, process: Process): boolean {
  const { block } = warp;
  return (
    offset >= 0 &&
    block.sharedBytes.offset >= 0 &&
    (warp.localStride === 0 || warp.localBytes.offset >= 0) &&
    block.launch.parameterBytes.offset >= 0 &&
    process.constants.offset >= 0
  );
}

function schedule(engine: EngineState, warp: Warp, left: number): Scheduled | undefined {
  const { driver, warpRecords, entry, scheduled, answer } = engine;
  if (driver === undefined || warpRecords === undefined) return undefined;
  enterFrame(entry, warp.groups[0]!.frame);
  forgetFrame(entry);
  engine.running = runningIn(engine.running, warp, undefined);
  setContext(engine, CONTEXT.total, 0);
  setContext(engine, CONTEXT.totalThreads, 0);
  putGroups(warpRecords, 0, warp);
  const { clock, issued } = engine.running;
  const take = (more: number, threads: number): void => {
    takeGroups(warpRecords, 0, warp, engine.frameAt);
    warp.clock = clock + contextWord(engine, CONTEXT.total);
    countIssued(engine, warp.block.launch, issued, more, threads);
  };
  let reason: number;
  clearLog(engine);
  try {
    reason = driver.schedule(engine.context, warpRecords.byteOffset, left);
  } catch (error) {
    reportLog(engine, warp, answer.pc);
    take(answer.issued, answer.threads);
    setPcToFault(engine, warp);
    throw error;
  }
  reportLog(engine, warp);
  take(0, 0);
  scheduled.warpLeft = contextWord(engine, CONTEXT.warpLeft);
  scheduled.left = contextWord(engine, CONTEXT.left);
  scheduled.undone = contextWord(engine, CONTEXT.undone);
  scheduled.group = reason === REASON.budget ? undefined : currentGroup(engine, warp);
  return scheduled;
}
