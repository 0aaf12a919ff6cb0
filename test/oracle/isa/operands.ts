// Writes an instruction for an Opcode: operands of the kinds and types that the table asks for, from the registers and
// variables that `prelude` declares.

import type { Opcode, OperandShape } from "../../../lib/isa/opcode.js";
import { hasModifier } from "../../../lib/isa/opcode.js";
import { parseTarget, parseVersion } from "../../../lib/isa/requirement.js";
import { dataTypes, bitType, type DataType } from "../../../lib/isa/types.table.js";

/** Types that registers can have; the prelude declares 128 of each. */
const registerTypes = dataTypes.filter((type) => type.declarable && type.class !== "opaque");

const count = (type: DataType): number => (type.bits === 128 ? 8 : 140);

/** What registers of some types need: PTX version and architecture. */
const registerNeeds: Readonly<Record<string, readonly [number, number]>> = {
  b128: [83, 70],
  f16: [43, 53],
  f16x2: [43, 53],
  f64: [10, 13],
};

/** Everything a kernel of snippets needs, up to its first instruction. */
export function prelude(version: string, target: string): string {
  const { sm } = parseTarget(target)!;
  const known = ({ name }: DataType): boolean => {
    const [ptx, oldest] = registerNeeds[name] ?? [10, 10];
    return parseVersion(version) >= ptx && sm >= oldest;
  };
  return [
    `.version ${version}`,
    `.target ${target}`,
    ...(parseVersion(version) < 23 ? [] : [".address_size 64"]),
    ".global .align 128 .b8 memory[256];",
    ".shared .align 128 .b8 scratch[256];",
    parseVersion(version) < 20
      ? ".entry snippets {"
      : ".visible .entry snippets(.param .align 16 .b8 arguments[256]) {",
    ...registerTypes.filter(known).map((type) => `.reg .${type.name} %${type.name}_<${count(type)}>;`),
    ".local .align 16 .b8 frame[256];",
    "here:",
    "",
  ].join("\n");
}

/** Lines that `prelude` takes. */
export const preludeLines = (version: string, target: string): number =>
  prelude(version, target).split("\n").length - 1;

/** A way to spoil one operand, for samples that have to be refused. */
export type Spoiler = (type: DataType) => DataType | undefined;

interface Writing {
  /** Registers handed out so far, so that those of one instruction differ. */
  next: number;
  /** Which optional operands are written. */
  readonly optional: boolean;
  /** Replaces the type of the n-th typed operand. */
  readonly spoil: { readonly at: number; readonly by: Spoiler } | undefined;
  seen: number;
  spoiled: boolean;
}

