// Objects with declarations that PTX cannot express are not converted to text.

import test from "ava";
import { assemble } from "../../lib/object/assemble.js";
import type { ObjectFile, ObjectSymbol } from "../../lib/object/object.js";
import { disassemble } from "../../lib/object/print/disassemble.js";
import { check } from "./pipeline.js";

const text = `.version 8.5
.target sm_80
.address_size 64
.file 1 "a.cu"
.visible .func f() { ret; }
.global .u64 table = f;
.visible .entry k() .maxntid 32
{
  .shared .b32 s;
  .reg .b32 r;
  .loc 1 1 1
  ld.shared.b32 r, [s];
  ret;
}
`;
const object = assemble(check(text));

const changed = (name: RegExp, change: (symbol: ObjectSymbol) => ObjectSymbol): ObjectFile => ({
  ...object,
  symbols: object.symbols.map((symbol) => (name.test(symbol.name) ? change(symbol) : symbol)),
});
const withDirective = (name: string, values: readonly number[], strings: readonly string[] = []): ObjectFile =>
  changed(/^k$/, (symbol) => ({ ...symbol, directives: [{ name, values, strings }] }) as ObjectSymbol);

const cases: readonly (readonly [what: string, object: ObjectFile, says: RegExp])[] = [
  [
    "a variable of a function without a name",
    changed(/^\$__s__/, (symbol) => ({ ...symbol, name: "$__\u0001s__0" })),
    /^k: "\\u0001s" is not a PTX name$/,
  ],
  [
    "a managed .shared variable",
    changed(/^\$__s__/, (symbol) => ({ ...symbol, managed: true }) as ObjectSymbol),
    /a \.shared variable has no \.managed attribute$/,
  ],
  [
    "a directive that does not exist",
    withDirective("maxntie", [32]),
    /^k: "\.maxntie" is not a directive of functions/,
  ],
  [
    "a directive of other functions",
    withDirective("noreturn", []),
    /^k: \.noreturn with 0 values does not fit such a function/,
  ],
  [
    "a directive with too many values",
    withDirective("maxntid", [1, 1, 1, 1]),
    /^k: \.maxntid with 4 values does not fit/,
  ],
  [
    "a pragma that is not a string",
    withDirective("pragma", [], ['a"b']),
    /^k: "a\\"b" is not a valid text of a directive/,
  ],
  [
    "a file that is not a string",
    { ...object, modules: object.modules.map((each) => ({ ...each, files: [{ index: 1, path: 'a".cu' }] })) },
    /^"a\\".cu" is not a valid name of a file: PTX strings cannot hold it$/,
  ],
  [
    "a place inside a function for a value",
    {
      ...object,
      sections: object.sections.map((section) =>
        section.role.kind === "global-init"
          ? { ...section, relocations: section.relocations.map((each) => ({ ...each, addend: 256n })) }
          : section,
      ),
    },
    /^the address of function f is taken with 256 bytes added$/,
  ],
];

test("an object is printed, and parts that a text cannot express are reported", (t) => {
  t.true(disassemble(object).ok);
  for (const [what, damaged, says] of cases) {
    const printed = disassemble(damaged);
    if (printed.ok) t.fail(`${what}: ${printed.value}`);
    else t.regex(printed.error.what, says, what);
  }
});
