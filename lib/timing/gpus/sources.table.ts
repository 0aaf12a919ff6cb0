// The sources of the numbers in the GPU models. Every number in gpus/*.table.ts has one of these keys.

/** The confidence in a number: measured on the chip, published for it, carried from another chip, or assumed. */
export const confidences = ["measured", "published", "carried", "assumed"] as const;
export type Confidence = (typeof confidences)[number];

export interface Source {
  readonly what: string;
  readonly url?: string;
  /** Default: "published". */
  readonly confidence?: Confidence;
}

export const sources = {
  OCC: { what: "cuda_occupancy.h of the CUDA 13.0 toolkit: limits, granularities and the occupancy algorithm" },
  PG: {
    what: "CUDA programming guide 13, features and technical specifications per compute capability",
    url: "https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html",
  },
  PG10: {
    what: "CUDA C programming guide 10 and 11, throughput of native arithmetic instructions",
    url: "https://docs.nvidia.com/cuda/archive/10.2/cuda-c-programming-guide/index.html#arithmetic-instructions",
  },
  BPG: {
    what: "CUDA C++ best practices guide 13, table 5 (throughput per compute capability), as quoted by third parties",
    url: "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html",
  },
  XLA: {
    what: "openxla/xla device descriptions (clock, SMs, bandwidth, L2) of V100, A100, H100 and H200",
    url: "https://github.com/openxla/xla",
  },
  AMP: {
    what: "Abdelkhalik et al., Demystifying the NVIDIA Ampere architecture through microbenchmarking, HPEC 2022",
    url: "https://arxiv.org/abs/2208.11174",
  },
  NMSU: {
    what: "Arafa et al., Low overhead instruction latency characterization for NVIDIA GPGPUs, HPEC 2019, raw results",
    url: "https://github.com/NMSU-PEARL/GPUs-ISA-Latencies",
  },
  ASIM: {
    what: "Accel-Sim: tuner output measured on a TITAN V, and the tested configurations",
    url: "https://github.com/accel-sim/accel-sim-framework",
  },
  RRZE: {
    what: "RRZE gpu-benches: raw results of latency, stride, cache and stream benchmarks",
    url: "https://github.com/RRZE-HPC/gpu-benches",
  },
  HPMLL: {
    what: "Luo et al., microbenchmarks of Hopper and Ada, logs behind the paper",
    url: "https://arxiv.org/abs/2501.12084",
  },
  HUERTA: {
    what: "Huerta et al., Analyzing modern NVIDIA GPU cores, MICRO 2025 (details quoted by third parties)",
    url: "https://arxiv.org/abs/2503.20481",
  },
  SJF: {
    what: "gpu-arch-microbenchmark, RTX 2070 results",
    url: "https://github.com/sjfeng1999/gpu-arch-microbenchmark",
  },
  GTC21: { what: "Citadel, Dissecting the Ampere GPU architecture through microbenchmarking, GTC 2021 (notes)" },
  FORUM: {
    what: "NVIDIA developer forum, staff post on how the LSU executes loads and stores",
    url: "https://forums.developer.nvidia.com/t/273699/8",
  },
  CNC: {
    what: "Chips and Cheese, B200 measured: SMs, L2, latencies of L1 and of the near L2 (nanoseconds times the clock)",
    url: "https://chipsandcheese.com/p/nvidias-b200-keeping-the-cuda-juggernaut",
  },
  SPEC: { what: "public product specifications: SMs, boost clock, bandwidth, L2 (data sheets and third-party pages)" },
  H200: { what: "measured for this project on an H200: testdata/hardware/h200/timing", confidence: "measured" },
  CARRIED: { what: "another chip's figure, the H200's as a rule: nobody has published one", confidence: "carried" },
  LOCAL: { what: "counted for this project from the size of code that ptxas 13.0 makes", confidence: "measured" },
  MEM: { what: "from memory, unverified", confidence: "assumed" },
  MODEL: { what: "an assumption of this model; nothing published was found", confidence: "assumed" },
} as const satisfies Record<string, Source>;

export type SourceKey = keyof typeof sources;
