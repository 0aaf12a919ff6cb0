// The cases of a row: every combination of modifiers that it allows, each with variants of its operands (a negated
// predicate, parts of registers, a register wider than the type, a constant), as an instruction on registers named like
// the operands.

import { brokenLimit, type Chosen } from "../../../lib/isa/conditions.js";
import type { Form } from "../../../lib/isa/form.js";
import { makeOpcode, type Opcode, type OperandShape } from "../../../lib/isa/opcode.js";
import type { DataType } from "../../../lib/isa/types.table.js";
import { platformFor, type Platform } from "../../oracle/isa/choices.js";

/** A register of the instruction: its name, and the kind of its values (operands.ts). */
export interface Slot {
  readonly name: string;
  readonly kind: string;
}

export interface Case {
  readonly form: string;
  readonly platform: Platform;
  /** "setp.lt.and.s32 d|p, a, b, !c" */
  readonly text: string;
  readonly results: readonly Slot[];
  readonly operands: readonly Slot[];
  /** Instructions before and after: they set and read the carry flag. */
  readonly before?: string;
  readonly after?: string;
}

/** Every choice of modifiers that a form's limits allow. */
export function combinationsOf(form: Form): readonly Chosen[] {
  const all: Chosen[] = [];
  const choose = (chosen: readonly (string | undefined)[]): void => {
    const slot = form.slots[chosen.length];
    if (slot === undefined) {
      if (brokenLimit(form, chosen) === undefined) all.push(chosen);
      return;
    }
    if (slot.optional) choose([...chosen, undefined]);
    for (const { text } of slot.choices) choose([...chosen, text]);
  };
  choose([]);
  return all;
}

/** Operands that are numbers of bits or positions, by form id or opcode: their edge cases are those of the widths. */
const counts: Readonly<Record<string, readonly string[]>> = {
  shl: ["b"],
  shr: ["b"],
  shf: ["c"],
  bfe: ["b", "c"],
  bfi: ["c", "e"],
  szext: ["b"],
  bmsk: ["a", "b"],
  fns: ["base", "offset"],
  vshl: ["b"],
  vshr: ["b"],
};

function kindOf(form: Form, name: string, type: DataType): string {
  if (counts[form.opcode]?.includes(name) === true) return "count";
  if (type.class === "predicate") return "pred";
  if (type.name === "tf32") return "i32";
  if (/^(?:f16|bf16|f32|f64)(?:x2)?$/.test(type.name)) return type.name;
  if (type.class === "float") return type.bits === 8 ? "i8" : "bytes";
  return `i${type.bits}`;
}

/** A variant: a change of one operand's text or register. */
interface Way {
  readonly text: (name: string, shape: OperandShape) => string;
  readonly wide?: boolean;
}

const plain: Way = { text: (name) => name };

const negated = (...names: readonly string[]): Way => ({
  text: (name, { spec }) => (names.includes(name) ? `${spec.negatable ? "!" : "-"}${name}` : name),
});

/** Parts of registers, alternating from case to case. */
function partsOf(turn: number): Way {
  const scalar = ["b0", "h1", "b3", "h0", "b1", "b2"];
  const octal = (i: number): number => (turn * 5 + i * 3 + (i >> 1)) % 8;
  const masks = ["b0", "b10", "b3", "b320", "b21", "b3210", "b31"];
  const parts: Readonly<Record<string, (place: number) => string>> = {
    part: (place) => scalar[(turn + place * 2) % scalar.length]!,
    halves: (place) => `h${octal(place) % 4}${octal(place + 3) % 4}`,
    bytes: (place) => `b${[0, 1, 2, 3].map((i) => octal(i + place)).join("")}`,
    halfmask: () => ["h0", "h10", "h1"][turn % 3]!,
    bytemask: () => masks[turn % masks.length]!,
  };
  return {
    text: (name, { spec }) =>
      spec.selector === undefined ? name : `${name}.${parts[spec.selector]!("dabc".indexOf(name))}`,
  };
}

const constants: Readonly<Record<string, string>> = { f32: "0f3FC00000", f64: "0d3FF8000000000000" };

/** A constant for one operand. */
const constantFor = (wanted: string): Way => ({
  text: (name, { type }) => (name === wanted ? (constants[type?.name ?? ""] ?? "5") : name),
});

