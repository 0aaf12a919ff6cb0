// Asynchronous operations added in PTX ISA 9.1 to 9.4: copies and reductions to multimem addresses, strong copies, mbarrier
// reports of primary phases, overrides of tensor maps. Sections 9.7.9 and 9.7.13 of ISA 9.2, and of 9.3 and 9.4 as far as they
// are known.

import type { Row } from "../form.js";
import { cacheHint, rubin, withTraits } from "./sets.js";

const bytes = "mbarrier::complete_tx::bytes";
const size = "size:u32=0..1048560/16";
const own = "shared shared::cta";
/** Targets of the strong copies. */
const strong = "9.3:sm_90a|sm_100f|sm_110f";
const copies = "9.7.9.25.4.1";
const hint = cacheHint.split("@")[0]!;

const multimemCopies: readonly Row[] = [
  {
    id: "multimem.cp.async.bulk",
    syntax: `multimem.cp.async.bulk{.weak}.global.shared::cta.bulk_group{.mask} [d], [a], ${size}{, bytes:b16?mask}`,
    slots: { weak: `weak@${strong}`, mask: "cp_mask@9.1:sm_100" },
    needs: "9.1:sm_90",
    section: copies,
  },
  {
    id: "multimem.cp.async.bulk.strong",
    syntax: `multimem.cp.async.bulk.relaxed.scope.global.shared::cta.bulk_group{.mask}.b128 [d], [a], ${size}{, bytes:b16?mask}`,
    slots: { scope: "cta cluster gpu sys", mask: "cp_mask@9.3:sm_100" },
    needs: strong,
    section: copies,
  },
  {
    id: "multimem.cp.reduce.async.bulk",
    syntax: `multimem.cp.reduce.async.bulk{.relaxed}{.scope}.global.shared::cta.bulk_group.op.type [d], [a], ${size}`,
    slots: {
      relaxed: "relaxed@9.3:sm_90",
      scope: "cta@9.3 cluster@9.3 gpu@9.3 sys@9.3",
      op: "add min max inc dec and or xor",
      type: "f16 bf16 b32 u32 s32 b64 u64 s64 f32 f64",
    },
    limits: [
      "relaxed -> scope",
      "scope -> relaxed",
      "op=add -> type=u32|s32|u64|f32|f64|f16|bf16",
      "op=min|max -> type=u32|s32|u64|s64|f16|bf16",
      "op=inc|dec -> type=u32",
      "op=and|or|xor -> type=b32|b64",
    ],
    needs: "9.1:sm_90",
    section: "9.7.9.25.4.2",
  },
  {
    id: "multimem.cp.reduce.async.bulk.noftz",
    syntax: `multimem.cp.reduce.async.bulk{.relaxed}{.scope}.global.shared::cta.bulk_group.add.noftz.type [d], [a], ${size}`,
    slots: {
      relaxed: "relaxed@9.3:sm_90",
      scope: "cta@9.3 cluster@9.3 gpu@9.3 sys@9.3",
      type: "f16 bf16 f32@9.4:sm_90",
    },
    limits: ["relaxed -> scope", "scope -> relaxed"],
    needs: "9.1:sm_90",
    section: "9.7.9.25.4.2",
  },
  {
    // The targets of these two are unknown; the similar forms of st.async and red.async need sm_100.
    id: "multimem.st.async",
    syntax: "multimem.st.async.release.scope{.global}.type [a], b",
    slots: { scope: "gpu sys", type: "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64" },
    needs: "9.3:sm_100",
    section: "9.7.9.14",
  },
  {
    id: "multimem.red.async",
    syntax: "multimem.red.async.release.scope{.global}.add.type [a], b",
    slots: { scope: "gpu sys", type: "u32 s32 u64" },
    needs: "9.3:sm_100",
    section: "9.7.9.14",
  },
];

