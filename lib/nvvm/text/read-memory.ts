// Memory: alloca, load, store, getelementptr, fence, cmpxchg, atomicrmw (NVVM IR 1.0 section 8.6).

import type { Ordering } from "../ir/instruction.js";
import { typeText, type Type } from "../ir/type.js";
import { readAlign } from "./attributes.js";
import { failExpected, failWith } from "./fault.js";
import { acceptPart, finish, operandList, plain, type Head, type Operands, type Reader } from "./instruction.js";
import { accept, acceptWord, expect, isWord, noteFirst, readString, since } from "./read.js";
import { addOperand, addTypedOperand } from "./read-arithmetic.js";
import { advance, tokenName } from "./scanner.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { pointerTo, readSpace, readType } from "./types.js";
import { elementPointerType } from "./types-of.js";
import { atomicOperations, orderings } from "./words.table.js";

/** `, align 8` and nothing else behind commas. */
function readOnlyAlign(p: Parser, head: Head): number | undefined {
  let align: number | undefined;
  while (acceptPart(p, head)) {
    if (!acceptWord(p, "align")) failExpected(p, "'align' or metadata", ["align"]);
    align = readAlign(p);
  }
  return align;
}

const isSized = ({ kind: of }: Type): boolean => of !== "function" && of !== "label" && of !== "metadata";

const readAlloca: Reader = (p, head) => {
  const list = operandList();
  const inAlloca = acceptWord(p, "inalloca");
  acceptWord(p, "swifterror");
  const { start } = p.scanner;
  const allocatedType = readType(p);
  if (!isSized(allocatedType))
    failWith(p, "nvvm-mismatch", `alloca has no room for ${typeText(allocatedType)}`, since(p, start));
  let align: number | undefined;
  let space = 0;
  while (acceptPart(p, head)) {
    if (acceptWord(p, "align")) align = readAlign(p);
    else if (isWord(p, "addrspace")) space = readSpace(p);
    else if (list.values.length === 0) addTypedOperand(p, list);
    else failExpected(p, "'align' or metadata", ["align", "addrspace"]);
  }
  const type = pointerTo(p, space, allocatedType);
  return { ...plain(p, head, type, list, "alloca"), allocatedType, align, inAlloca };
};

/** `load T, T* %p`; dialect A writes the pointer alone. */
const readLoad: Reader = (p, head) => {
  const list = operandList();
  const atomic = acceptWord(p, "atomic");
  const isVolatile = acceptWord(p, "volatile");
  const { start } = p.scanner;
  let type = readType(p);
  if (accept(p, kind.COMMA)) addTypedOperand(p, list);
  else {
    const pointee = pointeeOf(p, type);
    noteFirst(p, "'load' without a type of its own", since(p, start));
    addOperand(p, list, type);
    type = pointee;
  }
  const { scope, ordering } = atomic ? readAtomic(p) : plainAccess;
  const align = readOnlyAlign(p, head);
  finish(p, head);
  return {
    kind: "instruction",
    type,
    name: head.name,
    index: head.index,
    operands: list.values,
    operandStarts: list.starts,
    flags: head.flags,
    attachments: head.attachments,
    start: head.start,
    end: head.end,
    opcode: "load",
    volatile: isVolatile,
    align,
    ordering,
    scope,
  };
};

/** What a typed pointer, or a vector of such, points to; the comma that is missing otherwise. */
function pointeeOf(p: Parser, type: Type): Type {
  const pointer = type.kind === "vector" ? type.element : type;
  if (pointer.kind !== "pointer" || pointer.pointee === undefined) return failExpected(p, "','");
  return pointer.pointee;
}

const readStore: Reader = (p, head) => {
  const list = operandList();
  const atomic = acceptWord(p, "atomic");
  const isVolatile = acceptWord(p, "volatile");
  addTypedOperand(p, list);
  expect(p, kind.COMMA);
  addTypedOperand(p, list);
  const { scope, ordering } = atomic ? readAtomic(p) : plainAccess;
  const align = readOnlyAlign(p, head);
  finish(p, head);
  return {
    kind: "instruction",
    type: p.types.void,
    name: head.name,
    index: head.index,
    operands: list.values,
    operandStarts: list.starts,
    flags: head.flags,
    attachments: head.attachments,
    start: head.start,
    end: head.end,
    opcode: "store",
    volatile: isVolatile,
    align,
    ordering,
    scope,
  };
};

const plainAccess = { scope: "", ordering: undefined } as const;

