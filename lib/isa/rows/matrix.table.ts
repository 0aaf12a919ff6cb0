// Matrix multiplication by one warp: wmma, mma, mma.sp, and loads and stores of their fragments. PTX ISA 9.0 section 9.7.14.

import type { Row } from "../form.js";
import { datacenterBlackwell, everyBlackwell, withTraits } from "./sets.js";

const layouts = "row col";
const memory = "global shared shared::cta@7.8";

// ---------------------------------------------------------------------------------------------------------------- wmma

const cubes = "m16n16k16 m8n32k16@6.1:sm_70 m32n8k16@6.1:sm_70";

/** Shapes of wmma. The limits below have the element types of each shape, for factors and for accumulators. */
const wmmaShapes = `${cubes} m16n16k8@7.0:sm_80 m8n8k4@7.0:sm_80 m8n8k32@6.3:sm_75 m8n8k128@6.3:sm_75`;
const factorLimits = [
  "shape=m16n16k16|m8n32k16|m32n8k16 -> type=f16|s8|u8|bf16",
  "shape=m16n16k8 -> type=tf32",
  "shape=m8n8k4 -> type=f64",
  "shape=m8n8k32 -> type=s4|u4",
  "shape=m8n8k128 -> type=b1",
];
const sumLimits = [
  "shape=m16n16k16|m8n32k16|m32n8k16 -> type=f16|f32|s32",
  "shape=m16n16k8 -> type=f32",
  "shape=m8n8k4 -> type=f64",
  "shape=m8n8k32|m8n8k128 -> type=s32",
];
const factors = "f16 s8@6.3:sm_72 u8@6.3:sm_72 bf16@7.0:sm_80 tf32 f64 s4 u4 b1";

/** Limits of .aligned: PTX 6.3 requires it; before, it could be omitted. */
const alignment = ["!aligned -> until 6.2", "aligned -> @6.3"];

const wmmaRows: readonly Row[] = [
  ...(["a", "b"] as const).map((part): Row => ({
    id: `wmma.load.${part}`,
    syntax: `wmma.load.${part}.sync{.aligned}.layout.shape{.space}.type d:@wmma.move.${part}, [s]{, stride:u32}`,
    slots: { layout: layouts, shape: wmmaShapes, space: memory, type: factors },
    limits: [...alignment, ...factorLimits, `shape=m8n8k32|m8n8k128 -> layout=${part === "a" ? "row" : "col"}`],
    needs: "6.0:sm_70",
    section: "9.7.14.4.3",
  })),
  {
    id: "wmma.load.c",
    syntax: "wmma.load.c.sync{.aligned}.layout.shape{.space}.type d:@wmma.move.c, [s]{, stride:u32}",
    slots: { layout: layouts, shape: wmmaShapes, space: memory, type: "f16 f32 s32@6.3:sm_72 f64" },
    limits: [...alignment, ...sumLimits],
    needs: "6.0:sm_70",
    section: "9.7.14.4.3",
  },
  {
    id: "wmma.store",
    syntax: "wmma.store.d.sync{.aligned}.layout.shape{.space}.type [t], a:@wmma.move.d{, stride:u32}",
    slots: { layout: layouts, shape: wmmaShapes, space: memory, type: "f16 f32 s32@6.3:sm_72 f64" },
    limits: [...alignment, ...sumLimits],
    needs: "6.0:sm_70",
    section: "9.7.14.4.4",
  },
  {
    // Its factors are always f16 and not part of the opcode: the register counts are those of wmma on f16.
    id: "wmma.mma.f16",
    syntax:
      "wmma.mma.sync{.aligned}.alayout.blayout.shape.dtype.ctype{.satfinite} " +
      "d:@wmma.d, a:f16x2*8, b:f16x2*8, c:@wmma.c",
    slots: { alayout: layouts, blayout: layouts, shape: cubes, dtype: "f16 f32", ctype: "f16 f32" },
    limits: [...alignment, "satfinite -> until 6.4"],
    needs: "6.0:sm_70",
    section: "9.7.14.4.5",
  },
  {
    id: "wmma.mma.int",
    syntax:
      "wmma.mma.sync{.aligned}.alayout.blayout.shape.dtype.atype.btype.ctype{.satfinite} " +
      "d:@wmma.d, a:@wmma.a, b:@wmma.b, c:@wmma.c",
    slots: {
      alayout: layouts,
      blayout: layouts,
      shape: `${cubes} m8n8k32@6.3:sm_75`,
      dtype: "s32",
      atype: "s8 u8 s4 u4",
      btype: "s8 u8 s4 u4",
      ctype: "s32",
    },
    limits: [
      ...alignment,
      "shape=m8n8k32 -> atype=s4|u4 btype=s4|u4 alayout=row blayout=col",
      "shape!=m8n8k32 -> atype=s8|u8 btype=s8|u8",
      "atype=s8 -> btype=s8",
      "atype=u8 -> btype=u8",
      "atype=s4 -> btype=s4",
      "atype=u4 -> btype=u4",
    ],
    needs: "6.3:sm_72",
    section: "9.7.14.4.5",
  },
  {
    id: "wmma.mma.alternate",
    syntax:
      "wmma.mma.sync{.aligned}.alayout.blayout.shape.dtype.atype.btype.ctype d:@wmma.d, a:@wmma.a, b:@wmma.b, c:@wmma.c",
    slots: {
      alayout: layouts,
      blayout: layouts,
      shape: "m16n16k16 m8n32k16 m32n8k16 m16n16k8",
      dtype: "f32",
      atype: "bf16 tf32",
      btype: "bf16 tf32",
      ctype: "f32",
    },
    limits: [...alignment, "shape=m16n16k8 -> atype=tf32 btype=tf32", "shape!=m16n16k8 -> atype=bf16 btype=bf16"],
    needs: "7.0:sm_80",
    section: "9.7.14.4.5",
  },
  {
    id: "wmma.mma.f64",
    syntax:
      "wmma.mma.sync.aligned.alayout.blayout.shape{.rnd}.dtype.atype.btype.ctype " +
      "d:@wmma.d, a:@wmma.a, b:@wmma.b, c:@wmma.c",
    slots: {
      alayout: layouts,
      blayout: layouts,
      shape: "m8n8k4",
      rnd: "rn rz rm rp",
      dtype: "f64",
      atype: "f64",
      btype: "f64",
      ctype: "f64",
    },
    needs: "7.0:sm_80",
    section: "9.7.14.4.5",
  },
  {
    id: "wmma.mma.b1",
    syntax:
      "wmma.mma.op.popc.sync.aligned.row.col.shape.dtype.atype.btype.ctype d:@wmma.d, a:@wmma.a, b:@wmma.b, c:@wmma.c",
    slots: { op: "xor and@7.1:sm_80", shape: "m8n8k128", dtype: "s32", atype: "b1", btype: "b1", ctype: "s32" },
    needs: "6.3:sm_75",
    section: "9.7.14.4.5",
  },
];

