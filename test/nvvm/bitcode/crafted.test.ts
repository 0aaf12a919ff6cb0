// Modules written record by record: forms of LLVM 3.5 that current assemblers do not write, and hostile ones.

import test from "ava";
import { createSink } from "../../../lib/diag/sink.js";
import { readBitcode } from "../../../lib/nvvm/bitcode/read.js";
import type { Body } from "../../../lib/nvvm/ir/global.js";
import type { Module } from "../../../lib/nvvm/ir/module.js";
import { typeText } from "../../../lib/nvvm/ir/type.js";
import { block, chars, wrap, writeBitcode, type Block, type Row } from "./writer.js";

const MODULE = 8;
const CONSTANTS = 11;
const FUNCTION = 12;
const SYMBOLS = 14;
const METADATA = 15;
const TYPES = 17;

const version: Row = [1, 1];
const i32: Row = [7, 32];
const voidType: Row = [2];

/** Reads a module that must be valid. */
function read(bytes: Uint8Array): Module {
  const sink = createSink();
  const module = readBitcode({ name: "a.bc", bytes }, sink);
  if (module === undefined) throw new Error(sink.all[0]?.message);
  return module;
}

function bodyOf(module: Module): Body {
  const sink = createSink();
  const body = module.functions[0]!.body!.read(sink);
  if (body === undefined) throw new Error(sink.all[0]?.message);
  return body;
}

/** The message about a module that is unreadable, or whose first body is. */
function refused(...content: (Row | Block)[]): string | undefined {
  const sink = createSink();
  const module = readBitcode({ name: "a.bc", bytes: writeBitcode(block(MODULE, ...content)) }, sink);
  module?.functions[0]?.body?.read(sink);
  const [first] = sink.all;
  return first?.place?.kind === "bytes" ? first.message : undefined;
}

/** Types: 0 i32, 1 i32*, 2 void, 3 void (i32*), 4 a pointer to that. */
const types = block(TYPES, [1, 5], i32, [8, 0, 0], voidType, [21, 0, 2, 1], [8, 3, 0]);
/** `define void @f(i32*)` without attributes. */
const define: Row = [8, 4, 0, 0, 0, 0, 0, 0, 0];
const name = block(SYMBOLS, [1, 0, ...chars("f")]);

test("loads, stores and exchanges of LLVM 3.5 take their types from the pointer", (t) => {
  const constants = block(CONSTANTS, [1, 0], [4, 14]);
  const body = block(
    FUNCTION,
    [1, 1],
    constants, // values: 0 @f, 1 argument, 2 constant 7, then 3 …
    [20, 2, 3, 0], // load
    [24, 3, 2, 3, 1], // store volatile
    [37, 3, 2, 1, 0, 6, 1], // cmpxchg with a plain result
    [4, 4, 3], // getelementptr
    [30, 5, 4], // getelementptr inbounds
    [10],
  );
  const module = read(writeBitcode(block(MODULE, version, types, define, body, name)));
  const shown = bodyOf(module).blocks[0]!.instructions.map((each) => {
    const align = "align" in each ? ` ${each.align}` : "";
    return `${each.opcode} ${typeText(each.type)} ${each.flags}${align} ${each.operands.map((operand) => operand.kind).join(",")}`;
  });
  t.deepEqual(shown, [
    "load i32 0 4 argument",
    "store void 0 4 integer,argument",
    "cmpxchg i32 0 undefined argument,integer,instruction",
    "getelementptr i32* 0 argument,integer",
    "getelementptr i32* 8 argument,integer",
    "ret void 0 ",
  ]);
  const [, store, exchange] = bodyOf(module).blocks[0]!.instructions;
  t.true(store?.opcode === "store" && store.volatile);
  t.true(exchange?.opcode === "cmpxchg" && exchange.plainResult && exchange.failure === "seq_cst");
});

test("metadata of LLVM 3.5 is pairs of a type and a value", (t) => {
  const withMetadata = block(TYPES, [1, 6], i32, [8, 0, 0], voidType, [21, 0, 2, 1], [8, 3, 0], [16]);
  const metadata = block(
    METADATA,
    [1, ...chars("kernel")],
    [8, 4, 0, 5, 0, 0, 1, 2, 0], // !{void (i32*)* @f, !"kernel", i32 1, null}
    [4, ...chars("nvvm.annotations")],
    [10, 1],
  );
  const constants = block(CONSTANTS, [1, 0], [4, 2]);
  const declare: Row = [8, 4, 0, 1, 0, 0, 0, 0, 0];
  const module = read(writeBitcode(block(MODULE, version, withMetadata, declare, constants, metadata, name)));
  const [node] = module.namedMetadata.get("nvvm.annotations")!.nodes;
  const operands = node?.kind === "node" ? node.operands : [];
  t.deepEqual(
    operands.map((each) => (each?.kind === "value" ? each.value.kind : each?.kind === "string" ? each.text : each)),
    ["function", "kernel", "integer", null],
  );
});

test("a wrapped module is read, and its offsets count from the start of the file", (t) => {
  const plain = writeBitcode(block(MODULE, version, types, define, block(FUNCTION, [1, 1], [10]), name));
  const module = read(wrap(plain));
  t.is(module.globals.get("f")?.kind, "function");
  t.is(module.functions[0]!.body!.start, read(plain).functions[0]!.body!.start + 20);
  const sink = createSink();
  t.is(readBitcode({ name: "a.bc", bytes: wrap(plain).subarray(0, 60) }, sink), undefined);
  t.deepEqual(sink.all[0]?.place, { kind: "bytes", file: "a.bc", offset: 12 });
});

