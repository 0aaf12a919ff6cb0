// llvm.nvvm intrinsics of threads: special registers, barriers, fences, votes and shuffles (PTX ISA chapter 10, 9.7.9,
// 9.7.13). How rows are written: row.ts.

import type { IntrinsicRow } from "./row.js";

const allFirst = { first: "*" };
const registers = { ...allFirst, section: "13.4" };
const barrier = { ...allFirst, section: "13.2" };

/** Without a mask: the active lanes, which sm_70 and later must be given explicitly. */
const active = "{ .reg .b32 %m; activemask.b32 %m; ";

const sreg = (name: string, register: string, type = "u32"): IntrinsicRow => ({
  name: `nvvm.read.ptx.sreg.${name}`,
  type: `${type} ()`,
  ptx: `mov.${type} $d, ${register};`,
});

const specialRegisterRows: readonly IntrinsicRow[] = [
  { ...sreg("<tid|ntid|ctaid|nctaid>.<x|y|z>", "%<1>.<2>"), ...registers },
  { ...sreg("warpsize", "WARP_SZ"), ...registers },
  sreg("<tid|ntid|ctaid|nctaid>.w", "%<1>.w"),
  sreg("<clusterid|nclusterid>.<x|y|z|w>", "%<1>.<2>"),
  sreg("cluster.<ctaid|nctaid>.<x|y|z|w>", "%cluster_<1>.<2>"),
  sreg("cluster.<ctarank|nctarank>", "%cluster_<1>"),
  sreg("<laneid|warpid|nwarpid|smid|nsmid|gridid>", "%<1>"),
  sreg("lanemask.<eq|le|lt|ge|gt>", "%lanemask_<1>"),
  sreg("<clock|clock_hi>", "%<1>"),
  sreg("<clock64|globaltimer>", "%<1>", "u64"),
  sreg("globaltimer.<lo|hi>", "%globaltimer_<1>"),
  sreg("pm<0|1|2|3>", "%pm<1>"),
  sreg("envreg<|1|2><0|1|2|3|4|5|6|7|8|9>", "%envreg<1><2>"),
  sreg("envreg3<0|1>", "%envreg3<1>"),
  sreg("<total|dynamic|aggr>.smem.size", "%<1>_smem_size"),
  sreg("<total_smem_size|dynamic_smem_size|aggr_smem_size>", "%<1>"),
  { name: "nvvm.is_explicit_cluster", type: "i1 ()", ptx: "mov.pred $d, %is_explicit_cluster;" },
];

/** A predicate of an i32, and its reduction over the block. */
const reduction = (operation: string, barrierId: string, predicate: string): string =>
  operation === "popc"
    ? `{ .reg .pred %p; setp.ne.u32 %p, ${predicate}, 0; barrier.red.popc.aligned.u32 $d, ${barrierId}, %p; }`
    : `{ .reg .pred %p, %q; setp.ne.u32 %p, ${predicate}, 0; ` +
      `barrier.red.${operation}.aligned.pred %q, ${barrierId}, %p; selp.u32 $d, 1, 0, %q; }`;

