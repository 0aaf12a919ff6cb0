// Suggested changes to a kernel or its launch, from rules that are certain: they follow from counters, not from the model's
// times.

import type { InstructionProfile } from "./instruction-profile.js";
import type { GpuModel } from "../gpus/model.js";
import { occupancy as occupancyOf, type BlockNeeds } from "../gpus/occupancy.js";
import type { TimingResult, Advice } from "./result.js";

export type AdviceInput = Pick<
  TimingResult,
  "instructions" | "occupancy" | "pipes" | "blocks" | "threadsPerBlock" | "warpInstructions" | "memory"
>;

/** Smaller shares are not reported. */
const MIN_SHARE = 0.05;
/** An access is reported from this multiple of the necessary transactions on. */
const EXCESS = 1.5;
/** Limit of advice about single instructions; the rest concerns the launch. */
const MAX_LINES = 8;

export function adviseOn(result: AdviceInput, model: GpuModel, needs: BlockNeeds): readonly Advice[] {
  const ofInstructions = [
    ...uncoalesced(result),
    ...bankConflicts(result),
    ...divergence(result),
    ...contention(result),
  ].sort((a, b) => b.share - a.share);
  return [
    ...fewBlocks(result, model),
    ...lowOccupancy(result, model, needs),
    ...tail(result),
    ...partialWarps(result),
    ...localMemory(result),
    ...fewFp64Units(result, model),
    ...ofInstructions.slice(0, MAX_LINES),
  ];
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
const short = (value: number): string => String(Number(value.toPrecision(2)));
const sum = (rows: readonly InstructionProfile[], of: (row: InstructionProfile) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

const at = ({ ptx, source, number }: InstructionProfile): Pick<Advice, "place" | "instruction"> => ({
  place: source ?? ptx,
  instruction: number,
});

/** "loads", "stores", "atomics": the kind of memory access, from the instruction's text. */
function accessWord({ text = "" }: InstructionProfile): string {
  const opcode = /(?:^|\s)([a-z_]+)\./.exec(text)?.[1] ?? "";
  if (/^st/.test(opcode)) return "stores";
  if (/^(atom|red)/.test(opcode)) return "atomics";
  return /^ld/.test(opcode) ? "loads" : "accesses";
}

function uncoalesced({ instructions }: AdviceInput): readonly Advice[] {
  const isGlobal = ({ memory }: InstructionProfile): boolean => memory?.space === "global";
  const sectorsOf = ({ memory }: InstructionProfile): number => memory!.requests * memory!.sectorsPerRequest;
  const rows = instructions.filter(isGlobal);
  const all = sum(rows, sectorsOf);
  return rows.flatMap((row): readonly Advice[] => {
    const { sectorsPerRequest, leastSectorsPerRequest } = row.memory!;
    const least = Math.max(1, leastSectorsPerRequest);
    const share = sectorsOf(row) / all;
    if (sectorsPerRequest < least * EXCESS || share < MIN_SHARE) return [];
    return [
      {
        rule: "uncoalesced",
        message: `uncoalesced ${accessWord(row)}: ${short(sectorsPerRequest)} sectors per request, where ${short(least)} would do`,
        remedy: "let neighbouring threads access neighbouring addresses, or stage the data in shared memory",
        share,
        ...at(row),
      },
    ];
  });
}

function bankConflicts({ instructions }: AdviceInput): readonly Advice[] {
  const rows = instructions.filter(({ memory }) => memory?.space === "shared");
  const cyclesOf = ({ memory }: InstructionProfile): number => memory!.requests * memory!.dataCyclesPerRequest;
  const all = sum(rows, cyclesOf);
  return rows.flatMap((row): readonly Advice[] => {
    const { dataCyclesPerRequest, leastDataCyclesPerRequest } = row.memory!;
    const ways = dataCyclesPerRequest / leastDataCyclesPerRequest;
    const share = cyclesOf(row) / all;
    if (ways < EXCESS || share < MIN_SHARE) return [];
    return [
      {
        rule: "bank-conflicts",
        message: `${short(ways)}-way bank conflicts: ${accessWord(row)} of shared memory take ${short(dataCyclesPerRequest)} cycles, where ${short(leastDataCyclesPerRequest)} would do`,
        remedy: "pad the rows of the array by one element, or permute (swizzle) its index",
        share,
        ...at(row),
      },
    ];
  });
}

function divergence({ instructions, warpInstructions }: AdviceInput): readonly Advice[] {
  const active = sum(instructions, ({ threads }) => threads) / Math.max(1, 32 * warpInstructions);
  if (active > 0.75) return [];
  return instructions.flatMap((row): readonly Advice[] => {
    const share = row.diverged / Math.max(1, row.executed);
    if (share < 0.2 || row.executed / warpInstructions < 0.005) return [];
    return [
      {
        rule: "divergence",
        message: `divergent branch: splits ${percent(share)} of its warps; ${short(32 * active)} of 32 lanes are active on average`,
        remedy: "make the lanes of a warp take the same path, for example by sorting the work, or use a predicate",
        share,
        ...at(row),
      },
    ];
  });
}

function contention({ instructions }: AdviceInput): readonly Advice[] {
  return instructions.flatMap((row): readonly Advice[] => {
    const lanes = row.memory?.lanesOnOneAddress ?? 0;
    if (accessWord(row) !== "atomics" || lanes < 8) return [];
    return [
      {
        rule: "atomic-contention",
        message: `atomics with ${short(lanes)} lanes of a warp on one address`,
        remedy:
          "add up in the warp or the block first (redux, shuffles, shared memory), then let one lane do the atomic",
        share: lanes / 32,
        ...at(row),
      },
    ];
  });
}

function localMemory({ instructions }: AdviceInput): readonly Advice[] {
  const rows = instructions.filter(({ memory }) => memory?.space === "local");
  const requests = sum(rows, ({ memory }) => memory!.requests);
  const all = sum(instructions, ({ memory }) => memory?.requests ?? 0);
  if (requests === 0 || requests / all < MIN_SHARE) return [];
  const [first] = [...rows].sort((a, b) => b.memory!.requests - a.memory!.requests);
  return [
    {
      rule: "local-memory",
      message: `${percent(requests / all)} of the accesses are to local memory`,
      remedy: "index local arrays with constants (unroll the loop), so that they stay in registers",
      share: requests / all,
      ...at(first!),
    },
  ];
}

function lowOccupancy({ occupancy }: AdviceInput, model: GpuModel, needs: BlockNeeds): readonly Advice[] {
  const { theoretical, limitedBy, blocksPerSm } = occupancy;
  if (theoretical >= 0.5 || blocksPerSm === 0) return [];
  const warps = Math.round(theoretical * model.limits.warps);
  const fit = `${warps} of ${model.limits.warps} warps fit on an SM`;
  const advice = (message: string, remedy: string): readonly Advice[] => [
    { rule: "low-occupancy", message, remedy, share: 1 - theoretical },
  ];
  switch (limitedBy) {
    case "registers": {
      const fewer = fewerRegisters(model, needs, blocksPerSm);
      return advice(
        `${fit}: a thread takes ${needs.registers} registers${occupancy.registersEstimated ? " (estimated)" : ""}`,
        fewer === undefined
          ? "let blocks be smaller, or a thread do less"
          : `with ${fewer.registers} registers ${fewer.blocks} blocks would fit instead of ${blocksPerSm}: .maxnreg, .minnctapersm`,
      );
    }
    case "shared memory":
      return advice(
        `${fit}: a block takes ${needs.sharedBytes} bytes of shared memory`,
        `with ${sharedFor(model, blocksPerSm + 1)} bytes one block more would fit`,
      );
    case "blocks":
      return advice(
        `${fit}: an SM holds ${model.limits.blocks} blocks, and one has ${needs.threads} threads`,
        "give blocks more threads",
      );
    case "warps":
      return advice(`${fit}: a block has ${needs.threads} threads`, "let blocks be smaller, so that more of them fit");
  }
}

/** The largest number of registers with which more blocks fit. */
function fewerRegisters(
  model: GpuModel,
  needs: BlockNeeds,
  blocks: number,
): { readonly registers: number; readonly blocks: number } | undefined {
  for (let registers = needs.registers - 1; registers >= 16; registers--) {
    const held = occupancyOf(model, { ...needs, registers });
    if (held.blocks > blocks) return { registers, blocks: held.blocks };
  }
  return undefined;
}

function sharedFor({ limits }: GpuModel, blocks: number): number {
  const each = Math.floor(limits.sharedBytes / blocks / limits.sharedUnitBytes) * limits.sharedUnitBytes;
  return Math.max(0, each - limits.sharedReservedBytes);
}

function fewBlocks({ blocks }: AdviceInput, { sms }: GpuModel): readonly Advice[] {
  if (blocks >= sms) return [];
  return [
    {
      rule: "few-blocks",
      message: `the grid has ${blocks} ${blocks === 1 ? "block" : "blocks"}; the GPU has ${sms} SMs`,
      remedy: "launch more and smaller blocks",
      share: 1 - blocks / sms,
    },
  ];
}

/** The last of a few waves fills only a part of the GPU. */
function tail({ occupancy: { waves } }: AdviceInput): readonly Advice[] {
  const whole = Math.floor(waves);
  const rest = waves - whole;
  if (whole < 1 || whole > 4 || rest === 0 || rest > 0.5) return [];
  return [
    {
      rule: "tail",
      message: `the grid is ${waves.toFixed(2)} waves: the last one fills ${percent(rest)} of the GPU`,
      remedy: `choose a grid of ${whole === 1 ? "one wave" : `${whole} waves`}, or let blocks loop over the data`,
      share: (1 - rest) / (whole + 1),
    },
  ];
}

function partialWarps({ threadsPerBlock }: AdviceInput): readonly Advice[] {
  const rest = threadsPerBlock % 32;
  if (rest === 0) return [];
  const warps = Math.ceil(threadsPerBlock / 32);
  return [
    {
      rule: "partial-warps",
      message: `a block of ${threadsPerBlock} threads leaves ${32 - rest} of ${warps * 32} lanes idle`,
      remedy: "let the threads of a block be a multiple of 32",
      share: (32 - rest) / (warps * 32),
    },
  ];
}

function fewFp64Units({ pipes }: AdviceInput, { fp64PerSm }: GpuModel): readonly Advice[] {
  // For a pipe that the SM has once, the share per sub-core is a quarter of its use.
  const taken = pipes.fp64 * 4;
  if (!fp64PerSm || taken < 0.6) return [];
  return [
    {
      rule: "few-fp64-units",
      message: `the fp64 pipe is taken ${percent(Math.min(1, taken))} of the time: this GPU has two such lanes on an SM`,
      remedy: "compute in f32 where that is exact enough, or run on a GPU with more",
      share: Math.min(1, taken),
    },
  ];
}