// ----------------------------------------------------------------------------------------------------------------- mma

/** Operands of mma, and of mma.sp with its metadata and selector. */
const dense = "d:@mma.d, a:@mma.a, b:@mma.b, c:@mma.c";
/** Make operands registers only: sums of small floats and factors of less than a byte. ptxas accepts constants for others. */
const registerSums = (operands: string): string => operands.replace(" c:", " $c:");
const registerFactors = (operands: string): string => operands.replace(/ ([ab]):/g, " $$$1:");
/**
 * Operands of mma.sp. The size of the metadata determines which threads of a group hold it, and thus the range of the selector:
 * section 9.7.14.6.2.
 */
const sparseWith = (...selectors: readonly string[]): string =>
  `d:@mma.sparse.d, a:@mma.sparse.a, b:@mma.sparse.b, c:@mma.sparse.c, $e:b32${selectors.map((s) => `, #f:u32=${s}`).join("")}`;
const sparse = sparseWith("0");
const packed = (operands: string): string =>
  operands.replace(/(\.sparse)?\.([abcd]),/g, "$1.packed.$2,").replace(/c:@mma\.c$/, "c:@mma.packed.c");
const scales = "$sa:b32, ia:@mma.scale.a, $sb:b32, ib:@mma.scale.b";
const byteScales = "$sa:b32, ia:@mma.scale.bytes.a, $sb:b32, ib:@mma.scale.bytes.b";

const eight = "e4m3 e5m2";
const small = "e4m3 e5m2 e3m2 e2m3 e2m1";
const same = (one: string, other: string, types: string): readonly string[] =>
  types.split(" ").map((type) => `${one}=${type} -> ${other}=${type}`);

/** .kind::f8f6f4: in the manual for sm_120; ptxas accepts it with eight bits for all of Blackwell. */
const kindNeeds = `8.6:${datacenterBlackwell}|8.7:sm_120f`;
const smallerThanEight = ["atype", "btype"].map((slot) => `${slot}=e3m2|e2m3|e2m1 -> @8.7:sm_120f`);

