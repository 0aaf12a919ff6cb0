// Asynchronous operations and their completion: cp.async and its bulk and tensor forms, st.async, red.async, mbarrier, multimem,
// tensor maps, cluster launch control. PTX ISA 9.0 sections 9.7.9.12 to .14, 9.7.9.25 f., 9.7.13.7 and 9.7.13.15 ff.

import type { Row } from "../form.js";
import { newerAsyncRows } from "./async-newer.table.js";
import { cacheHint, datacenterBlackwell, everyBlackwell, prefetchSizes, rubin, scopes, withTraits } from "./sets.js";

const hint = "L2::cache_hint";
const bytes = "mbarrier::complete_tx::bytes";
const dim = "1d 2d 3d 4d 5d";

/** Shared memory of the executing thread's block. */
const own = "shared shared::cta@7.8";
const barrierSem = { sem: "release@8.0 relaxed@8.6:sm_90", scope: "cta@8.0 cluster@8.0:sm_90" };
const waitSem = { sem: "acquire@8.0 relaxed@8.6:sm_90", scope: "cta@8.0 cluster@8.0:sm_90" };
/** An ordering and its scope require each other. */
const paired = ["sem -> scope", "scope -> sem"];

const loadModes =
  `tile tile::gather4@8.6:${datacenterBlackwell} im2col ` +
  `im2col::w@8.6:${datacenterBlackwell} im2col::w::128@8.6:${datacenterBlackwell}`;
const loadLimits = ["mode=tile::gather4 -> dim=2d", "mode=im2col|im2col::w|im2col::w::128 -> dim=3d|4d|5d"];
const offsets = "{, i:@tensor.offsets?mode=im2col|im2col::w|im2col::w::128}";

/** Number of arrivals at once: at least one; the barrier limits it by its pending arrivals. */
const arrived = "=1..4294967295";

/** Layouts of an mbarrier object: layout v1 stores a report for each phase. */
const layouts = "layout::v0@9.3:sm_90 layout::v1@9.3:sm_90";

/** Modifier .weak, from PTX ISA 9.3 on; every plain copy may have it. */
const weak = "weak@9.3:sm_90a|sm_100f|sm_110f";
const relaxed = { relaxed: "relaxed@9.3:sm_90", scope: "cta@9.3 cluster@9.3 gpu@9.3 sys@9.3" };
const together = ["relaxed -> scope", "scope -> relaxed"];
/** Multicast modes; `multicast::cluster` alone addresses 16 blocks. */
const multicast = `multicast::cluster multicast::cluster::16b@9.4 multicast::cluster::32b@${rubin}`;
const masks =
  "{, mask:b16?multicast=multicast::cluster|multicast::cluster::16b}{, mask:b32?multicast=multicast::cluster::32b}";
const lasting = `L2::evict_last@${rubin}`;
const validity = "mbarrier::report::validity::per";
const reports = [
  "mbarrier::report::disabled",
  ...["80000000", "8000", "80", "8"].map((pattern) => `${validity}_16bytes::${pattern}`),
  `${validity}_element::ff`,
]
  .map((text) => `${text}@${rubin}`)
  .join(" ");

