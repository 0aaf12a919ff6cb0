// llvm.nvvm intrinsics of textures and surfaces (PTX ISA 9.7.10, 9.7.11; NVVM IR 1.0 chapter 12). How rows are written:
// row.ts.

import type { IntrinsicRow } from "./row.js";

interface Geometry {
  /** In the name. */
  readonly name: string;
  readonly ptx: string;
  /** Coordinates that are floats or integers; an array has its index before them. */
  readonly count: number;
  readonly array: boolean;
}

const geometries: readonly Geometry[] = [
  { name: "1d", ptx: "1d", count: 1, array: false },
  { name: "1d.array", ptx: "a1d", count: 1, array: true },
  { name: "2d", ptx: "2d", count: 2, array: false },
  { name: "2d.array", ptx: "a2d", count: 2, array: true },
  { name: "3d", ptx: "3d", count: 3, array: false },
  { name: "cube", ptx: "cube", count: 3, array: false },
  { name: "cube.array", ptx: "acube", count: 3, array: true },
];

/** A list of operands from `$from`, with the index of an array first; three operands use a list of four. */
function listOf(from: number, { count, array }: Pick<Geometry, "count" | "array">): string {
  const operands = Array.from({ length: count + (array ? 1 : 0) }, (_, i) => `$${from + i}`);
  if (operands.length === 3) operands.push(operands[2]!);
  return `{${operands.join(", ")}}`;
}

const fetched = "<v4f32=f32|v4s32=s32|v4u32=u32>";
const results = "{$d0, $d1, $d2, $d3}";

/** With a separate sampler, or unified. */
function fetches(geometry: Geometry, unified: boolean): readonly IntrinsicRow[] {
  const { name, ptx, count, array } = geometry;
  const handles = unified ? "i64" : "i64, i64";
  const first = unified ? 1 : 2;
  const at = unified ? "$0" : "$0, $1";
  const mode = unified ? ".unified" : "";
  const index = array ? ", i32" : "";
  const place = listOf(first, geometry);
  const next = first + count + (array ? 1 : 0);
  const sampler: Pick<IntrinsicRow, "ownSampler"> = unified ? {} : { ownSampler: true };
  const plain = (coordinate: string): IntrinsicRow => ({
    name: `nvvm.tex${mode}.${name}.${fetched}.${coordinate}`,
    type: `{<1>*4} (${handles}${index}, ${coordinate}*${count})`,
    ptx: `tex.${ptx}.v4.<1>.${coordinate} ${results}, [${at}, ${place}];`,
    ...sampler,
  });
  const gradient = (from: number): string => listOf(from, { count, array: false });
  return [
    plain("f32"),
    ...(ptx.endsWith("cube") ? [] : [plain("s32")]),
    {
      name: `nvvm.tex${mode}.${name}.level.${fetched}.f32`,
      type: `{<1>*4} (${handles}${index}, f32*${count + 1})`,
      ptx: `tex.level.${ptx}.v4.<1>.f32 ${results}, [${at}, ${place}], $${next};`,
      ...sampler,
    },
    {
      name: `nvvm.tex${mode}.${name}.grad.${fetched}.f32`,
      type: `{<1>*4} (${handles}${index}, f32*${count * 3})`,
      ptx:
        `tex.grad.${ptx}.v4.<1>.f32 ${results}, [${at}, ${place}], ` + `${gradient(next)}, ${gradient(next + count)};`,
      ...sampler,
    },
  ];
}

const gathers: readonly IntrinsicRow[] = [
  {
    name: `nvvm.tld4.<r|g|b|a>.2d.${fetched}.f32`,
    type: "{<2>*4} (i64, i64, f32*2)",
    ptx: `tld4.<1>.2d.v4.<2>.f32 ${results}, [$0, $1, {$2, $3}];`,
    ownSampler: true,
  },
  {
    name: `nvvm.tld4.unified.<r|g|b|a>.2d.${fetched}.f32`,
    type: "{<2>*4} (i64, f32*2)",
    ptx: `tld4.<1>.2d.v4.<2>.f32 ${results}, [$0, {$1, $2}];`,
  },
];

