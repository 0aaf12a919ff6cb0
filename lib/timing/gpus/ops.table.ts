// The cost of one machine instruction of each op, per sub-core, by SM generation. Latency is measured with dependent chains;
// the interval is 32 lanes divided by the lanes of the pipe. A model takes a generation's row and replaces what differs. The
// Ampere paper's per-instruction column (AMP) is the interval of independent instructions, not a latency; only its dependent
// figures are used as latencies.

import type { OpFacts, OpName, PipeName } from "./model.js";
import type { SourceKey } from "./sources.table.js";

const fixed = (pipe: PipeName, latency: number, from: SourceKey, interval: number, rate: SourceKey): OpFacts => ({
  pipe,
  latencyCycles: [latency, from],
  intervalCycles: [interval, rate],
  scoreboard: false,
});

const variable = (pipe: PipeName, latency: number, from: SourceKey, interval: number, rate: SourceKey): OpFacts => ({
  ...fixed(pipe, latency, from, interval, rate),
  scoreboard: true,
});

type Ops = Readonly<Record<OpName, OpFacts>>;

/** 7.0: 16 lanes each of fp32, integer; 8 of fp64; 4 of the transcendental unit. */
export const voltaOps: Ops = {
  alu: fixed("alu", 4, "NMSU", 2, "PG10"),
  iadd: fixed("alu", 4, "NMSU", 2, "PG10"),
  uniform: fixed("alu", 4, "NMSU", 2, "PG10"),
  upper: fixed("alu", 4, "NMSU", 2, "PG10"),
  compare: fixed("alu", 13, "HUERTA", 2, "PG10"),
  predicate: fixed("alu", 4, "MODEL", 2, "PG10"),
  fma: fixed("fma", 4, "NMSU", 2, "PG10"),
  imad: fixed("fma", 4, "NMSU", 2, "PG10"),
  imadWide: fixed("fma", 5, "AMP", 4, "AMP"),
  madWide: fixed("fma", 5, "AMP", 4, "AMP"),
  imadHigh: fixed("fma", 5, "AMP", 4, "AMP"),
  madHigh: fixed("fma", 5, "AMP", 4, "AMP"),
  half: fixed("half", 6, "ASIM", 2, "PG10"),
  half2: fixed("half", 6, "ASIM", 2, "PG10"),
  fp64: fixed("fp64", 8, "ASIM", 4, "PG10"),
  fp64Fma: fixed("fp64", 8, "ASIM", 4, "PG10"),
  fp64Wide: fixed("fp64", 8, "ASIM", 4, "PG10"),
  fp64Compare: fixed("fp64", 13, "HUERTA", 4, "PG10"),
  xu: variable("xu", 21, "ASIM", 8, "PG10"),
  xuTwice: variable("xu", 21, "ASIM", 16, "PG10"),
  bits: variable("xu", 14, "NMSU", 8, "PG10"),
  convert: variable("xu", 14, "NMSU", 8, "PG10"),
  toFloat: variable("xu", 14, "NMSU", 8, "PG10"),
  convert64: variable("xu", 14, "NMSU", 8, "PG10"),
  convertLong: variable("xu", 14, "NMSU", 8, "PG10"),
  special: variable("xu", 21, "MODEL", 8, "MODEL"),
  shuffle: variable("lsu", 26, "HUERTA", 1, "PG10"),
  shuffleIndex: variable("lsu", 26, "HUERTA", 1, "PG10"),
  vote: fixed("vote", 13, "MODEL", 2, "BPG"),
  match: variable("vote", 13, "MODEL", 8, "MODEL"),
  redux: variable("vote", 13, "MODEL", 8, "MODEL"),
  branch: fixed("branch", 4, "ASIM", 2, "MODEL"),
  call: fixed("branch", 4, "ASIM", 2, "MODEL"),
  skip: fixed("branch", 20, "MODEL", 2, "MODEL"),
  subroutine: fixed("branch", 68, "CARRIED", 2, "MODEL"),
  nop: fixed("branch", 1, "MODEL", 1, "MODEL"),
  mma8: fixed("tensor", 33, "ASIM", 8, "ASIM"),
  mma: fixed("tensor", 33, "ASIM", 8, "ASIM"),
  mmaF64: fixed("tensor", 33, "ASIM", 16, "MODEL"),
  memory: variable("lsu", 0, "MODEL", 1, "FORUM"),
};

/** 7.5: like Volta, with almost no fp64. */
export const turingOps: Ops = {
  ...voltaOps,
  fp64: fixed("fp64", 45, "NMSU", 16, "PG10"),
  fp64Fma: fixed("fp64", 45, "NMSU", 16, "PG10"),
  fp64Wide: fixed("fp64", 45, "NMSU", 16, "PG10"),
  fp64Compare: fixed("fp64", 45, "NMSU", 16, "PG10"),
};

/** 8.0. */
export const ampereOps: Ops = {
  ...voltaOps,
  half: fixed("half", 3, "AMP", 1, "PG10"),
  half2: fixed("half", 3, "AMP", 1, "PG10"),
  fp64: fixed("fp64", 5, "AMP", 4, "AMP"),
  fp64Fma: fixed("fp64", 5, "AMP", 4, "AMP"),
  fp64Wide: fixed("fp64", 5, "AMP", 4, "AMP"),
  fp64Compare: fixed("fp64", 13, "HUERTA", 4, "AMP"),
  xu: variable("xu", 23, "ASIM", 8, "PG10"),
  xuTwice: variable("xu", 23, "ASIM", 16, "PG10"),
  special: variable("xu", 23, "MODEL", 8, "MODEL"),
  mma8: fixed("tensor", 16, "AMP", 8, "ASIM"),
  mma: fixed("tensor", 16, "AMP", 8, "ASIM"),
  mmaF64: fixed("tensor", 16, "AMP", 16, "MODEL"),
};

