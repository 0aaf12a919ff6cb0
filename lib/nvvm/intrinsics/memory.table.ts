// llvm.nvvm intrinsics of memory: address spaces, atomics, asynchronous copies, mbarrier (PTX ISA 9.7.9, 9.7.13). How rows
// are written: row.ts.

import type { IntrinsicRow } from "./row.js";

const conversion = { first: "*", section: "13.3" };
const atomic = { first: "*", section: "13.1" };

const spaceRows: readonly IntrinsicRow[] = [
  { name: "nvvm.ptr.<global|shared|constant|local>.to.gen*", type: "S (T)", does: "to.generic", ...conversion },
  { name: "nvvm.ptr.gen.to.<global|shared|constant|local>*", type: "S (T)", does: "from.generic", ...conversion },
  { name: "nvvm.ptr.param.to.gen*", type: "S (T)", does: "to.generic" },
  { name: "nvvm.ptr.gen.to.param*", type: "S (T)", does: "from.generic" },
  {
    name: "nvvm.isspacep.<const|global|local|shared|shared.cluster=shared::cluster>",
    type: "i1 (ptr)",
    ptx: "isspacep.<1> $d, $0;",
  },
  { name: "nvvm.mapa", type: "ptr (ptr, i32)", ptx: "mapa.u<w> $d, $0, $1;" },
  { name: "nvvm.mapa.shared.cluster", type: "ptr3 (ptr3, i32)", ptx: "mapa.shared::cluster.u<w> $d, $0, $1;" },
  { name: "nvvm.getctarank", type: "i32 (ptr)", ptx: "getctarank.u<w> $d, $0;" },
  { name: "nvvm.getctarank.shared.cluster", type: "i32 (ptr3)", ptx: "getctarank.shared::cluster.u<w> $d, $0;" },
];

/** Both of `.cta` and `.sys`, by type. */
const scoped = (
  operation: string,
  kind: string,
  types: Readonly<Record<string, string>>,
  arguments_ = "$1",
): IntrinsicRow => ({
  name: `nvvm.atomic.${operation}.gen.${kind}.<cta|sys>*`,
  type: operation === "cas" ? "V (ptr, V, V)" : "V (ptr, V)",
  ptx: Object.fromEntries(
    Object.entries(types).map(([type, spelled]) => [type, `atom<space0>.<1>.${spelled} $d, [$0], ${arguments_};`]),
  ),
});

const atomicRows: readonly IntrinsicRow[] = [
  {
    name: "nvvm.atomic.load.add.f<32|64>*",
    type: "f<1> (ptr, f<1>)",
    ptx: "atom<space0>.add.f<1> $d, [$0], $1;",
    ...atomic,
    first: "f32",
  },
  {
    name: "nvvm.atomic.load.<inc|dec>.32*",
    type: "i32 (ptr, i32)",
    ptx: "atom<space0>.<1>.u32 $d, [$0], $1;",
    ...atomic,
  },
  scoped("add", "i", { i32: "add.u32", i64: "add.u64" }),
  scoped("add", "f", { f32: "add.f32", f64: "add.f64" }),
  scoped("inc", "i", { i32: "inc.u32" }),
  scoped("dec", "i", { i32: "dec.u32" }),
  scoped("exch", "i", { i32: "exch.b32", i64: "exch.b64" }),
  scoped("max", "i", { i32: "max.s32", i64: "max.s64" }),
  scoped("min", "i", { i32: "min.s32", i64: "min.s64" }),
  scoped("and", "i", { i32: "and.b32", i64: "and.b64" }),
  scoped("or", "i", { i32: "or.b32", i64: "or.b64" }),
  scoped("xor", "i", { i32: "xor.b32", i64: "xor.b64" }),
  scoped("cas", "i", { i16: "cas.b16", i32: "cas.b32", i64: "cas.b64" }, "$1, $2"),
];

