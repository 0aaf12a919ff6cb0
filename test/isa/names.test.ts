// Special registers, state spaces, selectors, types, and messages about wrong spellings.

import test from "ava";
import { selectorSets } from "../../lib/isa/selectors.js";
import { specialRegister, specialRegisters } from "../../lib/isa/special-registers.table.js";
import { isStateSpace, stateSpaces } from "../../lib/isa/state-spaces.table.js";
import { explainSpelling } from "../../lib/isa/suggest.js";
import { bitType, dataType, dataTypes, widened } from "../../lib/isa/types.table.js";

test("special registers have their types, components and sections", (t) => {
  t.is(new Set(specialRegisters.map((register) => register.name)).size, specialRegisters.length);
  for (const register of specialRegisters) t.regex(register.section, /^10\.\d+$/, register.name);
  t.like(specialRegister("%tid"), { vector: true, type: dataType("u32") });
  t.like(specialRegister("%clock64"), { vector: false, type: dataType("u64") });
  t.like(specialRegister("%is_explicit_cluster"), { type: dataType("pred") });
  t.truthy(specialRegister("%envreg31"));
  t.is(specialRegister("%envreg32"), undefined);
  t.is(specialRegister("%tid.x"), undefined);
  t.is(specialRegister("tid"), undefined);
});

test("state spaces are known with their sub-spaces", (t) => {
  t.is(stateSpaces.length, 8);
  for (const name of ["global", "shared::cta", "shared::cluster", "param::entry"]) t.true(isStateSpace(name), name);
  for (const name of ["shared::all", "u32", ""]) t.false(isStateSpace(name), name);
});

test("selectors are those of the video instructions", (t) => {
  const accepts = (set: string, text: string): boolean => selectorSets[set]!.test(text);
  t.true(accepts("part", "b3") && accepts("part", "h1") && !accepts("part", "h2"));
  t.true(accepts("bytes", "b7654") && !accepts("bytes", "b8000") && !accepts("bytes", "b321"));
  t.true(accepts("halves", "h32") && !accepts("halves", "h4"));
  const masks = [
    "b0",
    "b1",
    "b10",
    "b2",
    "b20",
    "b21",
    "b210",
    "b3",
    "b30",
    "b31",
    "b310",
    "b32",
    "b320",
    "b321",
    "b3210",
  ];
  for (const mask of masks) t.true(accepts("bytemask", mask), mask);
  for (const wrong of ["b", "b01", "b33", "b4", "h0"]) t.false(accepts("bytemask", wrong), wrong);
});

test("types double and have bit types of their size", (t) => {
  t.is(widened(dataType("s32")!), dataType("s64"));
  t.is(widened(dataType("u16")!), dataType("u32"));
  t.is(bitType(128), dataType("b128"));
  t.is(bitType(24), undefined);
  t.is(new Set(dataTypes.map((type) => type.name)).size, dataTypes.length);
});

test("the reason is given why a spelling is not an instruction", (t) => {
  const kind = (spelling: string): string => explainSpelling(spelling).fault.kind;
  t.is(kind("mvo.u32"), "unknown-opcode");
  t.is(explainSpelling("mvo.u32").remedy, "did you mean 'mov'?");
  t.is(kind("add.u33"), "unknown-modifier");
  t.is(kind("add"), "missing-modifier");
  t.is(kind("mul.wide.u64"), "misplaced-modifier");
  t.is(kind("setp.lo.s32"), "combination");
  t.is(kind("x".repeat(100_000)), "unknown-opcode");
});