/** arrive and arrive_drop share their forms. */
const arrivals = (name: string, section: string): readonly Row[] => [
  {
    id: name,
    syntax: `${name}{.sem}{.scope}{.space}.b64 {_}d:u64, [a]`,
    slots: { ...barrierSem, space: own },
    limits: paired,
    needs: "7.0:sm_80",
    section,
  },
  {
    id: `${name}.count`,
    syntax: `${name}{.sem}{.scope}{.space}.b64 {_}d:u64, [a], count:u32${arrived}`,
    slots: { ...barrierSem, space: own },
    limits: paired,
    needs: "7.8:sm_90",
    section,
  },
  {
    id: `${name}.remote`,
    syntax: `${name}{.sem}{.scope}.shared::cluster.b64 _, [a]{, count:u32${arrived}}`,
    slots: barrierSem,
    limits: paired,
    needs: "8.0:sm_90",
    section,
  },
  {
    id: `${name}.expect_tx`,
    syntax: `${name}.expect_tx{.sem}{.scope}{.space}.b64 {_}d:u64, [a], count:u32`,
    slots: { ...barrierSem, space: own },
    limits: paired,
    needs: "8.0:sm_90",
    section,
  },
  {
    id: `${name}.expect_tx.remote`,
    syntax: `${name}.expect_tx{.sem}{.scope}.shared::cluster.b64 _, [a], count:u32`,
    slots: barrierSem,
    limits: paired,
    needs: "8.0:sm_90",
    section,
  },
  {
    id: `${name}.noComplete`,
    syntax: `${name}.noComplete{.sem}{.scope}{.space}.b64 {_}d:u64, [a], count:u32${arrived}`,
    slots: { sem: "release@8.0", scope: "cta@8.0", space: own },
    limits: paired,
    needs: "7.0:sm_80",
    section,
  },
];

const transactions = ["expect_tx", "complete_tx"].map((name, i): Row => ({
  id: `mbarrier.${name}`,
  syntax: `mbarrier.${name}{.relaxed}{.scope}{.space}.b64 [a], count:u32`,
  slots: { scope: "cta cluster", space: `${own} shared::cluster` },
  limits: ["relaxed -> scope", "scope -> relaxed"],
  needs: "8.0:sm_90",
  section: `9.7.13.15.${11 + i}`,
}));

const waits = (name: string, needs: string, tail: string): readonly Row[] => [
  {
    id: name,
    syntax: `${name}{.sem}{.scope}{.space}.b64 p:pred, [a], state:u64${tail}`,
    slots: { ...waitSem, space: own },
    limits: paired,
    needs,
    section: "9.7.13.15.16",
  },
  {
    id: `${name}.parity`,
    syntax: `${name}.parity{.sem}{.scope}{.space}.b64 p:pred, [a], phase:u32=0,1${tail}`,
    slots: { ...waitSem, space: own },
    limits: paired,
    needs: needs === "7.0:sm_80" ? "7.1:sm_80" : needs,
    section: "9.7.13.15.16",
  },
];

const mbarrierRows = withTraits(
  ["wide-address", "shared-only"],
  [
    {
      id: "mbarrier.init",
      syntax: "mbarrier.init{.layout}{.space}.b64 [a], count:u32",
      slots: { layout: layouts, space: own },
      needs: "7.0:sm_80",
      section: "9.7.13.15.9",
    },
    {
      id: "mbarrier.inval",
      syntax: "mbarrier.inval{.space}.b64 [a]",
      slots: { space: own },
      needs: "7.0:sm_80",
      section: "9.7.13.15.10",
    },
    ...transactions,
    ...arrivals("mbarrier.arrive", "9.7.13.15.13"),
    ...arrivals("mbarrier.arrive_drop", "9.7.13.15.14"),
    ...waits("mbarrier.test_wait", "7.0:sm_80", ""),
    ...waits("mbarrier.try_wait", "7.8:sm_90", "{, hint:u32}"),
    {
      id: "mbarrier.pending_count",
      syntax: "mbarrier.pending_count{.layout}.b64 d:u32, a:u64",
      slots: { layout: layouts },
      needs: "7.0:sm_80",
      section: "9.7.13.15.17",
    },
  ],
);