const strongCopies: readonly Row[] = [
  {
    id: "cp.async.bulk.load.strong",
    syntax: `cp.async.bulk.relaxed.scope.dst.global.${bytes}{.hint}.b128 [d], [a], ${size}, [m]{, pol:u64?hint}`,
    slots: { scope: "cta cluster gpu sys", dst: "shared::cluster shared::cta", hint },
    needs: strong,
    section: copies,
  },
  {
    id: "cp.async.bulk.share.strong",
    syntax: `cp.async.bulk.relaxed.scope.shared::cluster.shared::cta.${bytes}.b128 [d], [a], ${size}, [m]`,
    slots: { scope: "cta cluster" },
    needs: strong,
    section: copies,
  },
  {
    id: "cp.async.bulk.store.strong",
    syntax: `cp.async.bulk.relaxed.scope.global.shared::cta.bulk_group{.hint}{.mask}.b128 [d], [a], ${size}{, pol:u64?hint}{, bytes:b16?mask}`,
    slots: { scope: "cta cluster gpu sys", hint, mask: "cp_mask@9.3:sm_100" },
    needs: strong,
    section: copies,
  },
  {
    id: "cp.async.bulk.load.ignore",
    syntax:
      `cp.async.bulk{.weak}.shared::cta.global.${bytes}{.report}{.hint}.ignore_oob ` +
      `[d], [a], ${size}, left:u32=0..15, right:u32=0..15, [m]{, pol:u64?hint}`,
    slots: { weak: `weak@${strong}`, report: `mbarrier::report::disabled@${rubin}`, hint },
    needs: "9.2:sm_90",
    section: copies,
  },
  {
    id: "applypriority.bulk",
    traits: ["wide-address"],
    syntax: `applypriority.async.bulk{.global}.bulk_group.L2::evict_normal [a], ${size}`,
    needs: rubin,
    section: "9.7.9.25.4.3",
  },
  {
    id: "applypriority.bulk.tensor",
    traits: ["wide-address"],
    syntax:
      "applypriority.async.bulk.tensor.dim{.global}.bulk_group{.mode}.L2::evict_normal [t, c:@tensor.coordinates]" +
      "{, i:@tensor.offsets?mode=im2col|im2col::w|im2col::w::128}",
    slots: { dim: "1d 2d 3d 4d 5d", mode: "tile tile::gather4 im2col im2col::w im2col::w::128" },
    limits: ["mode=tile::gather4 -> dim=2d", "mode=im2col|im2col::w|im2col::w::128 -> dim=3d|4d|5d"],
    needs: rubin,
    section: "9.7.9.25.4.3",
  },
];

// ------------------------------------------------------------------------------------------------------------- mbarrier

const waitOrder = { sem: "acquire relaxed", scope: "cta cluster", space: own };
const paired = ["sem -> scope", "scope -> sem"];

/** The waits for a phase, and their further results. */
const phaseWaits: readonly Row[] = ["test_wait", "try_wait"].flatMap((name): Row[] => {
  const tail = name === "try_wait" ? "{, hint:u32}" : "";
  const section = "9.7.13.15.16";
  return [
    {
      id: `mbarrier.${name}.primary`,
      syntax: `mbarrier.${name}.phase_type::primary{.sem}{.scope}{.space}.b64 p:pred{|q:pred}{, d:u32}, [a], state:u64${tail}`,
      slots: waitOrder,
      limits: paired,
      needs: "9.3:sm_90",
      section,
    },
    {
      id: `mbarrier.${name}.parity.primary`,
      syntax: `mbarrier.${name}.parity.phase_type::primary{.sem}{.scope}{.space}.b64 p:pred{|q:pred}{, d:u32}, [a], phase:u32=0,1${tail}`,
      slots: waitOrder,
      limits: paired,
      needs: "9.3:sm_90",
      section,
    },
    {
      id: `mbarrier.${name}.parity.conditional`,
      syntax: `mbarrier.${name}.parity.phase_type::conditional{.sem}{.scope}{.space}.b64 p:pred, [a], phase:u32=0,1${tail}`,
      slots: waitOrder,
      limits: paired,
      needs: "9.3:sm_90",
      section,
    },
  ];
});

const everywhere = "shared::cluster.multicast::cluster::32b.b64";

const barrierRows = withTraits(
  ["wide-address", "shared-only"],
  [
    ...phaseWaits,
    {
      id: "mbarrier.check_layout",
      syntax: "mbarrier.check_layout.layout{.space}.b64 p:pred, [a]",
      slots: { layout: "layout::v0 layout::v1", space: own },
      needs: "9.3:sm_90",
      section: "9.7.13.15.9",
    },
    ...["expect_tx", "complete_tx"].map((name, i): Row => ({
      id: `mbarrier.${name}.multicast`,
      syntax: `mbarrier.${name}{.relaxed}{.scope}.${everywhere} [a], count:u32, mask:u32`,
      slots: { scope: "cta cluster" },
      limits: ["relaxed -> scope", "scope -> relaxed"],
      needs: rubin,
      section: `9.7.13.15.${11 + i}`,
    })),
    ...["arrive", "arrive_drop"].flatMap((name, i): Row[] => [
      {
        id: `mbarrier.${name}.multicast`,
        syntax: `mbarrier.${name}{.sem}{.scope}.${everywhere} _, [a]{, count:u32}, mask:u32`,
        slots: { sem: "release relaxed", scope: "cta cluster" },
        limits: paired,
        needs: rubin,
        section: `9.7.13.15.${13 + i}`,
      },
      {
        id: `mbarrier.${name}.expect_tx.multicast`,
        syntax: `mbarrier.${name}.expect_tx{.sem}{.scope}.${everywhere} _, [a], count:u32, mask:u32`,
        slots: { sem: "release relaxed", scope: "cta cluster" },
        limits: paired,
        needs: rubin,
        section: `9.7.13.15.${13 + i}`,
      },
    ]),
  ],
);

export const newerAsyncRows: readonly Row[] = [...multimemCopies, ...strongCopies, ...barrierRows];
