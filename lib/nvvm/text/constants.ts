// Constants (NVVM IR 1.0 chapter 5; LLVM Language Reference, "Constants"). A constant's type is known before it is read.

import type { BytesConstant, Constant, IntegerConstant, PlainConstant } from "../ir/value.js";
import type { IntegerType, StructType, Type } from "../ir/type.js";
import { typeText } from "../ir/type.js";
import { constantOpcodes, readExpression } from "./expression.js";
import { fail, failExpected, failWith, tokenRange } from "./fault.js";
import { doubleBits, fromDouble, readHexFloat } from "./float.js";
import { useGlobal } from "./names.js";
import { accept, enter, expect, leave, since } from "./read.js";
import { advance, stringText, tokenName, shortInteger, tokenText } from "./scanner.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { readType } from "./types.js";

/** A type followed by a constant of it. */
export function readTypedConstant(p: Parser): Constant {
  return readConstant(p, readType(p));
}

/** In bodies, local names are allowed as well. */
const wantedValue = ({ body }: Parser, type: Type): string =>
  `a ${body === undefined ? "constant" : "value"} of type ${typeText(type)}`;

/** A constant of a type. */
export function readConstant(p: Parser, type: Type): Constant {
  const s = p.scanner;
  switch (s.kind) {
    case kind.INTEGER:
    case kind.HEX_INTEGER:
      return readInteger(p, type);
    case kind.DECIMAL:
    case kind.HEXADECIMAL:
      return readFloat(p, type);
    case kind.GLOBAL:
    case kind.GLOBAL_NUMBER:
      return useGlobal(p, type);
    case kind.WORD:
      return readWordConstant(p, type);
    case kind.BYTES:
      return readBytes(p, type);
    case kind.LEFT_BRACKET:
    case kind.LEFT_BRACE:
    case kind.LESS:
      return readAggregate(p, type);
    case kind.LOCAL:
    case kind.LOCAL_NUMBER:
      return fail(p, `expected a constant of type ${typeText(type)}, not a local value`, tokenRange(s), {
        remedy: "name a global, or write the value",
      });
    default:
      return failExpected(p, wantedValue(p, type));
  }
}

function mismatch(p: Parser, what: string, type: Type): never {
  failWith(p, "nvvm-mismatch", `${what} has no type ${typeText(type)}`, tokenRange(p.scanner));
}

function readInteger(p: Parser, type: Type): IntegerConstant {
  const s = p.scanner;
  if (type.kind !== "integer") {
    const remedy = type.kind === "float" ? { remedy: "write it with a point: 1.0" } : undefined;
    failWith(p, "nvvm-mismatch", `an integer has no type ${typeText(type)}`, tokenRange(s), remedy);
  }
  const short = shortInteger(s);
  if (short >= 0) {
    advance(s);
    return smallInteger(p, type, short);
  }
  const text = tokenText(s);
  if (s.kind === kind.HEX_INTEGER) {
    const digits = text.slice(3);
    if (!/^[0-9A-Fa-f]+$/.test(digits)) fail(p, `'${text}' is not a hexadecimal integer`, tokenRange(s), hexRemedy);
    advance(s);
    const value = BigInt(`0x${digits}`);
    const isNegative = text.startsWith("s") && Number.parseInt(digits[0]!, 16) >= 8;
    return { kind: "integer", type, value: cut(isNegative ? value - (1n << BigInt(4 * digits.length)) : value, type) };
  }
  // Literals with more digits than LLVM's longest type would take minutes to read.
  if (text.length > 20_000)
    fail(p, "the integer is too long", { start: s.start, end: s.start + 20 }, { remedy: "write fewer digits" });
  advance(s);
  return text.length <= 9
    ? smallInteger(p, type, Number(text))
    : { kind: "integer", type, value: cut(BigInt(text), type) };
}

const hexRemedy = { remedy: "write u0x or s0x and hexadecimal digits" };

const cut = (value: bigint, type: IntegerType): bigint => BigInt.asUintN(type.bits, value);

