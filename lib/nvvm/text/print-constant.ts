// Constants as IR text.

import type { Constant, ConstantExpression, FloatConstant, Value } from "../ir/value.js";
import type { FloatName } from "../ir/type.js";
import { flag } from "../ir/instruction.js";
import { toDouble } from "./float.js";
import { localName, quoted, type TypePrinter } from "./print-type.js";
import { castOpcodes } from "./words.table.js";

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

/** A constant after its type. */
export const typedConstant = (types: TypePrinter, constant: Constant): string =>
  `${types.text(constant.type)} ${constantText(types, constant)}`;

/** A constant without its type. */
export function constantText(types: TypePrinter, constant: Constant): string {
  switch (constant.kind) {
    case "integer":
      return integerText(constant.value, constant.type.bits);
    case "float":
      return floatText(constant);
    case "null":
    case "undef":
    case "none":
      return constant.kind;
    case "poison":
      return types.poison;
    case "zero":
      return "zeroinitializer";
    case "bytes":
      return `c${quoted(latin1(constant.bytes))}`;
    case "aggregate": {
      const inner = constant.elements.map((element) => typedConstant(types, element)).join(", ");
      const { type } = constant;
      if (type.kind === "array") return `[${inner}]`;
      if (type.kind === "vector") return `<${inner}>`;
      const fields = inner === "" ? "{}" : `{ ${inner} }`;
      return type.kind === "struct" && type.packed ? `<${fields}>` : fields;
    }
    case "expression":
      return expressionText(types, constant);
    case "blockaddress":
      return `blockaddress(${types.global(constant.function)}, ${localName(constant.block)})`;
    default:
      return types.global(constant.name);
  }
}

function integerText(value: bigint, bits: number): string {
  if (bits === 1) return value === 0n ? "false" : "true";
  return String(BigInt.asIntN(bits, value));
}

const prefixes: Readonly<Partial<Record<FloatName, readonly [letter: string, digits: number]>>> = {
  half: ["H", 4],
  bfloat: ["R", 4],
  x86_fp80: ["K", 20],
  fp128: ["L", 32],
  ppc_fp128: ["M", 32],
};

/** In hexadecimal: decimals would have to be exact. */
function floatText({ bits, type }: FloatConstant): string {
  const hex = (value: bigint, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");
  const prefix = prefixes[type.name];
  if (prefix === undefined) return `0x${hex(type.name === "double" ? bits : toDouble(bits), 16)}`;
  const [letter, digits] = prefix;
  if (digits < 32) return `0x${letter}${hex(bits, digits)}`;
  // The lower half comes first.
  return `0x${letter}${hex(BigInt.asUintN(64, bits), 16)}${hex(bits >> 64n, 16)}`;
}

function expressionText(types: TypePrinter, constant: ConstantExpression): string {
  const { opcode, operands, predicate, sourceType, indices = [], type } = constant;
  const list = operands.map((operand) => typedConstant(types, operand));
  const words = flagText(constant, types.version);
  if (sourceType !== undefined) return `getelementptr${words} (${[types.text(sourceType), ...list].join(", ")})`;
  if (castOpcodes.has(opcode)) return `${castOpcode(constant, operands[0]!)} (${list[0]} to ${types.text(type)})`;
  return `${[opcode, ...(predicate === undefined ? [] : [predicate])].join(" ")}${words} (${[...list, ...indices].join(", ")})`;
}

/** Flags that the version has: for getelementptr in old ones, only `inbounds`. */
function flagText({ flags = 0, sourceType }: ConstantExpression, version: number): string {
  return Object.entries(flag)
    .filter(
      ([name, bits]) => (flags & bits) !== 0 && (sourceType === undefined || name === "inbounds" || version >= 20),
    )
    .map(([name]) => ` ${name}`)
    .join("");
}

/** A bitcast between address spaces, which NVVM IR 1.0 has, is an addrspacecast in later versions. */
export function castOpcode(
  { opcode, type }: { readonly opcode: string; readonly type: Value["type"] },
  of: Value,
): string {
  const from = of.type.kind === "vector" ? of.type.element : of.type;
  const to = type.kind === "vector" ? type.element : type;
  const isBetween = from.kind === "pointer" && to.kind === "pointer" && from.space !== to.space;
  return opcode === "bitcast" && isBetween ? "addrspacecast" : opcode;
}
