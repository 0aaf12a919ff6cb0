// Memory of other machines behind a fabric, and sparse data: PTX ISA 9.3 section 9.7.10, 9.4 section 9.7.11, and spcompress,
// as far as they are known. They are parsed and checked; nothing executes them.

import type { Row } from "../form.js";

const section = "9.7.20.1";
const bytes = "mbarrier::complete_tx::bytes.mbarrier::report::fabric";
const units = "mbarrier::complete_tx::16B.mbarrier::report::fabric";
const size = "size:u32=0..4294967280/16";
const place = "[le:b32, off:b64]";
const counted = "[le:b32, off:b64, counter:b64]";
const needs = "9.3:sm_100";
const reductions = [
  "op=and|or|xor -> type=b32|b64",
  "op=min|max -> type=u32|s32|u64|s64|f16|bf16",
  "op=add -> type=u32|u64|f16|bf16|f32|f64",
];
const operations = {
  op: "and or xor min max add",
  type: "b32 b64 u32 s32 u64 s64 f16 bf16 f32 f64",
};
/** Targets of sums of small floats in wider ones. */
const wider = "9.3:sm_120a|sm_121a|sm_100f|sm_110f";

export const fabricRows: readonly Row[] = [
  {
    id: "fabric.try_get",
    syntax: `fabric.try_get.async.shared::cta.${bytes}.relaxed.sys.b128 [d], ${place}, ${size}, [m]`,
    needs,
    section,
  },
  {
    id: "fabric.try_put",
    syntax: `fabric.try_put.async{.multimem}.shared::cta.${units}{.mask}.relaxed.sys.b128 ${place}, [a], ${size}, [m]{, bytes:b16?mask}`,
    slots: { mask: "cp_mask" },
    needs,
    section,
  },
  {
    id: "fabric.try_put.counted",
    syntax: `fabric.try_put.async{.multimem}.shared::cta.${units}.counted::bytes.relaxed.sys.b128 ${counted}, [a], ${size}, [m]`,
    needs,
    section,
  },
  {
    id: "fabric.try_red",
    syntax: `fabric.try_red.async{.multimem}.shared::cta.${units}.relaxed.sys.op.type ${place}, [a], ${size}, [m]`,
    slots: operations,
    limits: reductions,
    needs,
    section,
  },
  {
    id: "fabric.try_red.counted",
    syntax: `fabric.try_red.async{.multimem}.shared::cta.${units}.counted::bytes.relaxed.sys.op.type ${counted}, [a], ${size}, [m]`,
    slots: operations,
    limits: reductions,
    needs,
    section,
  },
  {
    id: "fabric.try_pullred",
    syntax: `fabric.try_pullred.async.multimem.shared::cta.${bytes}.relaxed.sys.op.type.sync [d], ${place}, ${size}, [m], #mask:u32=4294967295`,
    slots: { ...operations, type: `b32 b64 u32 s32 u64 s64 f16 bf16 f32 e4m3@${wider} e5m2@${wider}` },
    limits: [
      "op=and|or|xor -> type=b32|b64",
      "op=min|max -> type=u32|s32|u64|s64|f16|bf16|e4m3|e5m2",
      "op=add -> type=u32|u64|f16|bf16|f32",
    ],
    needs,
    section,
  },
  {
    id: "fabric.try_pullred.acc",
    syntax: `fabric.try_pullred.async.multimem.shared::cta.${bytes}.relaxed.sys.add.acc.type.sync [d], ${place}, ${size}, [m], #mask:u32=4294967295`,
    slots: { acc: "acc::f16 acc::f32", type: "e4m3 e5m2 f16 bf16" },
    limits: ["acc=acc::f16 -> type=e4m3|e5m2", "acc=acc::f32 -> type=f16|bf16"],
    needs: wider,
    section,
  },
  {
    id: "fabric.try_atom",
    syntax: `fabric.try_atom.async.shared::cta.${units}.relaxed.sys.op.type ${place}, [old], [a], [m]`,
    slots: { op: "add min max and or xor", type: "u32 u64 f32 f64 f16x2 bf16x2 b32 b64" },
    limits: [
      "op=add -> type=u32|u64|f32|f64|f16x2|bf16x2",
      "op=min|max -> type=u32|u64|f16x2|bf16x2",
      "op=and|or|xor -> type=b32|b64",
    ],
    needs: "9.4:sm_100",
    section,
  },
  {
    id: "fabric.submit",
    syntax: "fabric.submit{.restrict}",
    slots: { restrict: "op_restrict::fetching" },
    needs,
    section,
  },
  { id: "fabric.wait", syntax: "fabric.wait.sync_restrict::reads", needs, section },
];

const counts = "x1 x2 x4 x8 x16 x32 x64";

/** Sparse data: the two kept elements of each four, and their indices. */
export const sparseRows: readonly Row[] = [
  {
    id: "spcompress",
    syntax:
      "spcompress.etype.itype.sparsity.num d:@spcompress.indices, q:@spcompress.kept, data:@spcompress.all, desc:u32",
    slots: { etype: "b8 b16", itype: "b2 b4", sparsity: "sp::2:4", num: counts },
    needs: "9.4:sm_107a",
    section: "9.7.20.2",
  },
  {
    id: "spdecompress",
    syntax: "spdecompress.etype.itype.sparsity.num d:@spdecompress.all, m:@spdecompress.indices, c:@spdecompress.kept",
    slots: {
      etype: "b8 b16",
      itype: "b2 b4",
      sparsity: ["1:2", "1:4", "1:8", "1:16", "2:4", "2:8", "2:16", "4:8", "4:16"].map((s) => `sp::${s}`).join(" "),
      num: "x1 x2 x4 x8 x16 x32 x64 x128",
    },
    limits: [
      // Indices address all elements of a group; the index of one kept element fits into 32 bits.
      "itype=b2 -> sparsity=sp::1:2|sp::1:4|sp::2:4",
      "etype=b16 -> sparsity!=sp::4:8|sp::4:16",
      // The total is 32 to 4096 bits.
      "etype=b8 sparsity=sp::1:2 -> num!=x1",
      "etype=b16 sparsity=sp::1:4|sp::2:4 -> num!=x128",
      "sparsity=sp::1:8|sp::2:8|sp::4:8 -> num!=x128",
      "etype=b16 sparsity=sp::1:8|sp::2:8 -> num!=x64",
      "sparsity=sp::1:16|sp::2:16|sp::4:16 -> num!=x64|x128",
      "etype=b16 sparsity=sp::1:16|sp::2:16 -> num!=x32",
    ],
    needs: "9.4:sm_107a",
    section: "9.7.20.2",
  },
];