const barrierRows: readonly IntrinsicRow[] = [
  { name: "nvvm.barrier0", type: "void ()", ptx: "bar.sync 0;", ...barrier },
  ...["popc", "and", "or"].map((operation): IntrinsicRow => ({
    name: `nvvm.barrier0.${operation}`,
    type: "i32 (i32)",
    ptx: reduction(operation, "0", "$0"),
    ...barrier,
  })),
  { name: "nvvm.barrier.n", type: "void (i32)", ptx: "bar.sync $0;" },
  { name: "nvvm.bar.sync", type: "void (i32)", ptx: "bar.sync $0;" },
  { name: "nvvm.barrier", type: "void (i32, i32)", ptx: "bar.sync $0, $1;" },
  { name: "nvvm.barrier.sync", type: "void (i32)", ptx: "barrier.sync $0;" },
  { name: "nvvm.barrier.sync.cnt", type: "void (i32, i32)", ptx: "barrier.sync $0, $1;" },
  { name: "nvvm.barrier.cta.sync<|.aligned>.all", type: "void (i32)", ptx: "barrier.sync<1> $0;" },
  { name: "nvvm.barrier.cta.sync<|.aligned>.count", type: "void (i32, i32)", ptx: "barrier.sync<1> $0, $1;" },
  { name: "nvvm.barrier.cta.arrive<|.aligned>.count", type: "void (i32, i32)", ptx: "barrier.arrive<1> $0, $1;" },
  {
    name: "nvvm.barrier.cta.red.<and|or><|.aligned>.all",
    type: "i1 (i32, i1)",
    ptx: "barrier.red.<1><2>.pred $d, $0, $1;",
  },
  {
    name: "nvvm.barrier.cta.red.<and|or><|.aligned>.count",
    type: "i1 (i32, i32, i1)",
    ptx: "barrier.red.<1><2>.pred $d, $0, $1, $2;",
  },
  {
    name: "nvvm.barrier.cta.red.popc<|.aligned>.all",
    type: "i32 (i32, i1)",
    ptx: "barrier.red.popc<1>.u32 $d, $0, $1;",
  },
  {
    name: "nvvm.barrier.cta.red.popc<|.aligned>.count",
    type: "i32 (i32, i32, i1)",
    ptx: "barrier.red.popc<1>.u32 $d, $0, $1, $2;",
  },
  { name: "nvvm.bar.warp.sync", type: "void (i32)", ptx: "bar.warp.sync $0;" },
  { name: "cuda.syncthreads", type: "void ()", ptx: "bar.sync 0;" },
  {
    name: "nvvm.barrier.cluster.arrive<|.relaxed><|.aligned>",
    type: "void ()",
    ptx: "barrier.cluster.arrive<1><2>;",
  },
  { name: "nvvm.barrier.cluster.wait<|.aligned>", type: "void ()", ptx: "barrier.cluster.wait<1>;" },
  { name: "nvvm.membar.<cta|gl|sys>", type: "void ()", ptx: "membar.<1>;", ...barrier },
  { name: "nvvm.fence.sc.cluster", type: "void ()", ptx: "fence.sc.cluster;" },
  {
    name: "nvvm.fence.acquire.sync_restrict.space.cluster.scope.cluster",
    type: "void ()",
    ptx: "fence.acquire.sync_restrict::shared::cluster.cluster;",
  },
  {
    name: "nvvm.fence.release.sync_restrict.space.cta.scope.cluster",
    type: "void ()",
    ptx: "fence.release.sync_restrict::shared::cta.cluster;",
  },
  { name: "nvvm.fence.mbarrier_init.release.cluster", type: "void ()", ptx: "fence.mbarrier_init.release.cluster;" },
  {
    name: "nvvm.fence.proxy.<alias|async|async.global>",
    type: "void ()",
    ptx: "fence.proxy.<1>;",
  },
  { name: "nvvm.fence.proxy.async.shared_<cta|cluster>", type: "void ()", ptx: "fence.proxy.async.shared::<1>;" },
  {
    name: "nvvm.fence.proxy.tensormap_generic.release.<cta|cluster|gpu|sys>",
    type: "void ()",
    ptx: "fence.proxy.tensormap::generic.release.<1>;",
  },
  {
    name: "nvvm.fence.proxy.tensormap_generic.acquire.<cta|cluster|gpu|sys>",
    type: "void (ptr, i32!)",
    ptx: "fence.proxy.tensormap::generic.acquire.<1> [$0], $1;",
  },
];

