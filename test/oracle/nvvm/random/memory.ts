// Random steps: variables on the stack, tables, shared and global memory, atomics, and blocks of bytes.

import {
  aggregateTypes,
  below,
  bitsOf,
  constantOf,
  floatTypesOf,
  isFloat,
  pick,
  plainFloat,
  structType,
} from "./types.js";
import { add, hidden, type Writer } from "./writer.js";

const memoryTypes = [
  ...["i8", "i16", "i32", "i64", "float", "double", "half", "i24", "i1", "i128", "i48", "i5", "i33", "i63", "i65"],
  ...["<4 x i8>", "<2 x i32>", "<4 x float>", "<3 x i16>", "<2 x half>", ...aggregateTypes],
];

/** An array of four on the stack, all of it stored. */
function filledArray(w: Writer, type: string): string {
  const array = `%a${w.next++}`;
  w.allocas.push(`  ${array} = alloca [4 x ${type}]`);
  for (let i = 0; i < 4; i++)
    w.lines.push(`  store ${type} ${pick(w, type)}, ${type}* ${elementOf(w, type, array, `i64 ${i}`)}`);
  return array;
}

const elementOf = (w: Writer, type: string, array: string, index: string): string =>
  hidden(w, `getelementptr inbounds [4 x ${type}], [4 x ${type}]* ${array}, i64 0, ${index}`);

const anyIndex = (w: Writer): string => (w.random.below(2) === 0 ? `i64 ${w.random.below(4)}` : `i32 ${below(w, 4)}`);

/** One element is loaded by an index. */
function arrayStep(w: Writer): void {
  const type = w.random.pick(memoryTypes);
  const array = filledArray(w, type);
  add(w, type, `load ${type}, ${type}* ${elementOf(w, type, array, anyIndex(w))}`);
}

/** A function that has an address of the caller's: it stores there, and returns what it found. */
function touching(w: Writer, type: string): string {
  const name = `touch_${type.replace(/\W+/g, "_")}`;
  w.parts.declarations.add(
    [
      `define internal ${type} @${name}(${type}* %p, i32 %i, ${type} %v) noinline {`,
      `  %q = getelementptr ${type}, ${type}* %p, i32 %i`,
      `  %old = load ${type}, ${type}* %q`,
      `  store ${type} %v, ${type}* %q`,
      `  ret ${type} %old`,
      "}",
    ].join("\n"),
  );
  return name;
}

/** Addresses that escape: to a function, to memory, and through a choice of two. */
function escapeStep(w: Writer): void {
  const type = w.random.pick(["i32", "i64", "i8", "float", "<2 x i32>", "double", "i16"]);
  const [a, b] = [filledArray(w, type), filledArray(w, type)];
  let pointer = elementOf(w, type, a, "i64 0");
  const other = w.random.below(3);
  if (other > 0) {
    const second = other === 1 ? elementOf(w, type, b, "i64 0") : generic(w, type, sharedSlot(w, type, 4), 3);
    pointer = hidden(w, `select i1 ${pick(w, "i1")}, ${type}* ${pointer}, ${type}* ${second}`);
  }
  if (w.random.below(2) === 0) {
    const cell = `%a${w.next++}`;
    w.allocas.push(`  ${cell} = alloca ${type}*`);
    w.lines.push(`  store ${type}* ${pointer}, ${type}** ${cell}`);
    pointer = hidden(w, `load ${type}*, ${type}** ${cell}`);
  }
  const name = touching(w, type);
  add(w, type, `call ${type} @${name}(${type}* ${pointer}, i32 ${below(w, 4)}, ${type} ${pick(w, type)})`);
  add(w, type, `load ${type}, ${type}* ${elementOf(w, type, a, anyIndex(w))}`);
  const differ = [elementOf(w, type, a, anyIndex(w)), elementOf(w, type, a, anyIndex(w))].map((each) =>
    hidden(w, `ptrtoint ${type}* ${each} to i64`),
  );
  add(w, "i64", `sub i64 ${differ.join(", ")}`);
  add(w, "i1", `icmp ${w.random.pick(["eq", "ult", "uge"])} i64 ${differ.join(", ")}`);
}

function generic(w: Writer, type: string, pointer: string, space: number): string {
  return hidden(w, `addrspacecast ${type} addrspace(${space})* ${pointer} to ${type}*`);
}