/** One object for equal integers: most constants are small. */
function smallInteger(p: Parser, type: IntegerType, value: number): IntegerConstant {
  const { integers } = p.module;
  let known = integers.get(type);
  if (known === undefined) integers.set(type, (known = new Map()));
  let made = known.get(value);
  if (made === undefined) known.set(value, (made = { kind: "integer", type, value: cut(BigInt(value), type) }));
  return made;
}

function readFloat(p: Parser, type: Type): Constant {
  const s = p.scanner;
  const text = tokenText(s);
  if (type.kind !== "float") return mismatch(p, "a floating-point number", type);
  if (s.kind === kind.DECIMAL) {
    const bits = fromDouble(doubleBits(Number(text)), type);
    if (bits === undefined) return inexact(p, text, type);
    advance(s);
    return { kind: "float", type, bits };
  }
  const read = readHexFloat(text);
  if ("fault" in read) fail(p, read.fault, tokenRange(s), floatRemedy);
  if (read.name !== undefined && read.name !== type.name) return mismatch(p, `a number of type ${read.name}`, type);
  const bits = read.name === undefined ? fromDouble(read.bits, type) : read.bits;
  if (bits === undefined) return inexact(p, text, type);
  advance(s);
  return { kind: "float", type, bits };
}

const floatRemedy = { remedy: "write 0x and 16 digits, the bits of a double, or 0xH and 4 of a half" };

function inexact(p: Parser, text: string, type: Type): never {
  failWith(p, "nvvm-mismatch", `${text} is not a value of type ${typeText(type)}`, tokenRange(p.scanner), {
    remedy: "write the nearest value of the type, exactly or as the hexadecimal bits of a double",
  });
}

function readWordConstant(p: Parser, type: Type): Constant {
  const s = p.scanner;
  const word = tokenName(s);
  switch (word) {
    case "true":
    case "false":
      if (type.kind !== "integer" || type.bits !== 1) return mismatch(p, `'${word}'`, type);
      advance(s);
      return smallInteger(p, type, word === "true" ? 1 : 0);
    case "null":
      if (type.kind !== "pointer") return mismatch(p, "'null'", type);
      return plain(p, "null", type);
    case "zeroinitializer":
      if (type.kind === "label" || type.kind === "metadata") return mismatch(p, `'${word}'`, type);
      return plain(p, "zero", type);
    case "undef":
    case "poison":
      if (type.kind === "label" || type.kind === "metadata") return mismatch(p, `'${word}'`, type);
      return plain(p, word, type);
    case "none":
      if (type.kind !== "token") return mismatch(p, "'none'", type);
      return plain(p, "none", type);
    case "splat":
      return readSplat(p, type);
    case "blockaddress":
      return readBlockAddress(p, type);
    case "dso_local_equivalent":
    case "no_cfi":
      advance(s);
      return readConstant(p, type);
    case "asm":
      return fail(p, "inline assembly can only be called", tokenRange(s), {
        remedy: "write call TYPE asm TEXT, CONSTRAINTS(...)",
      });
  }
  if (constantOpcodes.has(word)) return readExpression(p, type);
  return failExpected(p, wantedValue(p, type), [
    ..."true false null undef poison zeroinitializer none splat".split(" "),
    ...constantOpcodes,
  ]);
}

function plain(p: Parser, what: PlainConstant["kind"], type: Type): PlainConstant {
  if (type.kind === "function") mismatch(p, `'${tokenName(p.scanner)}'`, type);
  advance(p.scanner);
  return { kind: what, type };
}

/** `splat (i32 1)`. */
function readSplat(p: Parser, type: Type): Constant {
  if (type.kind !== "vector") return mismatch(p, "'splat'", type);
  advance(p.scanner);
  expect(p, kind.LEFT_PAREN);
  const { start } = p.scanner;
  const element = readTypedConstant(p);
  if (element.type !== type.element)
    failWith(
      p,
      "nvvm-mismatch",
      `an element of ${typeText(type)} cannot be of type ${typeText(element.type)}`,
      since(p, start),
    );
  expect(p, kind.RIGHT_PAREN);
  if (type.count > MAX_ELEMENTS)
    fail(p, `a constant has at most ${MAX_ELEMENTS} elements`, since(p, start), splatRemedy);
  return { kind: "aggregate", type, elements: new Array<Constant>(type.count).fill(element) };
}

