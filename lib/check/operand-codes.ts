// Codes of operands in signatures (signature.ts): the kind of an operand, or the start of a group of operands. A code has exactly
// the properties that checks use before they read values. Zero means that there is no code.

import type { FrameVariable } from "../isa/code.js";
import { specialRegisters, type SpecialRegister } from "../isa/special-registers.table.js";
import { dataTypes, type DataType } from "../isa/types.table.js";
import { mayHaveNoAddress } from "./function-address.js";
import type { ModuleSymbol, VariableSpace } from "./module.js";

export const NONE = 0;
/** Ends VECTOR, LIST, REST and ADDRESS. */
export const END = 1;
export const VECTOR = 2;
export const LIST = 3;
/** The part of an address after its base. */
export const REST = 4;
export const ADDRESS = 5;
/** The codes of two operands follow. */
export const PAIR = 6;
export const SINK = 7;
export const LABEL = 8;
export const INTEGER = 9;
export const FLOAT = 10;
/** A literal such as `0f3F800000`. */
export const FLOAT_BITS = 11;
const FUNCTION = 12;
const REFERENCE = 13;
export const tables = { "branch-targets": 14, "call-targets": 15, prototypes: 16 } as const;
/** Variables of older modules' spaces have no code: they are rare. */
const spaces: { readonly [Space in VariableSpace]?: number } = { global: 17, const: 18, shared: 19 };
const variables: Readonly<Record<FrameVariable["kind"], number>> = {
  return: 20,
  parameter: 21,
  param: 22,
  local: 23,
};
/** Taking a kernel's address has more requirements than a function's. */
const KERNEL = 24;
/** A function without an address. */
const ADDRESSLESS = 25;
/** Registers: one number for each type. */
const FIRST_TYPE = 26;

const components: readonly string[] = ["x", "y", "z", "w"];

const types: ReadonlyMap<DataType, number> = new Map(dataTypes.map((type, i) => [type, FIRST_TYPE + i]));

/** Special registers come last: a number for each, or one for each of its components. */
const FIRST_SPECIAL = FIRST_TYPE + dataTypes.length;

const specials: ReadonlyMap<SpecialRegister, number> = new Map(
  specialRegisters.map((special, i) => [special, FIRST_SPECIAL + (components.length + 1) * i]),
);

/** A special register, or a component of one. Whole vectors and invalid components have no code. */
export function specialCode(special: SpecialRegister, component: string | undefined): number {
  if (special.vector !== (component !== undefined)) return NONE;
  const place = component === undefined ? 0 : components.indexOf(component) + 1;
  return component !== undefined && place === 0 ? NONE : specials.get(special)! + place;
}

/** A register of that type. Vector registers have no code: they may be one value or several. */
export const registerCode = (type: DataType, vector: number): number => (vector > 1 ? NONE : types.get(type)!);

/** The code of a frame variable. A texture, sampler or surface that is a parameter cannot be read by ld.param. */
export const variableCode = ({ kind, layout }: FrameVariable): number =>
  layout.type.class === "opaque" ? REFERENCE : variables[kind];

export function symbolCode(symbol: ModuleSymbol): number {
  if (symbol.kind === "variable") return spaces[symbol.space] ?? NONE;
  if (symbol.kind !== "function") return REFERENCE;
  if (symbol.entry) return KERNEL;
  return mayHaveNoAddress(symbol) ? ADDRESSLESS : FUNCTION;
}
