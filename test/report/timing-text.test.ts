import test from "ava";
import { timingText } from "../../lib/report/timing-text.js";
import { textWidth } from "../../lib/report/table.js";
import type { TimingResult } from "../../lib/timing/result.js";

const timing = {
  cycles: 43566,
  microseconds: 30.9,
  ipc: 0.0591,
  limitedBy: "latency",
  occupancy: { achieved: 0.0068, theoretical: 0.5, limitedBy: "registers" },
  memory: {
    l1HitRate: 0.99,
    l2HitRate: 0.5,
    dramReadBytes: 1024,
    dramWriteBytes: 512,
    sectorsPerLoad: 4,
    sectorsPerStore: 8.25,
    sharedCyclesPerAccess: 1,
  },
  stalls: { selected: 0.1, wait: 0.21, long_scoreboard: 0.44, short_scoreboard: 0.15, barrier: 0.05, drain: 0.005 },
} as unknown as TimingResult;

test("a launch is a row of numbers, one of what bounds it, and one of the three reasons that cost most", (t) => {
  t.deepEqual(timingText([{ kernel: "march", timing }]), [
    "  kernel  cycles    µs    IPC  occupancy  L1 hits  L2 hits     DRAM",
    "  march    43566  30.9  0.059      0.7 %     99 %     50 %  1.5 KiB",
    "",
    "  kernel  bound by  warps              sectors/load  /store  banks",
    "  march   latency   50 % by registers           4.0     8.3    1.0",
    "",
    "  kernel  warps waited for",
    "  march   long_scoreboard 44 %, wait 21 %, short_scoreboard 15 %",
  ]);
});

test("80 columns are enough, whatever the kernel's name", (t) => {
  const long = `_ZN${"7example".repeat(20)}Ev`;
  for (const line of timingText([{ kernel: long, timing }], 80)) t.true(textWidth(line) <= 80, line);
});
