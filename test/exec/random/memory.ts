// Memory: every thread reads and writes a slice of its own of global, shared and local memory, at any offset, and reads
// constants, parameters and the input. Offsets are masked to stay within bounds. Threads share no bytes except
// counters, on which operations commute.

import {
  type Builder,
  bytesOf,
  chance,
  type Class,
  cTypes,
  distinct,
  hex,
  pick,
  register,
  registerFor,
} from "./builder.js";
import { line, type Line } from "./tree.js";
import { rowNumber } from "./values.js";

export const SLICE_BYTES = 64;
export const TABLE_BYTES = 256;
export const BLOB_BYTES = 32;
/** Cells of 8 bytes that all threads of the grid, or of the block, add to. */
export const COUNTER_CELLS = 16;

export interface Space {
  readonly size: number;
  readonly writable: boolean;
  /** Its base address, in PTX by space and generic, and in C. */
  readonly ptx: string;
  readonly generic: string;
  readonly c: string;
  readonly instruction: readonly string[];
}

/** The function's prologue sets the registers with the bases. */
export const spaces: readonly Space[] = [
  {
    size: SLICE_BYTES,
    writable: true,
    ptx: "%slice",
    generic: "%slice",
    c: "me->slice",
    instruction: [".global", "", ".volatile.global"],
  },
  {
    size: SLICE_BYTES,
    writable: true,
    ptx: "%sslice",
    generic: "%gslice",
    c: "me->sslice",
    instruction: [".shared", "", ".volatile.shared"],
  },
  { size: SLICE_BYTES, writable: true, ptx: "%local", generic: "%glocal", c: "local", instruction: [".local", ""] },
  { size: 1024, writable: false, ptx: "%in", generic: "%in", c: "in", instruction: [".global", "", ".global.nc"] },
  { size: TABLE_BYTES, writable: false, ptx: "%table", generic: "%gtable", c: "table", instruction: [".const", ""] },
];

interface Element {
  readonly type: string;
  readonly bytes: number;
  readonly c: string;
  readonly classes: readonly Exclude<Class, "p">[];
}

const elements: readonly Element[] = [
  { type: "u8", bytes: 1, c: "u8", classes: ["h", "r", "l"] },
  { type: "s8", bytes: 1, c: "s8", classes: ["h", "r", "l"] },
  { type: "u16", bytes: 2, c: "u16", classes: ["h", "r", "l"] },
  { type: "s16", bytes: 2, c: "s16", classes: ["h", "r", "l"] },
  { type: "b16", bytes: 2, c: "u16", classes: ["h"] },
  { type: "u32", bytes: 4, c: "u32", classes: ["r", "l"] },
  { type: "s32", bytes: 4, c: "s32", classes: ["r", "l"] },
  { type: "b32", bytes: 4, c: "u32", classes: ["r"] },
  { type: "f32", bytes: 4, c: "u32", classes: ["r"] },
  { type: "b64", bytes: 8, c: "u64", classes: ["l"] },
  { type: "u64", bytes: 8, c: "u64", classes: ["l"] },
  { type: "f64", bytes: 8, c: "u64", classes: ["l"] },
];

/** An address: a constant offset, or a masked one from a register. The instructions before it compute the latter. */
export function address(
  builder: Builder,
  size: number,
  align: number,
  base: string,
): { before: string; at: string; c: string } {
  const { random } = builder;
  if (chance(random, 40)) {
    const offset = align * random.below(size / align);
    return { before: "", at: `[${base}+${offset}]`, c: String(offset) };
  }
  const index = register(builder, "r");
  const mask = hex((size - 1) & ~(align - 1));
  const before = `and.b32 %x, %${index}, ${mask}; cvt.u64.u32 %a, %x; add.s64 %a, %a, ${base};`;
  return { before, at: "[%a]", c: `(${index} & ${mask})` };
}

export const scoped = (inside: string): string => `{ .reg .b32 %x; .reg .b64 %a; ${inside} }`;

/** A load or a store of one element or a vector. */
export function access(builder: Builder): Line {
  const { random } = builder;
  const space = pick(random, spaces);
  const stores = space.writable && chance(random, 50);
  const element = pick(random, elements);
  const of = pick(random, element.classes);
  const most = Math.min(4, 16 / element.bytes);
  const count = chance(random, 30)
    ? pick(
        random,
        [2, 4].filter((each) => each <= most),
      )
    : 1;
  const instruction = pick(random, space.instruction);
  const base = instruction === "" ? space.generic : space.ptx;
  const { before, at, c } = address(builder, space.size, element.bytes * count, base);
  const registers = distinct(builder, of, count);
  const vector = count === 1 ? "" : `.v${count}`;
  const list = count === 1 ? `%${registers[0]}` : `{${registers.map((name) => `%${name}`).join(", ")}}`;
  const place = (i: number): string => `*(${element.c} *)(p + ${i * element.bytes})`;
  const moves = registers.map((name, i) =>
    stores ? `${place(i)} = (${element.c})${name};` : `${name} = (${cTypes[of]})${place(i)};`,
  );
  const opcode = stores ? "st" : "ld";
  const operands = stores ? `${at}, ${list}` : `${list}, ${at}`;
  return line(
    scoped(`${before} ${opcode}${instruction}${vector}.${element.type} ${operands};`),
    `{ u8 *p = ${space.c} + ${c}; ${moves.join(" ")} }`,
  );
}

/** Loads from the kernel's array parameter, which only the kernel itself can read. */
export function loadParameter(builder: Builder): Line {
  const element = pick(builder.random, elements);
  const of = pick(builder.random, element.classes);
  const [name] = distinct(builder, of, 1);
  const offset = element.bytes * builder.random.below(BLOB_BYTES / element.bytes);
  return line(
    `ld.param.${element.type} %${name}, [blob+${offset}];`,
    `${name} = (${cTypes[of]})*(${element.c} *)(blob + ${offset});`,
  );
}

