// The order of a module's functions and shared variables, compared with the sections and symbols of ptxas 13.0's
// objects (testdata/oracle/link/orders.json, recorded by `npm run oracle:link -- --orders --record`).

import { readFileSync } from "node:fs";
import test from "ava";
import { functionsOf, sharedOf, type ModuleOrder } from "../oracle/orders.js";
import { testdata } from "../oracle/programs.js";
import { objectOf } from "./build.js";

const { cases } = JSON.parse(readFileSync(new URL("oracle/link/orders.json", testdata), "utf8")) as {
  readonly cases: readonly ModuleOrder[];
};

test("functions are in ptxas's order, also where their addresses are taken", (t) => {
  for (const { text, functions } of cases) t.deepEqual(functionsOf(objectOf("m.ptx", text)), functions, text);
});

test("shared variables are in ptxas's order", (t) => {
  const some = cases.filter(({ shared }) => shared !== undefined);
  t.true(some.length > 50);
  for (const { text, shared } of some) t.deepEqual(sharedOf(objectOf("m.ptx", text)), shared, text);
});

const module = (...lines: readonly string[]): string =>
  [".version 8.0", ".target sm_80", ".address_size 64", ...lines].join("\n");
const names = ["a", "b", "c", "d"];
const functions = names.map((name) => `.visible .func ${name}() { ret; }`);
const kernel = (body: string): string => `.visible .entry k() { .reg .b64 %a; ${body} ret; }`;

for (const [what, lines, order] of [
  ["no address is taken", [...functions, kernel("call a;")], "a b c d k"],
  [
    "a table is called that nothing puts addresses into",
    [...functions, kernel("T: .calltargets a; mov.u64 %a, 0; call %a, (), T;")],
    "a b c d k",
  ],
  ["only a kernel's address is taken", [...functions, kernel(""), ".global .u64 t = k;"], "a b c d k"],
  ["data has an address", [...functions, kernel(""), ".global .u64 t = a;"], "d b c a k"],
  ["no kernel follows", [...functions, ".global .u64 t = a;"], "d b c a"],
  ["the kernel takes it", [...functions, kernel("mov.u64 %a, a;")], "k d b c a"],
  ["the kernel names what has it", [...functions, ".global .u64 t = a;", kernel("mov.u64 %a, t;")], "k d b c a"],
  ["a variable of its own that no code names has it", [...functions, kernel(".global .u64 t = a;")], "a b c d k"],
] as const)
  test(`functions where ${what}`, (t) => {
    t.is(functionsOf(objectOf("m.ptx", module(...lines))).join(" "), order);
  });