test("a named structure may refer to itself, by a pointer that comes first", (t) => {
  const struct = block(TYPES, [1, 3], [8, 1, 0], [19, ...chars("list")], [20, 0, 2, 0], i32);
  const module = read(writeBitcode(block(MODULE, version, struct)));
  const list = module.types.structs.find(({ name }) => name === "list");
  t.deepEqual(list?.fields?.map(typeText), ["i32", "%list*"]);
});

test("types that are huge when written out, or deep, are refused", (t) => {
  const doubling: Row[] = [i32];
  for (let i = 0; i < 60; i++) doubling.push([18, 0, i, i]);
  t.regex(refused(version, block(TYPES, ...doubling)) ?? "", /a type of \d+ parts/);
  const deep: Row[] = [i32];
  for (let i = 0; i < 500; i++) deep.push([11, 1, i]);
  t.regex(refused(version, block(TYPES, ...deep)) ?? "", /201 deep/);
});

test("constants that refer to themselves, or are huge or deep when written out, are refused", (t) => {
  const array = block(TYPES, i32, [11, 2, 0]);
  t.regex(refused(version, array, block(CONSTANTS, [1, 1], [7, 1, 0], [7, 0, 1])) ?? "", /refers to itself/);
  const many: Row[] = [
    [1, 0],
    [10, 0, 60, 60],
  ];
  for (let i = 1; i < 60; i++) many.push([10, 0, i - 1, i - 1]);
  many.push([2]);
  t.regex(refused(version, array, block(CONSTANTS, ...many)) ?? "", /a constant of \d+ parts/);
  const deep: Row[] = [[1, 0], [2]];
  for (let i = 0; i < 300; i++) deep.push([11, 11, 0, i]);
  t.regex(refused(version, array, block(CONSTANTS, ...deep)) ?? "", /201 deep/);
});

test("bodies are checked against their blocks, values and types", (t) => {
  const body = (...rows: Row[]): string | undefined => refused(version, types, define, block(FUNCTION, ...rows), name);
  t.is(body([1, 1], [10]), undefined);
  t.regex(body([1, 2], [10]) ?? "", /2 blocks are declared, but the body has 1/);
  t.regex(body([1, 2 ** 30], [10]) ?? "", /1073741824 blocks in a body of/);
  t.regex(body([1, 1], [10], [10]) ?? "", /after the last block/);
  t.regex(body([1, 1], [11, 1]) ?? "", /block 1 of 1/);
  t.regex(body([1, 1], [10, 2 ** 32 - 5]) ?? "", /ends before its type of the value/);
  t.regex(body([1, 1], [10, 2 ** 32 - 5, 0]) ?? "", /value 7 is not defined/);
  t.regex(body([1, 1], [2, 1, 2, 0]) ?? "", /the right operand is of another type/);
  t.regex(body([1, 1], [99]) ?? "", /unknown instruction 99/);
  t.regex(body([1, 1], [20, 1]) ?? "", /ends before its alignment/);
});

test("a missing part of a module is named", (t) => {
  t.regex(refused([1, 3]) ?? "", /version 3 of the module/);
  t.regex(refused([1, 2]) ?? "", /without the string table/);
  t.regex(refused(version, types, define) ?? "", /1 functions are defined, but 0 have a body/);
  t.regex(refused(version, types, [8, 0, 0, 0, 0, 0, 0, 0, 0]) ?? "", /a function whose type is none/);
  t.regex(refused(version, types, block(METADATA, [3, 9])) ?? "", /metadata 8 of 1/);
});

/**
 * The form of LLVM 3.2 and 3.3: two blocks, and in the first a switch whose only case is the range `[low, high]`, with
 * signs in the lowest bit.
 */
const ranges = (low: number, high: number): Block =>
  block(
    FUNCTION,
    [1, 2],
    block(CONSTANTS, [1, 0], [4, 14]), // value 2: i32 7
    [12, 0x4b5 << 16, 0, 1, 1, 1, 1, 0, low, high, 1],
    [10],
  );

test("a switch of LLVM 3.3 has ranges of values", (t) => {
  const module = read(writeBitcode(block(MODULE, version, types, define, name, ranges(4, 8))));
  const [first] = bodyOf(module).blocks[0]!.instructions;
  const cases = first?.opcode === "switch" ? first.cases : [];
  t.deepEqual(
    cases.map(({ value, target }) => [value.value, target.index]),
    [2n, 3n, 4n].map((value) => [value, 1]),
  );
  const wide = refused(version, types, define, name, ranges(0, 400_000_000));
  t.is(wide, "LLVM bitcode: a switch of more than 100000 values");
});

test("a few trailing bytes after a module may have any value", (t) => {
  const bytes = writeBitcode(block(MODULE, version, types, define, name, ranges(4, 8)));
  t.is(read(Uint8Array.from([...bytes, 1, 2, 3, 4, 5, 6, 7, 8])).functions.length, 1);
  const longer = Uint8Array.from([...bytes, ...Array<number>(12).fill(255)]);
  t.is(readBitcode({ name: "a.bc", bytes: longer }, createSink()), undefined);
});