const copyRows: readonly Row[] = [
  {
    id: "cp.async.mbarrier.arrive",
    syntax: "cp.async.mbarrier.arrive{.noinc}{.space}.b64 [a]",
    slots: { space: own },
    needs: "7.0:sm_80",
    section: "9.7.13.15.15",
  },
  {
    id: "cp.async",
    syntax: "cp.async.cop.dst.global{.hint}{.prefetch} [d], [a], #size:u32=4,8,16{, used:u32=0..16}{, pol:u64?hint}",
    slots: {
      cop: "ca",
      dst: "shared shared::cta",
      hint: cacheHint,
      prefetch: prefetchSizes.replace(/B( |$)/g, "B@7.4$1"),
    },
    needs: "7.0:sm_80",
    section: "9.7.9.25.3.1",
  },
  {
    id: "cp.async.ignore",
    syntax: "cp.async.cop.dst.global{.hint}{.prefetch} [d], [a], #size:u32=4,8,16, {!}$ignore:pred{, pol:u64?hint}",
    slots: {
      cop: "ca",
      dst: "shared shared::cta",
      hint: cacheHint,
      prefetch: prefetchSizes.replace(/B( |$)/g, "B@7.4$1"),
    },
    needs: "7.5:sm_80",
    section: "9.7.9.25.3.1",
  },
  {
    id: "cp.async.cg",
    syntax: "cp.async.cg.dst.global{.hint}{.prefetch} [d], [a], #size:u32=16{, used:u32=0..16}{, pol:u64?hint}",
    slots: { dst: "shared shared::cta", hint: cacheHint, prefetch: prefetchSizes.replace(/B( |$)/g, "B@7.4$1") },
    needs: "7.0:sm_80",
    section: "9.7.9.25.3.1",
  },
  {
    id: "cp.async.cg.ignore",
    syntax: "cp.async.cg.dst.global{.hint}{.prefetch} [d], [a], #size:u32=16, {!}$ignore:pred{, pol:u64?hint}",
    slots: { dst: "shared shared::cta", hint: cacheHint, prefetch: prefetchSizes.replace(/B( |$)/g, "B@7.4$1") },
    needs: "7.5:sm_80",
    section: "9.7.9.25.3.1",
  },
  { id: "cp.async.commit_group", syntax: "cp.async.commit_group", needs: "7.0:sm_80", section: "9.7.9.25.3.2" },
  { id: "cp.async.wait_group", syntax: "cp.async.wait_group #n:u32", needs: "7.0:sm_80", section: "9.7.9.25.3.3" },
  { id: "cp.async.wait_all", syntax: "cp.async.wait_all", needs: "7.0:sm_80", section: "9.7.9.25.3.3" },
  {
    id: "cp.async.bulk.load",
    syntax:
      `cp.async.bulk{.weak}.dst.global.${bytes}{.report}{.multicast}{.hint} [d], [a], size:u32=0..1048560/16, [m]` +
      `${masks}{, pol:u64?hint}`,
    slots: { weak, dst: "shared::cluster shared::cta@8.6", report: reports, multicast, hint },
    limits: ["multicast -> dst=shared::cluster"],
    needs: "8.0:sm_90",
    section: "9.7.9.25.4.1",
  },
  {
    id: "cp.async.bulk.share",
    syntax: `cp.async.bulk{.weak}.shared::cluster.shared::cta.${bytes} [d], [a], size:u32=0..1048560/16, [m]`,
    slots: { weak },
    needs: "8.0:sm_90",
    section: "9.7.9.25.4.1",
  },
  {
    id: "cp.async.bulk.store",
    syntax:
      "cp.async.bulk{.weak}.global.shared::cta.bulk_group{.hint}{.mask} [d], [a], size:u32=0..1048560/16{, pol:u64?hint}{, bytes:b16?mask}",
    slots: { weak, hint, mask: "cp_mask@8.6:sm_100" },
    needs: "8.0:sm_90",
    section: "9.7.9.25.4.1",
  },
  {
    id: "cp.reduce.async.bulk.share",
    syntax: `cp.reduce.async.bulk{.relaxed}{.scope}.shared::cluster.shared::cta.${bytes}.op.type [d], [a], size:u32=0..1048560/16, [m]`,
    slots: { ...relaxed, op: "and or xor add inc dec min max", type: "b32 u32 s32 u64" },
    limits: [
      "op=and|or|xor -> type=b32",
      "op=add -> type=u32|s32|u64",
      "op=inc|dec -> type=u32",
      "op=min|max -> type=u32|s32",
      ...together,
    ],
    needs: "8.0:sm_90",
    section: "9.7.9.25.4.2",
  },
  {
    id: "cp.reduce.async.bulk.store",
    syntax:
      "cp.reduce.async.bulk{.relaxed}{.scope}.global.shared::cta.bulk_group{.hint}.op.type [d], [a], size:u32=0..1048560/16{, pol:u64?hint}",
    slots: {
      ...relaxed,
      hint,
      op: "and or xor add inc dec min max",
      type: "f16 bf16 b32 u32 s32 b64 u64 s64 f32 f64",
    },
    limits: [
      "op=and|or|xor -> type=b32|b64",
      "op=add -> type=u32|s32|u64|f32|f64",
      "op=inc|dec -> type=u32",
      "op=min|max -> type=u32|s32|u64|s64|f16|bf16",
      ...together,
    ],
    needs: "8.0:sm_90",
    section: "9.7.9.25.4.2",
  },
  {
    id: "cp.reduce.async.bulk.store.noftz",
    syntax:
      "cp.reduce.async.bulk{.relaxed}{.scope}.global.shared::cta.bulk_group{.hint}.add.noftz.type [d], [a], size:u32=0..1048560/16{, pol:u64?hint}",
    slots: { ...relaxed, hint, type: "f16 bf16 f32@9.4:sm_90" },
    limits: together,
    needs: "8.0:sm_90",
    section: "9.7.9.25.4.2",
  },
  {
    id: "cp.async.bulk.prefetch",
    syntax: "cp.async.bulk.prefetch.L2.global{.level}{.hint} [a], size:u32=0..1048560/16{, pol:u64?hint}",
    slots: { level: lasting, hint },
    limits: ["level hint -> never"],
    needs: "8.0:sm_90",
    section: "9.7.9.25.4.3",
  },
  {
    id: "cp.async.bulk.tensor.load",
    syntax:
      `cp.async.bulk.tensor.dim.dst.global{.mode}.${bytes}{.report}{.multicast}{.group}{.hint} ` +
      `[d], [t, c:@tensor.coordinates], [m]${offsets}${masks}{, pol:u64?hint}`,
    slots: {
      dim,
      dst: "shared::cluster shared::cta@8.6",
      mode: `tile tile::gather4@8.6:sm_100 im2col im2col::w@8.6:sm_100 im2col::w::128@8.6:${datacenterBlackwell}`,
      report: reports,
      multicast,
      group: `cta_group::1@8.6:${datacenterBlackwell} cta_group::2@8.6:${datacenterBlackwell}`,
      hint,
    },
    limits: [
      ...loadLimits,
      "multicast -> dst=shared::cluster",
      `mode=tile::gather4|im2col::w dst=shared::cluster -> @8.6:${datacenterBlackwell}`,
    ],
    needs: "8.0:sm_90",
    section: "9.7.9.25.5.2",
  },
  {
    id: "cp.async.bulk.tensor.store",
    syntax:
      "cp.async.bulk.tensor.dim.global.shared::cta{.mode}.bulk_group{.hint} [t, c:@tensor.coordinates], [a]{, pol:u64?hint}",
    slots: {
      dim,
      mode: `tile tile::scatter4@8.6:${datacenterBlackwell} im2col_no_offs im2col_no_offs::w@${rubin}`,
      hint,
    },
    limits: ["mode=tile::scatter4 -> dim=2d", "mode=im2col_no_offs|im2col_no_offs::w -> dim=3d|4d|5d"],
    needs: "8.0:sm_90",
    section: "9.7.9.25.5.2",
  },
  {
    id: "cp.reduce.async.bulk.tensor",
    syntax:
      "cp.reduce.async.bulk.tensor.dim.global.shared::cta.op{.mode}.bulk_group{.hint} " +
      "[t, c:@tensor.coordinates], [a]{, pol:u64?hint}",
    slots: {
      dim,
      op: "add min max inc dec and or xor",
      mode: `tile im2col_no_offs im2col_no_offs::w@${rubin}`,
      hint,
    },
    limits: ["mode=im2col_no_offs|im2col_no_offs::w -> dim=3d|4d|5d"],
    needs: "8.0:sm_90",
    section: "9.7.9.25.5.3",
  },
  {
    id: "cp.async.bulk.prefetch.tensor",
    syntax: `cp.async.bulk.prefetch.tensor.dim.L2.global{.mode}{.level}{.hint} [t, c:@tensor.coordinates]${offsets}{, pol:u64?hint}`,
    slots: { dim, mode: loadModes, level: lasting, hint },
    limits: [...loadLimits, "level hint -> never"],
    needs: "8.0:sm_90",
    section: "9.7.9.25.5.4",
  },
  {
    id: "cp.async.bulk.commit_group",
    syntax: "cp.async.bulk.commit_group",
    needs: "8.0:sm_90",
    section: "9.7.9.25.6.1",
  },
  {
    id: "cp.async.bulk.wait_group",
    syntax: "cp.async.bulk.wait_group{.read} #n:u32",
    needs: "8.0:sm_90",
    section: "9.7.9.25.6.2",
  },
];

