// Calls: call, invoke, callbr, and inline assembly (NVVM IR 1.0 sections 6.1, 8.8).

import type { Attribute } from "../ir/global.js";
import type { BasicBlock, CallInstruction } from "../ir/instruction.js";
import { typeText, type FunctionType, type PointerType, type Type } from "../ir/type.js";
import type { InlineAssembly, MetadataValue, Value } from "../ir/value.js";
import { readAttributes } from "./attributes.js";
import { constantOpcodes } from "./expression.js";
import { readConvention } from "./function.js";
import { failExpected, failWith } from "./fault.js";
import { readFlags, type Reader } from "./instruction.js";
import { readOperand } from "./metadata.js";
import { accept, acceptWord, expect, expectWord, isWord, noteFirst, readString, since } from "./read.js";
import { addOperand, common, operandList, type Operands } from "./read-arithmetic.js";
import { readTargets } from "./read-control.js";
import { advance, stringText, tokenName } from "./scanner.js";
import type { BodyState, Open, Parser } from "./state.js";
import { kind } from "./token.js";
import { checkResult, pointerTo, readAnyType, readOptionalSpace } from "./types.js";
import { localKey, readTarget, readTypedValue, readValue } from "./values.js";

interface Arguments extends Operands {
  readonly attributes: (readonly Attribute[])[];
}

const readTailCall: Reader = (p, head, body) => {
  expectWord(p, "call");
  return readCall(p, head, body);
};

const readCall: Reader = (p, head, body) => {
  const s = p.scanner;
  const tail = head.opcode === "call" ? undefined : (head.opcode as CallInstruction["tail"]);
  const opcode = head.opcode === "invoke" || head.opcode === "callbr" ? head.opcode : "call";
  const flags = head.flags | readFlags(p, "call");
  const convention = readConvention(p) ?? "ccc";
  const resultAttributes = readAttributes(p);
  const space = readOptionalSpace(p);
  const typeStart = s.start;
  const written = readAnyType(p);
  const calleeAt = s.start;
  const spelled = spelledType(p, body, written, since(p, typeStart));
  // The arguments come first where the callee's type follows from them.
  const ahead = spelled === undefined ? readArgumentsAhead(p) : undefined;
  const functionType = spelled ?? p.types.function(written, ahead!, false);
  if (spelled === undefined) checkResult(p, written, since(p, typeStart));
  const call: Open<CallInstruction> = {
    kind: "instruction",
    ...common(head, functionType.result, operandList()),
    flags,
    opcode,
    callee: undefined as never,
    calleeStart: calleeAt,
    functionType,
    convention,
    tail,
    resultAttributes,
    argumentAttributes: [],
    attributes: [],
    bundles: [],
    targets: [],
  };
  call.callee = readCallee(p, call, functionType, space);
  const list = readArguments(p, functionType, calleeAt);
  call.operands = list.values;
  call.operandStarts = list.starts;
  call.argumentAttributes = list.attributes;
  call.attributes = readAttributes(p);
  call.bundles = readBundles(p);
  if (opcode !== "call") call.targets = readUnwindTargets(p, opcode);
  return call as CallInstruction;
};

/** The whole function type, where the text has it: as such, or as dialect A's pointer to one. */
function spelledType(
  p: Parser,
  body: BodyState,
  written: Type,
  range: { readonly start: number; readonly end: number },
): FunctionType | undefined {
  if (written.kind === "function") return written;
  if (written.kind !== "pointer" || written.pointee?.kind !== "function") return undefined;
  // A pointer to a function is dialect A's spelling of its type, or the result's type: the callee's own type tells.
  const known = calleeType(p, body);
  const isResult = known?.kind === "function" && known.result === written;
  const { isFirst, spellings } = p.module;
  if (isResult || (known === undefined && !isFirst && spellings.first === undefined)) return undefined;
  noteFirst(p, "a call with a pointer to the function's type", range);
  return written.pointee;
}

/** What the callee at hand points to, as far as it is known by now. */
function calleeType(p: Parser, body: BodyState): Type | undefined {
  const s = p.scanner;
  if (s.kind === kind.LOCAL || s.kind === kind.LOCAL_NUMBER) {
    const type = body.locals.get(localKey(p))?.type;
    return type?.kind === "pointer" ? type.pointee : undefined;
  }
  if (s.kind !== kind.GLOBAL && s.kind !== kind.GLOBAL_NUMBER) return undefined;
  const name = s.kind === kind.GLOBAL ? p.scanner.names.strings[s.id] : String(s.id);
  const slot = p.module.globals.get(name ?? "");
  return slot?.defined === true ? slot.value.valueType : undefined;
}

/** The types of the arguments behind the callee; the scanner stays where it is. */
function readArgumentsAhead(p: Parser): readonly Type[] {
  const s = p.scanner;
  const here = { ...s };
  if (isWord(p, "asm")) {
    while (s.kind !== kind.STRING && s.kind !== kind.END) advance(s);
    advance(s);
    accept(p, kind.COMMA);
    advance(s);
  } else skipCallee(p);
  const types: Type[] = [];
  if (s.kind === kind.LEFT_PAREN) {
    advance(s);
    while (s.kind !== kind.RIGHT_PAREN && s.kind !== kind.END) {
      if (s.kind === kind.ELLIPSIS) break;
      types.push(readAnyType(p));
      for (let open = 0; s.kind !== kind.END; advance(s)) {
        if (open === 0 && (s.kind === kind.COMMA || s.kind === kind.RIGHT_PAREN)) break;
        if (openers.has(s.kind)) open++;
        else if (closers.has(s.kind)) open--;
      }
      accept(p, kind.COMMA);
    }
  }
  Object.assign(s, here);
  return types;
}

