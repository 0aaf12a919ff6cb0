// Types in IR text (LLVM Language Reference, "Type System").

import type { FloatName, FunctionType, OtherType, PointerType, Type } from "../ir/type.js";
import { typeText } from "../ir/type.js";
import { fail, failExpected, tokenRange } from "./fault.js";
import type { LocalKey } from "./key-map.js";
import {
  accept,
  acceptWord,
  enter,
  expect,
  expectWord,
  isWord,
  noteSpelling,
  readCount,
  since,
  skipNested,
} from "./read.js";
import { advance, tokenName } from "./scanner.js";
import { typeName } from "./names.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";

const floats: ReadonlySet<string> = new Set(["half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128"]);
const others: ReadonlySet<string> = new Set(["label", "metadata", "token", "x86_mmx", "x86_amx"]);

/** Suggestions for a misspelt type. */
export const typeWords: readonly string[] = ["void", "ptr", "i1", "i8", "i16", "i32", "i64", ...floats, ...others];

/** LLVM's limit, in bits. */
const MAX_BITS = 2 ** 23;

const isPointerWord = (p: Parser): boolean => isWord(p, "ptr");

/** Whether the current token starts a type. */
export function isType(p: Parser): boolean {
  switch (p.scanner.kind) {
    case kind.WORD:
      return typeOfWord(p) !== null || isPointerWord(p) || isWord(p, "target");
    case kind.LOCAL:
    case kind.LOCAL_NUMBER:
    case kind.LESS:
    case kind.LEFT_BRACE:
    case kind.LEFT_BRACKET:
      return true;
    default:
      return false;
  }
}

/** A type that values may have: not void. */
export function readType(p: Parser): Type {
  const { start } = p.scanner;
  const type = readAnyType(p);
  if (type.kind === "void")
    fail(p, "nothing but a function's result is of type void", { start, end: p.scanner.before }, voidRemedy);
  return type;
}

const voidRemedy = { remedy: "write the type of a value, or i8 where it is what a pointer points to" };

/** A type, or void. */
export function readAnyType(p: Parser): Type {
  const s = p.scanner;
  const depth = p.depth;
  enter(p);
  const { start } = s;
  let type = readPlain(p);
  for (;;) {
    if (s.kind === kind.STAR) type = readStar(p, type, 0);
    else if (s.kind === kind.LEFT_PAREN) type = readFunction(p, type, start);
    else if (s.kind === kind.WORD && isWord(p, "addrspace")) {
      const space = readSpace(p);
      if (s.kind !== kind.STAR) failExpected(p, "'*'");
      type = readStar(p, type, space);
    } else break;
  }
  p.depth = depth;
  return type;
}

function readPlain(p: Parser): Type {
  const s = p.scanner;
  switch (s.kind) {
    case kind.WORD: {
      const type = typeOfWord(p);
      if (type !== null) {
        advance(s);
        return type;
      }
      if (isPointerWord(p)) return readOpaquePointer(p);
      if (isWord(p, "target")) {
        advance(s);
        expect(p, kind.LEFT_PAREN);
        skipNested(p, 1);
        return p.types.other("target");
      }
      return failExpected(p, "a type", typeWords);
    }
    case kind.LOCAL:
    case kind.LOCAL_NUMBER:
      return readNamed(p);
    case kind.LEFT_BRACE:
      return p.types.struct(readFields(p));
    case kind.LEFT_BRACKET: {
      advance(s);
      const count = readCount(p, "a number of elements");
      expectWord(p, "x");
      const element = readElement(p);
      expect(p, kind.RIGHT_BRACKET);
      return p.types.array(count, element);
    }
    case kind.LESS:
      return readAngle(p);
    default:
      return failExpected(p, "a type");
  }
}

/** The type of a word, looked up once for each word of the text; null if it is not a type. */
function typeOfWord(p: Parser): Type | null {
  const { wordTypes } = p.module;
  const known = wordTypes[p.scanner.id];
  if (known !== undefined) return known;
  return (wordTypes[p.scanner.id] = findType(p, tokenName(p.scanner)));
}

function findType({ types }: Parser, word: string): Type | null {
  if (/^i\d+$/.test(word)) {
    const bits = Number(word.slice(1));
    return bits >= 1 && bits <= MAX_BITS ? types.integer(bits) : null;
  }
  if (floats.has(word)) return types.float(word as FloatName);
  if (word === "void") return types.void;
  if (word === "x86mmx") return types.other("x86_mmx");
  return others.has(word) ? types.other(word as OtherType["kind"]) : null;
}

function readOpaquePointer(p: Parser): PointerType {
  noteSpelling(p, "opaque");
  advance(p.scanner);
  const space = isWord(p, "addrspace") ? readSpace(p) : 0;
  if (p.scanner.kind === kind.STAR)
    fail(p, "'ptr' is a pointer already: it takes no '*'", tokenRange(p.scanner), { remedy: "write ptr" });
  return p.types.pointer(space);
}

/** `addrspace(3)`: the number. */
export function readSpace(p: Parser): number {
  expectWord(p, "addrspace");
  expect(p, kind.LEFT_PAREN);
  const space = readCount(p, "an address space", 2 ** 24 - 1);
  expect(p, kind.RIGHT_PAREN);
  return space;
}

