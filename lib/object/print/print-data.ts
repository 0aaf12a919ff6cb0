// Prints variables as PTX with their initial values: bytes as constants of the element type, relocations as names, generic() and
// mask(). PTX ISA 9.0 sections 5.4.1 to 5.4.4.

import { ADDRESSES, relocationFacts } from "../../../formats/cuda/index.js";
import type { Series } from "../../base/series.js";
import type { Layout, Parameter } from "../../isa/code.js";
import { printImmediate } from "./print-code.js";
import { BYTE_OF, WHOLE } from "../relocation-types.js";
import type { ObjectSymbol, Relocation, VariableSymbol } from "../object.js";

/** `.align 8 .v2 .f32 name[3][4]`, common to declarations of variables and parameters. */
export function printLayout(layout: Layout, name: string): string {
  const { type, vector, align, dimensions } = layout;
  const natural = Math.max(1, (type.bits / 8) * vector);
  const words = [
    ...(align === natural || type.class === "opaque" || type.class === "predicate" ? [] : [`.align ${align}`]),
    ...(vector === 1 ? [] : [`.v${vector}`]),
    `.${type.name}`,
  ];
  return `${words.join(" ")} ${name}${dimensions.map((n) => `[${n ?? ""}]`).join("")}`;
}

/** `.param .u64 .ptr .global .align 16 x`; a predicate or register parameter of old code is `.reg`. */
export function printParameter(parameter: Parameter, name: string): string {
  const { pointer, layout, space } = parameter;
  if (pointer === undefined) return `.${space} ${printLayout(layout, name)}`;
  const where = pointer.space === undefined ? "" : ` .${pointer.space}`;
  const align = pointer.align === undefined ? "" : ` .align ${pointer.align}`;
  return `.${space} .${layout.type.name} .ptr${where}${align} ${name}`;
}

export interface InitialData {
  /** The bytes of the variable. */
  readonly bytes: Uint8Array;
  /** Relocations inside the variable, by offset from its start. */
  readonly relocations: { get(offset: number): Relocation | undefined };
  readonly symbols: Series<ObjectSymbol>;
  nameOf(symbol: number): string;
}

/** ` = {1, 2, generic(x)+4}`. Every bound has its own braces, because lists that are too short are packed, not padded. */
export function printInitializer(variable: VariableSymbol, data: InitialData): string {
  const { type, vector, dimensions } = variable.layout;
  const bounds = [...dimensions.map((n) => n ?? 0), ...(vector === 1 ? [] : [vector])];
  const width = type.bits / 8;
  const list = (depth: number, offset: number): string => {
    if (depth === bounds.length) return printElement(variable, data, offset);
    const stride = bounds.slice(depth + 1).reduce((product, n) => product * n, width);
    const items: string[] = [];
    for (let i = 0; i < bounds[depth]!; i++) items.push(list(depth + 1, offset + i * stride));
    return `{${items.join(", ")}}`;
  };
  return ` = ${list(0, 0)}`;
}

function printElement(variable: VariableSymbol, data: InitialData, offset: number): string {
  const relocation = data.relocations.get(offset);
  if (relocation !== undefined) return printRelocation(relocation, data);
  const { type } = variable.layout;
  let bits = 0n;
  for (let i = type.bits / 8 - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(data.bytes[offset + i]!);
  return printImmediate(bits, type);
}

function printRelocation({ type, symbol, addend }: Relocation, data: InitialData): string {
  const target = data.symbols.at(symbol)!;
  const name = data.nameOf(symbol);
  const byte = BYTE_OF[type]!;
  const { writes } = relocationFacts(type)!;
  // In state spaces other than .const, both kinds of address are equal.
  const isGeneric = writes !== undefined && ADDRESSES[writes].value === "generic";
  const isConstant = target.kind === "variable" && target.space === "const";
  const address = `${isConstant && isGeneric ? `generic(${name})` : name}${addend === 0n ? "" : `+${addend}`}`;
  return byte === WHOLE ? address : `0x${(0xffn << BigInt(8 * byte)).toString(16).toUpperCase()}(${address})`;
}