/** 8.6 and 8.9: 32 lanes of fp32, of which 16 multiply integers; two lanes of fp64 for the whole SM. */
export const gamingAmpereOps: Ops = {
  ...voltaOps,
  fma: fixed("fma", 4, "HUERTA", 1, "BPG"),
  half: fixed("half", 4, "MODEL", 1, "MEM"),
  half2: fixed("half", 4, "MODEL", 1, "MEM"),
  fp64: fixed("fp64", 45, "NMSU", 16, "PG"),
  fp64Fma: fixed("fp64", 45, "NMSU", 16, "PG"),
  fp64Wide: fixed("fp64", 45, "NMSU", 16, "PG"),
  fp64Compare: fixed("fp64", 45, "NMSU", 16, "PG"),
  convert64: variable("fp64", 45, "NMSU", 16, "PG10"),
  convertLong: variable("fp64", 45, "NMSU", 16, "PG10"),
  xu: variable("xu", 17, "HUERTA", 8, "BPG"),
  xuTwice: variable("xu", 17, "HUERTA", 16, "BPG"),
  special: variable("xu", 17, "MODEL", 8, "MODEL"),
  mma8: fixed("tensor", 32, "ASIM", 16, "ASIM"),
  mma: fixed("tensor", 32, "ASIM", 16, "ASIM"),
  mmaF64: fixed("tensor", 45, "NMSU", 64, "MODEL"),
};

/** 9.0, measured on an H200 (records: micro, `op_*` and `mma_*`). */
export const hopperOps: Ops = {
  alu: fixed("alu", 4, "H200", 2, "H200"),
  iadd: { ...fixed("alu", 4, "H200", 2, "H200"), alsoFma: true },
  uniform: fixed("uniform", 4, "H200", 1, "H200"),
  upper: fixed("alu", 2, "H200", 2, "H200"),
  compare: fixed("alu", 4, "H200", 2, "H200"),
  predicate: fixed("alu", 13, "H200", 2, "H200"),
  fma: fixed("fma", 4, "H200", 1, "H200"),
  imad: fixed("fma", 4, "H200", 2, "H200"),
  imadWide: { ...fixed("fma", 4, "H200", 4, "H200"), repeatCycles: [6.25, "H200"] },
  madWide: { ...fixed("fma", 4, "H200", 3, "H200"), repeatCycles: [4, "H200"] },
  imadHigh: { ...fixed("fma", 9, "H200", 4, "H200"), repeatCycles: [6.25, "H200"] },
  madHigh: { ...fixed("fma", 9, "H200", 4.25, "H200"), repeatCycles: [6.5, "H200"] },
  half: fixed("half", 4, "H200", 1.09, "H200"),
  half2: fixed("half", 8, "H200", 1.13, "H200"),
  fp64: fixed("fp64", 8, "H200", 2, "H200"),
  fp64Fma: fixed("fp64", 8, "H200", 2.2, "H200"),
  fp64Wide: fixed("fp64", 8, "H200", 2.5, "H200"),
  fp64Compare: fixed("fp64", 6, "H200", 2, "H200"),
  xu: { ...variable("xu", 17, "H200", 8, "H200"), reckonedCycles: [17, "H200"] },
  xuTwice: variable("xu", 17, "H200", 16, "H200"),
  bits: variable("xu", 17, "H200", 8, "H200"),
  convert: variable("xu", 17, "H200", 8, "H200"),
  toFloat: fixed("alu", 4, "H200", 2, "H200"),
  convert64: variable("xu", 18, "H200", 8.5, "H200"),
  convertLong: variable("xu", 19, "H200", 9, "H200"),
  special: variable("xu", 15, "H200", 4, "H200"),
  shuffle: { ...variable("lsu", 24, "H200", 4, "H200"), repeatCycles: [5, "H200"] },
  shuffleIndex: { ...variable("lsu", 26, "H200", 4, "H200"), repeatCycles: [5.4, "H200"] },
  vote: fixed("alu", 13, "H200", 2, "H200"),
  match: variable("vote", 28, "H200", 8, "H200"),
  redux: { ...variable("vote", 44, "H200", 8, "H200"), repeatCycles: [11.7, "H200"] },
  branch: fixed("branch", 10, "H200", 2, "MODEL"),
  call: fixed("branch", 10, "H200", 5.5, "H200"),
  skip: fixed("branch", 23.7, "H200", 2, "MODEL"),
  subroutine: fixed("branch", 68, "H200", 2, "MODEL"),
  nop: fixed("branch", 1, "H200", 1.75, "H200"),
  mma8: fixed("tensor", 17, "H200", 4, "H200"),
  mma: fixed("tensor", 24, "H200", 6, "H200"),
  mmaF64: fixed("tensor", 26, "H200", 16, "H200"),
  memory: variable("lsu", 0, "MODEL", 4, "H200"),
};