interface Multiply {
  readonly id: string;
  /** Modifiers between shape and row.col (kinds and block scales), and after the types. */
  readonly before?: string;
  readonly kind?: string;
  readonly after?: string;
  readonly shape: string;
  readonly types: readonly [d: string, a: string, b: string, c: string];
  readonly slots?: Row["slots"];
  readonly limits?: readonly string[];
  readonly operands?: string;
  readonly needs: string;
  readonly section?: string;
}

const multiply = ({
  id,
  before,
  kind,
  after,
  shape,
  types,
  slots,
  limits,
  operands,
  needs,
  section,
}: Multiply): Row => {
  const [dtype, atype, btype, ctype] = types;
  const name = id.startsWith("mma.sp") ? "mma.variant" : "mma";
  return {
    id,
    syntax:
      `${name}.sync.aligned.shape.row.col${before ?? ""}${kind ?? ""}.dtype.atype.btype.ctype${after ?? ""} ` +
      (operands ?? (name === "mma" ? dense : sparse)),
    slots: { shape, dtype, atype, btype, ctype, ...slots },
    ...(limits === undefined ? {} : { limits }),
    needs,
    section: section ?? (name === "mma" ? "9.7.14.5.14" : "9.7.14.6.3"),
  };
};

const mmaRows: readonly Row[] = [
  {
    id: "mma.f16.m8n8k4",
    syntax: `mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype ${registerSums(dense)}`,
    slots: {
      shape: "m8n8k4",
      alayout: layouts,
      blayout: layouts,
      dtype: "f16 f32",
      atype: "f16",
      btype: "f16",
      ctype: "f16 f32",
    },
    limits: ["dtype=f16 -> ctype=f16"],
    needs: "6.4:sm_70",
    section: "9.7.14.5.14",
  },
  multiply({
    id: "mma.f16",
    shape: "m16n8k8 m16n8k16@7.0:sm_80",
    types: ["f16 f32", "f16", "f16", "f16 f32"],
    limits: same("dtype", "ctype", "f16 f32"),
    operands: registerSums(dense),
    needs: "6.5:sm_75",
  }),
  multiply({
    id: "mma.alternate",
    shape: "m16n8k4 m16n8k8 m16n8k16",
    types: ["f32", "bf16 tf32", "bf16 tf32", "f32"],
    limits: ["shape=m16n8k4 -> atype=tf32", "shape=m16n8k16 -> atype=bf16", ...same("atype", "btype", "bf16 tf32")],
    operands: registerSums(dense),
    needs: "7.0:sm_80",
  }),
  multiply({
    id: "mma.f8",
    shape: "m16n8k32 m16n8k16@8.7:sm_89",
    types: ["f16@8.7:sm_89 f32", eight, eight, "f16 f32"],
    limits: same("dtype", "ctype", "f16 f32"),
    needs: "8.4:sm_89",
  }),
  multiply({
    id: "mma.f8f6f4",
    kind: ".kind::f8f6f4",
    shape: "m16n8k32 m16n8k16@8.7",
    types: ["f16@8.7 f32", small, small, "f16 f32"],
    limits: [
      ...same("dtype", "ctype", "f16 f32"),
      ...smallerThanEight,
      "shape=m16n8k16 -> atype=e4m3|e5m2 btype=e4m3|e5m2",
    ],
    needs: kindNeeds,
  }),
  multiply({
    id: "mma.scaled.mxf4",
    kind: ".kind::mxf4.block_scale{.vector}",
    after: ".stype",
    shape: "m16n8k64",
    types: ["f32", "e2m1", "e2m1", "f32"],
    slots: { vector: "scale_vec::2X", stype: "ue8m0" },
    operands: `${packed(dense)}, ${scales}`,
    needs: "8.7:sm_120f",
  }),
  multiply({
    id: "mma.scaled.mxf4nvf4",
    kind: ".kind::mxf4nvf4.block_scale.vector",
    after: ".stype",
    shape: "m16n8k64",
    types: ["f32", "e2m1", "e2m1", "f32"],
    slots: { vector: "scale_vec::2X scale_vec::4X", stype: "ue8m0 ue4m3" },
    limits: ["vector=scale_vec::4X stype=ue8m0 -> @9.1:sm_120f", "vector=scale_vec::2X -> stype=ue8m0"],
    operands: `${packed(dense)}, ${scales}`,
    needs: "8.7:sm_120f",
  }),
  multiply({
    id: "mma.scaled.mxf8f6f4",
    kind: ".kind::mxf8f6f4.block_scale{.vector}",
    after: ".stype",
    shape: "m16n8k32",
    types: ["f32", small, small, "f32"],
    slots: { vector: "scale_vec::1X", stype: "ue8m0" },
    operands: `${dense}, ${byteScales}`,
    needs: "8.7:sm_120f",
  }),
  multiply({
    id: "mma.f64",
    after: "{.rnd}",
    shape: "m8n8k4 m16n8k4@7.8:sm_90 m16n8k8@7.8:sm_90 m16n8k16@7.8:sm_90",
    types: ["f64", "f64", "f64", "f64"],
    slots: { rnd: "rn rz rm rp" },
    needs: "7.0:sm_80",
  }),
  multiply({
    id: "mma.int8",
    before: "{.satfinite}",
    shape: "m8n8k16 m16n8k16@7.0:sm_80 m16n8k32@7.0:sm_80",
    types: ["s32", "u8 s8", "u8 s8", "s32"],
    needs: "6.5:sm_75",
  }),
  multiply({
    id: "mma.int4",
    before: "{.satfinite}",
    shape: "m8n8k32 m16n8k32@7.0:sm_80 m16n8k64@7.0:sm_80",
    types: ["s32", "u4 s4", "u4 s4", "s32"],
    operands: registerFactors(dense),
    needs: "6.5:sm_75",
  }),
  multiply({
    id: "mma.b1",
    after: ".op.popc",
    shape: "m8n8k128 m16n8k128@7.0:sm_80 m16n8k256@7.0:sm_80",
    types: ["s32", "b1", "b1", "s32"],
    slots: { op: "xor and@7.1:sm_80" },
    operands: registerFactors(dense),
    needs: "7.0:sm_75",
  }),
];