/** Elements of a surface: how many, in which registers. */
const elements: readonly (readonly [name: string, ptx: string, type: string, count: number])[] = [
  ["<i8=b8|i16=b16>", ".<1>", "i16", 1],
  ["i32", ".b32", "i32", 1],
  ["i64", ".b64", "i64", 1],
  ["<v2i8=b8|v2i16=b16>", ".v2.<1>", "i16", 2],
  ["v2i32", ".v2.b32", "i32", 2],
  ["v2i64", ".v2.b64", "i64", 2],
  ["<v4i8=b8|v4i16=b16>", ".v4.<1>", "i16", 4],
  ["v4i32", ".v4.b32", "i32", 4],
];

function surfaces(geometry: Geometry): readonly IntrinsicRow[] {
  const coordinates = geometry.count + (geometry.array ? 1 : 0);
  const place = listOf(1, geometry);
  return elements.flatMap(([name, ptx, type, count]): readonly IntrinsicRow[] => {
    const clamp = ptx.includes("<1>") ? "<2>" : "<1>";
    const list = (prefix: string, from: number): string =>
      `{${Array.from({ length: count }, (_, i) => `${prefix}${from + i}`).join(", ")}}`;
    return [
      {
        name: `nvvm.suld.${geometry.name}.${name}.<clamp|trap|zero>`,
        type: `{${type}*${count}} (i64, i32*${coordinates})`,
        ptx: `suld.b.${geometry.ptx}${ptx}.${clamp} ${list("$d", 0)}, [$0, ${place}];`,
      },
      {
        name: `nvvm.sust.b.${geometry.name}.${name}.<clamp|trap|zero>`,
        type: `void (i64, i32*${coordinates}, ${type}*${count})`,
        ptx: `sust.b.${geometry.ptx}${ptx}.${clamp} [$0, ${place}], ${list("$", coordinates + 1)};`,
      },
      ...(type === "i32" && !geometry.array
        ? [
            {
              name: `nvvm.sust.p.${geometry.name}.${name}.trap`,
              type: `void (i64, i32*${coordinates}, ${type}*${count})`,
              ptx: `sust.p.${geometry.ptx}${ptx}.trap [$0, ${place}], ${list("$", coordinates + 1)};`,
            },
          ]
        : []),
    ];
  });
}

export const textureRows: readonly IntrinsicRow[] = [
  { name: "nvvm.texsurf.handle*", type: "i64 (metadata, S)", does: "handle", first: "*", section: "13.5" },
  { name: "nvvm.texsurf.handle.internal*", type: "i64 (S)", does: "handle" },
  ...geometries.flatMap((geometry) => [...fetches(geometry, false), ...fetches(geometry, true)]),
  ...gathers,
  ...geometries.filter(({ ptx }) => !ptx.endsWith("cube")).flatMap(surfaces),
  {
    name:
      "nvvm.txq.<width|height|depth|channel.order=channel_order|channel.data.type=channel_data_type|" +
      "array.size=array_size|num.samples=num_samples|num.mipmap.levels=num_mipmap_levels>",
    type: "i32 (i64)",
    ptx: "txq.<1>.b32 $d, [$0];",
  },
  {
    name:
      "nvvm.suq.<width|height|depth|channel.order=channel_order|channel.data.type=channel_data_type|" +
      "array.size=array_size>",
    type: "i32 (i64)",
    ptx: "suq.<1>.b32 $d, [$0];",
  },
  {
    name: "nvvm.istypep.<texture=texref|sampler=samplerref|surface=surfref>",
    type: "i1 (i64)",
    ptx: "istypep.<1> $d, $0;",
  },
];
