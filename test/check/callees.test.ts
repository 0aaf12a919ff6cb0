// Lists of possible callees: which of them a call does not fit, and that the search compares few.

import test from "ava";
import { calleesOf, firstUnfit } from "../../lib/check/callees.js";
import type { Parameter, Prototype } from "../../lib/isa/code.js";
import { check, head, where } from "./support.js";

/** Parameters: arrays of that many bytes. */
const prototype = (...sizes: readonly number[]): Prototype => ({
  returns: [],
  parameters: sizes.map((size): Parameter => ({
    name: "p",
    space: "param",
    layout: { type: { name: "b8" } as Parameter["layout"]["type"], vector: 1, dimensions: [size], align: 1, size },
  })),
  noreturn: false,
});

/** The first callee that does not accept arrays of those sizes, and the number of formals compared. */
function ask(prototypes: readonly Prototype[], ...sizes: readonly number[]): readonly [first: number, asked: number] {
  let asked = 0;
  const fits = (i: number, formal: Parameter): boolean => {
    asked++;
    return formal.layout.size === sizes[i];
  };
  const { parameters } = calleesOf(prototypes);
  const first = firstUnfit(parameters, sizes.length, (formals) => formals.length === sizes.length, fits);
  return [first, asked];
}

test("a call is checked against each distinct callee signature, and stops at the first mismatch", (t) => {
  const alike = new Array<Prototype>(1000).fill(prototype(4, 8));
  t.deepEqual(ask(alike, 4, 8), [Infinity, 2]);
  t.deepEqual(ask([...alike, prototype(4, 9)], 4, 8), [1000, 3]);
  t.deepEqual(ask([...alike, prototype(4, 9), prototype(5, 8), prototype(4)], 4, 8), [1000, 4]);
  t.deepEqual(ask([...alike, prototype(4), prototype(5, 8)], 4, 8), [1000, 3]);
  const distinct = Array.from({ length: 1000 }, (_, i) => prototype(i + 1));
  t.deepEqual(ask(distinct, 1), [1, 2]);
  t.deepEqual(ask([], 1), [Infinity, 0]);
});

test("the message is about the first callee that does not fit", (t) => {
  const text = `${head()}.func f(.param .b32 a) { ret; }
.func g(.param .u32 a) { ret; }
.func (.param .b32 r) h(.param .f64 a) { ret; }
.func i(.param .f32 a, .param .b32 b) { ret; }
.entry k() { .reg .b64 %r; .reg .u32 %u; .reg .b32 %b;
T: .calltargets f, g, h, i;
U: .calltargets f, g, i, h;
V: .calltargets f, g;
call %r, (%u), T;
call %r, (%u), U;
call %r, (%u), V;
call (_), %r, (%u), V;
ret; }
`;
  t.deepEqual(
    check(text).errors.map((error) => `${where(error)} ${error.message}`),
    [
      "call 12:1 0 return values, but the callee has 1",
      "call 12:11 argument 1 is a .u32 register; the callee has .f64 aligned to 8 bytes",
      "call 13:10 1 argument, but the callee has 2",
      "call 15:6 1 return value, but the callee has 0",
    ],
  );
});
