// Textures and surfaces: PTX ISA 9.0 sections 9.7.10 and 9.7.11.

import type { Row } from "../form.js";

const geom = "1d 2d 3d a1d@2.3 a2d@2.3 cube@3.0:sm_20 acube@3.0:sm_20 2dms@3.2:sm_30 a2dms@3.2:sm_30";
const mipmapped = "1d 2d 3d a1d a2d cube acube";
const geometryLimits = ["geom=cube|acube -> ctype=f32", "geom=2dms|a2dms -> ctype=s32"];
const address = "[t:texref{, &s:samplerref}, c:@tex.coordinates]";
/** Optional operands: an offset of the texels, and a reference value for depth comparison. */
const tail = (places: string): string => `{, e:@tex.offsets??geom!=cube|acube@4.3:sm_30}{, f:f32??${places}@4.3:sm_30}`;
const ctype = "s32 f32";

/** Rows of a fetch. The result is four values of 32 or 16 bits, or pairs of halves. */
const fetch = (id: string, head: string, geometries: string, operands: string, needs: string): readonly Row[] => [
  {
    id,
    syntax: `tex${head}.geom.v4.dtype.ctype d:@tex.result{|p:pred@7.1:sm_60}, ${operands}${tail("ctype=f32&geom!=3d")}`,
    slots: { geom: geometries, dtype: "u32 s32 f16@4.2:sm_53 f32", ctype },
    limits: [
      ...(geometries === geom ? geometryLimits : geometryLimits.slice(0, 1)),
      ...(head === ".grad" ? ["geom=cube|acube -> @4.3"] : []),
    ],
    needs,
    section: "9.7.10.3",
  },
  {
    id: `${id}.f16x2`,
    syntax: `tex${head}.geom.v2.f16x2.ctype d:f16x2*2{|p:pred@7.1:sm_60}, ${operands}${tail("ctype=f32&geom!=3d")}`,
    slots: { geom: geometries, ctype },
    limits: [
      ...(geometries === geom ? geometryLimits : geometryLimits.slice(0, 1)),
      ...(head === ".grad" ? ["geom=cube|acube -> @4.3"] : []),
    ],
    needs: "4.2:sm_53",
    section: "9.7.10.3",
  },
];

const clamp = "trap clamp@2.0 zero@2.0";
const surfaces = "1d 2d 3d@3.0:sm_20 a1d@3.0:sm_20 a2d@3.0:sm_20";

export const textureRows: readonly Row[] = [
  ...fetch("tex", "", geom, address, "1.0"),
  ...fetch("tex.base", ".base", mipmapped, address, "3.1:sm_20"),
  ...fetch("tex.level", ".level", mipmapped, `${address}, lod:@tex.lod`, "3.1:sm_20"),
  ...fetch("tex.grad", ".grad", mipmapped, `${address}, x:@tex.derivatives, y:@tex.derivatives`, "3.1:sm_20"),
  {
    id: "tld4",
    syntax:
      "tld4.comp.geom.v4.dtype.f32 d:@tld4.result{|p:pred@7.1:sm_60}, [t:texref{, &s:samplerref}, c:@tld4.coordinates]{, e:@tex.offsets??geom!=cube|acube@4.3:sm_30}{, f:f32@4.3:sm_30}",
    slots: { comp: "r g b a", geom: "2d a2d@4.3:sm_30 cube@4.3:sm_30 acube@4.3:sm_30", dtype: "u32 s32 f32" },
    needs: "2.2:sm_20",
    section: "9.7.10.4",
  },
  {
    id: "txq",
    traits: ["queries-sampler"],
    syntax: "txq.query.b32 d, [a:texref]",
    slots: {
      query:
        "width height depth channel_data_type@2.1 channel_order@2.1 normalized_coords array_size@4.1 " +
        "num_mipmap_levels@4.1:sm_20 num_samples@4.1:sm_30 force_unnormalized_coords@2.2 filter_mode " +
        "addr_mode_0 addr_mode_1 addr_mode_2",
    },
    needs: "1.5",
    section: "9.7.10.5",
  },
  {
    id: "txq.level",
    traits: ["queries-sampler"],
    syntax: "txq.level.query.b32 d, [a:texref], lod:u32",
    slots: { query: "width height depth" },
    needs: "4.3:sm_30",
    section: "9.7.10.5",
  },
  {
    id: "istypep",
    syntax: "istypep.kind p:pred, a:u64",
    slots: { kind: "texref samplerref surfref" },
    needs: "4.0:sm_30",
    section: "9.7.10.6",
  },
  {
    id: "suld",
    syntax: "suld.b.geom{.cop}{.vec}.dtype.clamp d:dtype>*~vec, [t:surfref, c:@surface.coordinates]",
    slots: {
      geom: surfaces,
      cop: "ca@2.0:sm_20 cg@2.0:sm_20 cs@2.0:sm_20 cv@2.0:sm_20",
      vec: "v2 v4",
      dtype: "b8 b16 b32 b64",
      clamp,
    },
    limits: ["vec=v4 -> dtype!=b64"],
    needs: "1.5",
    section: "9.7.11.1",
  },
  {
    id: "sust",
    syntax: "sust.b.geom{.cop}{.vec}.ctype.clamp [t:surfref, c:@surface.coordinates], a:ctype>*~vec",
    slots: {
      geom: surfaces,
      cop: "wb@2.0:sm_20 cg@2.0:sm_20 cs@2.0:sm_20 wt@2.0:sm_20",
      vec: "v2 v4",
      ctype: "b8 b16 b32 b64",
      clamp,
    },
    limits: ["vec=v4 -> ctype!=b64"],
    needs: "1.5",
    section: "9.7.11.2",
  },
  {
    id: "sust.formatted",
    syntax: "sust.p.geom{.vec}.b32.clamp [t:surfref, c:@surface.coordinates], a:b32>*~vec",
    slots: { geom: "1d 2d 3d@3.0:sm_20", vec: "v2 v4", clamp },
    needs: "2.0:sm_20",
    section: "9.7.11.2",
  },
  {
    id: "sured",
    syntax: "sured.b.op.geom.ctype.clamp [t:surfref, c:@surface.coordinates], a:ctype>",
    slots: { op: "add min max and or", geom: "1d 2d 3d@3.0", ctype: "u32 u64 s32 b32 s64", clamp },
    limits: [
      "op=and|or -> ctype=b32",
      "op=add -> ctype=u32|s32|u64",
      "op=min|max -> ctype=u32|s32|u64|s64",
      "op=min|max ctype=u64|s64 -> @8.1:sm_50",
    ],
    needs: "2.0:sm_20",
    section: "9.7.11.3",
  },
  {
    id: "sured.sample",
    syntax: "sured.p.op.geom.ctype.clamp [t:surfref, c:@surface.coordinates], a:ctype>",
    slots: { op: "add min max and or", geom: "1d 2d 3d@3.0", ctype: "b32 b64", clamp },
    limits: ["ctype=b64 -> op=min|max", "ctype=b64 -> @8.1:sm_50"],
    needs: "2.0:sm_20",
    section: "9.7.11.3",
  },
  {
    id: "suq",
    syntax: "suq.query.b32 d, [a:surfref]",
    slots: {
      query: "width height depth channel_data_type@2.1 channel_order@2.1 array_size@4.1 memory_layout@4.2",
    },
    needs: "1.5",
    section: "9.7.11.4",
  },
];