// ------------------------------------------------------------------------------------------------------- sparse mma

const variant = "sp sp::ordered_metadata@8.5:sm_80";
const ordered = "sp::ordered_metadata";

const sparseRows: readonly Row[] = [
  multiply({
    id: "mma.sp.f16",
    shape: "m16n8k16 m16n8k32",
    types: ["f16 f32", "f16", "f16", "f16 f32"],
    slots: { variant },
    limits: same("dtype", "ctype", "f16 f32"),
    operands: registerSums(sparseWith("0..3")),
    needs: "7.1:sm_80",
  }),
  multiply({
    id: "mma.sp.alternate",
    shape: "m16n8k8 m16n8k16 m16n8k32",
    types: ["f32", "bf16 tf32", "bf16 tf32", "f32"],
    slots: { variant },
    limits: ["shape=m16n8k8 -> atype=tf32", "shape=m16n8k32 -> atype=bf16", ...same("atype", "btype", "bf16 tf32")],
    operands: registerSums(
      sparseWith(
        "0..3?shape=m16n8k8",
        "0..3?shape=m16n8k16&atype=bf16",
        "0..1?shape=m16n8k16&atype=tf32",
        "0..1?shape=m16n8k32",
      ),
    ),
    needs: "7.1:sm_80",
  }),
  multiply({
    id: "mma.sp.f8",
    shape: "m16n8k64",
    types: ["f16@8.7:sm_120f f32", eight, eight, "f16 f32"],
    slots: { variant },
    limits: [...same("dtype", "ctype", "f16 f32"), `dtype=f16 -> variant=${ordered}`],
    needs: "8.4:sm_89",
  }),
  multiply({
    id: "mma.sp.f8f6f4",
    kind: ".kind::f8f6f4",
    shape: "m16n8k64",
    types: ["f16 f32", small, small, "f16 f32"],
    slots: { variant: ordered },
    limits: [...same("dtype", "ctype", "f16 f32"), ...smallerThanEight, "dtype=f16 -> @8.7:sm_120f"],
    needs: kindNeeds,
  }),
  multiply({
    id: "mma.sp.scaled.mxf4",
    kind: ".kind::mxf4.block_scale{.vector}",
    after: ".stype",
    shape: "m16n8k128",
    types: ["f32", "e2m1", "e2m1", "f32"],
    slots: { variant: ordered, vector: "scale_vec::2X", stype: "ue8m0" },
    operands: `${packed(sparse)}, ${scales}`,
    needs: "8.7:sm_120a|sm_121a",
  }),
  multiply({
    id: "mma.sp.scaled.mxf4nvf4",
    kind: ".kind::mxf4nvf4.block_scale.vector",
    after: ".stype",
    shape: "m16n8k128",
    types: ["f32", "e2m1", "e2m1", "f32"],
    slots: { variant: ordered, vector: "scale_vec::2X scale_vec::4X", stype: "ue8m0 ue4m3" },
    limits: ["vector=scale_vec::4X stype=ue8m0 -> @9.1:sm_120a|sm_121a", "vector=scale_vec::2X -> stype=ue8m0"],
    operands: `${packed(sparse)}, ${scales}`,
    needs: "8.7:sm_120a|sm_121a",
  }),
  multiply({
    id: "mma.sp.scaled.mxf8f6f4",
    kind: ".kind::mxf8f6f4.block_scale{.vector}",
    after: ".stype",
    shape: "m16n8k64",
    types: ["f32", small, small, "f32"],
    slots: { variant: ordered, vector: "scale_vec::1X", stype: "ue8m0" },
    operands: `${sparse}, ${byteScales}`,
    needs: "8.7:sm_120f",
  }),
  multiply({
    id: "mma.sp.int8",
    before: "{.satfinite}",
    shape: "m16n8k32 m16n8k64",
    types: ["s32", "u8 s8", "u8 s8", "s32"],
    slots: { variant },
    operands: sparseWith("0,1?shape=m16n8k32", "0?shape=m16n8k64"),
    needs: "7.1:sm_80",
  }),
  multiply({
    id: "mma.sp.int4",
    before: "{.satfinite}",
    shape: "m16n8k64 m16n8k128",
    types: ["s32", "u4 s4", "u4 s4", "s32"],
    slots: { variant },
    operands: sparseWith("0,1?shape=m16n8k64", "0?shape=m16n8k128"),
    needs: "7.1:sm_80",
  }),
];

