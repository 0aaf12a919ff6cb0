// Memory: alloca, load, store, getelementptr, fence, cmpxchg, atomicrmw (NVVM IR 1.0 section 8.6).

import type { ElementPointerInstruction, LoadInstruction, Ordering, StoreInstruction } from "../ir/instruction.js";
import { typeText, type Type } from "../ir/type.js";
import { readAlign } from "./attributes.js";
import { failExpected, failWith } from "./fault.js";
import { acceptPart, partial, plain, type Reader } from "./instruction.js";
import {
  addAddress,
  addNextOperand,
  addTypedOperand,
  beginOperands,
  endOperands,
  operandList,
  type Operands,
  type Head,
} from "./operands.js";
import { acceptWord, expect, isWord, noteFirst, readString, since } from "./read.js";
import { advance, tokenName } from "./scanner.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { pointerTo, readSpace, readType } from "./types.js";
import { elementPointerType } from "./types-of.js";
import { atomicOperations, orderings } from "./words.table.js";

/** `, align 8` and nothing else after commas. */
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
  const list = operandList(0);
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
    else if (list.count === 0) addTypedOperand(p, list);
    else failExpected(p, "'align' or metadata", ["align", "addrspace"]);
  }
  const type = pointerTo(p, space, allocatedType);
  return { ...plain(p, head, type, list, "alloca"), allocatedType, align, inAlloca };
};

/** `load T, T* %p`; dialect A writes the pointer alone. */
const readLoad: Reader = (p, head) => {
  const list = operandList(1);
  const access = beginAccess(p, head);
  const type = addAddress(p, list, "load");
  return finishAccess(p, head, type, list, access);
};

const readStore: Reader = (p, head) => {
  const list = operandList(2);
  const access = beginAccess(p, head);
  addTypedOperand(p, list);
  addNextOperand(p, list, "a pointer operand");
  return finishAccess(p, head, p.types.void, list, access);
};

interface Access {
  readonly atomic: boolean;
  readonly volatile: boolean;
}

/** The words before the type of a load or store. */
function beginAccess(p: Parser, head: Head): Access {
  const atomic = acceptWord(p, "atomic");
  if (atomic) p.construct = `${head.opcode} atomic`;
  return { atomic, volatile: acceptWord(p, "volatile") };
}

/** The part after the operands of a load or store, and the instruction. */
function finishAccess(
  p: Parser,
  head: Head,
  type: Type,
  list: Operands,
  { atomic, volatile }: Access,
): LoadInstruction | StoreInstruction {
  const { scope, ordering } = atomic ? readAtomic(p) : ordinary;
  const align = readOnlyAlign(p, head);
  const made = partial<LoadInstruction | StoreInstruction>(p, head, type, list, head.opcode as "load" | "store");
  made.volatile = volatile;
  made.align = align;
  made.ordering = ordering;
  made.scope = scope;
  return made as LoadInstruction | StoreInstruction;
}

const ordinary = { scope: "", ordering: undefined } as const;

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

const readElementPointer: Reader = (p, head, body) => {
  const list = beginOperands(body);
  const { start } = p.scanner;
  const sourceType = addAddress(p, list, "getelementptr");
  while (acceptPart(p, head)) addTypedOperand(p, list);
  const operands = endOperands(body, list);
  const { values } = operands;
  const made = elementPointerType(p, sourceType, values[0]!.type, values.slice(1));
  if (made === undefined) return refuseIndices(p, sourceType, operands, start);
  const instruction = partial<ElementPointerInstruction>(p, head, made, operands, "getelementptr");
  instruction.sourceType = sourceType;
  return instruction;
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
  return { ...plain(p, head, p.types.void, operandList(0), "fence"), ...made };
};

/** Two orderings and a pair as the result; dialect A has one and the old value. */
const readCompareExchange: Reader = (p, head) => {
  const list = operandList(3);
  const weak = acceptWord(p, "weak");
  const isVolatile = acceptWord(p, "volatile");
  addTypedOperand(p, list);
  const { type } = addNextOperand(p, list, "the compared value");
  addNextOperand(p, list, "the new value");
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
  const list = operandList(2);
  const isVolatile = acceptWord(p, "volatile");
  if (s.kind !== kind.WORD || !atomicOperations.has(tokenName(s)))
    failExpected(p, "an operation of atomicrmw", [...atomicOperations]);
  const operation = tokenName(s);
  advance(s);
  addTypedOperand(p, list);
  const { type } = addNextOperand(p, list, "the second operand");
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