const openers: ReadonlySet<number> = new Set([kind.LEFT_PAREN, kind.LEFT_BRACE, kind.LEFT_BRACKET, kind.LESS]);
const closers: ReadonlySet<number> = new Set([kind.RIGHT_PAREN, kind.RIGHT_BRACE, kind.RIGHT_BRACKET, kind.GREATER]);

/** A name, or a constant expression with its parentheses. */
function skipCallee(p: Parser): void {
  const s = p.scanner;
  const isExpression = s.kind === kind.WORD && constantOpcodes.has(tokenName(s));
  advance(s);
  if (!isExpression) return;
  while (s.kind === kind.WORD) advance(s);
  if (s.kind !== kind.LEFT_PAREN) return;
  let open = 0;
  do {
    if (s.kind === kind.LEFT_PAREN) open++;
    else if (s.kind === kind.RIGHT_PAREN) open--;
    advance(s);
  } while (open > 0 && s.kind !== kind.END);
}

function readCallee(p: Parser, call: Open<CallInstruction>, type: FunctionType, space: number): Value {
  if (isWord(p, "asm")) return readAssembly(p, type);
  const pointer: PointerType = pointerTo(p, space, type);
  return readValue(p, pointer, call, "callee");
}

/** `asm sideeffect "…", "…"`. */
function readAssembly(p: Parser, functionType: FunctionType): InlineAssembly {
  const s = p.scanner;
  const { start } = s;
  advance(s);
  const sideEffect = acceptWord(p, "sideeffect");
  const alignStack = acceptWord(p, "alignstack");
  const intelDialect = acceptWord(p, "inteldialect");
  const unwind = acceptWord(p, "unwind");
  if (s.kind !== kind.STRING) failExpected(p, "the assembly's text", ["sideeffect", "alignstack", "inteldialect"]);
  const textStart = s.start + 1;
  const text = stringText(s);
  advance(s);
  expect(p, kind.COMMA);
  const constraints = readString(p);
  return {
    kind: "asm",
    type: pointerTo(p, 0, functionType),
    functionType,
    text,
    constraints,
    sideEffect,
    alignStack,
    intelDialect,
    unwind,
    textStart,
    ...since(p, start),
  };
}

/** `(i32 1, ptr noundef %p, metadata !2)`. */
function readArguments(p: Parser, { parameters, variadic }: FunctionType, calleeStart: number): Arguments {
  const s = p.scanner;
  const list: Arguments = { values: [], starts: [], attributes: [] };
  expect(p, kind.LEFT_PAREN);
  if (s.kind !== kind.RIGHT_PAREN) {
    do {
      // A musttail call in a variadic function passes the rest on.
      if (accept(p, kind.ELLIPSIS)) break;
      readArgument(p, list, parameters, variadic);
    } while (accept(p, kind.COMMA));
  }
  const count = list.values.length;
  if (count < parameters.length) {
    const message = `the function takes ${parameters.length} arguments, and the call has ${count}`;
    failWith(p, "nvvm-mismatch", message, { start: calleeStart, end: s.end });
  }
  expect(p, kind.RIGHT_PAREN);
  return list;
}

function readArgument(p: Parser, list: Arguments, parameters: readonly Type[], variadic: boolean): void {
  const s = p.scanner;
  const { start } = s;
  const index = list.values.length;
  const type = readAnyType(p);
  const expected = parameters[index];
  if (expected === undefined && !variadic)
    failWith(p, "nvvm-mismatch", `the function takes ${parameters.length} arguments`, since(p, start));
  if (expected !== undefined && type !== expected) {
    const message = `argument ${index + 1} is of type ${typeText(expected)}, not ${typeText(type)}`;
    failWith(p, "nvvm-mismatch", message, since(p, start));
  }
  if (type.kind === "metadata") {
    list.attributes.push(noAttributes);
    list.starts.push(s.start);
    list.values.push(readMetadataArgument(p, type, s.start));
    return;
  }
  if (type.kind === "void") failExpected(p, "an argument");
  list.attributes.push(readAttributes(p));
  addOperand(p, list, type);
}

const noAttributes: readonly Attribute[] = [];

function readMetadataArgument(p: Parser, type: Type, start: number): MetadataValue {
  const metadata = readOperand(p);
  return { kind: "metadata", type, metadata, ...since(p, start) };
}

/** `[ "name"(i32 %x) ]`: the names. */
function readBundles(p: Parser): readonly string[] {
  const bundles: string[] = [];
  if (!accept(p, kind.LEFT_BRACKET)) return bundles;
  do {
    bundles.push(readString(p));
    expect(p, kind.LEFT_PAREN);
    if (p.scanner.kind !== kind.RIGHT_PAREN) {
      do readTypedValue(p, {}, "value");
      while (accept(p, kind.COMMA));
    }
    expect(p, kind.RIGHT_PAREN);
  } while (accept(p, kind.COMMA));
  expect(p, kind.RIGHT_BRACKET);
  return bundles;
}

/** `to label %a unwind label %b`, `to label %a [label %b]`. */
function readUnwindTargets(p: Parser, opcode: "invoke" | "callbr"): readonly BasicBlock[] {
  expectWord(p, "to");
  const targets = [readTarget(p)];
  if (opcode === "callbr") return [...targets, ...readTargets(p)];
  expectWord(p, "unwind");
  return [...targets, readTarget(p)];
}

export const callReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["call", readCall],
  ["tail", readTailCall],
  ["musttail", readTailCall],
  ["notail", readTailCall],
  ["invoke", readCall],
  ["callbr", readCall],
]);
