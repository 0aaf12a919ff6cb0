import test from "ava";
import { hotLinesText } from "../../lib/report/hot-text.js";
import { linesOf } from "../../lib/report/hot-lines.js";
import { timingText } from "../../lib/report/timing-text.js";
import { textWidth } from "../../lib/report/table.js";
import type { InstructionProfile } from "../../lib/timing/result/instruction-profile.js";
import type { TimingResult } from "../../lib/timing/result/result.js";

const instruction = (line: number, source: number, more: Partial<InstructionProfile>): InstructionProfile => ({
  number: line,
  function: "march",
  ptx: { file: "march.ptx", line },
  source: { file: "march.cu", line: source },
  text: "add.f32 %f1, %f2, %f3;",
  executed: 10,
  threads: 320,
  diverged: 0,
  issued: 10,
  stallCycles: { selected: 10 },
  ...more,
});

const instructions = [
  instruction(10, 3, {
    text: "ld.global.f32 %f1, [%rd1];",
    memory: {
      space: "global",
      requests: 10,
      sectorsPerRequest: 8.25,
      leastSectorsPerRequest: 4,
      l1HitRate: 0,
      dataCyclesPerRequest: 2,
      leastDataCyclesPerRequest: 1,
      lanesOnOneAddress: 1,
    },
  }),
  instruction(11, 3, { stallCycles: { selected: 10, long_scoreboard: 60, wait: 10 } }),
  instruction(12, 4, { executed: 10, threads: 160 }),
];

const timing = {
  gpu: "h200",
  cycles: 43566,
  microseconds: 30.91,
  eventMicroseconds: 33.6,
  caches: "warm",
  ipc: 0.0591,
  limitedBy: "latency",
  warpInstructions: 30,
  issuedInstructions: 30,
  threadsPerBlock: 128,
  throughput: { compute: 0.12, memory: 0.31, issue: 0.02, l1: 0.3, l2: 0.31, dram: 0.05 },
  pipes: { alu: 0.01, fma: 0.12, lsu: 0.5 },
  peak: { dramBytes: 4.8e12 },
  occupancy: {
    achieved: 0.0068,
    theoretical: 0.5,
    limitedBy: "registers",
    blocksPerSm: 8,
    waves: 1.25,
    registers: 56,
    registersEstimated: true,
    sharedBytes: 2048,
  },
  memory: {
    l1HitRate: 0.99,
    l2HitRate: 0.5,
    dramReadBytes: 1024,
    dramWriteBytes: 512,
    dramGigabytesPerSecond: 240,
    loads: 10,
    stores: 10,
    sharedAccesses: 0,
    sectorsPerLoad: 4,
    sectorsPerStore: 8.25,
    sharedCyclesPerAccess: 1,
    sharedLeastCyclesPerAccess: 1,
  },
  stalls: { selected: 0.1, wait: 0.21, long_scoreboard: 0.44, short_scoreboard: 0.15, barrier: 0.05, drain: 0.005 },
  advice: [
    {
      rule: "uncoalesced",
      message: "uncoalesced loads: 8.3 sectors per request, where 4 would do",
      remedy: "let neighbouring threads access neighbouring addresses",
      share: 1,
      place: { file: "march.cu", line: 3 },
    },
  ],
  instructions,
} as unknown as TimingResult;

test("a launch is a row, followed by its limit, utilisation, stalls and advice", (t) => {
  t.deepEqual(timingText([{ kernel: "march", timing }]), [
    "  launch  kernel  cycles     µs  bound by  compute  memory  warps   IPC",
    "       1  march    43566  30.91  latency      12 %    31 %  0.7 %  0.06",
    "",
    "Launch 1: march",
    "  time          43566 cycles, 30.91 µs; 33.60 µs by a stream's timer; caches warm",
    "  bound by      latency: warps wait for results or for each other",
    "  compute       12 % of the peak: issue slots 2.0 %, fma 12 %, alu 1.0 %",
    "  memory        31 % of the peak: L1 and shared memory 30 %, L2 31 %, DRAM 5.0 % (240 of 4800 GB/s)",
    "  instructions  0.06 per cycle and SM (IPC); 30 warp instructions in PTX, 30 issued",
    "  occupancy     0.7 % achieved, 50 % theoretical: 8 blocks of 128 threads per SM, limited by registers; 1.25 waves",
    "  resources     56 registers per thread (estimated), 2.0 KiB of shared memory per block",
    "  caches        L1 hits 99 %, L2 hits 50 %; DRAM: 1.0 KiB read, 512 B written",
    "  accesses      4.0 sectors per load, 8.3 per store",
    "  stalls        long_scoreboard 44 %, wait 21 %, short_scoreboard 15 %, barrier 5.0 %",
    "  advice: march.cu:3: uncoalesced loads: 8.3 sectors per request, where 4 would do",
    "          let neighbouring threads access neighbouring addresses",
  ]);
});

test("of many launches the longest are shown in detail", (t) => {
  const launches = Array.from({ length: 9 }, (_, i) => ({ kernel: "k", timing: { ...timing, cycles: 100 + i } }));
  const lines = timingText(launches);
  t.deepEqual(
    lines.filter((line) => line.startsWith("Launch ")),
    ["Launch 6: k", "Launch 7: k", "Launch 8: k", "Launch 9: k"],
  );
  t.is(lines.at(-1), "Not shown in detail: 5 shorter launches (--json has them).");
});

test("lines add up the costs of their instructions, the longest first", (t) => {
  const [first, second] = linesOf(instructions, "source");
  t.is(first!.place.line, 3);
  t.is(first!.share, 90 / 100);
  t.deepEqual(first!.stallCycles, { selected: 20, long_scoreboard: 60, wait: 10 });
  t.is(first!.sectorsPerRequest, 8.25);
  t.is(second!.activeLanes, 16);
  t.deepEqual(
    linesOf(instructions, "ptx").map(({ place }) => place.line),
    [11, 10, 12],
  );
});

test("hot lines are those of the source, then those of the PTX", (t) => {
  t.deepEqual(hotLinesText(instructions, 2), [
    "  Lines of the source of march.cu:",
    "  line    time  issues  stalls                           access            lanes  instruction",
    "     3  90.0 %      20  long_scoreboard 67 %, wait 11 %  8.25 sectors (4)     32  2 PTX instructions",
    "     4  10.0 %      10                                                        16  add.f32 %f1, %f2, %f3;",
    "  Lines of the PTX of march.ptx:",
    "  line    time  issues  stalls                           access            lanes  instruction",
    "    11  80.0 %      10  long_scoreboard 75 %, wait 13 %                       32  add.f32 %f1, %f2, %f3;",
    "    10  10.0 %      10                                   8.25 sectors (4)     32  ld.global.f32 %f1, [%rd1];",
  ]);
});

test("80 columns are enough, whatever the kernel's name", (t) => {
  const long = `_ZN${"7example".repeat(20)}Ev`;
  const plain = { ...timing, advice: [] };
  for (const line of timingText([{ kernel: long, timing: plain }], { width: 80, hotLines: 5 }))
    if (!line.startsWith("Launch ")) t.true(textWidth(line) <= 80, line);
});