/** So many elements in shared memory that are this thread's, all stored: the address of the first. */
function sharedSlot(w: Writer, type: string, count: number): string {
  const name = `@shared${w.parts.globals.length}`;
  const [array, pointer] = [`[${32 * count} x ${type}]`, `${type} addrspace(3)*`];
  w.parts.globals.push(`${name} = internal addrspace(3) global ${array} undef, align 16`);
  const from = hidden(w, `mul i32 %tid, ${count}`);
  const first = hidden(w, `getelementptr inbounds ${array}, ${array} addrspace(3)* ${name}, i32 0, i32 ${from}`);
  for (let i = 0; i < count; i++)
    w.lines.push(
      `  store ${type} ${pick(w, type)}, ${pointer} ${hidden(w, `getelementptr ${type}, ${pointer} ${first}, i32 ${i}`)}`,
    );
  return first;
}

function sharedStep(w: Writer): void {
  const type = w.random.pick([
    "i8",
    "i16",
    "i32",
    "i64",
    "float",
    "half",
    "<2 x i32>",
    "<4 x float>",
    "i128",
    structType,
  ]);
  const slot = sharedSlot(w, type, 2);
  const index = below(w, 2);
  if (w.random.below(2) === 0) {
    const at = hidden(w, `getelementptr ${type}, ${type}* ${generic(w, type, slot, 3)}, i32 ${index}`);
    add(w, type, `load ${type}, ${type}* ${at}`);
  } else {
    const at = hidden(w, `getelementptr ${type}, ${type} addrspace(3)* ${slot}, i32 ${index}`);
    add(w, type, `load ${type}, ${type} addrspace(3)* ${at}`);
  }
}

/** A table of constants. libNVVM makes 0 of a half's initial value, and 255 of an i1's. */
function tableStep(w: Writer): void {
  const type = w.random.pick([
    "i8",
    "i16",
    "i32",
    "i64",
    "float",
    "double",
    "i128",
    "<2 x i32>",
    "<4 x i8>",
    "{ i8, i32 }",
    "{ i16, [3 x i8], double }",
  ]);
  const space = w.random.pick([1, 4]);
  const name = `@table${w.parts.globals.length}`;
  const array = `[8 x ${type}]`;
  const values = Array.from({ length: 8 }, () => `${type} ${constantOf(w.random, type)}`).join(", ");
  w.parts.globals.push(`${name} = internal addrspace(${space}) constant ${array} [${values}], align 16`);
  const at = hidden(
    w,
    `getelementptr inbounds ${array}, ${array} addrspace(${space})* ${name}, i32 0, i32 ${below(w, 8)}`,
  );
  if (w.random.below(2) === 0) add(w, type, `load ${type}, ${type}* ${generic(w, type, at, space)}`);
  else add(w, type, `load ${type}, ${type} addrspace(${space})* ${at}`);
}

const orders = ["monotonic", "monotonic", "acquire", "release", "acq_rel", "seq_cst"];

function atomicType(w: Writer): string {
  const { level } = w.parts;
  return w.random.pick(
    level === 0
      ? ["i32", "i64"]
      : level === 1
        ? ["i32", "i64", "float"]
        : ["i32", "i64", "float", "double", "i8", "i16", "half"],
  );
}

/** Atomics on a word of this thread's own, so that what they return is defined. */
function atomicStep(w: Writer): void {
  const type = atomicType(w);
  const shared = w.random.below(2) === 0;
  const space = shared ? 3 : 1;
  let pointer = shared ? sharedSlot(w, type, 1) : globalSlot(w, type);
  let pointerType = `${type} addrspace(${space})*`;
  if (w.random.below(3) === 0) [pointer, pointerType] = [generic(w, type, pointer, space), `${type}*`];
  for (let i = 0; i < 1 + w.random.below(2); i++) {
    const order = w.random.pick(orders);
    if (isFloat(type)) {
      const opcode = w.random.pick(w.parts.level === 2 ? ["fadd", "fsub"] : ["fadd"]);
      w.lines.push(`  store ${type} ${plainFloat(w, type)}, ${pointerType} ${pointer}`);
      add(w, type, `atomicrmw ${opcode} ${pointerType} ${pointer}, ${type} ${plainFloat(w, type)} ${order}`);
    } else if (w.random.below(4) === 0) {
      const [expected, value] = [
        w.random.below(2) === 0 ? hidden(w, `load ${type}, ${pointerType} ${pointer}`) : pick(w, type),
        pick(w, type),
      ];
      const both = hidden(
        w,
        `cmpxchg ${pointerType} ${pointer}, ${type} ${expected}, ${type} ${value} ${order} monotonic`,
      );
      add(w, type, `extractvalue { ${type}, i1 } ${both}, 0`);
      add(w, "i1", `extractvalue { ${type}, i1 } ${both}, 1`);
    } else {
      const opcodes = ["add", "sub", "and", "or", "xor", "max", "min", "umax", "umin", "xchg"];
      const opcode = w.random.pick(w.parts.level === 2 ? [...opcodes, "nand"] : opcodes);
      const text = `atomicrmw ${opcode} ${pointerType} ${pointer}, ${type} ${pick(w, type)} ${order}`;
      if (w.random.below(4) === 0) hidden(w, text);
      else add(w, type, text);
    }
  }
  add(w, type, `load ${type}, ${pointerType} ${pointer}`);
}

