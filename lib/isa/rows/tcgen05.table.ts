// The fifth generation of tensor cores, which has its own memory: PTX ISA 9.0 section 9.7.16.

import type { Row } from "../form.js";
import { datacenterBlackwell, rubin, specificBlackwell } from "./sets.js";

const needs = `8.6:${datacenterBlackwell}`;
const group = "cta_group::1 cta_group::2";
const repeats = "x1 x2 x4 x8 x16 x32 x64 x128";
const shapes = "16x64b 16x128b 16x256b 32x32b";
/** Limits of repetitions: at most 128 registers. */
const registerLimits = ["shape=16x128b -> num!=x128", "shape=16x256b -> num!=x64|x128"];

const plainKinds = "kind::f16 kind::tf32 kind::f8f6f4";
/** Targets of features that are not family-specific and not only for sm_100. */
const specific = "8.6:sm_100a|sm_101a|sm_103a|sm_110a";
/** Requirements of groups of four bits in sparse products; sm_107 has them since PTX ISA 9.4. */
const sparseFours = `${specific}|9.4:sm_107a`;
const blocks = `8.8:${datacenterBlackwell}`;
const integerKind = `kind::i8@8.6:${specificBlackwell} kind::ti16@${rubin}`;
const scaledKinds = "kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4@8.7:" + datacenterBlackwell;
const uses = (buffers: string): string =>
  buffers
    .split(" ")
    .flatMap((buffer) => ["fill", "use", "lastuse", "discard"].map((use) => `collector::${buffer}::${use}`))
    .join(" ");

/** Sources of A: a descriptor of shared memory, or an address in tensor memory. */
const sources = [
  { id: "shared", a: "a:u64" },
  { id: "tensor", a: "[a:b32]" },
] as const;

const multiply: readonly Row[] = [false, true].flatMap((sparse) =>
  sources.flatMap(({ id, a }): Row[] => {
    const name = sparse ? "tcgen05.mma.sp" : "tcgen05.mma";
    const meta = sparse ? ", [e:b32]" : "";
    const shift = id === "tensor" ? "{.ashift}" : "";
    const section = sparse ? "9.7.16.10.9.2" : "9.7.16.10.9.1";
    const sectionWs = sparse ? "9.7.16.10.9.4" : "9.7.16.10.9.3";
    const nameWs = sparse ? "tcgen05.mma.ws.sp" : "tcgen05.mma.ws";
    const collected = id === "tensor" ? ["ashift use -> use=collector::a::lastuse|collector::a::discard"] : [];
    return [
      {
        id: `${name}.${id}`,
        syntax:
          `${name}.group.kind${shift}{.use} [d:b32], ${a}, b:u64${meta}, i:u32{, mask:@tcgen05.lanes}, {!}enable:pred` +
          "{, #scale:u32=0..15??kind=kind::f16|kind::tf32@8.6:sm_100f}",
        slots: { group, kind: `${plainKinds} ${integerKind}`, use: uses("a") },
        limits: collected,
        needs,
        section,
      },
      {
        id: `${name}.collected.${id}`,
        syntax:
          `${name}.group.kind${shift}{.use}.buffer [d:b32], ${a}, b:u64${meta}, i:u32{, mask:@tcgen05.lanes}, {!}enable:pred` +
          "{, #scale:u32=0..15??kind=kind::f16|kind::tf32}",
        slots: { group, kind: `${plainKinds} kind::i8 kind::ti16`, use: uses("a"), buffer: uses("b") },
        limits: id === "tensor" ? ["ashift use -> use=collector::a::lastuse|collector::a::discard"] : [],
        needs: rubin,
        section,
      },
      {
        id: `${name}.table.${id}`,
        syntax:
          `${name}.group.kind::f8f6f4.decompress::lut::b{.use}{.buffer} [d:b32], ${a}, b:u64${meta}, [table:b32], i:u32` +
          "{, mask:@tcgen05.lanes}, {!}enable:pred",
        slots: { group, use: uses("a"), buffer: uses("b") },
        needs: rubin,
        section,
      },
      {
        id: `${name}.table.scaled.${id}`,
        syntax:
          `${name}.group.kind::mxf8f6f4.block_scale.decompress::lut::b{.block32}{.use}{.buffer} ` +
          `[d:b32], ${a}, b:u64${meta}, [table:b32], i:u32, [sa:b32], [sb:b32], {!}enable:pred`,
        slots: { group, use: uses("a"), buffer: uses("b") },
        needs: rubin,
        section,
      },
      {
        id: `${name}.scaled.${id}`,
        syntax: `${name}.group.kind.block_scale{.vector}{.use} [d:b32], ${a}, b:u64${meta}, i:u32, [sa:b32], [sb:b32], {!}enable:pred`,
        slots: {
          group,
          kind: scaledKinds,
          vector:
            `scale_vec::1X@${specific} scale_vec::2X@${specific} scale_vec::4X@${specific} ` +
            `block16@${blocks} block32@${blocks}`,
          use: uses("a"),
        },
        limits: [
          // Without a modifier it is .block32; ptxas 13.0 accepts that also in modules older than the modifier.
          `!vector -> @${blocks}`,
          ...(sparse ? [`kind=kind::mxf4|kind::mxf4nvf4 -> @${sparseFours}`] : []),
          "kind=kind::mxf8f6f4 -> vector!=scale_vec::2X|scale_vec::4X|block16",
          "kind=kind::mxf4 -> vector!=scale_vec::1X|scale_vec::4X|block16",
          "kind=kind::mxf4nvf4 -> vector",
          "kind=kind::mxf4nvf4 -> vector!=scale_vec::1X",
        ],
        needs,
        section,
      },
      {
        id: `${nameWs}.${id}`,
        syntax: `${nameWs}.cta_group::1.kind{.use} [d:b32], ${a}, b:u64${meta}, i:u32, {!}enable:pred{, zero:u64}`,
        slots: { kind: `${plainKinds} ${integerKind}`, use: uses("b0 b1 b2 b3") },
        needs,
        section: sectionWs,
      },
    ];
  }),
);