/** Makes a row of tensormap.replace: simple fields, fields with an ordinal, and fields with a table of values. */
const tensormap = (id: string, fields: string, type: string, operands: string, limits: readonly string[]): Row => ({
  id,
  syntax: `tensormap.replace.tile.field{.space}.b1024.type ${operands}`,
  slots: { field: fields, space: "global shared::cta", type },
  limits,
  needs: `8.3:sm_90a|8.6:${everyBlackwell}`,
  section: "9.7.9.26",
});

const tensormapRows: readonly Row[] = [
  tensormap("tensormap.replace", "global_address rank", "b32 b64", "[a], b:type", [
    "field=global_address -> type=b64",
    "field=rank -> type=b32",
  ]),
  tensormap(
    "tensormap.replace.ordinal",
    "box_dim global_dim global_stride element_stride",
    "b32 b64",
    "[a], #ordinal:u32=0..4, b:@tensormap",
    ["field=global_stride -> type=b64", "field!=global_stride -> type=b32"],
  ),
  tensormap(
    "tensormap.replace.value",
    `elemtype interleave_layout swizzle_mode swizzle_atomicity@8.6:${everyBlackwell} fill_mode`,
    "b32",
    "[a], #b:type=0..15",
    [],
  ),
  {
    id: "tensormap.cp_fenceproxy",
    syntax:
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [d], [a], #size:u32=128",
    slots: { scope: scopes },
    needs: "8.3:sm_90",
    section: "9.7.13.16",
  },
];