function waysOf(opcode: Opcode, turn: number): readonly Way[] {
  const { form } = opcode;
  const specs = opcode.operands.map(({ spec }) => spec);
  const ways = [plain];
  const negatable = opcode.operands
    .filter(({ spec, type }) => spec.negatable && type?.class === "predicate")
    .map(({ spec }) => spec.name);
  if (negatable.length > 0)
    ways.push(negated(negatable.at(-1)!), ...(negatable.length > 1 ? [negated(...negatable)] : []));
  if (form.id === "vmad") ways.push(negated("a"), negated("b"), negated("a", "b"), negated("c"));
  if (specs.some((spec) => spec.selector !== undefined)) ways.push(partsOf(turn), partsOf(turn + 1));
  if (opcode.operands.some(({ wider }) => wider)) ways.push({ ...plain, wide: true });
  const last = opcode.operands.findLast(
    ({ spec, type }) => spec.kind === "value" && spec.access === "read" && type?.class !== "predicate",
  );
  if (
    turn === 0 &&
    last !== undefined &&
    last.type?.lanes === 1 &&
    last.count === undefined &&
    last.type.bits <= 64 &&
    !["f16", "bf16"].includes(last.type.name)
  )
    ways.push(constantFor(last.spec.name));
  return ways;
}

/** Truth tables of lop3, so that each of the eight bits is set and clear. */
const tables = [0x80, 0x96, 0xe8, 0x01, 0xfe, 0x3c, 0x00, 0xff, 0x1d];

/** The cases of a row. */
export function casesOf(form: Form): readonly Case[] {
  return combinationsOf(form).flatMap((chosen, turn) => {
    const opcode = makeOpcode(form, chosen);
    const platform = platformFor(opcode.needs);
    if (platform === undefined) return [];
    const ways = form.opcode === "lop3" ? tables.map((table) => ({ table, ...plain })) : waysOf(opcode, turn);
    return ways.map((way) => caseOf(opcode, platform, way, "table" in way ? (way.table as number) : 0));
  });
}

const short = (spec: OperandShape["spec"], place: number): string =>
  spec.name.length === 1 ? spec.name : "dabcefgh"[place]!;

function caseOf(opcode: Opcode, platform: Platform, way: Way, table: number): Case {
  const { form } = opcode;
  const results: Slot[] = [];
  const operands: Slot[] = [];
  const texts: string[] = [];
  opcode.operands.forEach((shape, place) => {
    if (shape.presence === "absent") return;
    const { spec } = shape;
    const name = short(spec, place);
    if (spec.name === "lut") {
      texts.push(String(table));
      return;
    }
    const kind = kindOf(form, spec.name, shape.type!);
    const wide = way.wide === true && shape.wider;
    if (spec.access !== "read") {
      results.push({ name, kind: wide ? "i64" : registerKind(form, shape) });
      if (shape.pair === undefined) texts.push(way.text(name, shape));
      else {
        results.push({ name: "z", kind: "pred" });
        texts.push(`${name}|z`);
      }
      return;
    }
    if (shape.count !== undefined) {
      const names = Array.from({ length: shape.count as number }, (_, i) => `${name}${i}`);
      operands.push(...names.map((each) => ({ name: each, kind })));
      texts.push(`{${names.join(", ")}}`);
      return;
    }
    const text = way.text(name, shape);
    // The upper bits of a wider register are ignored, also for floats.
    if (!/^\d/.test(text)) operands.push({ name, kind: wide ? `${kind}+` : kind });
    texts.push(text);
  });
  const text = `${opcode.spelling} ${texts.join(", ")}`;
  return { form: form.id, platform, text, results, operands, ...carryAround(form, operands, results) };
}

/** A result's register has the width of its type, at least 16 bits except for b8. */
function registerKind(form: Form, { type, wider }: OperandShape): string {
  if (type!.class === "predicate") return "pred";
  if (type!.name === "b8") return "i8";
  return `i${Math.max(type!.bits, form.opcode === "cvt" && wider ? 16 : 8)}`;
}

const carrying = new Set(["add.cc", "addc", "sub.cc", "subc", "mad.cc", "madc"]);

/** Sets the carry flag from a predicate before, and reads it after. */
function carryAround(form: Form, operands: Slot[], results: Slot[]): Partial<Case> {
  if (!carrying.has(form.id)) return {};
  operands.push({ name: "k", kind: "pred" });
  results.push({ name: "y", kind: "i32" });
  return { before: "selp.u32 y, 1, 0, k; add.cc.u32 y, y, 0xffffffff;", after: "addc.u32 y, 0, 0;" };
}
