// Computes a launch's result from the counters of SMs, caches and DRAM.

import type { Replay, Simulation } from "./replay.js";
import { adviseOn } from "./result/advice.js";
import type { InstructionProfile } from "./result/instruction-profile.js";
import type { L1, L1Counters } from "./sm/l1.js";
import { isWarm, type DeviceMemory } from "./memory/memory.js";
import { pipeNames, type GpuModel } from "./gpus/model.js";
import type { TimingResult } from "./result/result.js";
import { stallNames } from "./trace/stalls.js";
import { timeLimit } from "./result/time-limit.js";
import { samplesOf } from "./trace/timeline.js";
import { peakWork, precisions, workOf, type Precision } from "./result/work.js";

const SECTOR = 32;

const sum = <T>(items: readonly T[], of: (item: T) => number): number => items.reduce((n, item) => n + of(item), 0);
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Sum of counter `i` over all SMs, whose counters of one kind are adjacent. */
function sumOf(counters: Float64Array, i: number, kinds: number): number {
  let total = 0;
  for (let at = i; at < counters.length; at += kinds) total += counters[at]!;
  return total;
}

export function summarize(replay: Replay, cycles: number): TimingResult {
  const { model, simulation, machine, sms, l1s, totals, timeline, events } = replay;
  const { device, threads, codeBytes } = simulation;
  const issued = sum(sms, (sm) => sm.counters.issued);
  const seconds = cycles / (model.clockMHz * 1e6);
  const subcoreCycles = cycles * model.sms * model.subcores;
  const instructions = simulation.profile();
  const pipes = record(pipeNames, (i) => sumOf(machine.pipeCycles, i, pipeNames.length) / subcoreCycles);
  const memory = memoryReport(l1s, device, instructions, seconds);
  const throughput = throughputOf(model, cycles, { issued, subcoreCycles, pipes, memory, l1s });
  const known = { throughput, pipes, stalls: stallShares(replay), blocks: totals.blocks, ...residence(replay, cycles) };
  const { warpInstructions, threadInstructions } = totals;
  const described = { ...known, memory, instructions, warpInstructions, threadsPerBlock: threads };
  return {
    gpu: model.name,
    cycles,
    microseconds: seconds * 1e6,
    eventMicroseconds: seconds * 1e6 + model.launch.eventMicroseconds,
    caches: isWarm(device) ? "warm" : "cold",
    limitedBy: timeLimit(known, model.sms),
    ...known,
    warpInstructions,
    threadInstructions,
    issuedInstructions: issued,
    ipc: issued / cycles / model.sms,
    threadsPerBlock: threads,
    ...(codeBytes === undefined ? {} : { codeBytes }),
    memory,
    work: workDone(simulation),
    peak: { ...peakWork(model), dramBytes: model.dram.gigabytesPerSecond * 1e9 },
    timeline: samplesOf(timeline, cycles, { sms: model.sms, warps: model.limits.warps }),
    advice: adviseOn(described, model, simulation),
    instructions,
    ...(events === undefined ? {} : { events: events.finish() }),
  };
}

const warpCyclesOf = ({ sms }: Replay): number => sum(sms, (sm) => sm.counters.warpCycles);

function stallShares(replay: Replay): TimingResult["stalls"] {
  const warpCycles = warpCyclesOf(replay);
  return record(stallNames, (i) => share(sumOf(replay.machine.stalls, i, stallNames.length), warpCycles));
}

function residence(replay: Replay, cycles: number): Pick<TimingResult, "occupancy"> {
  const { model, held, simulation } = replay;
  const { registers, registersEstimated, sharedBytes, source } = simulation;
  return {
    occupancy: {
      blocksPerSm: held.blocks,
      theoretical: held.share,
      achieved: warpCyclesOf(replay) / cycles / model.sms / model.limits.warps,
      limitedBy: held.limitedBy,
      registers,
      registersEstimated,
      sharedBytes,
      waves: source.blocks / (Math.max(1, held.blocks) * model.sms),
    },
  };
}

function memoryReport(
  l1s: readonly L1[],
  device: DeviceMemory,
  instructions: readonly InstructionProfile[],
  seconds: number,
): TimingResult["memory"] {
  const of = (name: keyof L1Counters): number => sum(l1s, ({ counters }) => counters[name]);
  const [loads, stores, sharedAccesses] = [of("requests"), of("storeRequests"), of("sharedRequests")];
  const { l2Reads, l2ReadHits, l2Writes } = device.counters;
  const { readBytes: dramReadBytes, writeBytes: dramWriteBytes } = device.dram.counters;
  const shared = instructions.flatMap(({ memory }) => (memory?.space === "shared" ? [memory] : []));
  return {
    l1HitRate: share(of("hits"), of("sectors")),
    l2HitRate: share(l2ReadHits, l2Reads),
    dramReadBytes,
    dramWriteBytes,
    dramGigabytesPerSecond: (dramReadBytes + dramWriteBytes) / seconds / 1e9,
    sectorsPerLoad: share(of("sectors"), loads),
    sectorsPerStore: share(of("storeSectors"), stores),
    sharedCyclesPerAccess: share(of("sharedCycles"), sharedAccesses),
    sharedLeastCyclesPerAccess: share(
      sum(shared, ({ requests, leastDataCyclesPerRequest }) => requests * leastDataCyclesPerRequest),
      sum(shared, ({ requests }) => requests),
    ),
    loads,
    stores,
    sharedAccesses,
    l1LoadBytes: of("sectors") * SECTOR,
    l1StoreBytes: of("storeSectors") * SECTOR,
    l2ReadBytes: l2Reads * SECTOR,
    l2WriteBytes: l2Writes * SECTOR,
  };
}

interface Busy {
  readonly issued: number;
  readonly subcoreCycles: number;
  readonly pipes: TimingResult["pipes"];
  readonly memory: TimingResult["memory"];
  readonly l1s: readonly L1[];
}

function throughputOf(model: GpuModel, cycles: number, busy: Busy): TimingResult["throughput"] {
  const { issued, subcoreCycles, pipes, memory, l1s } = busy;
  const issue = issued / subcoreCycles;
  const l1 = sum(l1s, ({ counters }) => counters.dataCycles) / (cycles * model.sms);
  const l2 = (memory.l2ReadBytes + memory.l2WriteBytes) / cycles / model.l2.bytesPerCycle;
  const dram = memory.dramGigabytesPerSecond / model.dram.gigabytesPerSecond;
  const { lsu: _path, ...arithmetic } = pipes;
  return {
    compute: Math.max(issue, ...Object.values(arithmetic)),
    memory: Math.max(l1, l2, dram),
    issue,
    l1,
    l2,
    dram,
  };
}

function workDone({ program }: Simulation): TimingResult["work"] {
  const done: Record<Precision, number> = { f16: 0, f32: 0, f64: 0, tensor: 0 };
  for (const { instruction, cost } of program.instructions) {
    if (cost.executed === 0) continue;
    const work = workOf(instruction);
    if (work !== undefined) done[work.precision] += work.operations * (work.perWarp ? cost.executed : cost.threads);
  }
  return record(precisions, (i) => done[precisions[i]!]);
}

function record<Name extends string>(
  names: readonly Name[],
  value: (i: number) => number,
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, i) => [name, value(i)])) as Record<Name, number>;
}