const storeRows: readonly Row[] = [
  {
    id: "st.async",
    traits: ["store", "asynchronous"],
    syntax: `st.async{.sem}{.space}.${bytes}{.vec}.type [a], b:type*vec, [m]`,
    slots: { sem: "weak", space: "shared::cluster", vec: "v2 v4", type: "b32 b64 b128@9.2 u32 u64 s32 s64 f32 f64" },
    limits: ["vec=v4 -> type!=b64|u64|s64|f64", "type=b128 -> !vec"],
    needs: "8.1:sm_90",
    section: "9.7.9.12",
  },
  {
    id: "st.async.release",
    traits: ["store", "asynchronous"],
    syntax: "st.async{.mmio}.release.scope{.global}.type [a], b",
    slots: { scope: "gpu sys", type: "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64" },
    needs: "8.7:sm_100",
    section: "9.7.9.12",
  },
  {
    id: "st.bulk",
    traits: ["store", "asynchronous"],
    syntax: "st.bulk{.weak}{.shared::cta} [a], size:u64=0..16777216/8, #value:b64=0",
    needs: "8.6:sm_100",
    section: "9.7.9.13",
  },
  {
    id: "st.bulk.narrow",
    traits: ["store", "asynchronous"],
    syntax: "st.bulk{.weak}{.shared::cta} [a], $size:u32, #value:b64=0",
    needs: "9.0:sm_100",
    section: "9.7.9.13",
  },
  {
    id: "red.async",
    traits: ["atomic", "asynchronous"],
    syntax: `red.async.relaxed.cluster{.space}.${bytes}.op.type [a], b, [m]`,
    slots: { space: "shared::cluster", op: "inc dec min max and or xor add", type: "u32 s32 b32 u64" },
    limits: [
      "op=inc|dec -> type=u32",
      "op=min|max -> type=u32|s32",
      "op=and|or|xor -> type=b32",
      "op=add -> type=u32|s32|u64",
    ],
    needs: "8.1:sm_90",
    section: "9.7.13.7",
  },
  {
    id: "red.async.release",
    traits: ["atomic", "asynchronous"],
    syntax: "red.async{.mmio}.release.scope{.global}.add.type [a], b",
    slots: { scope: "gpu sys", type: "u32 s32 u64 s64" },
    needs: "8.7:sm_100",
    section: "9.7.13.7",
  },
];