// -------------------------------------------------------------------------------------------------------------- atomics

/** Name and type of an atomic operation, and its result: `old` is the previous value, `v` the operand. */
const operations: readonly (readonly [name: string, type: string, left: string])[] = [
  ["add", "u32", "old + v"],
  ["add", "s32", "old + v"],
  ["add", "u64", "old + v"],
  ["min", "u32", "v < old ? v : old"],
  ["min", "s32", "v < old ? v : old"],
  ["min", "u64", "v < old ? v : old"],
  ["max", "s64", "v > old ? v : old"],
  ["max", "u32", "v > old ? v : old"],
  ["and", "b32", "old & v"],
  ["and", "b64", "old & v"],
  ["or", "b32", "old | v"],
  ["or", "b64", "old | v"],
  ["xor", "b32", "old ^ v"],
  ["xor", "b64", "old ^ v"],
  ["inc", "u32", "old >= v ? 0 : old + 1"],
  ["dec", "u32", "old == 0 || old > v ? v : old - 1"],
];

/**
 * Sums of halves and floats, with the texts of their rows in meanings.c. f32 sums keep subnormals only in shared
 * memory.
 */
const floatSums = [
  ["add.f32", "r", "add.rn.ftz.f32 d, a, b", "add.rn.f32 d, a, b"],
  ["add.noftz.f16", "h", "add.rn.f16 d, a, b"],
  ["add.noftz.bf16", "h", "add.rn.bf16 d, a, b"],
  ["add.noftz.f16x2", "r", "add.rn.f16x2 d, a, b"],
  ["add.noftz.bf16x2", "r", "add.rn.bf16x2 d, a, b"],
] as const;

/** Adds halves or floats to a value on the thread's own slice. */
export function floatAtomic(builder: Builder): Line {
  const { random } = builder;
  const space = pick(random, spaces.slice(0, 2));
  const instruction = pick(random, [space.instruction[0]!, ""]);
  const base = instruction === "" ? space.generic : space.ptx;
  const [name, of, plain, inShared] = pick(random, floatSums);
  const row = instruction === ".shared" ? (inShared ?? plain) : plain;
  const { before, at, c } = address(builder, SLICE_BYTES, bytesOf[of], base);
  const [d, v] = [register(builder, of), register(builder, of)];
  const t = cTypes[of];
  const sum = `{ ${t} *p = (${t} *)(${space.c} + ${c}), old = *p; *p = meaning(${rowNumber(builder, row)}, old, ${v}, 0, 0);`;
  return chance(random, 60)
    ? line(scoped(`${before} atom${instruction}.${name} %${d}, ${at}, %${v};`), `${sum} ${d} = old; }`)
    : line(scoped(`${before} red${instruction}.${name} ${at}, %${v};`), `${sum} }`);
}

const cTypeOf = (type: string): string => type.replace("b", "u");
const classOf = (type: string): "h" | "r" | "l" => (type.endsWith("64") ? "l" : type.endsWith("16") ? "h" : "r");

/** On the thread's own slice the old value is defined, and kept. */
export function atomic(builder: Builder): Line {
  const { random } = builder;
  const space = pick(random, spaces.slice(0, 2));
  const instruction = pick(random, [space.instruction[0]!, ""]);
  const base = instruction === "" ? space.generic : space.ptx;
  const order = pick(random, ["", "", ".relaxed.gpu", ".acq_rel.cta"]);
  const exchange = random.below(11);
  const [name, type, left] =
    exchange === 0
      ? (["exch", "b32", "v"] as const)
      : exchange === 1
        ? (["exch", "b64", "v"] as const)
        : exchange < 5
          ? (["cas", ["b16", "b32", "b64"][exchange - 2]!, "old == v ? w : old"] as const)
          : pick(random, operations);
  const of = classOf(type);
  const [d, v, w] = [register(builder, of), register(builder, of), register(builder, of)];
  const { before, at, c } = address(builder, SLICE_BYTES, bytesOf[of], base);
  const third = name === "cas" ? `, %${w}` : "";
  const t = cTypeOf(type);
  return line(
    scoped(`${before} atom${order}${instruction}.${name}.${type} %${d}, ${at}, %${v}${third};`),
    `{ ${t} *p = (${t} *)(${space.c} + ${c}), old = *p, v = (${t})${v}, w = (${t})${w}; (void)w; *p = ${left}; ${d} = (${cTypes[of]})old; }`,
  );
}

/** On a shared cell: each cell has one operation, so the order does not matter, and the old value is not used. */
export function count(builder: Builder): Line {
  const { random } = builder;
  const cell = random.below(COUNTER_CELLS);
  const [name, type, left] = operations[cell]!;
  const [base, c, space] = chance(random, 50)
    ? ["%counters", "counters", ".global"]
    : ["%scounters", "(u8 *)me->block->counters", ".shared"];
  const of = classOf(type);
  // One bound for all inc and dec, because otherwise the order would matter.
  const v = name === "inc" || name === "dec" ? "37" : registerFor(builder, of === "r" ? "b32" : "b64");
  const operand = v === "37" ? v : `%${v}`;
  const t = cTypeOf(type);
  const ptx = chance(random, 60)
    ? `red${space}.${name}.${type} [${base}+${8 * cell}], ${operand};`
    : `{ .reg .${type.replace(/[us]/, "b")} %o; atom${space}.${name}.${type} %o, [${base}+${8 * cell}], ${operand}; }`;
  return line(ptx, `{ ${t} *p = (${t} *)(${c} + ${8 * cell}), old = *p, v = (${t})${v}; *p = ${left}; }`);
}
