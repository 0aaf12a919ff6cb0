// A function in the fast engine. A block is compiled once it has been interpreted often enough, together with others that are
// warm by then, so that small kernels never wait for a compiler.

import { type WasmExports, webAssembly } from "../../base/web-assembly.js";
import type { Block } from "../state/block.js";
import type { Frame, Program } from "../state/frame.js";
import type { Linkage, GroupResult, FastUnit, TurnResult, TurnLimits } from "../state/generated-code.js";
import type { LaunchState } from "../state/launch.js";
import { compileBlocks } from "./compile.js";
import { CONTEXT, REASON } from "./context.table.js";
import { type Driver, driverModule, driverOf } from "./driver.js";
import {
  contextWord,
  countIssued,
  currentGroup,
  type EngineState,
  isExact,
  setContext,
  setPcToFault,
} from "./engine-state.js";
import { createFunction, type KnownFunction } from "./functions.js";
import { executeStep, finishSegment, followBlock, suspect } from "./host-calls.js";
import { clearLog, reportLog } from "./issue-report.js";
import { createLink } from "./links.js";
import { parameterBytes } from "./operands.js";
import { runningIn } from "./running.js";
import { createUnit, mayCompile, type Unit, writesBeforeReading } from "./unit.js";
import { putWarps, takeWarps } from "./warp-records.js";
import { enterFrame, forgetFrame, forgetWarp } from "./entry.js";
import { addSite } from "./sites.js";

/**
 * Visits of a block until it is compiled, and the share of them that makes another block warm, so that it is compiled as well.
 */
const HOT = 24;
const WARM = 1 / 4;
/**
 * A launch of at least MANY_WARPS warps compiles all blocks of a function at once, if it has at most LONGEST_AT_ONCE
 * instructions.
 */
const MANY_WARPS = 8192;
const LONGEST_AT_ONCE = 2000;
/** The farthest pc, for a group that meets no other. */
const FARTHEST = 0x7fffffff;

interface CompiledFunction extends FastUnit {
  readonly unit: Unit;
  readonly known: KnownFunction;
  /** For each block, how often it was interpreted, and whether there is code for it (or it is empty). */
  readonly visits: Uint32Array;
  readonly isCompiled: Uint8Array;
  /** Whether it is short enough to be compiled at once. */
  readonly isShort: boolean;
  hasCode: boolean;
  makesCalls: boolean;
}

/** The compiled function of a program; null if the interpreter has to run it. */
export const functionOf = (engine: EngineState, program: Program): FastUnit | null =>
  program.fast === undefined ? (program.fast = createCompiled(engine, program) ?? null) : program.fast;

function createCompiled(engine: EngineState, program: Program): CompiledFunction | undefined {
  if (!mayCompile(program)) return undefined;
  const unit = createUnit(program, engine.process, () => isExact(engine), engine.log !== undefined);
  const { blocks } = unit.graph;
  const known = createFunction(engine.arena, unit);
  if (known === undefined) return undefined;
  engine.units.set(known.record, unit);
  program.needsImage = !writesBeforeReading(unit);
  const isCompiled = new Uint8Array(blocks.length + 1);
  blocks.forEach(({ isEmpty }, block) => {
    isCompiled[block] = isEmpty ? 1 : 0;
    // The function that all such blocks share logs nothing.
    if (isEmpty && engine.log !== undefined) known.setCode(block, 0);
  });
  const compiled: CompiledFunction = {
    ...{ unit, known, isCompiled },
    visits: new Uint32Array(blocks.length + 1),
    isShort: program.fn.code.instructions.length <= LONGEST_AT_ONCE,
    record: known.record,
    takeSpare: known.takeSpare,
    hasCode: false,
    makesCalls: false,
    parameterBytes: parameterBytes(program),
    mayBeCalled: () => known.image() !== undefined,
    link: (pc, linkage) => linkCall(engine, compiled, pc, linkage),
    isReady: (pc, launch) => isReady(engine, compiled, pc, launch),
    run: (frame, pc, mask, left, floor, meeting) => runGroup(engine, compiled, frame, pc, mask, left, floor, meeting),
    turn: (block, frame, first, limits) => runTurn(engine, compiled, block, frame, first, limits),
  };
  return compiled;
}