const copyRows: readonly IntrinsicRow[] = [
  {
    name: "nvvm.cp.async.ca.shared.global.<4|8|16>",
    type: "void (ptr3, ptr1)",
    ptx: "cp.async.ca.shared.global [$0], [$1], <1>;",
  },
  {
    name: "nvvm.cp.async.ca.shared.global.<4|8|16>.s",
    type: "void (ptr3, ptr1, i32)",
    ptx: "cp.async.ca.shared.global [$0], [$1], <1>, $2;",
  },
  {
    name: "nvvm.cp.async.cg.shared.global.16",
    type: "void (ptr3, ptr1)",
    ptx: "cp.async.cg.shared.global [$0], [$1], 16;",
  },
  {
    name: "nvvm.cp.async.cg.shared.global.16.s",
    type: "void (ptr3, ptr1, i32)",
    ptx: "cp.async.cg.shared.global [$0], [$1], 16, $2;",
  },
  { name: "nvvm.cp.async.commit.group", type: "void ()", ptx: "cp.async.commit_group;" },
  { name: "nvvm.cp.async.wait.group", type: "void (i32!)", ptx: "cp.async.wait_group $0;" },
  { name: "nvvm.cp.async.wait.all", type: "void ()", ptx: "cp.async.wait_all;" },
  {
    name: "nvvm.cp.async.mbarrier.arrive<|.noinc>",
    type: "void (ptr)",
    ptx: "cp.async.mbarrier.arrive<1>.b64 [$0];",
  },
  {
    name: "nvvm.cp.async.mbarrier.arrive<|.noinc>.shared",
    type: "void (ptr3)",
    ptx: "cp.async.mbarrier.arrive<1>.shared.b64 [$0];",
  },
  { name: "nvvm.cp.async.bulk.commit.group", type: "void ()", ptx: "cp.async.bulk.commit_group;" },
  { name: "nvvm.cp.async.bulk.wait.group<|.read>", type: "void (i32!)", ptx: "cp.async.bulk.wait_group<1> $0;" },
  {
    name: "nvvm.cp.async.bulk.global.to.shared.cluster",
    type: "void (ptr3, ptr3, ptr1, i32, i16, i64, i1!, i1!)",
    ptx:
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes<?6:.multicast::cluster><?7:.L2::cache_hint> " +
      "[$0], [$2], $3, [$1]<?6:, $4><?7:, $5>;",
  },
  {
    name: "nvvm.cp.async.bulk.shared.cta.to.cluster",
    type: "void (ptr3, ptr3, ptr3, i32)",
    ptx: "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$0], [$2], $3, [$1];",
  },
  {
    name: "nvvm.cp.async.bulk.shared.cta.to.global",
    type: "void (ptr1, ptr3, i32, i64, i1!)",
    ptx: "cp.async.bulk.global.shared::cta.bulk_group<?4:.L2::cache_hint> [$0], [$1], $2<?4:, $3>;",
  },
  {
    name: "nvvm.cp.async.bulk.shared.cta.to.global.bytemask",
    type: "void (ptr1, ptr3, i32, i64, i1!, i16)",
    ptx: "cp.async.bulk.global.shared::cta.bulk_group<?4:.L2::cache_hint>.cp_mask [$0], [$1], $2<?4:, $3>, $5;",
  },
  {
    name: "nvvm.cp.async.bulk.prefetch.L2",
    type: "void (ptr1, i32, i64, i1!)",
    ptx: "cp.async.bulk.prefetch.L2.global<?3:.L2::cache_hint> [$0], $1<?3:, $2>;",
  },
];