function readAtomic(p: Parser): { readonly scope: string; readonly ordering: Ordering } {
  const scope = readScope(p);
  return { scope, ordering: readOrdering(p) };
}

/** `syncscope("block")`; older text has the word `singlethread`. */
function readScope(p: Parser): string {
  if (acceptWord(p, "singlethread")) return "singlethread";
  if (!acceptWord(p, "syncscope")) return "";
  expect(p, kind.LEFT_PAREN);
  const scope = readString(p);
  expect(p, kind.RIGHT_PAREN);
  return scope;
}

const isOrdering = (p: Parser): boolean => p.scanner.kind === kind.WORD && orderings.has(tokenName(p.scanner));

function readOrdering(p: Parser): Ordering {
  if (!isOrdering(p)) failExpected(p, "a memory ordering", [...orderings]);
  const ordering = tokenName(p.scanner) as Ordering;
  advance(p.scanner);
  return ordering;
}

const readElementPointer: Reader = (p, head) => {
  const list = operandList();
  const { start } = p.scanner;
  const type = readType(p);
  let sourceType = type;
  if (accept(p, kind.COMMA)) addTypedOperand(p, list);
  else {
    sourceType = pointeeOf(p, type);
    noteFirst(p, "'getelementptr' without a type of its own", since(p, start));
    addOperand(p, list, type);
  }
  while (acceptPart(p, head)) addTypedOperand(p, list);
  const made = elementPointerType(p, sourceType, list.values[0]!.type, list.values.slice(1));
  if (made === undefined) return refuseIndices(p, sourceType, list, start);
  finish(p, head);
  return {
    kind: "instruction",
    type: made,
    name: head.name,
    index: head.index,
    operands: list.values,
    operandStarts: list.starts,
    flags: head.flags,
    attachments: head.attachments,
    start: head.start,
    end: head.end,
    opcode: "getelementptr",
    sourceType,
  };
};

function refuseIndices(p: Parser, source: Type, list: Operands, start: number): never {
  const [base] = list.values;
  const pointer = base?.type.kind === "vector" ? base.type.element : base?.type;
  const message =
    pointer?.kind === "pointer"
      ? `the indices do not fit ${typeText(source)}`
      : `getelementptr starts at a pointer, not at ${base === undefined ? "nothing" : typeText(base.type)}`;
  failWith(p, "nvvm-mismatch", message, since(p, start));
}

const readFence: Reader = (p, head) => {
  const made = readAtomic(p);
  return { ...plain(p, head, p.types.void, operandList(), "fence"), ...made };
};

/** Two orderings and a pair as the result; dialect A has one and the old value. */
const readCompareExchange: Reader = (p, head) => {
  const list = operandList();
  const weak = acceptWord(p, "weak");
  const isVolatile = acceptWord(p, "volatile");
  addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const { type } = addTypedOperand(p, list);
  expect(p, kind.COMMA);
  addTypedOperand(p, list);
  const { start } = p.scanner;
  const { scope, ordering: success } = readAtomic(p);
  const plainResult = !isOrdering(p);
  if (plainResult) noteFirst(p, "'cmpxchg' with one ordering", since(p, start));
  const failure = plainResult ? success : readOrdering(p);
  const align = readOnlyAlign(p, head);
  const result = plainResult ? type : p.types.struct([type, p.types.integer(1)]);
  const made = { weak, volatile: isVolatile, success, failure, scope, align, plainResult } as const;
  return { ...plain(p, head, result, list, "cmpxchg"), ...made };
};

const readAtomicOperation: Reader = (p, head) => {
  const s = p.scanner;
  const list = operandList();
  const isVolatile = acceptWord(p, "volatile");
  if (s.kind !== kind.WORD || !atomicOperations.has(tokenName(s)))
    failExpected(p, "an operation of atomicrmw", [...atomicOperations]);
  const operation = tokenName(s);
  advance(s);
  addTypedOperand(p, list);
  expect(p, kind.COMMA);
  const { type } = addTypedOperand(p, list);
  const { scope, ordering } = readAtomic(p);
  const align = readOnlyAlign(p, head);
  const made = { operation, volatile: isVolatile, ordering, scope, align } as const;
  return { ...plain(p, head, type, list, "atomicrmw"), ...made };
};

export const memoryReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["alloca", readAlloca],
  ["load", readLoad],
  ["store", readStore],
  ["getelementptr", readElementPointer],
  ["fence", readFence],
  ["cmpxchg", readCompareExchange],
  ["atomicrmw", readAtomicOperation],
]);
