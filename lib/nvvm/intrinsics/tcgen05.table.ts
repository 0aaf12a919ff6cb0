// llvm.nvvm intrinsics of the fifth-generation tensor cores (PTX ISA 9.7.16). An address of tensor memory has 32 bits, a
// pointer to it the bits of any other. Syntax of rows: row.ts.

import type { IntrinsicRow } from "./row.js";

const group = "<cg1=1|cg2=2>";

/** Truncates argument 0 to an address of tensor memory, %t. */
const tensorAddress = "{ .reg .b32 %t; cvt.u32.u<w> %t, $0; ";

/** 32-bit words of a shape for each repetition. */
const shapes: readonly (readonly [shape: string, words: number])[] = [
  ["16x64b", 1],
  ["16x128b", 2],
  ["16x256b", 4],
  ["32x32b", 1],
  ["16x32bx2", 1],
];

const repetitions = [1, 2, 4, 8, 16, 32, 64, 128];

const accessRows: readonly IntrinsicRow[] = shapes.flatMap(([shape, words]) =>
  repetitions
    .filter((times) => times * words <= 128)
    .flatMap((times): readonly IntrinsicRow[] => {
      const count = times * words;
      const type = count === 1 ? "i32" : `v${count}i32`;
      const braced = (operand: string): string => (count === 1 ? `{${operand}}` : operand);
      const split = shape === "16x32bx2";
      const offset = split ? ", $1" : "";
      const stored = split ? 2 : 1;
      return [
        {
          name: `nvvm.tcgen05.ld.${shape}.x${times}`,
          type: `${type} (ptr, ${split ? "i64!, " : ""}i1!)`,
          ptx:
            `${tensorAddress}tcgen05.ld.sync.aligned.${shape}.x${times}<?${stored}:.pack::16b>.b32 ` +
            `${braced("$d")}, [%t]${offset}; }`,
        },
        {
          name: `nvvm.tcgen05.st.${shape}.x${times}`,
          type: `void (ptr, ${split ? "i64!, " : ""}${type}, i1!)`,
          ptx:
            `${tensorAddress}tcgen05.st.sync.aligned.${shape}.x${times}<?${stored + 1}:.unpack::16b>.b32 ` +
            `[%t]${offset}, ${braced(`$${stored}`)}; }`,
        },
      ];
    }),
);

export const tcgen05Rows: readonly IntrinsicRow[] = [
  ...(
    [
      ["", "", "ptr"],
      [".shared", ".shared::cta", "ptr3"],
    ] as const
  ).flatMap(([name, space, pointer]): readonly IntrinsicRow[] => [
    {
      name: `nvvm.tcgen05.alloc${name}.${group}`,
      type: `void (${pointer}, i32)`,
      ptx: `tcgen05.alloc.cta_group::<1>.sync.aligned${space}.b32 [$0], $1;`,
    },
    {
      name: `nvvm.tcgen05.commit${name}.${group}`,
      type: `void (${pointer})`,
      ptx: `tcgen05.commit.cta_group::<1>.mbarrier::arrive::one${space === "" ? "" : ".shared::cluster"}.b64 [$0];`,
    },
    {
      name: `nvvm.tcgen05.commit.mc${name}.${group}`,
      type: `void (${pointer}, i16)`,
      ptx:
        `tcgen05.commit.cta_group::<1>.mbarrier::arrive::one${space === "" ? "" : ".shared::cluster"}` +
        `.multicast::cluster.b64 [$0], $1;`,
    },
  ]),
  {
    name: `nvvm.tcgen05.dealloc.${group}`,
    type: "void (ptr, i32)",
    ptx: `${tensorAddress}tcgen05.dealloc.cta_group::<1>.sync.aligned.b32 %t, $1; }`,
  },
  {
    name: `nvvm.tcgen05.relinq.alloc.permit.${group}`,
    type: "void ()",
    ptx: "tcgen05.relinquish_alloc_permit.cta_group::<1>.sync.aligned;",
  },
  {
    name: `nvvm.tcgen05.shift.down.${group}`,
    type: "void (ptr)",
    ptx: `${tensorAddress}tcgen05.shift.cta_group::<1>.down [%t]; }`,
  },
  { name: "nvvm.tcgen05.wait.<ld|st>", type: "void ()", ptx: "tcgen05.wait::<1>.sync.aligned;" },
  {
    name: "nvvm.tcgen05.fence.<before|after>.thread.sync",
    type: "void ()",
    ptx: "tcgen05.fence::<1>_thread_sync;",
  },
  {
    name:
      "nvvm.tcgen05.cp.<128x256b|4x256b|128x128b|64x128b_warpx2_02_13=64x128b.warpx2::02_13|" +
      "64x128b_warpx2_01_23=64x128b.warpx2::01_23|32x128b_warpx4=32x128b.warpx4>" +
      `<|.b6x16_p32=.b8x16.b6x16_p32|.b4x16_p64=.b8x16.b4x16_p64>.<cg1=1|cg2=2>`,
    type: "void (ptr, i64)",
    ptx: `${tensorAddress}tcgen05.cp.cta_group::<3>.<1><2> [%t], $1; }`,
  },
  ...accessRows,
];