export const tcgen05Rows: readonly Row[] = [
  {
    id: "tcgen05.alloc",
    syntax: "tcgen05.alloc.group.sync.aligned{.shared::cta}.b32 [t], columns:u32=32,64,128,256,512",
    slots: { group },
    needs,
    section: "9.7.16.7.1",
  },
  {
    id: "tcgen05.alloc.exclusive",
    syntax: "tcgen05.alloc.exclusive.group.sync.aligned{.shared::cta}.b32 [t], columns:u32=32..576/32",
    slots: { group },
    needs: "9.4:sm_100f",
    section: "9.7.16.7.1",
  },
  {
    id: "tcgen05.dealloc.exclusive",
    syntax: "tcgen05.dealloc.exclusive.group.sync.aligned.b32 t:b32, columns:u32=32..576/32",
    slots: { group },
    needs: "9.4:sm_100f",
    section: "9.7.16.7.1",
  },
  {
    id: "tcgen05.dealloc",
    syntax: "tcgen05.dealloc.group.sync.aligned.b32 t:b32, columns:u32=32..512/32",
    slots: { group },
    needs,
    section: "9.7.16.7.1",
  },
  {
    id: "tcgen05.relinquish_alloc_permit",
    syntax: "tcgen05.relinquish_alloc_permit.group.sync.aligned",
    slots: { group },
    needs,
    section: "9.7.16.7.1",
  },
  {
    id: "tcgen05.ld",
    syntax: "tcgen05.ld.sync{.aligned}.shape.num{.pack::16b}.b32 d:@tcgen05.registers, [t:b32]",
    slots: { shape: shapes, num: repeats },
    limits: registerLimits,
    needs,
    section: "9.7.16.8.3",
  },
  {
    id: "tcgen05.ld.split",
    syntax: "tcgen05.ld.sync{.aligned}.shape.num{.pack::16b}.b32 d:@tcgen05.registers, [t:b32], #offset:b64",
    slots: { shape: "16x32bx2", num: repeats },
    needs,
    section: "9.7.16.8.3",
  },
  {
    id: "tcgen05.ld.red",
    syntax: "tcgen05.ld.red.sync{.aligned}.shape.num.op{.abs}{.NaN}.type d:type*num, q:type, [t:b32]",
    slots: { shape: "32x32b", num: "x2 x4 x8 x16 x32 x64 x128", op: "min max", type: "f32 u32 s32" },
    limits: ["abs -> type=f32", "NaN -> type=f32"],
    needs: "8.8:sm_101f|sm_103f",
    section: "9.7.16.8.3",
  },
  {
    id: "tcgen05.ld.red.split",
    syntax: "tcgen05.ld.red.sync{.aligned}.shape.num.op{.abs}{.NaN}.type d:type*num, q:type, [t:b32], #offset:b64",
    slots: { shape: "16x32bx2", num: "x2 x4 x8 x16 x32 x64 x128", op: "min max", type: "f32 u32 s32" },
    limits: ["abs -> type=f32", "NaN -> type=f32"],
    needs: "8.8:sm_101f|sm_103f",
    section: "9.7.16.8.3",
  },
  {
    id: "tcgen05.ld.spcompress",
    syntax:
      "tcgen05.ld.spcompress.sync.aligned.32x32b.num.op.sp::2:4{.abs}.f32.b2 d:@tcgen05.indices, q:@tcgen05.kept, [t:b32]",
    slots: { num: "x4 x8 x16 x32 x64 x128", op: "min max" },
    needs: "9.4:sm_107a",
    section: "9.7.16.8.3",
  },
  {
    id: "tcgen05.ld.red.spcompress",
    syntax:
      "tcgen05.ld.red.spcompress.sync.aligned.32x32b.num.op.sp::2:4{.abs}{.NaN}.f32.b2 " +
      "d:@tcgen05.indices, q:@tcgen05.kept, p:f32, [t:b32]",
    slots: { num: "x4 x8 x16 x32 x64 x128", op: "min max" },
    needs: "9.4:sm_107a",
    section: "9.7.16.8.3",
  },
  {
    id: "tcgen05.st",
    syntax: "tcgen05.st.sync{.aligned}.shape.num{.unpack::16b}.b32 [t:b32], a:@tcgen05.registers",
    slots: { shape: shapes, num: repeats },
    limits: registerLimits,
    needs,
    section: "9.7.16.8.4",
  },
  {
    id: "tcgen05.st.split",
    syntax: "tcgen05.st.sync{.aligned}.shape.num{.unpack::16b}.b32 [t:b32], #offset:b64, a:@tcgen05.registers",
    slots: { shape: "16x32bx2", num: repeats },
    needs,
    section: "9.7.16.8.4",
  },
  {
    id: "tcgen05.wait",
    syntax: "tcgen05.operation.sync.aligned",
    slots: { operation: "wait::ld wait::st" },
    needs,
    section: "9.7.16.8.5",
  },
  {
    id: "tcgen05.cp",
    syntax: "tcgen05.cp.group.shape{.multicast}{.to}{.from} [t:b32], s:u64",
    slots: {
      group,
      shape: "128x256b 4x256b 128x128b 64x128b 32x128b",
      multicast: "warpx2::02_13 warpx2::01_23 warpx4",
      to: "b8x16",
      from: "b6x16_p32 b4x16_p64",
    },
    limits: [
      "to -> from",
      "from -> to",
      "shape=64x128b -> multicast=warpx2::02_13|warpx2::01_23",
      "shape=32x128b -> multicast=warpx4",
      "multicast -> shape=64x128b|32x128b",
    ],
    needs,
    section: "9.7.16.9.2",
  },
  {
    id: "tcgen05.shift",
    syntax: "tcgen05.shift.group.down [t:b32]",
    slots: { group },
    needs: "8.6:sm_100a|sm_101a|sm_103a|sm_110a|9.4:sm_107a",
    section: "9.7.16.9.3",
  },
  ...multiply,
  {
    id: "tcgen05.fence",
    syntax: "tcgen05.side",
    slots: { side: "fence::before_thread_sync fence::after_thread_sync" },
    needs,
    section: "9.7.16.11.1",
  },
  {
    id: "tcgen05.commit",
    syntax:
      "tcgen05.commit.group.mbarrier::arrive::one{.restrict}{.shared::cluster}{.multicast}.b64 [m]" +
      "{, mask:b16?multicast=multicast::cluster|multicast::cluster::16b}{, mask:b32?multicast=multicast::cluster::32b}",
    slots: {
      group,
      restrict: `sync_restrict::shared::read::mma::a@${rubin}`,
      multicast: `multicast::cluster multicast::cluster::16b@9.4 multicast::cluster::32b@${rubin}`,
    },
    needs,
    section: "9.7.16.12.1",
  },
];
