// One variable as a PTX declaration: state space, alignment, type, initial value (NVVM IR 1.0 sections 3.5 and 14.1; PTX ISA
// sections 5.4.4 and 5.4.5).

import type { GlobalVariable } from "../ir/global.js";
import type { DataLayout } from "../ir/layout.js";
import type { Type } from "../ir/type.js";
import type { Address } from "./fold.js";
import { initialValue, isZero, type InitialValue, type OnFault } from "./initial.js";
import type { Names } from "./names.js";

/** PTX's name of a variable's state space; space 0 is global memory under its generic address. */
export const spaceName = ({ type: { space } }: GlobalVariable): string => spaces[space] ?? "global";

const spaces: Readonly<Record<number, string>> = { 0: "global", 1: "global", 3: "shared", 4: "const", 5: "local" };

/** Special properties of a variable besides its type. */
export interface VariableRole {
  /** `.texref`, `.surfref`, `.samplerref` instead of the type. */
  readonly reference: "texref" | "surfref" | "samplerref" | undefined;
  readonly managed: boolean;
}

export interface PrintOptions {
  readonly layout: DataLayout;
  readonly nameOf: Names;
  /** Receives constants that cannot be initial values. */
  readonly onFault: OnFault;
  /** Receives the PTX version that the text needs: 71 for 7.1. */
  readonly needVersion: (version: number) => void;
}

/** The text after the linkage, with the semicolon; `isDeclared`: without an initial value. */
export function variableText(
  variable: GlobalVariable,
  role: VariableRole,
  isDeclared: boolean,
  options: PrintOptions,
): string {
  const { layout, nameOf } = options;
  const name = nameOf(variable);
  if (role.reference !== undefined) return `.global .${role.reference} ${name};`;
  const space = spaceName(variable);
  const type = variable.valueType;
  // As in libNVVM, a vector of three elements has no padding.
  const size = (type.kind === "vector" ? layout.storeSize(type) : layout.allocSize(type)) ?? 0;
  const align = variable.align ?? layout.align(type);
  const managed = role.managed ? " .attribute(.managed)" : "";
  const head = `.${space}${managed} .align ${align}`;
  const { initializer } = variable;
  const scalar = scalarType(type, layout);
  const hasValue = !isDeclared && initializer !== undefined && space !== "shared" && !isZero(initializer);
  if (!hasValue) {
    if (scalar !== undefined) return `${head} .${scalar} ${name};`;
    const isOpen = isDeclared && type.kind === "array" && type.count === 0;
    return `${head} .b8 ${name}${isOpen ? "[]" : bounds(size)};`;
  }
  if (size > MAX_BYTES) {
    options.onFault(initializer);
    return `${head} .b8 ${name}${bounds(size)};`;
  }
  const value = initialValue(initializer, size, layout, options.onFault);
  if (value.bytes.every((byte) => byte === 0) && value.addresses.length === 0)
    return `${head} ${scalar === undefined ? `.b8 ${name}${bounds(size)}` : `.${scalar} ${name}`};`;
  return `${head} ${valueText(name, scalar, value, align, options)}`;
}

/** Limit in bytes of a value with numbers in it: its text is several times as long. */
const MAX_BYTES = 2 ** 26;
/** From this size in bytes, a value is written as words if possible, which are read four times as fast. */
const LARGE = 2 ** 16;

/** A variable without elements becomes one byte, which must not be accessed. */
const bounds = (size: number): string => (size === 0 ? "" : `[${size}]`);

/** The PTX type of a variable that is one number; undefined for others, which are bytes. */
function scalarType(type: Type, layout: DataLayout): string | undefined {
  if (type.kind === "pointer") return `u${layout.bitsIn(type.space)}`;
  if (type.kind === "integer") {
    if (type.bits === 1) return "u8";
    return [8, 16, 32, 64].includes(type.bits) ? `u${type.bits}` : undefined;
  }
  return type.kind === "float" ? floats[type.name] : undefined;
}

const floats: Readonly<Record<string, string>> = { half: "b16", bfloat: "b16", float: "f32", double: "f64" };

/** `.u32 x = 7;`, `.u64 x[2] = {generic(y)+8, 0};`, `.b8 x[3] = {1, 2, 3};` */
function valueText(
  name: string,
  scalar: string | undefined,
  { bytes, addresses }: InitialValue,
  align: number,
  { layout, nameOf, needVersion }: PrintOptions,
): string {
  const first = addresses[0]?.address;
  const isShort = first !== undefined && !first.generic && layout.bitsIn(first.global.type.space) === 32;
  const word = isShort ? 4 : layout.pointerBits / 8;
  const areWords = addresses.every(
    ({ offset, address }) => offset % word === 0 && address.from === 0 && address.bytes === word,
  );
  if (scalar !== undefined && areWords) {
    const [only] = addresses;
    const text = only === undefined ? scalarText(bytes, scalar) : addressText(only.address, nameOf);
    return `.${scalar} ${name} = ${text};`;
  }
  if (addresses.length > 0 && areWords && bytes.length % word === 0 && align % word === 0) {
    const values = wordsOf(bytes, word);
    for (const { offset, address } of addresses) values[offset / word] = addressText(address, nameOf);
    return `.u${word * 8} ${name}[${values.length}] = ${listText(values)};`;
  }
  if (addresses.length === 0 && bytes.length >= LARGE && bytes.length % 4 === 0 && align % 4 === 0)
    return `.b32 ${name}[${bytes.length / 4}] = ${listText(wordsOf(bytes, 4))};`;
  const values: string[] = Array.from(bytes, String);
  for (const { offset, address } of addresses) {
    needVersion(71);
    const text = addressText(address, nameOf);
    for (let i = 0; i < address.bytes; i++) values[offset + i] = `0xFF${"00".repeat(address.from + i)}(${text})`;
  }
  return `.${addresses.length > 0 ? "u8" : "b8"} ${name}[${bytes.length}] = ${listText(values)};`;
}

function scalarText(bytes: Uint8Array, type: string): string {
  const [value] = wordsOf(bytes, bytes.length);
  const digits = (count: number): string => BigInt(value!).toString(16).toUpperCase().padStart(count, "0");
  if (type === "f32") return `0f${digits(8)}`;
  return type === "f64" ? `0d${digits(16)}` : value!;
}

/** Little-endian words in decimal. */
function wordsOf(bytes: Uint8Array, size: number): string[] {
  const words: string[] = [];
  if (size === 4) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < bytes.length; at += 4) words.push(String(view.getUint32(at, true)));
    return words;
  }
  for (let at = 0; at < bytes.length; at += size) {
    let word = 0n;
    for (let i = size - 1; i >= 0; i--) word = (word << 8n) | BigInt(bytes[at + i]!);
    words.push(word.toString());
  }
  return words;
}

/** Zeros at the end need not be written. */
function listText(values: readonly string[]): string {
  let end = values.length;
  while (end > 1 && values[end - 1] === "0") end--;
  return `{${values.slice(0, end).join(", ")}}`;
}

function addressText({ global, generic, addend }: Address, nameOf: Names): string {
  const name = nameOf(global);
  const base = generic && global.kind === "variable" ? `generic(${name})` : name;
  return addend === 0n ? base : `${base}+${addend}`;
}
