// Matrix multiplication by a group of four warps, asynchronously: PTX ISA 9.0 section 9.7.15. A is in registers or, like B, in
// shared memory with a descriptor. The source of A and the element type determine each row's operands.

import type { Row } from "../form.js";

const range = (from: number, to: number, step: number): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

/** Widths n: every multiple of 8; integers have fewer above 32. */
const allWidths = range(8, 256, 8);
const integerWidths = [8, 16, 24, ...range(32, 256, 16)];
const shapes = (widths: readonly number[], k: number): string => widths.map((n) => `m64n${n}k${k}`).join(" ");

interface Kind {
  readonly name: string;
  readonly types: string;
  readonly widths: readonly number[];
  /** Elements of a dense tile along k; sparse tiles have twice as many. */
  readonly k: number;
  readonly slots: Row["slots"];
  readonly limits?: readonly string[];
  /** Whether A and B may be negated. */
  readonly scaled: boolean;
  /** The register type of A; ptxas accepts no others. */
  readonly packed: string;
  /** Threads that may hold the metadata: section 9.7.15.6.1. */
  readonly selectors: string;
  readonly transposed: boolean;
  readonly sparse: boolean;
}

const eight = "e4m3 e5m2";
const bytes = "s8 u8";
const kinds: readonly Kind[] = [
  {
    name: "f16",
    types: ".dtype.f16.f16",
    widths: allWidths,
    k: 16,
    slots: { dtype: "f16 f32" },
    packed: "f16x2",
    selectors: "0,1",
    scaled: true,
    transposed: true,
    sparse: true,
  },
  {
    name: "bf16",
    types: ".dtype.bf16.bf16",
    widths: allWidths,
    k: 16,
    slots: { dtype: "f32" },
    packed: "bf16x2",
    selectors: "0,1",
    scaled: true,
    transposed: true,
    sparse: true,
  },
  {
    name: "tf32",
    types: ".dtype.tf32.tf32",
    widths: allWidths,
    k: 8,
    slots: { dtype: "f32" },
    packed: "tf32",
    selectors: "0,1",
    scaled: true,
    transposed: false,
    sparse: true,
  },
  {
    name: "f8",
    types: ".dtype.atype.btype",
    widths: allWidths,
    k: 32,
    slots: { dtype: "f16 f32", atype: eight, btype: eight },
    packed: "b32!",
    selectors: "0",
    scaled: true,
    transposed: false,
    sparse: true,
  },
  {
    name: "int8",
    types: "{.satfinite}.dtype.atype.btype",
    widths: integerWidths,
    k: 32,
    slots: { dtype: "s32", atype: bytes, btype: bytes },
    limits: ["atype=s8 btype=u8 -> @8.4:sm_90a", "atype=u8 btype=s8 -> @8.4:sm_90a"],
    packed: "b32",
    selectors: "0",
    scaled: false,
    transposed: false,
    sparse: true,
  },
  {
    name: "b1",
    types: ".dtype.b1.b1.and.popc",
    widths: integerWidths,
    k: 256,
    slots: { dtype: "s32" },
    packed: "b32",
    selectors: "0",
    scaled: false,
    transposed: false,
    sparse: false,
  },
];

function multiply(kind: Kind, a: "shared" | "registers", sparse: boolean): Row {
  const operands = [
    "d:@wgmma.d",
    a === "shared" ? "a:u64" : `a:${kind.packed}*4`,
    "b:u64",
    ...(sparse ? ["$e:b32", `#f:u32=${kind.selectors}`] : []),
    "{!}scale:pred=0,1",
    ...(kind.scaled ? ["#na:s32=-1,1", "#nb:s32=-1,1"] : []),
    ...(kind.transposed && a === "shared" ? ["#ta:s32=0,1"] : []),
    ...(kind.transposed ? ["#tb:s32=0,1"] : []),
  ];
  const opcode = sparse ? "wgmma.mma_async.sp" : "wgmma.mma_async";
  return {
    id: `${sparse ? "wgmma.sp" : "wgmma"}.${kind.name}.${a}`,
    syntax: `${opcode}.sync{.aligned}.shape${kind.types} ${operands.join(", ").replace("d:", "+d:")}`,
    slots: { shape: shapes(kind.widths, sparse ? kind.k * 2 : kind.k), ...kind.slots },
    ...(kind.limits === undefined ? {} : { limits: kind.limits }),
    needs: sparse ? "8.2:sm_90a" : "8.0:sm_90a",
    section: sparse ? "9.7.15.6.3" : "9.7.15.5.2",
  };
}

export const wgmmaRows: readonly Row[] = [
  ...kinds.flatMap((kind) => [multiply(kind, "shared", false), multiply(kind, "registers", false)]),
  ...kinds
    .filter((kind) => kind.sparse)
    .flatMap((kind) => [multiply(kind, "shared", true), multiply(kind, "registers", true)]),
  { id: "wgmma.fence", syntax: "wgmma.fence.sync{.aligned}", needs: "8.0:sm_90a", section: "9.7.15.7.1" },
  { id: "wgmma.commit_group", syntax: "wgmma.commit_group.sync{.aligned}", needs: "8.0:sm_90a", section: "9.7.15.7.2" },
  {
    id: "wgmma.wait_group",
    syntax: "wgmma.wait_group.sync{.aligned} #n:u32=0..2147483647",
    needs: "8.0:sm_90a",
    section: "9.7.15.7.3",
  },
];
