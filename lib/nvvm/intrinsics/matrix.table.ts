// llvm.nvvm intrinsics of matrices: mma, wmma, ldmatrix, stmatrix (PTX ISA 9.7.14) and wgmma's fences (9.7.15). Names follow
// from shapes and types; the registers of each type are listed here. Syntax of rows: row.ts.

import type { IntrinsicRow } from "./row.js";

/** Number and type of a fragment's registers. */
interface Registers {
  readonly type: string;
  readonly count: number;
}

const of = (type: string, count: number): Registers => ({ type, count });

/** `v2f16*4`. */
const typeList = (...fragments: readonly Registers[]): string =>
  fragments.map(({ type, count }) => `${type}*${count}`).join(", ");

/** `{$d0, $d1}`, `{$4, $5}`. */
const list = (prefix: string, from: number, { count }: Registers): string =>
  `{${Array.from({ length: count }, (_, i) => `${prefix}${from + i}`).join(", ")}}`;

/** d = a * b + c, as operands and as a type. */
function product(
  name: string,
  opcode: string,
  a: Registers,
  b: Registers,
  c: Registers,
  d: Registers = c,
): IntrinsicRow {
  const operands = [list("$d", 0, d), list("$", 0, a), list("$", a.count, b), list("$", a.count + b.count, c)];
  return {
    name: `nvvm.${name}`,
    type: `{${typeList(d)}} (${typeList(a, b, c)})`,
    ptx: `${opcode} ${d.count === 1 ? operands[0]!.replace("$d0", "$d") : operands[0]!}, ${operands.slice(1).join(", ")};`,
  };
}

type Shape = readonly [shape: string, a: number, b: number, c: number];

/** mma of f16: a and b are pairs of f16, the accumulators either. */
const halfProducts = (): readonly IntrinsicRow[] =>
  (
    [
      ["m8n8k4", 2, 2, 4, 8, "<row|col>.<row|col>", "f16.f16 f32.f16 f32.f32"],
      ["m16n8k8", 2, 1, 2, 4, "<row>.<col>", "f16.f16 f32.f32"],
      ["m16n8k16", 4, 2, 2, 4, "<row>.<col>", "f16.f16 f32.f32"],
    ] as const
  ).flatMap(([shape, a, b, narrow, wide, layouts, kinds]) =>
    kinds.split(" ").map((kind) => {
      const [d, c] = kind.split(".").map((type) => (type === "f16" ? of("v2f16", narrow) : of("f32", wide)));
      const [result, sum] = kind.split(".");
      return product(
        `mma.${shape}.${layouts}.${kind}`,
        `mma.sync.aligned.${shape}.<1>.<2>.${result}.f16.f16.${sum}`,
        of("v2f16", a),
        of("v2f16", b),
        c!,
        d!,
      );
    }),
  );

const mma = (shapes: readonly Shape[], name: string, types: string, register: string, sum: string) =>
  shapes.map(([shape, a, b, c]) =>
    product(
      `mma.${shape}.row.col${name}`,
      `mma.sync.aligned.${shape}.row.col${types}`,
      of(register, a),
      of(register, b),
      of(sum, c),
    ),
  );

/** Both types of an integer product; the name has one if they are equal. */
const integerMma = (shapes: readonly Shape[], types: readonly string[]): readonly IntrinsicRow[] =>
  types.flatMap((a) =>
    types.flatMap((b) =>
      mma(shapes, `<|.satfinite>.${a === b ? a : `${a}.${b}`}`, `<1>.s32.${a}.${b}.s32`, "i32", "i32"),
    ),
  );

const bitShapes: readonly Shape[] = [
  ["m8n8k128", 1, 1, 2],
  ["m16n8k128", 2, 1, 4],
  ["m16n8k256", 4, 2, 4],
];

const mmaRows = (): readonly IntrinsicRow[] => [
  ...halfProducts(),
  ...mma(
    [
      ["m16n8k8", 2, 1, 4],
      ["m16n8k16", 4, 2, 4],
    ],
    ".bf16",
    ".f32.bf16.bf16.f32",
    "i32",
    "f32",
  ),
  ...mma(
    [
      ["m16n8k4", 2, 1, 4],
      ["m16n8k8", 4, 2, 4],
    ],
    ".tf32",
    ".f32.tf32.tf32.f32",
    "i32",
    "f32",
  ),
  ...mma([["m8n8k4", 1, 1, 2]], ".f64", ".f64.f64.f64.f64", "f64", "f64"),
  ...integerMma(
    [
      ["m8n8k16", 1, 1, 2],
      ["m16n8k16", 2, 1, 4],
      ["m16n8k32", 4, 2, 4],
    ],
    ["s8", "u8"],
  ),
  ...integerMma(
    [
      ["m8n8k32", 1, 1, 2],
      ["m16n8k32", 2, 1, 4],
      ["m16n8k64", 4, 2, 4],
    ],
    ["s4", "u4"],
  ),
  ...bitShapes.map(([shape, a, b, c]) =>
    product(
      `mma.<and|xor>.popc.${shape}.row.col.b1`,
      `mma.sync.aligned.${shape}.row.col.s32.b1.b1.s32.<1>.popc`,
      of("i32", a),
      of("i32", b),
      of("i32", c),
    ),
  ),
];