const visitsUntilHot = (
  { hotAfter }: EngineState,
  { isShort }: CompiledFunction,
  { blocks, warpsPerBlock }: LaunchState,
): number => hotAfter ?? (isShort && blocks * warpsPerBlock >= MANY_WARPS ? 0 : HOT);

function isReady(engine: EngineState, compiled: CompiledFunction, pc: number, launch: LaunchState): boolean {
  const { blocks, blockAt } = compiled.unit.graph;
  const block = blockAt[pc]!;
  if (block < 0) return false;
  if (compiled.isCompiled[block] === 1) return !blocks[block]!.isEmpty;
  const hot = visitsUntilHot(engine, compiled, launch);
  if (blocks[block]?.isCompilable !== true || compiled.visits[block]!++ < hot) return false;
  compileWarm(engine, compiled, hot);
  return true;
}

function compileWarm(engine: EngineState, compiled: CompiledFunction, hot: number): void {
  const { unit, known, isCompiled, visits } = compiled;
  const warm = unit.graph.blocks.flatMap(({ isCompilable }, block) =>
    isCompilable && isCompiled[block] === 0 && visits[block]! >= hot * WARM ? [block] : [],
  );
  for (const block of warm) isCompiled[block] = 1;
  compiled.hasCode = true;
  const at = engine.table.grow(warm.length);
  engine.driver ??= createDriver(engine);
  const newSegment = (range: EngineState["segments"][number]): number => engine.segments.push(range) - 1;
  const numbering = { newSite: () => addSite(engine.sites), newSegment, mufu: engine.mufu, checkAt: engine.checkAt };
  instantiate(
    engine,
    compileBlocks(unit, warm, at, () => isExact(engine), numbering),
  );
  warm.forEach((block, i) => known.setCode(block, at + i));
}

const createDriver = (engine: EngineState): Driver =>
  driverOf(instantiate(engine, driverModule(engine.log !== undefined)));

function instantiate(engine: EngineState, bytes: Uint8Array): WasmExports {
  const host = {
    memory: engine.arena.memory,
    table: engine.table,
    step: (pc: number, mask: number) => executeStep(engine, pc, mask),
    finish: (number: number, first: number) => finishSegment(engine, number, first),
    suspect: () => suspect(engine),
  };
  return new webAssembly!.Instance(new webAssembly!.Module(bytes), { host }).exports;
}

function linkCall(engine: EngineState, compiled: CompiledFunction, pc: number, linkage: Linkage): number | undefined {
  const { blockAt } = compiled.unit.graph;
  let start = pc;
  while (blockAt[start]! < 0) start--;
  const block = blockAt[start]!;
  if (!compiled.hasCode || compiled.isCompiled[block] !== 1) return undefined;
  const callee = functionOf(engine, linkage.program);
  const record = callee?.mayBeCalled() === true ? createLink(engine.arena, callee.record, linkage) : 0;
  if (record === 0) return 0;
  engine.linkages.set(record, linkage);
  if (linkage.isDirect) compiled.known.setLink(block, record);
  compiled.makesCalls = true;
  return record;
}