function globalSlot(w: Writer, type: string): string {
  const name = `@cell${w.parts.globals.length}`;
  const array = `[32 x ${type}]`;
  w.parts.globals.push(`${name} = internal addrspace(1) global ${array} zeroinitializer, align 16`);
  const slot = hidden(w, `getelementptr inbounds ${array}, ${array} addrspace(1)* ${name}, i32 0, i32 %tid`);
  w.lines.push(`  store ${type} ${isFloat(type) ? plainFloat(w, type) : pick(w, type)}, ${type} addrspace(1)* ${slot}`);
  return slot;
}

const bytesOf = (w: Writer, array: string, from: string): string => {
  const first = hidden(w, `bitcast [4 x i64]* ${array} to i8*`);
  return hidden(w, `getelementptr i8, i8* ${first}, i64 ${from}`);
};

/** Blocks of bytes are copied, moved and filled, by lengths known or not. */
function blockStep(w: Writer): void {
  const [to, from] = [filledArray(w, "i64"), filledArray(w, "i64")];
  const number = (bound: number): string =>
    w.random.below(2) === 0 ? `${w.random.below(bound)}` : hidden(w, `and i64 ${pick(w, "i64")}, ${bound - 1}`);
  const length = number(16);
  const [target, offset] = [bytesOf(w, to, number(16)), number(16)];
  const kind = w.random.below(3);
  if (kind === 0) {
    w.parts.declarations.add("declare void @llvm.memset.p0i8.i64(i8*, i8, i64, i1)");
    w.lines.push(`  call void @llvm.memset.p0i8.i64(i8* ${target}, i8 ${pick(w, "i8")}, i64 ${length}, i1 false)`);
  } else {
    const name = kind === 1 ? "memcpy" : "memmove";
    w.parts.declarations.add(`declare void @llvm.${name}.p0i8.p0i8.i64(i8*, i8*, i64, i1)`);
    const source = bytesOf(w, kind === 1 ? from : to, offset);
    w.lines.push(`  call void @llvm.${name}.p0i8.p0i8.i64(i8* ${target}, i8* ${source}, i64 ${length}, i1 false)`);
  }
  for (let i = 0; i < 4; i += 1 + w.random.below(2))
    add(w, "i64", `load i64, i64* ${elementOf(w, "i64", to, `i64 ${i}`)}`);
}

/** Bytes of integers are read, and written, as another type at any place. */
function punStep(w: Writer): void {
  const array = filledArray(w, "i64");
  const types = ["i8", "i16", "i24", "i32", "i48", "i64", "i128", "<4 x i8>", "<2 x i32>", "<3 x i8>", "<4 x i16>"];
  const at = (type: string): string => {
    const offset = w.random.below(2) === 0 ? `${w.random.below(16)}` : hidden(w, `and i64 ${pick(w, "i64")}, 15`);
    return hidden(w, `bitcast i8* ${bytesOf(w, array, offset)} to ${type}*`);
  };
  if (w.random.below(2) === 0) {
    const type = w.random.pick(types);
    w.lines.push(`  store ${type} ${pick(w, type)}, ${type}* ${at(type)}, align 1`);
  }
  const type = w.random.pick(types);
  add(w, type, `load ${type}, ${type}* ${at(type)}, align 1`);
}

/** A float that was in memory. */
function volatileStep(w: Writer): void {
  const type = w.random.pick([...floatTypesOf(w.parts.level), "i32", "i64", "i8"]);
  const cell = `%a${w.next++}`;
  w.allocas.push(`  ${cell} = alloca ${type}, align ${w.random.pick([bitsOf(type) / 8, 16])}`);
  w.lines.push(`  store volatile ${type} ${pick(w, type)}, ${type}* ${cell}`);
  add(w, type, `load volatile ${type}, ${type}* ${cell}`);
}

export const memorySteps: readonly ((w: Writer) => void)[] = [
  ...[arrayStep, escapeStep, sharedStep, tableStep, atomicStep, blockStep, punStep, volatileStep],
];