const multimemSlots = { scope: scopes, space: "global" };
const multimemLimits = ["sem=weak -> !scope", "scope -> sem!=weak", "scope -> sem"];
const small = `e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4`;
const smallFormats = small.replace(/\S+/g, `$&@8.6:sm_100f|sm_101f|sm_120a|sm_121a`);
/** Limits of multimem vectors: up to 128 bits. */
const multimemVectors = [
  "vec=v8 -> type=f16|bf16|e5m2|e4m3|e5m2x2|e4m3x2",
  "vec=v4 -> type!=f64",
  "type=f64 -> !vec",
  "type=f16|bf16|e5m2|e4m3|e5m2x2|e4m3x2 -> vec",
  "type=e5m2|e4m3 -> vec!=v2",
];

const multimemRows: readonly Row[] = [
  {
    id: "multimem.ld_reduce",
    traits: ["wide-address"],
    syntax: "multimem.ld_reduce{.sem}{.scope}{.space}.op.type d, [a]",
    slots: {
      ...multimemSlots,
      sem: "weak relaxed acquire",
      op: "min max add and or xor",
      type: "b32 b64 u32 u64 s32 s64",
    },
    limits: [
      ...multimemLimits,
      "sem=relaxed|acquire -> scope",
      "op=and|or|xor -> type=b32|b64",
      "op=min|max -> type=u32|u64|s32|s64",
      "op=add -> type=u32|u64|s32",
    ],
    needs: "8.1:sm_90",
    section: "9.7.9.14",
  },
  {
    id: "multimem.ld_reduce.float",
    traits: ["wide-address"],
    syntax: "multimem.ld_reduce{.sem}{.scope}{.space}.op{.acc}{.vec}.type d:@multimem, [a]",
    slots: {
      ...multimemSlots,
      sem: "weak relaxed acquire",
      op: "min max add",
      acc: "acc::f32@8.2:sm_90 acc::f16@8.6:sm_100f|sm_101f|sm_120a|sm_121a",
      vec: "v2 v4 v8",
      type: `f16 f16x2 bf16 bf16x2 f32 f64 ${smallFormats}`,
    },
    limits: [
      ...multimemLimits,
      "sem=relaxed|acquire -> scope",
      ...multimemVectors,
      "type=f32|f64 -> op=add",
      "acc -> op=add",
      "acc=acc::f32 -> type=f16|f16x2|bf16|bf16x2",
      "acc=acc::f16 -> type=e5m2|e5m2x2|e5m2x4|e4m3|e4m3x2|e4m3x4",
    ],
    needs: "8.1:sm_90",
    section: "9.7.9.14",
  },
  {
    id: "multimem.st",
    traits: ["wide-address"],
    syntax: "multimem.st{.sem}{.scope}{.space}.type [a], b",
    slots: { ...multimemSlots, sem: "weak relaxed release", type: "b32 b64 u32 u64 s32 s64" },
    limits: [...multimemLimits, "sem=relaxed|release -> scope"],
    needs: "8.1:sm_90",
    section: "9.7.9.14",
  },
  {
    id: "multimem.st.float",
    traits: ["wide-address"],
    syntax: "multimem.st{.sem}{.scope}{.space}{.vec}.type [a], b:@multimem",
    slots: {
      ...multimemSlots,
      sem: "weak relaxed release",
      vec: "v2 v4 v8",
      type: `f16 f16x2 bf16 bf16x2 f32 f64 ${smallFormats}`,
    },
    limits: [...multimemLimits, "sem=relaxed|release -> scope", ...multimemVectors],
    needs: "8.1:sm_90",
    section: "9.7.9.14",
  },
  {
    id: "multimem.red",
    traits: ["wide-address"],
    syntax: "multimem.red{.sem}{.scope}{.space}.op.type [a], b",
    slots: { ...multimemSlots, sem: "relaxed release", op: "min max add and or xor", type: "b32 b64 u32 u64 s32 s64" },
    limits: [
      "scope -> sem",
      "sem -> scope",
      "op=and|or|xor -> type=b32|b64",
      "op=min|max -> type=u32|u64|s32|s64",
      "op=add -> type=u32|u64|s32",
    ],
    needs: "8.1:sm_90",
    section: "9.7.9.14",
  },
  {
    id: "multimem.red.float",
    traits: ["wide-address"],
    syntax: "multimem.red{.sem}{.scope}{.space}.add{.vec}.type [a], b:@multimem",
    slots: {
      ...multimemSlots,
      sem: "relaxed release",
      vec: "v2 v4 v8",
      type: "f16 f16x2 bf16 bf16x2 f32 f64",
    },
    limits: ["scope -> sem", "sem -> scope", "vec=v8 -> type=f16|bf16", "type=f64 -> !vec", "type=f16|bf16 -> vec"],
    needs: "8.1:sm_90",
    section: "9.7.9.14",
  },
];