/** The instruction's text, or undefined where this writer has no operand of a kind (labels, calls, parameters). */
export function writeInstruction(
  opcode: Opcode,
  options: { readonly optional?: boolean; readonly spoil?: { readonly at: number; readonly by: Spoiler } } = {},
): string | undefined {
  const writing: Writing = {
    next: 1,
    optional: options.optional === true,
    spoil: options.spoil,
    seen: 0,
    spoiled: false,
  };
  const texts: string[] = [];
  for (const shape of opcode.operands) {
    if (shape.presence === "absent" || (shape.presence === "optional" && !writing.optional)) continue;
    const text = writeOperand(opcode, shape, writing);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  if (options.spoil !== undefined && !writing.spoiled) return undefined;
  return `${opcode.spelling} ${texts.join(", ")};`;
}

function writeOperand(opcode: Opcode, shape: OperandShape, writing: Writing): string | undefined {
  const { spec } = shape;
  switch (spec.kind) {
    case "value":
    case "register":
    case "immediate": {
      const first = writeValue(shape, writing);
      if (shape.pair === undefined || (spec.pair?.optional === true && !writing.optional)) return first;
      return `${first}|${writeValue(shape.pair, writing)}`;
    }
    case "address": {
      const base = addressBase(opcode, opcode.form.opcode === "tcgen05" || shape.type?.bits === 32);
      if (base === undefined) return undefined;
      const rest: string[] = [];
      for (const item of shape.rest) {
        if (item.presence === "absent" || (item.presence === "optional" && item.spec.name !== "s" && !writing.optional))
          continue;
        if (item.spec.name === "s") continue; // a sampler goes with independent texturing mode only
        rest.push(writeValue(item, writing));
      }
      return `[${[base, ...rest].join(", ")}]`;
    }
    case "sink":
      return "_";
    case "symbol":
      return "scratch";
    case "label":
    case "labels":
    case "callee":
    case "prototype":
    case "list":
      return undefined;
  }
}

/** Tensor memory and places behind a fabric have 32-bit addresses; parameters are named; all else is a 64-bit register. */
function addressBase(opcode: Opcode, isNarrow: boolean): string | undefined {
  if (hasModifier(opcode, "param::func") || (hasModifier(opcode, "param") && opcode.form.opcode === "st"))
    return undefined;
  if (["param", "param::entry"].some((space) => hasModifier(opcode, space))) return "arguments";
  return isNarrow ? "%b32_0" : "%b64_0";
}

function writeValue(shape: OperandShape, writing: Writing): string {
  const { spec } = shape;
  const elements = shape.count === undefined ? undefined : shape.count === "any" ? 2 : shape.count;
  if (elements === undefined) return writeScalar(shape, shape.type, writing);
  const typeOf = (i: number): DataType | undefined =>
    spec.type.kind === "split" ? bitType((shape.type?.bits ?? 0) / 2) : (shape.elements?.[i] ?? shape.type);
  return `{${Array.from({ length: elements }, (_, i) => writeScalar(shape, typeOf(i), writing)).join(", ")}}`;
}

function writeScalar(shape: OperandShape, wanted: DataType | undefined, writing: Writing): string {
  const { spec } = shape;
  if (spec.kind === "immediate") {
    const values = spec.values ?? ((value: bigint) => value === 0n);
    for (let value = 0n; value < 512n; value++) if (values(value)) return String(value);
    if (values(0xffffffffn)) return "0xFFFFFFFF";
    return "0";
  }
  let type = wanted ?? bitType(64)!;
  const turn = writing.seen++;
  if (writing.spoil !== undefined && writing.spoil.at === turn) {
    const other = writing.spoil.by(type);
    if (other !== undefined) {
      type = other;
      writing.spoiled = true;
    }
  }
  return `%${registerTypeOf(type).name}_${writing.next++ % count(type)}`;
}

/** Small and packed types live in bit-size registers; nothing is smaller than a .b16 register in practice. */
function registerTypeOf(type: DataType): DataType {
  if (type.class === "predicate") return type;
  if (type.declarable) return type;
  return bitType(Math.max(type.bits, 8))!;
}

/** The operands of a statement as text. */
export function splitOperands(statement: string): readonly string[] {
  const text = /^\S+ (.*);$/.exec(statement)?.[1] ?? "";
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of text) {
    if ("{[(".includes(char)) depth++;
    else if ("}])".includes(char)) depth--;
    if (char === "," && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += char;
  }
  if (part.trim() !== "") parts.push(part.trim());
  return parts;
}

const strangeValues = [
  "0",
  "1",
  "-1",
  "16",
  "33",
  "70000",
  "4294967296",
  "1.5",
  "0f3F800000",
  "0d3FF0000000000000",
  "_",
  "{%u32_130, %u32_131}",
  "{%b32_130}",
  "[%b64_130]",
  "!%pred_130",
  "%pred_130",
  "-%u32_130",
  "%u32_130.h0",
  "%u32_130.x",
  "%u32_130+4",
  "%u32_130|%pred_130",
  "%tid.x",
  "%laneid",
  "%clock64",
  "memory",
  "scratch+4",
  "frame",
  "here",
  "snippets",
  "WARP_SZ",
];

const strangeAddresses = [
  "%b64_0",
  "[%b64_0+4]",
  "[%b64_0+-4]",
  "[%b64_0-4]",
  "[%b32_0]",
  "[%u16_0]",
  "[%f64_0]",
  "[%pred_0]",
  "[memory]",
  "[memory+8]",
  "[scratch]",
  "[frame]",
  "[arguments]",
  "[16]",
  "[-16]",
  "[%tid.x]",
  "[%b64_0], [%b64_0]",
  "[%b64_0, %b32_0]",
  "[_]",
  "[here]",
  "[snippets]",
  "{%b64_0}",
  "0",
  "memory",
];

/** Things that do not belong in that operand's place, or do and are seldom written. */
export function strangeOperands(own: string): readonly string[] {
  const nots = own.startsWith("!") ? [own.slice(1)] : [`!${own}`, `-${own}`];
  const braces = own.startsWith("{") ? shrunk(own) : [`{${own}}`];
  return [...(own.startsWith("[") ? strangeAddresses : strangeValues), ...nots, ...braces];
}

/** A vector with an element more, one less, one discarded, one constant. */
function shrunk(vector: string): readonly string[] {
  const elements = vector.slice(1, -1).split(", ");
  return [elements.slice(1), [...elements, elements[0]!], ["_", ...elements.slice(1)], ["1", ...elements.slice(1)]].map(
    (list) => `{${list.join(", ")}}`,
  );
}