// ------------------------------------------------------------------------------------------------------------- wmma

/** The fragments of one shape and type: a, b and the accumulators. */
interface Wmma {
  readonly shape: string;
  readonly type: string;
  readonly a: Registers;
  readonly b: Registers;
  /** By accumulator type. */
  readonly sums: Readonly<Record<string, Registers>>;
  /** Layouts of a and b; sub-byte types have only one. */
  readonly fixed?: boolean;
}

const halfSums = { f16: of("v2f16", 4), f32: of("f32", 8) };
const floatSum = { f32: of("f32", 8) };
const integerSum = { s32: of("i32", 8) };

/** Words of bf16 and bytes of a and b by shape; f16 takes eight of each. */
const wideShapes = [
  ["m16n16k16", 4, 4, 2, 2],
  ["m32n8k16", 8, 2, 4, 1],
  ["m8n32k16", 2, 8, 1, 4],
] as const;

const wmmas: readonly Wmma[] = [
  ...wideShapes.flatMap(([shape, a, b, byteA, byteB]): readonly Wmma[] => [
    { shape, type: "f16", a: of("v2f16", 8), b: of("v2f16", 8), sums: halfSums },
    { shape, type: "bf16", a: of("i32", a), b: of("i32", b), sums: floatSum },
    { shape, type: "s8", a: of("i32", byteA), b: of("i32", byteB), sums: integerSum },
    { shape, type: "u8", a: of("i32", byteA), b: of("i32", byteB), sums: integerSum },
  ]),
  { shape: "m16n16k8", type: "tf32", a: of("i32", 4), b: of("i32", 4), sums: floatSum },
  { shape: "m8n8k4", type: "f64", a: of("f64", 1), b: of("f64", 1), sums: { f64: of("f64", 2) } },
  ...["s4", "u4"].map((type): Wmma => ({
    shape: "m8n8k32",
    type,
    a: of("i32", 1),
    b: of("i32", 1),
    sums: { s32: of("i32", 2) },
    fixed: true,
  })),
  { shape: "m8n8k128", type: "b1", a: of("i32", 1), b: of("i32", 1), sums: { s32: of("i32", 2) }, fixed: true },
];

/** With a stride, and without. */
function load(
  shape: string,
  fragment: string,
  layouts: string,
  type: string,
  registers: Registers,
): readonly IntrinsicRow[] {
  const result = registers.count === 1 ? "{$d}" : list("$d", 0, registers);
  const instruction = `wmma.load.${fragment}.sync.aligned.<1>.${shape}<space0>.${type} ${result}, [$0]`;
  return [
    {
      name: `nvvm.wmma.${shape}.load.${fragment}.${layouts}.stride.${type}*`,
      type: `{${typeList(registers)}} (ptr, i32)`,
      ptx: `${instruction}, $1;`,
    },
    {
      name: `nvvm.wmma.${shape}.load.${fragment}.${layouts}.${type}*`,
      type: `{${typeList(registers)}} (ptr)`,
      ptx: `${instruction};`,
    },
  ];
}

function store(shape: string, type: string, registers: Registers): readonly IntrinsicRow[] {
  const instruction = `wmma.store.d.sync.aligned.<1>.${shape}<space0>.${type} [$0], ${list("$", 1, registers)}`;
  return [
    {
      name: `nvvm.wmma.${shape}.store.d.<row|col>.stride.${type}*`,
      type: `void (ptr, ${typeList(registers)}, i32)`,
      ptx: `${instruction}, $${registers.count + 1};`,
    },
    {
      name: `nvvm.wmma.${shape}.store.d.<row|col>.${type}*`,
      type: `void (ptr, ${typeList(registers)})`,
      ptx: `${instruction};`,
    },
  ];
}

const wmmaMemoryRows = (): readonly IntrinsicRow[] => [
  ...wmmas.flatMap(({ shape, type, a, b, fixed = false }) => [
    ...load(shape, "a", fixed ? "<row>" : "<row|col>", type, a),
    ...load(shape, "b", fixed ? "<col>" : "<row|col>", type, b),
  ]),
  // Types that share an accumulator share its loads and stores.
  ...[
    ...new Map(
      wmmas.flatMap(({ shape, sums }) => Object.entries(sums).map((sum) => [`${shape} ${sum[0]}`, sum[1]] as const)),
    ),
  ]
    .map(([key, registers]) => [...key.split(" "), registers] as [shape: string, type: string, registers: Registers])
    .flatMap(([shape, type, registers]) => [
      ...load(shape, "c", "<row|col>", type, registers),
      ...store(shape, type, registers),
    ]),
];