const launchRows: readonly Row[] = [
  {
    id: "clusterlaunchcontrol.try_cancel",
    syntax: `clusterlaunchcontrol.try_cancel.async{.space}.${bytes}{.multicast}.b128 [a], [m]`,
    slots: { space: "shared::cta", multicast: `multicast::cluster::all@8.6:${everyBlackwell}` },
    needs: "8.6:sm_100",
    section: "9.7.13.17",
  },
  {
    id: "clusterlaunchcontrol.is_canceled",
    syntax: "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p:pred, a:b128",
    needs: "8.6:sm_100",
    section: "9.7.13.18",
  },
  {
    id: "clusterlaunchcontrol.get_first_ctaid",
    syntax: "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 d:b32*4, a:b128",
    needs: "8.6:sm_100",
    section: "9.7.13.18",
  },
  {
    id: "clusterlaunchcontrol.get_first_ctaid.one",
    syntax: "clusterlaunchcontrol.query_cancel.dimension.b32.b128 d:b32, a:b128",
    slots: { dimension: "get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z" },
    needs: "8.6:sm_100",
    section: "9.7.13.18",
  },
];

export const asyncRows: readonly Row[] = [
  ...storeRows,
  ...multimemRows,
  ...copyRows,
  ...tensormapRows,
  ...mbarrierRows,
  ...launchRows,
  ...newerAsyncRows,
];
