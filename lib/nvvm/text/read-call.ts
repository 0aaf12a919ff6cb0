// Calls: call, invoke, callbr, and inline assembly (NVVM IR 1.0 sections 6.1, 8.8).

import type { Ranged } from "../../ptx/source-text.js";
import type { Attribute } from "../ir/global.js";
import type { BasicBlock, CallInstruction } from "../ir/instruction.js";
import { typeText, type FunctionType, type Type } from "../ir/type.js";
import type { InlineAssembly, MetadataValue, Value } from "../ir/value.js";
import { listOfNone, readAttributes } from "./attributes.js";
import { constantOpcodes } from "./expression.js";
import { readConvention } from "./function.js";
import { failExpected, failWith } from "./fault.js";
import { partial, readFlags, type Reader } from "./instruction.js";
import type { LocalKey } from "./key-map.js";
import { readOperand } from "./metadata.js";
import { addOperand, beginOperands, endOperands, type OpenOperands, type Operands } from "./operands.js";
import { declaredGlobal, globalName, refuseUndefinedGlobal, useGlobalName } from "./names.js";
import { accept, acceptWord, expect, expectWord, isWord, noteFirst, readString, since, skipNested } from "./read.js";
import { readTargets } from "./read-control.js";
import { advance, stringText, tokenName, type Scanner } from "./scanner.js";
import type { BodyState, Open, Parser } from "./state.js";
import { kind } from "./token.js";
import { checkResult, pointerTo, readAnyType, readOptionalSpace } from "./types.js";
import { localKey, readTarget, readTypedValue, readValue, useLocal } from "./values.js";

interface Arguments extends Operands {
  readonly attributes: readonly (readonly Attribute[])[];
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
  const spelled = spelledType(p, body, written, typeStart);
  if (spelled === undefined) checkResult(p, written, typeStart);
  const callee = readCallee(p);
  const list = readArguments(p, body, spelled, callee.start);
  const functionType = spelled ?? typeOfCall(p, callee, written, list);
  const attributes = readAttributes(p);
  const bundles = readBundles(p);
  const targets = opcode === "call" ? noTargets : readUnwindTargets(p, opcode);
  const call = partial<CallInstruction>(p, head, functionType.result, list, opcode);
  call.flags = flags;
  call.calleeStart = callee.start;
  call.functionType = functionType;
  call.convention = convention;
  call.tail = tail;
  call.resultAttributes = resultAttributes;
  call.argumentAttributes = list.attributes;
  call.attributes = attributes;
  call.bundles = bundles;
  call.targets = targets;
  call.callee = resolveCallee(p, call, callee, space);
  return call as CallInstruction;
};

const noTargets: readonly BasicBlock[] = [];
const noBundles: readonly string[] = [];

/** The function type of a call that spells it out, directly or, in dialect A, as a pointer to it; otherwise undefined. */
function spelledType(p: Parser, body: BodyState, written: Type, start: number): FunctionType | undefined {
  if (written.kind === "function") return written;
  if (written.kind !== "pointer" || written.pointee?.kind !== "function") return undefined;
  // A pointer to a function is dialect A's spelling of its type, or the result's type: the callee's own type decides.
  const known = calleeType(p, body);
  const isResult = known?.kind === "function" && known.result === written;
  const { isFirst, spellings } = p.module;
  const range = since(p, start);
  if (isResult || (known === undefined && !isFirst && spellings.first === undefined)) return undefined;
  noteFirst(p, "a call with a pointer to the function's type", range);
  return written.pointee;
}

/** The callee's pointee type, if it is known yet. */
function calleeType(p: Parser, body: BodyState): Type | undefined {
  const s = p.scanner;
  if (s.kind === kind.LOCAL || s.kind === kind.LOCAL_NUMBER) {
    const type = body.locals.get(localKey(p))?.type;
    return type?.kind === "pointer" ? type.pointee : undefined;
  }
  if (s.kind !== kind.GLOBAL && s.kind !== kind.GLOBAL_NUMBER) return undefined;
  const name = s.kind === kind.GLOBAL ? p.scanner.names.strings[s.id] : String(s.id);
  return declaredGlobal(p, name ?? "")?.valueType;
}

/** The callee as written: its full type follows from the arguments after it. */
interface Callee extends Ranged {
  readonly name: string | undefined;
  readonly local: LocalKey | undefined;
  readonly assembly: Assembly | undefined;
  /** A constant: a pointer by a cast, null, undef. */
  readonly constant: { readonly token: Scanner } | undefined;
}

const calleeOf = (
  start: number,
  end: number,
  name: Callee["name"],
  local: Callee["local"],
  assembly: Callee["assembly"],
  constant: Callee["constant"],
): Callee => ({ name, local, assembly, constant, start, end });

