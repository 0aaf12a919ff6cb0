// Instructions between registers: every row of meanings.c, some guarded, some with an immediate.

import {
  type Builder,
  bytesOf,
  chance,
  cTypes,
  hex,
  kinds,
  pick,
  ptxTypes,
  randomBits,
  register,
  registerCounts,
  registerFor,
  type Class,
} from "./builder.js";
import { halfGroups, type Row } from "./rows.js";
import { line, type Line } from "./tree.js";

/** Instructions whose last operand may be an immediate. */
const takesImmediate =
  /^(add|sub|mul|mad|and|or|xor|shl|shr|min|max|setp|set|selp|fma|sad|div|rem)\.(?!.*16x2|.*32x2|cc)/;

const names = ["d", "a", "b", "c", "e"];

/** The name of a row in C. */
export function rowNumber({ usedRows }: Builder, text: string): number {
  const index = usedRows.get(text) ?? usedRows.size;
  usedRows.set(text, index);
  return index;
}

/** One instruction of the table. */
export function instruction(builder: Builder): Line {
  const { random } = builder;
  const group = chance(random, 8) ? pick(random, halfGroups) : pick(random, [...builder.rows.keys()]);
  const row = pick(random, builder.rows.get(group)!);
  const index = rowNumber(builder, row.text);
  const operands = row.kinds.map((kind) => registerFor(builder, kind));
  const ptxOperands = operands.map((name) => `%${name}`);
  const last = row.kinds.length - 1;
  if (last > 1 && takesImmediate.test(row.text) && chance(random, 15))
    immediate(builder, row, last, operands, ptxOperands);
  const ptx = `${row.text}${row.text.startsWith("{") ? "" : ";"}`.replace(
    /(?<![.\w%])[dabce](?!\w)/g,
    (name) => ptxOperands[names.indexOf(name)] ?? name,
  );
  const [d] = operands as [string];
  const type = cTypes[kinds[row.kinds[0]!]!.class];
  const call = `${d} = (${type})meaning(${[index, ...operands.slice(1), 0, 0, 0].slice(0, 5).join(", ")});`;
  if (row.kinds[0] === "f64") return line(`${ptx} ${canonical(d)}`, `${call} ${d} = canonical64(${d});`);
  if (ptx.startsWith("{") || !chance(random, 15)) return line(ptx, call);
  return guarded(builder, line(ptx, call));
}

/** The same with a guard; only for single instructions. */
export function guarded(builder: Builder, { ptx, c }: Line): Line {
  const p = register(builder, "p");
  return chance(builder.random, 50)
    ? line(`@%${p} ${ptx}`, `if (${p}) { ${c} }`)
    : line(`@!%${p} ${ptx}`, `if (!${p}) { ${c} }`);
}

/** PTX does not define the payload of an f64 NaN. */
const canonical = (d: string): string =>
  `{ .reg .pred %n; testp.notanumber.f64 %n, %${d}; selp.b64 %${d}, 0x7ff8000000000000, %${d}, %n; }`;

function immediate(builder: Builder, row: Row, at: number, operands: string[], ptxOperands: string[]): void {
  const { random } = builder;
  const kind = row.kinds[at]!;
  const shift = random.below(30);
  if (kind === "b32" || kind === "b64" || kind === "b16") {
    const value = BigInt.asUintN(kind === "b16" ? 15 : 31, randomBits(random, 32) >> BigInt(shift));
    operands[at] = hex(value);
    ptxOperands[at] = hex(value);
  } else if (kind === "count") {
    operands[at] = ptxOperands[at] = String(random.below(70));
  } else if (kind === "f32") {
    const bits = moderate("f32", randomBits(random, 32));
    operands[at] = hex(bits);
    ptxOperands[at] = `0f${bits.toString(16).padStart(8, "0")}`;
  } else if (kind === "f64") {
    const bits = moderate("f64", randomBits(random, 64));
    operands[at] = hex(bits);
    ptxOperands[at] = `0d${bits.toString(16).padStart(16, "0")}`;
  }
}

function moderate(kind: string, bits: bigint): bigint {
  const { and = -1n, or = 0n } = kinds[kind]!;
  return (bits & and) | or;
}

/** Makes the value in a register a moderate one of its kind. */
export function settle(of: Class, number: number): Line {
  const found = Object.values(kinds).find((kind) => kind.class === of && number >= kind.from && number < kind.to);
  if (found?.and === undefined || found.or === undefined) return line("", "");
  const bits = 8 * bytesOf[of];
  const name = `${of}${number}`;
  const [and, or] = [found.and, found.or].map((value) => hex(value));
  return line(
    `and.b${bits} %${name}, %${name}, ${and}; or.b${bits} %${name}, %${name}, ${or};`,
    `${name} = (${name} & ${and}) | ${or};`,
  );
}

/** Loads a new value for any register from the input. */
export function refresh(builder: Builder): Line {
  const of = pick(builder.random, ["h", "r", "l"] as const);
  return loadInput(builder, of, builder.random.below(registerCounts[of]));
}

/** A moderate value of the input for this thread. */
export function loadInput(builder: Builder, of: Exclude<Class, "p">, number: number): Line {
  const { random } = builder;
  const [step, start] = [8 * (2 * random.below(64) + 1), 8 * random.below(128)];
  const name = `${of}${number}`;
  const settled = settle(of, number);
  return line(
    `{ .reg .b32 %x; .reg .b64 %a; mad.lo.u32 %x, %thread, ${step}, ${start}; and.b32 %x, %x, 1016; ` +
      `cvt.u64.u32 %a, %x; add.s64 %a, %a, %in; ld.global.${ptxTypes[of]} %${name}, [%a]; } ${settled.ptx}`,
    `${name} = *(${cTypes[of]} *)(in + ((me->thread * ${step} + ${start}) & 1016)); ${settled.c}`,
  );
}