function runGroup(
  engine: EngineState,
  { known, unit }: CompiledFunction,
  frame: Frame,
  pc: number,
  mask: number,
  left: number,
  floor: number,
  meeting: number,
): GroupResult {
  const { answer, words } = engine;
  const { blocks, blockAt } = unit.graph;
  enterFrame(engine.entry, frame);
  setContext(engine, CONTEXT.total, 0);
  setContext(engine, CONTEXT.warpIssued, 0);
  engine.running = runningIn(engine.running, frame.warp, undefined, true);
  const end = Math.min(meeting, FARTHEST);
  const start = blockAt[pc]!;
  const limit = end - floor - 1;
  clearLog(engine);
  let reason: number;
  try {
    reason = engine.driver!.run(engine.context, known.blocks, start, mask, left, floor + 1, limit);
  } catch (error) {
    reportLog(engine, frame.warp, answer.pc);
    throw error;
  }
  reportLog(engine, frame.warp);
  answer.reason = reason;
  // After a split the pc is that of the branch, otherwise that of the next block.
  answer.pc = reason === REASON.split ? blocks[words[CONTEXT.index >> 2]!]!.end - 1 : words[CONTEXT.pc >> 2]!;
  answer.left = words[CONTEXT.left >> 2]!;
  answer.issued = words[CONTEXT.issued >> 2]!;
  answer.threads = words[CONTEXT.threads >> 2]! + words[CONTEXT.guarded >> 2]!;
  answer.taken = words[CONTEXT.taken >> 2]!;
  return answer;
}

/** Fills the context for turns of a block and of those after it. */
function beginTurn(
  engine: EngineState,
  { known }: CompiledFunction,
  block: Block,
  frame: Frame,
  first: number,
  { share, quota, slice, allowance, end }: TurnLimits,
): void {
  const { entry, clocks, words } = engine;
  enterFrame(entry, frame);
  // The launch is the same in all of them and stays described.
  forgetWarp(entry);
  forgetFrame(entry);
  engine.running = runningIn(engine.running, frame.warp, block);
  const { warps, launch } = block;
  for (let i = 0; i < warps.length; i++) clocks[i] = warps[i]!.clock;
  for (const field of ["total", "totalThreads", "begun", "turns"] as const) setContext(engine, CONTEXT[field], 0);
  setContext(engine, CONTEXT.share, share);
  setContext(engine, CONTEXT.quota, quota);
  setContext(engine, CONTEXT.slice, slice);
  setContext(engine, CONTEXT.allowance, allowance);
  setContext(engine, CONTEXT.number, block.index);
  const image = known.image();
  setContext(engine, CONTEXT.image, image?.offset ?? 0);
  setContext(engine, CONTEXT.imageBytes, image?.size ?? 0);
  setContext(engine, CONTEXT.end, image === undefined ? 0 : end);
  putWarps(block, first, engine.warpRecords!, words, entry.indicesOf(launch.config.block, 0));
}

function runTurn(
  engine: EngineState,
  compiled: CompiledFunction,
  block: Block,
  frame: Frame,
  first: number,
  limits: TurnLimits,
): TurnResult | undefined {
  const { driver, warpRecords, turnResult, answer } = engine;
  if (driver === undefined || warpRecords === undefined) return undefined;
  const number = block.index;
  beginTurn(engine, compiled, block, frame, first, limits);
  const { warps, launch, cluster } = block;
  const { issued } = engine.running!;
  const take = (more: number, threads: number): void => {
    followBlock(engine, block);
    takeWarps(block, first, warpRecords, engine.words, engine.clocks, engine.frameAt);
    if (block.index !== number) cluster.sliceEnd = issued + contextWord(engine, CONTEXT.begun) + limits.slice;
    countIssued(engine, launch, issued, more, threads);
  };
  try {
    turnResult.stopped = driver.turn(engine.context, warpRecords.byteOffset, first, warps.length);
  } catch (error) {
    take(answer.issued, answer.threads);
    setPcToFault(engine, warps[contextWord(engine, CONTEXT.warp)]!);
    throw error;
  }
  take(0, 0);
  turnResult.isLater = contextWord(engine, CONTEXT.turns) > (turnResult.stopped < warps.length ? 0 : 1);
  turnResult.left = contextWord(engine, CONTEXT.left);
  turnResult.warpLeft = contextWord(engine, CONTEXT.warpLeft);
  turnResult.undone = contextWord(engine, CONTEXT.undone);
  if (turnResult.stopped < warps.length) currentGroup(engine, warps[turnResult.stopped]!);
  return turnResult;
}