const warpRows: readonly IntrinsicRow[] = [
  {
    name: "nvvm.shfl.sync.<up|down|bfly|idx>.<i32|f32>",
    type: "<2> (i32, <2>, i32, i32)",
    ptx: "shfl.sync.<1>.b32 $d, $1, $2, $3, $0;",
  },
  {
    name: "nvvm.shfl.sync.<up|down|bfly|idx>.<i32|f32>p",
    type: "{<2>, i1} (i32, <2>, i32, i32)",
    ptx: "shfl.sync.<1>.b32 $d0|$d1, $1, $2, $3, $0;",
  },
  {
    name: "nvvm.shfl.<up|down|bfly|idx>.<i32|f32>",
    type: "<2> (<2>, i32, i32)",
    ptx: `${active}shfl.sync.<1>.b32 $d, $0, $1, $2, %m; }`,
  },
  {
    name: "nvvm.shfl.<up|down|bfly|idx>.<i32|f32>p",
    type: "{<2>, i1} (<2>, i32, i32)",
    ptx: `${active}shfl.sync.<1>.b32 $d0|$d1, $0, $1, $2, %m; }`,
  },
  // libNVVM's, with the mode as a constant.
  {
    name: "nvvm.shfl.sync.i32",
    type: "{i32, i1} (i32, i32!, i32, i32, i32)",
    ptx: "shfl.sync<1=0:.idx><1=1:.up><1=2:.down><1=3:.bfly>.b32 $d0|$d1, $2, $3, $4, $0;",
  },
  {
    name: "nvvm.vote.sync",
    type: "{i32, i1} (i32, i32!, i1)",
    ptx:
      "<1=0:vote.sync.all.pred $d1, $2, $0; mov.b32 $d0, 0;><1=1:vote.sync.any.pred $d1, $2, $0; mov.b32 $d0, 0;>" +
      "<1=2:vote.sync.uni.pred $d1, $2, $0; mov.b32 $d0, 0;>" +
      "<1=3:vote.sync.ballot.b32 $d0, $2, $0; setp.ne.b32 $d1, $d0, 0;>",
  },
  {
    name: "nvvm.match.all.sync.<i32=b32|i64=b64>",
    type: "{i32, i1} (i32, <1>)",
    ptx: "match.all.sync.<1> $d0|$d1, $1, $0;",
  },
  { name: "nvvm.vote.<all|any|uni>.sync", type: "i1 (i32, i1)", ptx: "vote.sync.<1>.pred $d, $1, $0;" },
  { name: "nvvm.vote.ballot.sync", type: "i32 (i32, i1)", ptx: "vote.sync.ballot.b32 $d, $1, $0;" },
  { name: "nvvm.vote.<all|any|uni>", type: "i1 (i1)", ptx: `${active}vote.sync.<1>.pred $d, $0, %m; }` },
  { name: "nvvm.vote.ballot", type: "i32 (i1)", ptx: `${active}vote.sync.ballot.b32 $d, $0, %m; }` },
  {
    name: "nvvm.match.any.sync.<i32=b32|i64=b64>",
    type: "i32 (i32, <1>)",
    ptx: "match.any.sync.<1> $d, $1, $0;",
  },
  {
    name: "nvvm.match.all.sync.<i32=b32|i64=b64>p",
    type: "{i32, i1} (i32, <1>)",
    ptx: "match.all.sync.<1> $d0|$d1, $1, $0;",
  },
  { name: "nvvm.redux.sync.<add|min|max>", type: "i32 (i32, i32)", ptx: "redux.sync.<1>.s32 $d, $0, $1;" },
  { name: "nvvm.redux.sync.u<min|max>", type: "i32 (i32, i32)", ptx: "redux.sync.<1>.u32 $d, $0, $1;" },
  { name: "nvvm.redux.sync.<and|or|xor>", type: "i32 (i32, i32)", ptx: "redux.sync.<1>.b32 $d, $0, $1;" },
  {
    name: "nvvm.redux.sync.f<min|max><|.abs><|.NaN>",
    type: "f32 (f32, i32)",
    ptx: "redux.sync.<1><2><3>.f32 $d, $0, $1;",
  },
  { name: "nvvm.activemask", type: "i32 ()", ptx: "activemask.b32 $d;" },
  { name: "nvvm.elect.sync", type: "{i32, i1} (i32)", ptx: "elect.sync $d0|$d1, $0;" },
];

export const threadRows: readonly IntrinsicRow[] = [
  ...specialRegisterRows,
  ...barrierRows,
  ...warpRows,
  { name: "nvvm.nanosleep", type: "void (i32)", ptx: "nanosleep.u32 $0;" },
  { name: "nvvm.exit", type: "void ()", ptx: "exit;" },
  {
    name: "nvvm.setmaxnreg.<inc|dec>.sync.aligned.u32",
    type: "void (i32!)",
    ptx: "setmaxnreg.<1>.sync.aligned.u32 $0;",
  },
  { name: "nvvm.pm.event.idx", type: "void (i32!)", ptx: "pmevent $0;" },
  { name: "nvvm.pm.event.mask", type: "void (i16!)", ptx: "pmevent.mask $0;" },
  { name: "nvvm.griddepcontrol.launch.dependents", type: "void ()", ptx: "griddepcontrol.launch_dependents;" },
  { name: "nvvm.griddepcontrol.wait", type: "void ()", ptx: "griddepcontrol.wait;" },
];