// -------------------------------------------------------------------------------------------------- moves of fragments

const blackwell = `8.6:${everyBlackwell}`;
const shared = "shared shared::cta@7.8";

const moveRows: readonly Row[] = [
  {
    id: "ldmatrix",
    syntax: "ldmatrix.sync.aligned.m8n8.num{.trans}{.space}.b16 d:b32*num, [s]",
    slots: { num: "x1 x2 x4", space: shared },
    needs: "6.5:sm_75",
    section: "9.7.14.5.15",
  },
  {
    id: "ldmatrix.b8",
    syntax: "ldmatrix.sync.aligned.m16n16.num.trans{.space}.b8 d:@ldmatrix.wide, [s]",
    slots: { num: "x1 x2", space: shared },
    needs: blackwell,
    section: "9.7.14.5.15",
  },
  {
    id: "ldmatrix.unpack",
    syntax: "ldmatrix.sync.aligned.m8n16.num{.space}.b8x16.from d:b32*num, [s]",
    slots: { num: "x1 x2 x4", space: shared, from: "b6x16_p32 b4x16_p64" },
    needs: blackwell,
    section: "9.7.14.5.15",
  },
  {
    id: "ldmatrix.extend",
    syntax: "ldmatrix.sync.aligned.m8n16.num{.space}.s8.s4 d:b32*num, [s]",
    slots: { num: "x1 x2 x4", space: shared },
    needs: "9.4:sm_90a|sm_100f|sm_110f|sm_120f",
    section: "9.7.14.5.15",
  },
  {
    id: "ldmatrix.unpack.wide",
    syntax: "ldmatrix.sync.aligned.m16n16.num.trans{.space}.b8x16.from d:@ldmatrix.wide, [s]",
    slots: { num: "x1 x2", space: shared, from: "b6x16_p32 b4x16_p64" },
    needs: blackwell,
    section: "9.7.14.5.15",
  },
  {
    id: "stmatrix",
    syntax: "stmatrix.sync.aligned.m8n8.num{.trans}{.space}.b16 [t], $a:b32*num",
    slots: { num: "x1 x2 x4", space: shared },
    needs: "7.8:sm_90",
    section: "9.7.14.5.16",
  },
  {
    id: "stmatrix.b8",
    syntax: "stmatrix.sync.aligned.m16n8.num.trans{.space}.b8 [t], $a:b32*num",
    slots: { num: "x1 x2 x4", space: shared },
    needs: blackwell,
    section: "9.7.14.5.16",
  },
  {
    id: "movmatrix",
    syntax: "movmatrix.sync.aligned.m8n8.trans.b16 d:b32, $a:b32",
    needs: "7.8:sm_75",
    section: "9.7.14.5.17",
  },
];

export const matrixRows: readonly Row[] = [
  ...withTraits(["notes-matrices"], wmmaRows),
  ...mmaRows,
  ...sparseRows,
  ...moveRows,
];