function readCallee(p: Parser): Callee {
  const s = p.scanner;
  const { start, end } = s;
  switch (s.kind) {
    case kind.GLOBAL:
    case kind.GLOBAL_NUMBER: {
      const name = globalName(p);
      if (declaredGlobal(p, name) === undefined) refuseUndefinedGlobal(p);
      advance(s);
      return calleeOf(start, end, name, undefined, undefined, undefined);
    }
    case kind.LOCAL:
    case kind.LOCAL_NUMBER: {
      const local = localKey(p);
      advance(s);
      return calleeOf(start, end, undefined, local, undefined, undefined);
    }
    case kind.WORD: {
      if (isWord(p, "asm")) return calleeOf(start, end, undefined, undefined, readAssembly(p), undefined);
      // Skipped, and read when its type is known.
      const token = { ...s };
      const isExpression = constantOpcodes.has(tokenName(s));
      advance(s);
      if (isExpression) {
        while (s.kind === kind.WORD) advance(s);
        expect(p, kind.LEFT_PAREN);
        skipNested(p, 1);
      }
      return calleeOf(start, end, undefined, undefined, undefined, { token });
    }
    default:
      return failExpected(p, "a function or a pointer to one");
  }
}

/** The function type of a call that specifies only the result's type: the callee's own, if it matches. */
function typeOfCall({ module, types }: Parser, { name }: Callee, result: Type, { values }: Arguments): FunctionType {
  const own = name === undefined ? undefined : module.globals.get(name)?.valueType;
  const isOwn =
    own?.kind === "function" &&
    !own.variadic &&
    own.result === result &&
    own.parameters.length === values.length &&
    own.parameters.every((type, i) => type === values[i]!.type);
  if (isOwn) return own;
  return types.function(
    result,
    values.map(({ type }) => type),
  );
}

function resolveCallee(p: Parser, call: Open<CallInstruction>, callee: Callee, space: number): Value {
  const { name, local, assembly, constant } = callee;
  const type = pointerTo(p, space, call.functionType);
  if (assembly !== undefined) return { ...assembly, type, functionType: call.functionType };
  if (name !== undefined) return useGlobalName(p, name, type, callee);
  if (local !== undefined) return useLocal(p, local, callee, type, call, "callee");
  const s = p.scanner;
  const behind = { ...s };
  Object.assign(s, constant!.token);
  const value = readValue(p, type, call, "callee");
  Object.assign(s, behind);
  return value;
}

type Assembly = Omit<InlineAssembly, "type" | "functionType">;

/** `asm sideeffect "…", "…"`. */
function readAssembly(p: Parser): Assembly {
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
  expect(p, kind.COMMA, "the constraints");
  const constraints = readString(p);
  return {
    kind: "asm",
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
function readArguments(p: Parser, body: BodyState, type: FunctionType | undefined, calleeStart: number): Arguments {
  const s = p.scanner;
  const list = beginOperands(body);
  // Attributes of the arguments up to the last one with any.
  const attributes: (readonly Attribute[])[] = [];
  expect(p, kind.LEFT_PAREN, "the arguments");
  if (s.kind !== kind.RIGHT_PAREN) {
    do {
      // A musttail call in a variadic function forwards the rest.
      if (accept(p, kind.ELLIPSIS)) break;
      readArgument(p, list, attributes, type);
    } while (accept(p, kind.COMMA));
  }
  const { count } = list;
  if (type !== undefined && count < type.parameters.length) {
    const message = `the function takes ${type.parameters.length} arguments, and the call has ${count}`;
    failWith(p, "nvvm-mismatch", message, { start: calleeStart, end: s.end });
  }
  expect(p, kind.RIGHT_PAREN);
  const { values, starts } = endOperands(body, list);
  if (attributes.length === 0) return { values, starts, count, attributes: listOfNone(count) };
  while (attributes.length < count) attributes.push(noAttributes);
  return { values, starts, count, attributes };
}

function readArgument(
  p: Parser,
  list: OpenOperands,
  attributes: (readonly Attribute[])[],
  fn: FunctionType | undefined,
): void {
  const s = p.scanner;
  const { start } = s;
  const index = list.count;
  const type = readAnyType(p);
  const expected = fn?.parameters[index];
  if (expected === undefined && fn?.variadic === false)
    failWith(p, "nvvm-mismatch", `the function takes ${fn.parameters.length} arguments`, since(p, start));
  if (expected !== undefined && type !== expected) {
    const message = `argument ${index + 1} is of type ${typeText(expected)}, not ${typeText(type)}`;
    failWith(p, "nvvm-mismatch", message, since(p, start));
  }
  if (type.kind === "metadata") {
    list.starts[index] = s.start;
    list.values[index] = readMetadataArgument(p, type, s.start);
    list.count++;
    return;
  }
  if (type.kind === "void") failExpected(p, "an argument");
  const own = readAttributes(p);
  if (own.length > 0) {
    while (attributes.length < index) attributes.push(noAttributes);
    attributes.push(own);
  }
  addOperand(p, list, type);
}

const noAttributes: readonly Attribute[] = [];

function readMetadataArgument(p: Parser, type: Type, start: number): MetadataValue {
  const metadata = readOperand(p);
  return { kind: "metadata", type, metadata, ...since(p, start) };
}

/** `[ "name"(i32 %x) ]`: the names. */
function readBundles(p: Parser): readonly string[] {
  if (!accept(p, kind.LEFT_BRACKET)) return noBundles;
  const bundles: string[] = [];
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
  expectWord(p, "to", "a block");
  const targets = [readTarget(p)];
  if (opcode === "callbr") return [...targets, ...readTargets(p)];
  expectWord(p, "unwind", "a block");
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
