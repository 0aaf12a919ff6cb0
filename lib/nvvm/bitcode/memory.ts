// Instructions on memory by their record codes. Records up to LLVM 3.6 omit types that typed pointers imply.

import { malformed } from "../../../formats/bytes/malformed.js";
import { flag, type Ordering } from "../ir/instruction.js";
import type { Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { atomicOperations, elementPointerFlags, flagsOf, functionCode as code, orderings } from "./codes.table.js";
import { alignOf, pointerTo } from "./globals.js";
import { make } from "./make.js";
import type { Operands } from "./operands.js";
import type { Read } from "./reading.js";
import { elementPointerType, pointeeOf } from "./result-types.js";
import { word } from "./state.js";

/** The pointee of a typed pointer, which old records omit. */
function pointed(pointer: Value, offset: number): Type {
  return pointeeOf(pointer.type) ?? malformed("malformed", offset, "a pointer whose type is not written");
}

const align = (from: Operands): number | undefined => alignOf(from.number("alignment"), from.start);

const orderingOf = (from: Operands): Ordering | undefined => {
  const number = from.number("ordering");
  return number === 0 ? undefined : word(from.record, orderings, number, "ordering");
};

function atomicOrdering(from: Operands): Ordering {
  return orderingOf(from) ?? malformed("malformed", from.start, "an atomic instruction without an ordering");
}

/** Number 0 is one thread, 1 the system, whose name is empty; the module lists the named ones. */
function scopeOf(from: Operands): string {
  const number = from.number("scope");
  const named = from.state.scopes[number];
  if (named !== undefined) return named;
  if (number > 1) malformed("out-of-range", from.start, `unknown scope ${number}`);
  return number === 0 ? "singlethread" : "";
}

const alloca: Read = (from, base) => {
  const written = from.type("type");
  const countType = from.type("type of the count");
  const count = from.absolute(countType, "count");
  const bits = from.number("alignment");
  const explicit = (bits & 64) !== 0;
  const allocatedType = explicit ? written : pointeeOf(written);
  if (allocatedType === undefined) return malformed("malformed", from.start, "alloca without a type");
  const space = from.left > 0 ? from.number("address space") : 0;
  const one = count.kind === "integer" && count.value === 1n && countType === from.state.table.integer(32);
  return make(base, {
    opcode: "alloca",
    type: explicit ? pointerTo(from.state, allocatedType, space) : written,
    allocatedType,
    align: alignOf((bits & 31) | (((bits >>> 8) & 7) << 5), from.start),
    inAlloca: (bits & 32) !== 0,
    // A count that the text omits is 1.
    operands: one ? [] : [count],
  });
};

const load: Read = (from, base) => {
  const atomic = from.record.code === code.loadAtomic;
  const pointer = from.value("address");
  const rest = atomic ? 4 : 2;
  const type = from.left > rest ? from.type("type") : pointed(pointer, from.start);
  return make(base, {
    opcode: "load",
    type,
    operands: [pointer],
    align: align(from),
    volatile: from.number("volatile") !== 0,
    ordering: atomic ? orderingOf(from) : undefined,
    scope: atomic ? scopeOf(from) : "",
  });
};

const store: Read = (from, base) => {
  const { code: is } = from.record;
  const atomic = is === code.storeAtomic || is === code.storeAtomicOld;
  const old = is === code.storeOld || is === code.storeAtomicOld;
  const pointer = from.value("address");
  const value = old ? from.typed(pointed(pointer, from.start), "value") : from.value("value");
  return make(base, {
    opcode: "store",
    type: from.state.table.void,
    operands: [value, pointer],
    align: align(from),
    volatile: from.number("volatile") !== 0,
    ordering: atomic ? orderingOf(from) : undefined,
    scope: atomic ? scopeOf(from) : "",
  });
};

const elementPointer: Read = (from, base) => {
  const { code: is } = from.record;
  let flags = is === code.elementPointerInboundsOld ? flagsOf(1, elementPointerFlags) : 0;
  let written: Type | undefined;
  if (is === code.elementPointer) {
    flags = flagsOf(from.number("flags"), elementPointerFlags);
    // `inbounds` implies the other, which the text then omits.
    if (flags & flag.inbounds) flags &= ~flag.nusw;
    written = from.type("type");
  }
  const operands: Value[] = [];
  do operands.push(from.value("address or index"));
  while (from.left > 0);
  const [pointer, ...indices] = operands;
  const sourceType = written ?? pointed(pointer!, from.start);
  const type = elementPointerType(from.state.table, sourceType, pointer!.type, indices, from.start);
  return make(base, { opcode: "getelementptr", type, operands, sourceType, flags });
};

/** The ordering of a failed exchange, which records before LLVM 3.5 omit. */
const failureOf = (success: Ordering): Ordering =>
  success === "release" ? "monotonic" : success === "acq_rel" ? "acquire" : success;

const compareExchange: Read = (from, base) => {
  const old = from.record.code === code.compareExchangeOld;
  const pointer = from.value("address");
  const compared = old ? from.typed(pointed(pointer, from.start), "compared value") : from.value("compared value");
  const replacement = from.typed(compared.type, "new value");
  const isVolatile = from.number("volatile") !== 0;
  const success = atomicOrdering(from);
  const scope = scopeOf(from);
  const failure = from.left > 0 ? atomicOrdering(from) : failureOf(success);
  // Before weak exchanges existed, the result was the old value alone.
  const plainResult = from.left === 0;
  const weak = from.left > 0 && from.number("weak") !== 0;
  const { table } = from.state;
  return make(base, {
    opcode: "cmpxchg",
    type: plainResult ? compared.type : table.struct([compared.type, table.integer(1)]),
    operands: [pointer, compared, replacement],
    weak,
    volatile: isVolatile,
    success,
    failure,
    scope,
    align: from.left > 0 ? align(from) : undefined,
    plainResult,
  });
};

const atomic: Read = (from, base) => {
  const old = from.record.code === code.atomicOld;
  const pointer = from.value("address");
  const value = old ? from.typed(pointed(pointer, from.start), "value") : from.value("value");
  return make(base, {
    opcode: "atomicrmw",
    type: value.type,
    operands: [pointer, value],
    operation: word(from.record, atomicOperations, from.number("operation"), "operation"),
    volatile: from.number("volatile") !== 0,
    ordering: atomicOrdering(from),
    scope: scopeOf(from),
    align: from.left > 0 ? align(from) : undefined,
  });
};

const fence: Read = (from, base) =>
  make(base, {
    opcode: "fence",
    type: from.state.table.void,
    operands: [],
    ordering: atomicOrdering(from),
    scope: scopeOf(from),
  });

export const memoryReaders: readonly (readonly [number, Read])[] = [
  [code.alloca, alloca],
  [code.load, load],
  [code.loadAtomic, load],
  [code.store, store],
  [code.storeOld, store],
  [code.storeAtomic, store],
  [code.storeAtomicOld, store],
  [code.elementPointer, elementPointer],
  [code.elementPointerOld, elementPointer],
  [code.elementPointerInboundsOld, elementPointer],
  [code.compareExchange, compareExchange],
  [code.compareExchangeOld, compareExchange],
  [code.atomic, atomic],
  [code.atomicOld, atomic],
  [code.fence, fence],
];
