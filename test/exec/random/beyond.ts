// Statements that only the engines are compared on, because they are not translated to C: every instruction of the
// rows' tests with all its modifiers, matrix products and moves of fragments, asynchronous copies, barriers in memory,
// atomics on 128 bits and vectors.

import { isExecuted } from "../../../lib/exec/meanings/all.js";
import type { Form } from "../../../lib/isa/form.js";
import { formsOf, opcodeOf, type Opcode, type OperandShape } from "../../../lib/isa/opcode.js";
import { parseTarget, parseVersion, satisfies } from "../../../lib/isa/requirement.js";
import { opcodeNames } from "../../../lib/isa/rows/all.table.js";
import { type Case, casesOf } from "../rows/cases.js";
import { bitsOf } from "../rows/operands.js";
import { valueForms } from "../rows/values.js";
import { type Builder, chance, type Class, distinct, pick, type Platform, register } from "./builder.js";
import { line, type Line } from "./tree.js";

/** Most kernels have the target of those with C; others have targets for the remaining instructions. */
export const platforms: readonly Platform[] = ["sm_100a", "sm_100a", "sm_120a"].map((target) => ({
  version: "9.4",
  target,
}));

export const silent = (ptx: string): Line => line(ptx, "");

// ---------------------------------------------------------------------------------------------------------- arithmetic

const executed = [...opcodeNames()].flatMap(formsOf).filter(isExecuted);
const arithmetic = valueForms.filter(isExecuted);
/** So that conversions, which are many, do not dominate. */
const byOpcode = [...new Set(arithmetic.map(({ opcode }) => opcode))].map((name) =>
  arithmetic.filter(({ opcode }) => opcode === name),
);
/** Statements of PTX 9.2 and later, which would otherwise be rare. */
const newest = new Map(
  platforms.map(({ version, target }) => [
    target,
    arithmetic.filter(({ needs }) => {
      const at = (text: string): boolean => satisfies(parseVersion(text), parseTarget(target)!, needs);
      return at(version) && !at("9.1");
    }),
  ]),
);
const cases = new Map<Form, readonly Case[]>();

function casesFor(form: Form): readonly Case[] {
  let found = cases.get(form);
  if (found === undefined) cases.set(form, (found = casesOf(form)));
  return found;
}

const has = ({ version, target }: Platform, { needs }: Opcode): boolean =>
  satisfies(parseVersion(version), parseTarget(target)!, needs);

const classOf = (bits: number): Class => (bits === 1 ? "p" : bits <= 16 ? "h" : bits <= 32 ? "r" : "l");

/** One instruction of every case of the rows' tests, on the kernel's registers. */
export function anyInstruction(builder: Builder): Line {
  const { random, beyond } = builder;
  for (;;) {
    const form = pick(random, chance(random, 25) ? newest.get(beyond!.target)! : pick(random, byOpcode));
    const found = casesFor(form);
    if (found.length === 0) continue;
    const chosen = pick(random, found);
    const opcode = opcodeOf(form.id, chosen.text.split(" ")[0]!);
    if (opcode !== undefined && has(beyond!, opcode)) return caseLine(builder, chosen);
  }
}

function caseLine(builder: Builder, { text, results, operands, before = "", after = "" }: Case): Line {
  const names = new Map<string, string>();
  const [declared, first, then]: string[][] = [[], [], []];
  const used = new Set<string>();
  for (const [slots, isResult] of [
    [operands, false],
    [results, true],
  ] as const)
    for (const { name, kind } of slots) {
      const bits = kind.endsWith("+") ? 64 : bitsOf(kind);
      let own = register(builder, classOf(bits));
      while (isResult && used.has(own)) own = register(builder, classOf(bits));
      if (isResult) used.add(own);
      if (bits !== 8) {
        names.set(name, `%${own}`);
        continue;
      }
      declared!.push(`.reg .b8 ${name};`);
      if (isResult) then!.push(`cvt.u16.u8 %${own}, ${name};`);
      else first!.push(`cvt.u8.u16 ${name}, %${own};`);
    }
  const renamed = (of: string): string => of.replace(/(?<![.\w%])[a-z]\d?(?!\w)/g, (name) => names.get(name) ?? name);
  // PTX does not define the payload of an f64 NaN.
  const d = results[0]!.name;
  if (text.includes("f64") && results[0]!.kind === "i64")
    then!.push(
      renamed(`{ .reg .pred %n; testp.notanumber.f64 %n, ${d}; selp.b64 ${d}, 0x7ff8000000000000, ${d}, %n; }`),
    );
  const guard = before === "" && chance(builder.random, 15) ? `@%${register(builder, "p")} ` : "";
  const body = [...declared!, ...first!, renamed(before), `${guard}${renamed(text)};`, renamed(after), ...then!];
  // If a guard excludes the lane, an 8-bit result is undefined.
  const whole =
    guard !== "" && then!.length > 0 && declared!.length > 0 ? body.map((each) => each.replace(guard, "")) : body;
  return silent(`{ ${whole.filter((each) => each !== "").join(" ")} }`);
}

// ------------------------------------------------------------------------------------------------------------ matrices

/** Memory of a warp, which its lanes store together. */
export const TILE_BYTES = 1024;