const wmmaProductRows = (): readonly IntrinsicRow[] =>
  wmmas.flatMap(({ shape, type, a, b, sums, fixed = false }) => {
    const layouts = fixed ? "<row>.<col>" : "<row|col>.<row|col>";
    const opcode = `sync.aligned.<1>.<2>.${shape}`;
    if (type === "f16")
      return Object.keys(sums).flatMap((d) =>
        Object.keys(sums).map((c) =>
          product(
            `wmma.${shape}.mma.${layouts}.${d}.${c}<|.satfinite>`,
            `wmma.mma.${opcode}.${d}.${c}<3>`,
            a,
            b,
            sums[c]!,
            sums[d]!,
          ),
        ),
      );
    const [sum, registers] = Object.entries(sums)[0]!;
    const types = `.${sum}.${type}.${type}.${sum}`;
    if (type === "f64")
      return [
        product(`wmma.${shape}.mma.${layouts}<|.rn|.rz|.rm|.rp>.f64`, `wmma.mma.${opcode}<3>${types}`, a, b, registers),
      ];
    if (type === "b1")
      return [
        product(
          `wmma.${shape}.mma.<xor|and>.popc.row.col.b1`,
          `wmma.mma.<1>.popc.sync.aligned.row.col.${shape}${types}`,
          a,
          b,
          registers,
        ),
      ];
    const saturates = sum === "s32";
    return [
      product(
        `wmma.${shape}.mma.${layouts}.${type}${saturates ? "<|.satfinite>" : ""}`,
        `wmma.mma.${opcode}${types}${saturates ? "<3>" : ""}`,
        a,
        b,
        registers,
      ),
    ];
  });

/** Matrices of 8 by 8, and of bytes and less. */
const matrixMemoryRows = (): readonly IntrinsicRow[] => [
  ...[1, 2, 4].flatMap((count): readonly IntrinsicRow[] => [
    {
      name: `nvvm.ldmatrix.sync.aligned.m8n8.x${count}<|.trans>.b16*`,
      type: `{i32*${count}} (ptr)`,
      ptx: `ldmatrix.sync.aligned.m8n8.x${count}<1><space0>.b16 ${count === 1 ? "{$d}" : list("$d", 0, of("i32", count))}, [$0];`,
    },
    {
      name: `nvvm.ldmatrix.sync.aligned.m8n16.x${count}.b8x16.<b6x16_p32|b4x16_p64>*`,
      type: `{i32*${count}} (ptr)`,
      ptx: `ldmatrix.sync.aligned.m8n16.x${count}<space0>.b8x16.<1> ${count === 1 ? "{$d}" : list("$d", 0, of("i32", count))}, [$0];`,
    },
    {
      name: `nvvm.stmatrix.sync.aligned.m8n8.x${count}<|.trans>.b16*`,
      type: `void (ptr, i32*${count})`,
      ptx: `stmatrix.sync.aligned.m8n8.x${count}<1><space0>.b16 [$0], ${list("$", 1, of("i32", count))};`,
    },
    {
      name: `nvvm.stmatrix.sync.aligned.m16n8.x${count}.trans.b8*`,
      type: `void (ptr, i32*${count})`,
      ptx: `stmatrix.sync.aligned.m16n8.x${count}.trans<space0>.b8 [$0], ${list("$", 1, of("i32", count))};`,
    },
  ]),
  ...[1, 2].map((count): IntrinsicRow => ({
    name: `nvvm.ldmatrix.sync.aligned.m16n16.x${count}.trans.<b8|b8x16.b6x16_p32|b8x16.b4x16_p64>*`,
    type: `{i32*${count * 2}} (ptr)`,
    ptx: `ldmatrix.sync.aligned.m16n16.x${count}.trans<space0>.<1> ${list("$d", 0, of("i32", count * 2))}, [$0];`,
  })),
];

/** Some 300 rows, computed at the first lookup of an intrinsic, because most inputs have none. */
export const matrixRows = (): readonly IntrinsicRow[] => [
  ...mmaRows(),
  ...wmmaMemoryRows(),
  ...wmmaProductRows(),
  ...matrixMemoryRows(),
  { name: "nvvm.wgmma.fence.sync.aligned", type: "void ()", ptx: "wgmma.fence.sync.aligned;" },
  { name: "nvvm.wgmma.commit_group.sync.aligned", type: "void ()", ptx: "wgmma.commit_group.sync.aligned;" },
  { name: "nvvm.wgmma.wait_group.sync.aligned", type: "void (i64!)", ptx: "wgmma.wait_group.sync.aligned $0;" },
];
