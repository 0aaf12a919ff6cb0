// Offsets of .global and .const variables of function bodies and nested blocks, compared with a record of ptxas; the
// object's text gives the same offsets again.

import test from "ava";
import { readFileSync } from "node:fs";
import { assemble } from "../../lib/object/assemble.js";
import type { RelocObject } from "../../lib/object/object.js";
import { textOf } from "./essence.js";
import { check } from "./pipeline.js";

interface StaticOrders {
  readonly command: string;
  readonly modules: readonly { readonly text: string; readonly sections: Readonly<{ [name: string]: string }> }[];
}

const record = JSON.parse(
  readFileSync(new URL("../../../testdata/oracle/static-order.json", import.meta.url), "utf8"),
) as StaticOrders;

const recorded = new Map([
  ["global-init", ".nv.global.init"],
  ["constant", ".nv.constant3"],
]);

/** Sections of variables with values by their names in an object, as hexadecimal. */
function sectionsOf({ sections }: RelocObject): StaticOrders["modules"][number]["sections"] {
  return Object.fromEntries(
    sections.flatMap(({ role, data }) => {
      const name = recorded.get(role.kind);
      return name === undefined ? [] : [[name, Buffer.from(data!).toString("hex")]];
    }),
  );
}

test("variables in blocks of function bodies are placed where ptxas places them", (t) => {
  t.true(record.modules.length > 20);
  for (const { text, sections } of record.modules) {
    const object = assemble(check(text));
    t.deepEqual(sectionsOf(object), sections, text);
    t.deepEqual(sectionsOf(assemble(check(textOf(object)))), sections, text);
  }
});

test("references follow the variables that were moved", (t) => {
  const text = `.version 8.5\n.target sm_75\n.address_size 64
    .visible .func f() { .reg .u64 %a; .reg .u32 %v; .global .u32 x = 1; .global .u64 p = x;
      { .global .u32 x = 2; .global .u64 q = x; ld.global.u32 %v, [x]; mov.u64 %a, q; } ld.global.u32 %v, [x]; ret; }`;
  const { symbols, sections } = assemble(check(text));
  const names = symbols.map(({ name }) => name);
  const variables = symbols.filter(({ kind }) => kind === "variable");
  t.deepEqual(
    variables.map(({ name }) => name),
    ["$__x__1", "$__q__0", "$__x__0", "$__p__0"],
  );
  const data = sections.find(({ role }) => role.kind === "global-init")!;
  const said = data.relocations.map(({ offset, symbol }) => {
    const holder = variables.find(({ placement }) => placement.kind === "section" && placement.offset === offset);
    return `${holder!.name} ${names[symbol]}`;
  });
  t.deepEqual(said.toSorted(), ["$__p__0 $__x__0", "$__q__0 $__x__1"]);
});
