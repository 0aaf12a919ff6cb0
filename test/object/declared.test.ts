// Objects with declarations that PTX cannot have are refused by every kind of link, and by the reader into columns.

import test from "ava";
import { assemble } from "../../lib/object/assemble.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import type { CodeSymbol, ModuleOrigin, ObjectFile, ObjectSymbol, VariableSymbol } from "../../lib/object/object.js";
import { check } from "./pipeline.js";
import { linkQuietly } from "../link/record/links.js";

const object = assemble(
  check(`.version 8.5
.target sm_80
.address_size 64
.file 1 "a.cu"
.extern .func (.param .b32 r) other (.param .b32 a);
.visible .func f() { ret; }
.global .u64 table = f;
.global .u64 outside = other;
.visible .const .b32 limit = 1;
.common .global .b32 shared_by_all[1];
.global .texref picture;
.visible .entry k(.param .u64 .ptr .global .align 4 p) .maxntid 32
{
  .loc 1 1 1
  ret;
}
`),
);

const changed = (name: string, change: (symbol: never) => object): ObjectFile => ({
  ...object,
  symbols: object.symbols.map((each) =>
    each.name === name ? ({ ...each, ...change(each as never) } as ObjectSymbol) : each,
  ),
});
const named = (name: string, as: string): ObjectFile => changed(name, () => ({ name: as }));
const directed = (name: string, values: readonly number[], strings: readonly string[] = []): ObjectFile =>
  changed("k", () => ({ directives: [{ name, values, strings }] }));
const prototyped = (name: string, change: Partial<CodeSymbol["prototype"]>): ObjectFile =>
  changed(name, ({ prototype }: CodeSymbol) => ({ prototype: { ...prototype, ...change } }));
const parameters = (change: Partial<CodeSymbol["prototype"]["parameters"][number]>, name = "k"): ObjectFile =>
  changed(name, ({ prototype }: CodeSymbol) => ({
    prototype: { ...prototype, parameters: prototype.parameters.map((each) => ({ ...each, ...change })) },
  }));
const modules = (change: Partial<ModuleOrigin>): ObjectFile => ({
  ...object,
  modules: object.modules.map((each) => ({ ...each, ...change })),
});
const { returns } = object.symbols.find((each): each is CodeSymbol => each.name === "other")!.prototype;

const cases: readonly (readonly [object: ObjectFile, says: RegExp])[] = [
  [named("k", "k\u0001"), /^"k\\u0001" is not a PTX name$/],
  [named("other", "_"), /^"_" is not a PTX name$/],
  [named("picture", "1st"), /^"1st" is not a PTX name$/],
  [changed("limit", () => ({ managed: true })), /^limit: a \.const variable has no \.managed attribute$/],
  [changed("limit", () => ({ unified: [1n, 2n] })), /^limit: a \.const variable has no \.unified attribute$/],
  [changed("table", () => ({ scope: "a b" })), /^table: it is declared in "a b", which is not a PTX name$/],
  [directed("maxntie", [32]), /^k: "\.maxntie" is not a directive of functions in PTX$/],
  [directed("noreturn", []), /^k: \.noreturn with 0 values does not fit such a function/],
  [directed("maxntid", [1, 1, 1, 1]), /^k: \.maxntid with 4 values does not fit/],
  [directed("maxntid", [0]), /^k: \.maxntid takes numbers from 1 to 2147483648, not 0$/],
  [directed("maxntid", [1], ["a"]), /^k: "\.maxntid" is not a directive/],
  [directed("pragma", [], ['a"b']), /^k: "a\\"b" is not a valid text of a directive/],
  [directed("pragma", []), /^k: \.pragma has no text$/],
  [prototyped("k", { returns }), /^k: a kernel returns nothing$/],
  [prototyped("k", { noreturn: true }), /^k: a kernel or a function with a result cannot be \.noreturn$/],
  [prototyped("other", { noreturn: true }), /^other: a kernel or a function with a result cannot be \.noreturn$/],
  [parameters({ name: "p q" }), /^k: parameter "p q" has no PTX name$/],
  [parameters({ space: "reg" }), /^k: parameter p of a kernel is in a register$/],
  [parameters({ pointer: { space: "everywhere", align: 4 } }), /^k: p points at "everywhere"$/],
  [parameters({ pointer: { space: "global", align: 3 } }), /^k: p has a \.ptr alignment of 3 bytes$/],
  [parameters({ pointer: { space: "global", align: 4 } }, "other"), /^other: parameter a of a function is \.ptr$/],
  [modules({ version: 999 }), /^module "m\.ptx": there is no PTX ISA 99\.9 that this ptxkit knows: the newest is/],
  [modules({ targetOptions: ["nonsense"] }), /^module "m\.ptx": "nonsense" is not a word of \.target$/],
  [modules({ files: [{ index: 1, path: 'a".cu' }] }), /^module "m\.ptx": "a\\"\.cu" is not a valid name of a file/],
  [changed("k", () => ({ linkage: "extern" })), /^k: an \.extern symbol is defined$/],
  [changed("f", () => ({ linkage: "common" })), /^f: a function is not \.common$/],
  [changed("limit", () => ({ linkage: "common" })), /^limit: a \.common variable has a place$/],
  [
    changed("shared_by_all", () => ({ linkage: "visible" })),
    /^shared_by_all: a symbol that is not \.common has no place$/,
  ],
  [
    changed("shared_by_all", ({ layout }: VariableSymbol) => ({
      layout: { ...layout, dimensions: [undefined], size: 0 },
    })),
    /^shared_by_all: an array that is defined has no size$/,
  ],
  [
    {
      ...object,
      sections: object.sections.map((section) =>
        section.role.kind === "global-init"
          ? { ...section, relocations: section.relocations.map((each) => ({ ...each, addend: 256n })) }
          : section,
      ),
    },
    /: the address of function f is taken with 256 bytes added$/,
  ],
];

test("an object with an unnamed variable is refused when it is written, and when it is read", (t) => {
  t.throws(() => writeObject(named("table", "")), { message: 'a string table cannot hold ""' });
  const text = Buffer.from(writeObject(named("table", "unnamed"))).toString("latin1");
  const bytes = Buffer.from(text.replaceAll("unnamed\0", "\0nnamed\0"), "latin1");
  const read = decodeObject(bytes, "a.o");
  if (read.ok) t.fail("it was read");
  else t.is(read.error.what, '"" is not a PTX name');
  t.is(linkQuietly([bytes], { relocatable: true }), undefined);
});

test("declarations in an object are limited to those that PTX allows", (t) => {
  const whole = writeObject(object);
  t.true(decodeObject(whole, "a.o").ok);
  for (const [damaged, says] of cases) {
    const bytes = writeObject(damaged);
    const read = decodeObject(bytes, "a.o");
    if (read.ok) t.fail(`${says} was read`);
    else t.regex(read.error.what, says);
    t.is(linkQuietly([bytes], { relocatable: true }), undefined, `a link of ${says}`);
  }
  t.not(linkQuietly([whole], { relocatable: true }), undefined);
});