/** Copies of boxes of a tensor; `im2col` has an offset for each dimension but two. */
const tensorRows: readonly IntrinsicRow[] = [1, 2, 3, 4, 5].flatMap((dimensions) =>
  ["tile", ...(dimensions >= 3 ? ["im2col"] : [])].flatMap((mode): readonly IntrinsicRow[] => {
    const offsets = mode === "im2col" ? dimensions - 2 : 0;
    const list = (from: number, count: number): string =>
      Array.from({ length: count }, (_, i) => `$${from + i}`).join(", ");
    const types = (type: string, count: number): string => (count === 0 ? "" : `${type}*${count}, `);
    const coordinates = `i32*${dimensions}`;
    const loaded = 3 + dimensions + offsets;
    const stored = 2 + dimensions;
    const fetched = 1 + dimensions + offsets;
    const shape = `${mode}.${dimensions}d`;
    const noOffsets = mode === "im2col" ? "im2col_no_offs" : "tile";
    return [
      {
        name: `nvvm.cp.async.bulk.tensor.g2s.${shape}`,
        type: `void (ptr3, ptr3, ptr, ${coordinates}, ${types("i16", offsets)}i16, i64, i1!, i1!)`,
        ptx:
          `cp.async.bulk.tensor.${dimensions}d.shared::cluster.global.${mode}.mbarrier::complete_tx::bytes` +
          `<?${loaded + 2}:.multicast::cluster><?${loaded + 3}:.L2::cache_hint> ` +
          `[$0], [$2, {${list(3, dimensions)}}], [$1]` +
          (offsets === 0 ? "" : `, {${list(3 + dimensions, offsets)}}`) +
          `<?${loaded + 2}:, $${loaded}><?${loaded + 3}:, $${loaded + 1}>;`,
      },
      {
        name: `nvvm.cp.async.bulk.tensor.s2g.${shape}`,
        type: `void (ptr3, ptr, ${coordinates}, i64, i1!)`,
        ptx:
          `cp.async.bulk.tensor.${dimensions}d.global.shared::cta.${noOffsets}.bulk_group` +
          `<?${stored + 1}:.L2::cache_hint> [$1, {${list(2, dimensions)}}], [$0]<?${stored + 1}:, $${stored}>;`,
      },
      {
        name: `nvvm.cp.async.bulk.tensor.reduce.<add|min|max|inc|dec|and|or|xor>.${shape}`,
        type: `void (ptr3, ptr, ${coordinates}, i64, i1!)`,
        ptx:
          `cp.reduce.async.bulk.tensor.${dimensions}d.global.shared::cta.<1>.${noOffsets}.bulk_group` +
          `<?${stored + 1}:.L2::cache_hint> [$1, {${list(2, dimensions)}}], [$0]<?${stored + 1}:, $${stored}>;`,
      },
      {
        name: `nvvm.cp.async.bulk.tensor.prefetch.${shape}`,
        type: `void (ptr, ${coordinates}, ${types("i16", offsets)}i64, i1!)`,
        ptx:
          `cp.async.bulk.prefetch.tensor.${dimensions}d.L2.global.${mode}<?${fetched + 1}:.L2::cache_hint> ` +
          `[$0, {${list(1, dimensions)}}]` +
          (offsets === 0 ? "" : `, {${list(1 + dimensions, offsets)}}`) +
          `<?${fetched + 1}:, $${fetched}>;`,
      },
    ];
  }),
);

/** Generic, and in shared memory. */
const mbarrier = (name: string, type: string, ptx: string): readonly IntrinsicRow[] => [
  { name: `nvvm.mbarrier.${name}`, type, ptx: ptx.replace("<space>", "") },
  { name: `nvvm.mbarrier.${name}.shared`, type: type.replace("ptr", "ptr3"), ptx: ptx.replace("<space>", ".shared") },
];