const multiplications = executed.filter(({ id }) => /^mma|^wmma\.mma/.test(id));
const loads = executed.filter(({ id }) => id.startsWith("wmma.load"));
const stores = executed.filter(({ id }) => id.startsWith("wmma.store"));
const moves = executed.filter(({ opcode }) => /^(?:ldmatrix|stmatrix|movmatrix)/.test(opcode));

/** Random modifiers of those that this platform has. */
function anyOpcode({ random, beyond }: Builder, forms: readonly Form[]): Opcode {
  for (;;) {
    const form = pick(random, forms);
    const chosen = form.slots.map((slot) =>
      slot.optional && chance(random, 50) ? [] : [pick(random, slot.choices).text],
    );
    const opcode = opcodeOf(form.id, [form.opcode, ...chosen.flat()].join("."));
    if (opcode !== undefined && has(beyond!, opcode)) return opcode;
  }
}

function operandText(builder: Builder, shape: OperandShape, most = 3): string {
  const { spec, count, type, allowed } = shape;
  const { random } = builder;
  if (allowed !== undefined) return `{${allowed.map((values) => String(pick(random, values))).join(", ")}}`;
  if (spec.values !== undefined) {
    const values = [0, 1, 2, 3].filter((value) => value <= most && spec.values!(BigInt(value)));
    return String(pick(random, values));
  }
  const of = classOf(type?.bits ?? 32);
  if (count === undefined) return `%${register(builder, of)}`;
  const names = distinct(builder, of, count as number);
  return `{${names.map((name) => `%${name}`).join(", ")}}`;
}

const tile = `.reg .b32 %x, %y; .reg .b64 %a, %b; shr.u32 %x, %self, 5; mov.u64 %b, tiles; mad.wide.u32 %b, %x, ${TILE_BYTES}, %b; mov.u32 %x, %laneid;`;

/** Operations of all lanes of a warp on fragments of matrices. */
export function matrix(builder: Builder): Line {
  const { random } = builder;
  const choice = random.below(10);
  if (choice < 6) {
    const opcode = anyOpcode(builder, multiplications);
    const operands = opcode.operands.filter(({ presence }) => presence === "required");
    // Selectors 2 and 3 fault there.
    const most = /^mma\.sp.*m16n8k32.*\.b?f16\.b?f16/.test(opcode.spelling) ? 1 : 3;
    return silent(`${opcode.spelling} ${operands.map((shape) => operandText(builder, shape, most)).join(", ")};`);
  }
  if (choice < 7) {
    const opcode = anyOpcode(builder, loads);
    const text = operandText(builder, opcode.operands[0]!);
    const place = opcode.spelling.includes(".shared") ? "%b" : "%in";
    return silent(`{ ${tile} bar.warp.sync %full; ${opcode.spelling} ${text}, [${place}]; bar.warp.sync %full; }`);
  }
  if (choice < 8) {
    const opcode = anyOpcode(builder, stores);
    const generic = opcode.spelling.includes(".shared") ? "" : "cvta.shared.u64 %b, %b;";
    if (opcode.spelling.includes(".global")) return matrix(builder);
    const text = operandText(builder, opcode.operands[1]!);
    return silent(
      `{ ${tile} ${generic} bar.warp.sync %full; ${opcode.spelling} [%b], ${text}; bar.warp.sync %full; ` +
        `mad.wide.u32 %a, %x, 4, %b; ld${generic === "" ? ".shared" : ""}.b32 %${register(builder, "r")}, [%a+${128 * random.below(2)}]; bar.warp.sync %full; }`,
    );
  }
  return fragmentMove(builder);
}

/** ldmatrix of rows that the lanes stored, in any order; stmatrix, and what a lane then reads; movmatrix. */
function fragmentMove(builder: Builder): Line {
  const { random } = builder;
  const opcode = anyOpcode(builder, moves);
  const { spelling, operands } = opcode;
  const row = `mad.lo.u32 %y, %x, ${2 * random.below(16) + 1}, ${random.below(32)}; and.b32 %y, %y, 31; mad.wide.u32 %a, %y, 16, %b;`;
  const four = distinct(builder, "r", 4)
    .map((name) => `%${name}`)
    .join(", ");
  if (spelling.startsWith("movmatrix"))
    return silent(`${spelling} ${operands.map((shape) => operandText(builder, shape)).join(", ")};`);
  const generic = spelling.includes(".shared") ? "" : "cvta.shared.u64 %b, %b;";
  const space = generic === "" ? ".shared" : "";
  const mine = "mad.wide.u32 %a, %x, 16, %b;";
  if (spelling.startsWith("ldmatrix"))
    return silent(
      `{ ${tile} ${generic} ${mine} bar.warp.sync %full; st${space}.v4.b32 [%a], {${four}}; bar.warp.sync %full; ${row} ` +
        `${spelling} ${operandText(builder, operands[0]!)}, [%a]; bar.warp.sync %full; }`,
    );
  return silent(
    `{ ${tile} ${generic} ${row} bar.warp.sync %full; ${spelling} [%a], ${operandText(builder, operands[1]!)}; bar.warp.sync %full; ` +
      `${mine} ld${space}.v4.b32 {${four}}, [%a]; bar.warp.sync %full; }`,
  );
}
