// Words of other assemblers, C and CUDA that people write by mistake, with PTX's equivalents: for messages only.

/** Opcodes. */
export const otherOpcodes: Readonly<Record<string, string>> = {
  ...{ load: "ld", store: "st", ldg: "ld.global", stg: "st.global", lds: "ld.shared", sts: "st.shared" },
  ...{ move: "mov", movl: "mov", movq: "mov", movsx: "cvt", movzx: "cvt", cast: "cvt", convert: "cvt" },
  ...{ imul: "mul", iadd: "add", isub: "sub", idiv: "div", mod: "rem", fadd: "add", fsub: "sub", fmul: "mul" },
  ...{ ffma: "fma", imad: "mad", fmad: "fma", rsq: "rsqrt", exp: "ex2", exp2: "ex2", log: "lg2", log2: "lg2" },
  ...{ jmp: "bra", br: "bra", branch: "bra", goto: "bra", jump: "bra", cmp: "setp", icmp: "setp", fcmp: "setp" },
  ...{ select: "selp", cmov: "selp", lsl: "shl", lsr: "shr", asr: "shr", sll: "shl", srl: "shr", sra: "shr" },
  ...{ rotl: "shf", rotr: "shf", return: "ret", syncthreads: "bar.sync", __syncthreads: "bar.sync" },
  ...{ atomic: "atom", atomicadd: "atom.add", popcount: "popc" },
};

/** Modifiers: types, comparisons, state spaces. Messages show only equivalents that the opcode has. */
export const otherModifiers: Readonly<Record<string, readonly string[]>> = {
  ...{ i8: ["s8"], i16: ["s16", "b16"], i32: ["s32", "b32"], i64: ["s64", "b64"], int: ["s32", "b32"] },
  ...{ uint: ["u32", "b32"], long: ["s64", "b64"], ulong: ["u64"], short: ["s16"], char: ["s8"], float: ["f32"] },
  ...{ double: ["f64"], half: ["f16"], bool: ["pred", "b32"], single: ["f32"], ptr: ["u64", "b64"], size_t: ["u64"] },
  ...{ neq: ["ne", "neu"], lte: ["le"], gte: ["ge"], less: ["lt"], greater: ["gt"], eql: ["eq"] },
  ...{ device: ["global", "gpu"], constant: ["const"], private: ["local"], smem: ["shared"], gmem: ["global"] },
  ...{ block: ["cta"], thread: ["cta"], grid: ["gpu"], system: ["sys"], acquire_release: ["acq_rel"] },
  ...{ plus: ["add"], swap: ["exch"], compare_exchange: ["cas"], round: ["rn", "rni"], trunc: ["rz", "rzi"] },
};

/** Names of CUDA C++. */
export const otherNames: Readonly<Record<string, string>> = {
  ...{ threadIdx: "%tid.x", blockIdx: "%ctaid.x", blockDim: "%ntid.x", gridDim: "%nctaid.x", warpSize: "WARP_SZ" },
  ...{ laneId: "%laneid", laneid: "%laneid", lane_id: "%laneid", warpid: "%warpid", true: "1", false: "0", NULL: "0" },
};