const splatRemedy = { remedy: "use a shorter vector" };

/** Keeps a short text from producing a large tree. */
const MAX_ELEMENTS = 2 ** 20;

function readBlockAddress(p: Parser, type: Type): Constant {
  const s = p.scanner;
  const { start } = s;
  advance(s);
  expect(p, kind.LEFT_PAREN);
  if (s.kind !== kind.GLOBAL && s.kind !== kind.GLOBAL_NUMBER) failExpected(p, "a function");
  const fn = s.kind === kind.GLOBAL ? tokenName(s) : String(s.id);
  advance(s);
  expect(p, kind.COMMA);
  if (s.kind !== kind.LOCAL && s.kind !== kind.LOCAL_NUMBER) failExpected(p, "a block");
  const block = s.kind === kind.LOCAL ? tokenName(s) : String(s.id);
  advance(s);
  expect(p, kind.RIGHT_PAREN);
  return { kind: "blockaddress", type, function: fn, block, ...since(p, start) };
}

function readBytes(p: Parser, type: Type): BytesConstant {
  const s = p.scanner;
  const bytes = Buffer.from(stringText(s), "latin1");
  const isBytes = type.kind === "array" && type.element.kind === "integer" && type.element.bits === 8;
  if (!isBytes || type.count !== bytes.length)
    failWith(p, "nvvm-mismatch", `the string is of type [${bytes.length} x i8], not ${typeText(type)}`, tokenRange(s));
  advance(s);
  return { kind: "bytes", type, bytes };
}

/** `[i8 1, i8 2]`, `{i8 1, i32 2}`, `<{i8 1, i32 2}>`, `<i32 1, i32 2>`. */
function readAggregate(p: Parser, type: Type): Constant {
  const s = p.scanner;
  const { start } = s;
  enter(p);
  const open = s.kind;
  advance(s);
  const packed = open === kind.LESS && accept(p, kind.LEFT_BRACE);
  const close =
    open === kind.LEFT_BRACKET ? kind.RIGHT_BRACKET : open === kind.LESS && !packed ? kind.GREATER : kind.RIGHT_BRACE;
  const wanted = open === kind.LEFT_BRACKET ? "array" : close === kind.GREATER ? "vector" : "struct";
  if (type.kind !== wanted || (type.kind === "struct" && type.packed !== packed))
    failWith(p, "nvvm-mismatch", `${wantedText[wanted]} has no type ${typeText(type)}`, since(p, start));
  const elements: Constant[] = [];
  if (s.kind !== close) {
    do elements.push(readMember(p, type, elements.length));
    while (accept(p, kind.COMMA));
  }
  expect(p, close);
  if (packed) expect(p, kind.GREATER);
  const count = type.kind === "struct" ? (type.fields?.length ?? 0) : type.count;
  if (elements.length !== count)
    failWith(p, "nvvm-mismatch", `${typeText(type)} has ${count} elements, not ${elements.length}`, since(p, start));
  leave(p);
  return { kind: "aggregate", type, elements };
}

const wantedText = { array: "an array", vector: "a vector", struct: "a structure" } as const;

/** An element, preceded by its type, which must be the aggregate's element type. */
function readMember(p: Parser, type: Type, index: number): Constant {
  const s = p.scanner;
  const { start } = s;
  const own = readType(p);
  const expected = type.kind === "struct" ? fieldsOf(type)[index] : (type as { element: Type }).element;
  if (expected !== undefined && own !== expected) {
    const message = `element ${index} of ${typeText(type)} is of type ${typeText(expected)}, not ${typeText(own)}`;
    failWith(p, "nvvm-mismatch", message, since(p, start));
  }
  return readConstant(p, own);
}

const fieldsOf = (type: StructType): readonly Type[] => type.fields ?? [];