export const readOptionalSpace = (p: Parser): number => (isWord(p, "addrspace") ? readSpace(p) : 0);

function readStar(p: Parser, pointee: Type, space: number): PointerType {
  noteSpelling(p, "typed");
  enter(p);
  if (pointee.kind === "void" || pointee.kind === "label" || pointee.kind === "metadata" || pointee.kind === "token")
    fail(p, `there is no pointer to ${typeText(pointee)}`, undefined, { remedy: "write i8*" });
  advance(p.scanner);
  return pointerTo(p, space, pointee);
}

/** A pointer in the module's spelling. */
export function pointerTo({ types, module }: Parser, space: number, pointee: Type): PointerType {
  return module.opaque ? types.pointer(space) : types.pointer(space, pointee);
}

/** The key of the current type name: `%"7"` and `%7` are equal, `%"07"` differs. */
export function typeKey({ scanner: s }: Parser): LocalKey {
  if (s.kind !== kind.LOCAL) return ~s.id;
  if (s.bytes[s.start + 1] !== QUOTE) return s.id;
  const name = tokenName(s);
  return /^(0|[1-9]\d{0,9})$/.test(name) && Number(name) <= MAX_NUMBER ? ~Number(name) : s.id;
}

/** The largest number that is a token. */
const MAX_NUMBER = 0x7fff_ffff;

const QUOTE = 34;

function readNamed(p: Parser): Type {
  const s = p.scanner;
  const key = typeKey(p);
  const { module } = p;
  const alias = module.typeNames.size === 0 ? undefined : module.typeNames.get(key);
  if (alias !== undefined) {
    advance(s);
    return alias;
  }
  let slot = module.structs.get(key);
  if (slot === undefined) {
    const range = tokenRange(s);
    const value = p.types.addStruct(typeName(p, key));
    module.structs.set(key, (slot = { value, defined: false, firstUse: range, range }));
    module.undefinedTypes++;
  }
  if (!slot.defined && p.body !== undefined) module.openTypes.set(key, slot);
  advance(s);
  return slot.value;
}

/** `{ i32, float }`. */
export function readFields(p: Parser): readonly Type[] {
  expect(p, kind.LEFT_BRACE);
  const fields: Type[] = [];
  if (accept(p, kind.RIGHT_BRACE)) return fields;
  do fields.push(readElement(p));
  while (accept(p, kind.COMMA));
  expect(p, kind.RIGHT_BRACE);
  return fields;
}

/** Types that an aggregate may contain. */
function readElement(p: Parser): Type {
  const { start } = p.scanner;
  const type = readType(p);
  if (type.kind === "label" || type.kind === "metadata" || type.kind === "function" || type.kind === "token")
    fail(p, `nothing holds values of type ${typeText(type)}`, since(p, start), elementRemedy);
  return type;
}

const elementRemedy = { remedy: "hold integers, floats, pointers, vectors, arrays or structures" };

/** `<4 x float>`, `<vscale x 4 x i32>`, `<{ i8, i32 }>`. */
function readAngle(p: Parser): Type {
  const s = p.scanner;
  expect(p, kind.LESS);
  if (s.kind === kind.LEFT_BRACE) {
    const fields = readFields(p);
    expect(p, kind.GREATER);
    return p.types.struct(fields, true);
  }
  const scalable = acceptWord(p, "vscale");
  if (scalable) expectWord(p, "x");
  const { start } = s;
  const count = readCount(p, "a number of elements", 2 ** 32 - 1);
  if (count === 0)
    fail(p, "a vector has at least one element", since(p, start), { remedy: "write <1 x TYPE>, or [0 x TYPE]" });
  expectWord(p, "x");
  const at = s.start;
  const element = readType(p);
  if (element.kind !== "integer" && element.kind !== "float" && element.kind !== "pointer")
    fail(p, "a vector's elements are integers, floats or pointers", since(p, at), {
      remedy: `write an array: [${count} x ${typeText(element)}]`,
    });
  expect(p, kind.GREATER);
  return p.types.vector(count, element, scalable);
}

function readFunction(p: Parser, result: Type, start: number): FunctionType {
  checkResult(p, result, start);
  advance(p.scanner);
  const parameters: Type[] = [];
  let variadic = false;
  if (p.scanner.kind !== kind.RIGHT_PAREN) {
    do {
      if (accept(p, kind.ELLIPSIS)) {
        variadic = true;
        break;
      }
      parameters.push(readParameterType(p));
    } while (accept(p, kind.COMMA));
  }
  expect(p, kind.RIGHT_PAREN);
  return p.types.function(result, parameters, variadic);
}

/** A parameter's type. */
export function readParameterType(p: Parser): Type {
  const { start } = p.scanner;
  const type = readType(p);
  if (type.kind === "function" || type.kind === "label")
    fail(
      p,
      "a parameter is neither a function nor a label",
      { start, end: p.scanner.before },
      { remedy: "pass a pointer" },
    );
  return type;
}

/** `start`: offset of the type, which has been read. */
export function checkResult(p: Parser, type: Type, start: number): void {
  if (type.kind === "function" || type.kind === "label" || type.kind === "metadata")
    fail(p, `no function returns ${typeText(type)}`, since(p, start), { remedy: "return a pointer, or void" });
}