const mbarrierRows: readonly IntrinsicRow[] = [
  ...mbarrier("init", "void (ptr, i32)", "mbarrier.init<space>.b64 [$0], $1;"),
  ...mbarrier("inval", "void (ptr)", "mbarrier.inval<space>.b64 [$0];"),
  ...mbarrier("arrive", "i64 (ptr)", "mbarrier.arrive<space>.b64 $d, [$0];"),
  ...mbarrier("arrive.drop", "i64 (ptr)", "mbarrier.arrive_drop<space>.b64 $d, [$0];"),
  ...mbarrier("arrive.noComplete", "i64 (ptr, i32)", "mbarrier.arrive.noComplete<space>.b64 $d, [$0], $1;"),
  ...mbarrier("arrive.drop.noComplete", "i64 (ptr, i32)", "mbarrier.arrive_drop.noComplete<space>.b64 $d, [$0], $1;"),
  ...mbarrier("test.wait", "i1 (ptr, i64)", "mbarrier.test_wait<space>.b64 $d, [$0], $1;"),
  { name: "nvvm.mbarrier.pending.count", type: "i32 (i64)", ptx: "mbarrier.pending_count.b64 $d, $0;" },
];

const cacheRows: readonly IntrinsicRow[] = [
  { name: "nvvm.ldg.global.<i|f|p>*", type: "V (ptr, i32)", does: "ldg" },
  { name: "nvvm.ldu.global.<i|f|p>*", type: "V (ptr, i32)", does: "ldu" },
  { name: "nvvm.prefetch.<L1|L2>", type: "void (ptr)", ptx: "prefetch.<1> [$0];" },
  { name: "nvvm.prefetch.global.<L1|L2>", type: "void (ptr1)", ptx: "prefetch.global.<1> [$0];" },
  { name: "nvvm.prefetch.local.<L1|L2>", type: "void (ptr5)", ptx: "prefetch.local.<1> [$0];" },
  {
    name: "nvvm.prefetch.global.L2.evict.<normal|last>",
    type: "void (ptr1)",
    ptx: "prefetch.global.L2::evict_<1> [$0];",
  },
  { name: "nvvm.prefetchu.L1", type: "void (ptr)", ptx: "prefetchu.L1 [$0];" },
  { name: "nvvm.prefetch.tensormap*", type: "void (ptr)", ptx: "prefetch<space0>.tensormap [$0];" },
  {
    name: "nvvm.applypriority.L2.evict.normal",
    type: "void (ptr, i64!)",
    ptx: "applypriority.L2::evict_normal [$0], $1;",
  },
  {
    name: "nvvm.applypriority.global.L2.evict.normal",
    type: "void (ptr1, i64!)",
    ptx: "applypriority.global.L2::evict_normal [$0], $1;",
  },
  { name: "nvvm.discard.L2", type: "void (ptr, i64!)", ptx: "discard.L2 [$0], $1;" },
  { name: "nvvm.discard.global.L2", type: "void (ptr1, i64!)", ptx: "discard.global.L2 [$0], $1;" },
  { name: "nvvm.st.bulk", type: "void (ptr, i64, i64!)", ptx: "st.bulk [$0], $1, $2;" },
  { name: "nvvm.st.bulk.shared.cta", type: "void (ptr3, i64, i64!)", ptx: "st.bulk.shared::cta [$0], $1, $2;" },
];

/** A response of 128 bits is one register in PTX. */
const response = "{ .reg .b128 %r; mov.b128 %r, $0; clusterlaunchcontrol.query_cancel.";

const clusterRows: readonly IntrinsicRow[] = [
  {
    name: "nvvm.clusterlaunchcontrol.try_cancel.async<|.multicast=.multicast::cluster::all>.shared",
    type: "void (ptr3, ptr3)",
    ptx: "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes<1>.b128 [$0], [$1];",
  },
  {
    name: "nvvm.clusterlaunchcontrol.query_cancel.is_canceled",
    type: "i1 (i128)",
    ptx: `${response}is_canceled.pred.b128 $d, %r; }`,
  },
  {
    name: "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.<x|y|z>",
    type: "i32 (i128)",
    ptx: `${response}get_first_ctaid::<1>.b32.b128 $d, %r; }`,
  },
];

export const memoryRows: readonly IntrinsicRow[] = [
  ...spaceRows,
  ...atomicRows,
  ...copyRows,
  ...tensorRows,
  ...mbarrierRows,
  ...cacheRows,
  ...clusterRows,
];
